//! The name buffer, its hash tables, and the signature of the structure.

use ferrodyn_model::{Model, name_map};

use super::resolve::{Elements, List};
use crate::spec::{Object, Spec};

/// The names of a model, in MuJoCo's order.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    buffer: Vec<u8>,
    map: Vec<i32>,
    /// Addresses: bodies, joints, geoms, sites, cameras, lights, numerics, texts, tuples, keys.
    addresses: [Vec<i32>; 10],
}

impl Names {
    pub(super) fn new(spec: &Spec, elements: &Elements<'_>, keys: &[String]) -> Self {
        let mut names = Self::default();
        let model = spec.model_name.as_deref().unwrap_or("MuJoCo Model");
        names.buffer.extend_from_slice(model.as_bytes());
        names.buffer.push(0);
        let bodies: Vec<&str> = spec.bodies.iter().map(|b| b.name.as_str()).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let lists = [
            bodies,
            of_list(&elements.joints),
            of_list(&elements.geoms),
            of_list(&elements.sites),
            of_list(&elements.cameras),
            of_list(&elements.lights),
            of_objects(&spec.numerics),
            of_objects(&spec.texts),
            of_objects(&spec.tuples),
            keys,
        ];
        for (slot, list) in lists.iter().enumerate() {
            names.map.extend(name_map(list.iter().copied()));
            for name in list {
                names.addresses[slot].push(names.buffer.len() as i32);
                names.buffer.extend_from_slice(name.as_bytes());
                names.buffer.push(0);
            }
        }
        names
    }

    /// Bytes of all names.
    pub(super) fn bytes(&self) -> usize {
        self.buffer.len()
    }

    /// Slots of all hash tables.
    pub(super) fn slots(&self) -> usize {
        self.map.len()
    }

    /// Moves the names into the model.
    pub(super) fn fill(self, m: &mut Model) {
        m.names = self.buffer.into();
        m.names_map = self.map.into();
        let [bodies, joints, geoms, sites, cameras, lights, numerics, texts, tuples, keys] =
            self.addresses.map(Vec::into_boxed_slice);
        m.name_bodyadr = bodies;
        m.name_jntadr = joints;
        m.name_geomadr = geoms;
        m.name_siteadr = sites;
        m.name_camadr = cameras;
        m.name_lightadr = lights;
        m.name_numericadr = numerics;
        m.name_textadr = texts;
        m.name_tupleadr = tuples;
        m.name_keyadr = keys;
    }
}

fn of_list<'a, A>(list: &List<'a, A>) -> Vec<&'a str> {
    list.items.iter().map(|item| item.name).collect()
}

fn of_objects<A>(objects: &[Object<A>]) -> Vec<&str> {
    objects.iter().map(|o| o.name.as_str()).collect()
}

/// A running hash of text, MuJoCo's string hash.
struct Hash(u64);

impl Hash {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 << 5).wrapping_add(self.0) ^ u64::from(byte);
        }
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..(2 * depth).min(1024) {
            self.add(" ");
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.add(text);
        self.add("\n");
    }
}

/// The hash of a listing of the model's structure.
pub(super) fn signature(spec: &Spec, elements: &Elements<'_>, m: &Model) -> u64 {
    let mut hash = Hash(5381);
    hash.add("\n");
    // bodies are in the order of the listing: close those that a body does not lie in
    let mut open: Vec<usize> = Vec::new();
    for (i, body) in spec.bodies.iter().enumerate() {
        while i > 0 && open.last() != Some(&body.parent) {
            open.pop();
            hash.line(open.len(), "</body>");
        }
        hash.line(open.len(), "<body>");
        open.push(i);
        let depth = open.len();
        let first = m.body_jntadr[i].max(0) as usize;
        for j in first..first + m.body_jntnum[i] as usize {
            let next = m.jnt_qposadr.get(j + 1).map_or(m.nq, |a| *a as usize);
            let nq = next - m.jnt_qposadr[j] as usize;
            hash.line(depth, &format!("<joint>{nq}</joint>"));
        }
        for _ in 0..m.body_geomnum[i] {
            hash.line(depth, "<geom/>");
        }
        for (text, count) in [
            ("<site/>", elements.sites.of_body(i).len()),
            ("<camera/>", elements.cameras.of_body(i).len()),
            ("<light/>", elements.lights.of_body(i).len()),
        ] {
            for _ in 0..count {
                hash.line(depth, text);
            }
        }
    }
    while open.pop().is_some() {
        hash.line(open.len(), "</body>");
    }
    for _ in 0..m.nkey {
        hash.add("<key/>\n");
    }
    hash.0 % u64::MAX
}
