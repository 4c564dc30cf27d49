//! A `<flexcomp>` whose points a solver of their own moves: no bodies, but a deformable body of the world.

use super::Parser;
use super::flexcomp::Flexcomp;
use super::lattice::{Refused, is_listed};
use super::pin;
use super::tree::Place;
use crate::flexcomp::Lattice;
use crate::keywords::{FlexcompDof, FlexcompKind};
use crate::pose;
use crate::schema::PinAttrs;
use crate::spec::{Object, SoftSpec};
use crate::xml::Node;

/// Attributes that only count with a solver.
const WITH_SOLVER: &str = "'ferrodyn:substeps', 'ferrodyn:iterations', 'ferrodyn:damping', 'ferrodyn:material', \
                           'ferrodyn:stretch', 'ferrodyn:bend' and 'ferrodyn:volume' need 'ferrodyn:solver'";

/// Turns all tetrahedra round where every one is inside out, as those that MuJoCo generates are.
fn turn_round(lattice: &mut Lattice) {
    let inside_out = |corners: &[i32; 4]| {
        let [a, b, c, d] = corners.map(|i| lattice.point[i as usize]);
        let [u, v, w] = [b, c, d].map(|x| pose::sub(&x, &a));
        pose::dot(&u, &pose::cross(&v, &w)) < 0.0
    };
    if lattice.dim == 3 && lattice.element.as_chunks().0.iter().all(inside_out) {
        for corners in lattice.element.as_chunks_mut::<4>().0 {
            corners.swap(2, 3);
        }
    }
}

impl Parser<'_> {
    /// What a solver does not move, and what needs one.
    pub(super) fn check_soft(&self, flexcomp: &Flexcomp) -> Result<(), Refused> {
        let attr = &flexcomp.attr;
        if attr.solver.is_none() {
            let given = attr.substeps.is_some()
                || attr.iterations.is_some()
                || attr.drag.is_some()
                || attr.softmaterial.is_some()
                || attr.stretch.is_some()
                || attr.bend.is_some()
                || attr.volume.is_some();
            return if given { Err(WITH_SOLVER.into()) } else { Ok(()) };
        }
        if cfg!(not(feature = "deformable")) {
            return Err(
                "this build has no deformable bodies (the feature `deformable` is off)".into()
            );
        }
        let or = attr.or_default();
        if or.dof() != FlexcompDof::Full || or.rigid() {
            return Err("'ferrodyn:solver' moves every point by itself: 'dof' must be full, and 'rigid' false".into());
        }
        if flexcomp.is_constrained() {
            return Err("a <flexcomp> with 'ferrodyn:solver' has no <edge> and no <plugin>".into());
        }
        Ok(())
    }

    /// Adds the deformable body, with its points and elements as lists.
    pub(super) fn add_soft(
        &mut self,
        node: &Node,
        place: Place,
        mut flexcomp: Flexcomp,
        mut lattice: Lattice,
    ) -> Result<(), Refused> {
        let (pins, most) = (flexcomp.take_pins(), self.options.budget.array);
        let listed = is_listed(flexcomp.attr.or_default().kind());
        let mut pinned = pin::pinned(&flexcomp.attr, &pins, &lattice, most)?;
        if listed {
            pin::drop_unused(&mut lattice, &mut pinned.points, FlexcompDof::Full);
        }
        turn_round(&mut lattice);
        let mut attr = core::mem::take(&mut flexcomp.attr);
        attr.kind = Some(FlexcompKind::Direct);
        attr.dim = Some(lattice.dim as i32);
        attr.point = Some(lattice.point.concat());
        attr.element = Some(core::mem::take(&mut lattice.element));
        // all of this is in the points now
        (attr.count, attr.spacing, attr.scale, attr.file) = (None, None, None, None);
        (attr.pos, attr.quat, attr.alt, attr.origin) = (None, None, None, None);
        (attr.texcoord, attr.inertiabox) = (None, None);
        let ids: Vec<i32> =
            (0..lattice.point.len()).filter(|i| pinned.points[*i]).map(|i| i as i32).collect();
        let (contact, elasticity) = flexcomp.take_material();
        let spec = SoftSpec {
            body: self.spec.bodies[place.body].name.clone(),
            attr,
            contact,
            elasticity,
            pin: PinAttrs { id: (!ids.is_empty()).then_some(ids), ..PinAttrs::default() },
        };
        let name = core::mem::take(&mut flexcomp.name);
        self.spec.softs.push(Object { name, span: node.span, attr: spec, ..Object::default() });
        Ok(())
    }
}
