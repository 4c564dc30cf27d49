//! The normal force of contacts in the volume of a site.
use ferrodyn_math::Real;
use ferrodyn_model::{GeomType, Model, Storage};

use crate::World;
use crate::constraint::contact_force::contact_force;
use crate::constraint::sides::geom_body;
use crate::contact::ray_geom;
use crate::query::{Pose, Ray};

/// Sum of the normal forces of the contacts of the site's body whose force points into the site.
pub(super) fn force(m: &Model<impl Storage>, d: &World<'_>, site: usize) -> Real {
    let kind = GeomType::try_from(m.site_type[site]).unwrap_or(GeomType::None);
    let volume = Pose { pos: d.site_xpos[site], mat: d.site_xmat[site] };
    let mut total = 0.0;
    for (i, contact) in d.work.contact[..d.ncon()].iter().enumerate() {
        let [own1, own2] =
            [0, 1].map(|side| geom_body(m, contact, side) == Some(m.site_body(site)));
        if contact.efc_address < 0 || !(own1 || own2) {
            continue;
        }
        let normal = contact_force(m, d, i)[0];
        if normal <= 0.0 {
            continue;
        }
        let dir = (contact.frame.row(0) * normal).normalize().0;
        let dir = if own2 { dir * -1.0 } else { dir };
        // a contact inside the volume always meets its surface
        if ray_geom(&volume, m.site_size[site], kind, &Ray { origin: contact.pos, dir }).is_some() {
            total += normal;
        }
    }
    total
}
