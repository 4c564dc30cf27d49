//! Contacts between two objects: which, how many, and with what force.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{List, MIN_VAL, Real, Vec3, sort_by, words_of};
use ferrodyn_model::{CONTACT_DATA, Contact, Model, ObjType, Storage};

use super::{inside, object, put};
use crate::constraint::contact_force::contact_force;
use crate::constraint::sides::geom_body;
use crate::{StepError, World};

// how contacts are reduced to those that are shown: not at all (0), those of the least distance or of the largest force
// first, or their sum
const MIN_DISTANCE: i32 = 1;
const MAX_FORCE: i32 = 2;
const NET_FORCE: i32 = 3;

/// A contact that a sensor sees.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct ContactMatch {
    /// What the contacts are sorted by.
    criterion: Real,
    id: u32,
    /// Is the normal turned round?
    flip: u32,
}

impl ContactMatch {
    fn id(&self) -> usize {
        self.id as usize
    }

    /// The sign of the normal.
    fn sign(&self) -> Real {
        if self.flip != 0 { -1.0 } else { 1.0 }
    }
}

/// What one slot of the sensor shows.
struct Shown {
    found: Real,
    force: Vec3,
    torque: Vec3,
    dist: Real,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

impl Shown {
    /// Write the fields that the sensor asks for.
    fn write(&self, fields: i32, slot: &mut [Real]) {
        let mut rest = slot;
        let all: [&[Real]; 7] = [
            &[self.found],
            &self.force.0,
            &self.torque.0,
            &[self.dist],
            &self.pos.0,
            &self.normal.0,
            &self.tangent.0,
        ];
        for (k, value) in all.into_iter().enumerate() {
            if fields & (1 << k) != 0 && value.len() <= rest.len() {
                let (head, tail) = rest.split_at_mut(value.len());
                put(head, value);
                rest = tail;
            }
        }
    }
}

/// Words of temporary memory with so many contacts.
pub(super) fn words(ncon: usize) -> usize {
    words_of::<ContactMatch>(ncon)
}

/// Compute a contact sensor.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    out: &mut [Real],
) -> Result<(), StepError> {
    out.fill(0.0);
    let count = d.ncon();
    d.with_stack(words(count), |d, mut stack| {
        look(m, d, i, out, stack.list(count)?);
        Ok(())
    })?
}

fn look(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    out: &mut [Real],
    mut matches: List<'_, ContactMatch>,
) {
    let [fields, reduce, _] = m.sensor_intprm[i];
    for id in 0..d.ncon() {
        let Some(flip) = match_contact(m, d, i, &d.work.contact[id]) else { continue };
        let criterion = match reduce {
            MIN_DISTANCE => d.work.contact[id].dist,
            MAX_FORCE => {
                let force = Vec3::from_slice(&contact_force(m, d, id));
                -force.dot(force)
            }
            _ => 0.0,
        };
        // -0 + 0 = 0 below: `total_cmp` tells the two zeros apart, MuJoCo's comparison does not
        let (id, flip) = (id as u32, u32::from(flip));
        matches.extend([ContactMatch { criterion: criterion + 0.0, id, flip }]);
    }
    if reduce == MIN_DISTANCE || reduce == MAX_FORCE {
        sort_by(&mut matches, |a, b| {
            a.criterion.total_cmp(&b.criterion).then_with(|| a.id.cmp(&b.id)).is_lt()
        });
    }
    if reduce == NET_FORCE {
        net_force(m, d, &matches).write(fields, out);
    } else {
        let size: usize =
            (0..7).filter(|k| fields & (1 << k) != 0).map(|k| CONTACT_DATA[k].1 as usize).sum();
        for (slot, seen) in out.chunks_exact_mut(size.max(1)).zip(&*matches) {
            show(m, d, seen, matches.len()).write(fields, slot);
        }
    }
}

/// One contact; turned by half a turn about its second tangent where the normal is turned round.
fn show(m: &Model<impl Storage>, d: &World<'_>, seen: &ContactMatch, found: usize) -> Shown {
    let contact = &d.work.contact[seen.id()];
    let wrench = contact_force(m, d, seen.id());
    let sign = seen.sign();
    Shown {
        found: found as Real,
        force: Vec3::new(wrench[0], wrench[1], sign * wrench[2]),
        torque: Vec3::new(wrench[3], wrench[4], sign * wrench[5]),
        dist: contact.dist,
        pos: contact.pos,
        normal: contact.frame.row(0) * sign,
        tangent: contact.frame.row(1) * sign,
    }
}

/// The sum of all contacts, in the world, about their centre weighted by force.
fn net_force(m: &Model<impl Storage>, d: &World<'_>, matches: &[ContactMatch]) -> Shown {
    let wrench = |seen: &ContactMatch| {
        let wrench = contact_force(m, d, seen.id()).map(|x| seen.sign() * x);
        (Vec3::from_slice(&wrench), Vec3::from_slice(&wrench[3..]), &d.work.contact[seen.id()])
    };
    let (mut point, mut total) = (Vec3::ZERO, 0.0);
    for seen in matches {
        let (force, _, contact) = wrench(seen);
        let weight = force.norm();
        point = point.add_scaled(contact.pos, weight);
        total += weight;
    }
    let point = point * (1.0 / if total > MIN_VAL { total } else { MIN_VAL });
    let (mut net, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    for seen in matches {
        let (force, torque, contact) = wrench(seen);
        let force = contact.frame.mul_transposed(force);
        net += force;
        moment += contact.frame.mul_transposed(torque);
        moment += (contact.pos - point).cross(force);
    }
    Shown {
        found: matches.len() as Real,
        force: net,
        torque: moment,
        dist: 0.0,
        pos: point,
        normal: Vec3::X,
        tangent: Vec3::Y,
    }
}

/// Does the sensor see the contact, and with the normal turned round? MuJoCo: `matchContact`.
fn match_contact(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    contact: &Contact,
) -> Option<bool> {
    let (kind1, id1) = object(m, i);
    let kind2 = ObjType::try_from(m.sensor_reftype[i]).unwrap_or(ObjType::Unknown);
    let id2 = m.sensor_refid[i].max(0) as usize;
    let (first, second) = (kind1 != ObjType::Unknown, kind2 != ObjType::Unknown);
    if kind1 == ObjType::Site && !inside::inside_site(m, d, id1, contact.pos) {
        return None;
    }
    let is = |side: usize, kind: ObjType, id: usize| is_object(m, contact, side, kind, id);
    let (match11, match12) = (is(0, kind1, id1), is(1, kind1, id1));
    let (match21, match22) = (is(0, kind2, id2), is(1, kind2, id2));
    if !(match11 || match12) || !(match21 || match22) {
        return None;
    }
    match (first, second) {
        (false, false) => Some(false),
        // the normal points from the first object to the second
        (true, true) if match11 && match22 => Some(false),
        (true, true) if match12 && match21 => Some(true),
        (true, true) => None,
        (true, false) => Some(!match11),
        (false, true) => Some(!match22),
    }
}

/// Does a side of a contact belong to an object? MuJoCo: `checkMatch`.
fn is_object(
    m: &Model<impl Storage>,
    contact: &Contact,
    side: usize,
    kind: ObjType,
    id: usize,
) -> bool {
    let body = geom_body(m, contact, side);
    match kind {
        // sites choose by position
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => contact.geom[side] == id as i32,
        ObjType::Body => body == Some(id),
        ObjType::XBody => body.is_some_and(|mut b| {
            while b > id {
                b = m.body_parent(b);
            }
            b == id
        }),
        _ => false,
    }
}
