//! The name buffer, its hash tables, and the signature of the structure.

use ferrodyn_model::{Model, name_map};

use super::resolve::Elements;

/// The names of a model, in MuJoCo's order.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    buffer: Vec<u8>,
    map: Vec<i32>,
    /// Addresses of the names of each list.
    addresses: Vec<Box<[i32]>>,
}

impl Names {
    /// The names of all lists of objects, in the order of [`Names::fill`].
    pub(super) fn new(model: &str, lists: &[Vec<&str>]) -> Self {
        let mut names = Self::default();
        names.buffer.extend_from_slice(model.as_bytes());
        names.buffer.push(0);
        for list in lists {
            names.map.extend(name_map(list.iter().copied()));
            let mut addresses = Vec::with_capacity(list.len());
            for name in list {
                addresses.push(names.buffer.len() as i32);
                names.buffer.extend_from_slice(name.as_bytes());
                names.buffer.push(0);
            }
            names.addresses.push(addresses.into());
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
        let targets = [
            &mut m.name_bodyadr,
            &mut m.name_jntadr,
            &mut m.name_geomadr,
            &mut m.name_siteadr,
            &mut m.name_camadr,
            &mut m.name_lightadr,
            &mut m.name_flexadr,
            &mut m.name_meshadr,
            &mut m.name_skinadr,
            &mut m.name_hfieldadr,
            &mut m.name_texadr,
            &mut m.name_matadr,
            &mut m.name_pairadr,
            &mut m.name_excludeadr,
            &mut m.name_eqadr,
            &mut m.name_tendonadr,
            &mut m.name_actuatoradr,
            &mut m.name_sensoradr,
            &mut m.name_numericadr,
            &mut m.name_textadr,
            &mut m.name_tupleadr,
            &mut m.name_keyadr,
            &mut m.name_pluginadr,
        ];
        for (target, addresses) in targets.into_iter().zip(self.addresses) {
            *target = addresses;
        }
    }
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
pub(super) fn signature(elements: &Elements<'_>, m: &Model) -> u64 {
    let mut hash = Hash(5381);
    hash.add("\n");
    // bodies are in the order of the listing: close those that a body does not lie in
    let mut open: Vec<usize> = Vec::new();
    for i in 0..m.nbody {
        let parent = m.body_parentid[i] as usize;
        while i > 0 && open.last() != Some(&parent) {
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
    let mut add = |text: &str, count: usize| {
        for _ in 0..count {
            hash.add(text);
        }
    };
    add("<flex/>\n", m.nflex);
    add("<mesh/>\n", m.nmesh);
    add("<skin/>\n", m.nskin);
    add("<heightfield/>\n", m.nhfield);
    add("<texture/>\n", m.ntex);
    add("<material/>\n", m.nmat);
    add("<pair/>\n", m.npair);
    add("<exclude/>\n", m.nexclude);
    // the first equality is not listed
    add("<equality/>\n", m.neq.saturating_sub(1));
    add("<tendon/>\n", m.ntendon);
    add("<actuator/>\n", m.nu);
    for kind in &m.sensor_type {
        add(&format!("<sensor>{kind}<sensor/>\n"), 1);
    }
    add("<key/>\n", m.nkey);
    hash.0 % u64::MAX
}
