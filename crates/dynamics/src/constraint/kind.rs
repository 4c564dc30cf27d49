//! What each kind of constraint is, in one place: whom it acts on, how many rows it has, its weight and its parameters.
//!
//! A row names its constraint by kind and number (`efc_type`, `efc_id`). Assembly, islands, sleep, sensors and derived constants
//! ask here instead of looking at the model by themselves. Matches have no default arm: a new kind does not compile until it is
//! written here, in `rows.rs` and in `solver/noslip.rs`. Solvers tell kinds apart by the place of their rows
//! ([`Rows`](super::update::Rows)), which the compiler does not check; `zone.rs` has the zones that they choose from.
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{ConstraintType, Contact, EqualityType, Model, ObjType, Storage};

use super::sides::{geom_bodies, inverse_weights};
use crate::World;
use crate::data::Work;

/// What an equality constraint ties together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tie {
    /// Points of two bodies coincide (connect).
    Points(Ends),
    /// Frames of two bodies coincide (weld).
    Frames(Ends),
    /// A joint follows another one, or stays.
    Joints(usize, Option<usize>),
    /// A tendon follows another one, or keeps its length.
    Tendons(usize, Option<usize>),
    /// The edges of a flex keep their lengths: one row for each.
    Edges(usize),
    /// A sheet is not stretched at its vertices: two rows for each.
    Strains(usize),
}

/// Two bodies, and the sites on them by which they were named, if they were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    pub(crate) bodies: [usize; 2],
    pub(crate) sites: Option<[usize; 2]>,
}

impl Tie {
    /// The tie of an equality constraint; `None` for kinds that do not exist here.
    pub(crate) fn of(m: &Model<impl Storage>, i: usize) -> Option<Tie> {
        let first = usize::try_from(m.eq_obj1id[i]).ok()?;
        let second = usize::try_from(m.eq_obj2id[i]).ok();
        let ends = || {
            let objects = [first, second?];
            let by_site = m.eq_objtype[i] == ObjType::Site as i32;
            let bodies = objects.map(|o| if by_site { m.site_body(o) } else { o });
            Some(Ends { bodies, sites: by_site.then_some(objects) })
        };
        match EqualityType::try_from(m.eq_type[i]).ok()? {
            EqualityType::Connect => ends().map(Tie::Points),
            EqualityType::Weld => ends().map(Tie::Frames),
            EqualityType::Joint => Some(Tie::Joints(first, second)),
            EqualityType::Tendon => Some(Tie::Tendons(first, second)),
            EqualityType::Flex => Some(Tie::Edges(first)),
            EqualityType::FlexVert => Some(Tie::Strains(first)),
            EqualityType::Distance => None,
        }
    }

    /// Number of rows that are judged together; a flex has that many for each edge and number of a vertex. For a weld, `nemax` of the model counts 7, which is MuJoCo's number.
    pub(crate) fn size(&self) -> usize {
        match self {
            Tie::Points(_) => 3,
            Tie::Frames(_) => 6,
            Tie::Joints(..) | Tie::Tendons(..) | Tie::Edges(_) | Tie::Strains(_) => 1,
        }
    }

    /// The two bodies, where bodies are tied.
    pub(crate) fn ends(&self) -> Option<Ends> {
        match self {
            Tie::Points(ends) | Tie::Frames(ends) => Some(*ends),
            Tie::Joints(..) | Tie::Tendons(..) | Tie::Edges(_) | Tie::Strains(_) => None,
        }
    }

    /// The points that are tied, each in the frame of its body. A weld stores the anchor on the second body first.
    pub(crate) fn anchors(&self, m: &Model<impl Storage>, i: usize) -> [Vec3; 2] {
        let data = &m.eq_data[i];
        let stored = [Vec3::from_slice(data), Vec3::from_slice(&data[3..])];
        match self {
            Tie::Points(Ends { sites: Some(sites), .. })
            | Tie::Frames(Ends { sites: Some(sites), .. }) => sites.map(|s| m.site_pos[s]),
            Tie::Frames(_) => [stored[1], stored[0]],
            Tie::Points(_)
            | Tie::Joints(..)
            | Tie::Tendons(..)
            | Tie::Edges(_)
            | Tie::Strains(_) => stored,
        }
    }

    /// The trees that are tied together; -1 for what does not move.
    pub(crate) fn tied_trees(&self, m: &Model<impl Storage>) -> [i32; 4] {
        match *self {
            Tie::Points(ends) | Tie::Frames(ends) => {
                let [a, b] = ends.bodies.map(|b| m.body_treeid[b]);
                [a, b, -1, -1]
            }
            Tie::Joints(first, second) => {
                let tree = |j: usize| m.body_treeid[m.joint_body(j)];
                [tree(first), second.map_or(-1, tree), -1, -1]
            }
            Tie::Tendons(first, second) => {
                let [a, b] = m.tendon_treeid[first];
                let [c, d] = second.map_or([-1; 2], |t| m.tendon_treeid[t]);
                [a, b, c, d]
            }
            // every vertex may be a tree of its own; a step with sleep refuses such models
            Tie::Edges(_) | Tie::Strains(_) => [-1; 4],
        }
    }

    /// Estimate of `J M⁻¹ Jᵀ` on the diagonal: the sum of the inverse weights of both sides.
    fn diagonal(&self, m: &Model<impl Storage>, out: &mut [Real]) {
        match *self {
            Tie::Points(ends) | Tie::Frames(ends) => {
                let [w1, w2] = ends.bodies.map(|b| m.body_invweight0[b]);
                for (j, x) in out.iter_mut().enumerate() {
                    // three rows of translation, then three of rotation
                    let part = usize::from(j > 2);
                    *x = w1[part] + w2[part];
                }
            }
            Tie::Joints(first, second) => {
                let weight = |j: usize| m.dof_invweight0[m.joint_dof(j)];
                out[0] = second.map_or(weight(first), |other| weight(first) + weight(other));
            }
            Tie::Tendons(first, second) => {
                let weight = |t: usize| m.tendon_invweight0[t];
                out[0] = second.map_or(weight(first), |other| weight(first) + weight(other));
            }
            // row by row: `flex_weights`
            Tie::Edges(_) | Tie::Strains(_) => {}
        }
    }

    /// The weights of all rows of a flex, one after the other; none for other ties.
    pub(crate) fn flex_weights<S: Storage>(
        self,
        m: &Model<S>,
    ) -> impl Iterator<Item = Real> + use<'_, S> {
        let edges = match self {
            Tie::Edges(f) => m.flex_edges(f),
            _ => 0..0,
        };
        let vertices = match self {
            Tie::Strains(f) => m.flex_vertices(f),
            _ => 0..0,
        };
        let of_edges =
            edges.filter(|e| m.flexedge_rigid[*e] == 0).map(|e| m.flexedge_invweight0[e]);
        let of_vertices = vertices.flat_map(|v| {
            let body = m.flex_vertbodyid[v] as usize;
            [m.body_invweight0[body][0]; 2]
        });
        of_edges.chain(of_vertices)
    }
}

/// A constraint that rows belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Constraint {
    pub(crate) kind: ConstraintType,
    pub(crate) id: usize,
}

/// Reference and impedance parameters as the model has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) solref: [Real; 2],
    /// Of the tangents of an elliptic cone; zeros for those of the normal.
    pub(crate) solref_friction: [Real; 2],
    pub(crate) solimp: [Real; 5],
}

impl Constraint {
    /// The constraint of a row. Rows are made here, so that every kind is known.
    #[inline]
    pub(crate) fn of_row(w: &Work<'_>, row: usize) -> Constraint {
        let kind = ConstraintType::try_from(w.efc_type[row]).unwrap_or(ConstraintType::Equality);
        Constraint { kind, id: w.efc_id[row] as usize }
    }

    /// What it ties, if it is an equality.
    pub(crate) fn tie(&self, m: &Model<impl Storage>) -> Option<Tie> {
        if self.kind == ConstraintType::Equality { Tie::of(m, self.id) } else { None }
    }

    /// Number of rows.
    pub(crate) fn size(&self, m: &Model<impl Storage>, contacts: &[Contact]) -> usize {
        let dim = || contacts[self.id].dim as usize;
        match self.kind {
            ConstraintType::Equality => Tie::of(m, self.id).map_or(1, |tie| tie.size()),
            ConstraintType::FrictionDof
            | ConstraintType::FrictionTendon
            | ConstraintType::LimitJoint
            | ConstraintType::LimitTendon
            | ConstraintType::ContactFrictionless => 1,
            ConstraintType::ContactPyramidal => 2 * (dim() - 1),
            ConstraintType::ContactElliptic => dim(),
        }
    }

    /// Is it the dry friction of a degree of freedom or tendon? Its row has a damping and no stiffness.
    pub(crate) fn is_dry_friction(&self) -> bool {
        matches!(self.kind, ConstraintType::FrictionDof | ConstraintType::FrictionTendon)
    }

    /// The trees it acts on where its kind tells them, those that move first: one or two, -1 for none. `None` where the
    /// Jacobian itself is looked at, as in MuJoCo's `treeFirst`: a tendon or a flex can span any number of trees, and of a pair of
    /// joints the second is tied only where the polynomial has a slope (a zero of a dense row ties nothing).
    pub(crate) fn trees(&self, m: &Model<impl Storage>, d: &World<'_>) -> Option<(i32, i32)> {
        let of_bodies = |bodies: [usize; 2]| {
            let [a, b] = bodies.map(|b| m.body_treeid[b]);
            if a < 0 { (b, a) } else { (a, b) }
        };
        match self.kind {
            ConstraintType::FrictionDof => Some((m.dof_treeid[self.id], -1)),
            ConstraintType::LimitJoint => Some((m.dof_treeid[m.joint_dof(self.id)], -1)),
            ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic => {
                geom_bodies(m, &d.work.contact[self.id]).map(of_bodies)
            }
            ConstraintType::Equality => {
                Tie::of(m, self.id)?.ends().map(|ends| of_bodies(ends.bodies))
            }
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => None,
        }
    }

    /// An estimate of the diagonal of `J M⁻¹ Jᵀ` from the inverse weights of the model.
    pub(crate) fn diagonal(&self, m: &Model<impl Storage>, d: &World<'_>, out: &mut [Real]) {
        let id = self.id;
        match self.kind {
            ConstraintType::Equality => {
                if let Some(tie) = Tie::of(m, id) {
                    tie.diagonal(m, out);
                }
            }
            ConstraintType::FrictionDof => out[0] = m.dof_invweight0[id],
            ConstraintType::LimitJoint => out[0] = m.dof_invweight0[m.joint_dof(id)],
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => {
                out[0] = m.tendon_invweight0[id];
            }
            ConstraintType::ContactFrictionless => {
                out[0] = inverse_weights(m, d, &d.work.contact[id])[0]
            }
            ConstraintType::ContactElliptic => {
                // normal and two tangents, then rotations
                let weights = inverse_weights(m, d, &d.work.contact[id]);
                for (j, x) in out.iter_mut().enumerate() {
                    *x = weights[usize::from(j > 2)];
                }
            }
            ConstraintType::ContactPyramidal => {
                // an edge is the normal plus friction times a tangent or a rotation: wₙ + μ² wₜ
                let [tran, rot] = inverse_weights(m, d, &d.work.contact[id]);
                for (j, x) in out.iter_mut().enumerate() {
                    let friction = d.work.contact[id].friction[j / 2];
                    *x = tran + friction * friction * if j / 2 < 2 { tran } else { rot };
                }
            }
        }
    }

    /// Its reference and impedance parameters.
    pub(crate) fn parameters(&self, m: &Model<impl Storage>, contacts: &[Contact]) -> Parameters {
        let id = self.id;
        let (solref, solimp) = match self.kind {
            ConstraintType::Equality => (m.eq_solref[id], m.eq_solimp[id]),
            ConstraintType::LimitJoint => (m.jnt_solref[id], m.jnt_solimp[id]),
            ConstraintType::FrictionDof => (m.dof_solref[id], m.dof_solimp[id]),
            ConstraintType::LimitTendon => (m.tendon_solref_lim[id], m.tendon_solimp_lim[id]),
            ConstraintType::FrictionTendon => (m.tendon_solref_fri[id], m.tendon_solimp_fri[id]),
            ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic => {
                let Contact { solref, solreffriction, solimp, .. } = contacts[id];
                return Parameters { solref, solref_friction: solreffriction, solimp };
            }
        };
        Parameters { solref, solimp, ..Parameters::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::work::WorkSizes;
    use bytemuck::Zeroable;
    use ferrodyn_model::Sizes;

    /// Three bodies, of which the second and third are trees; two sites, two joints, two tendons.
    fn model() -> Model {
        let mut m = Model::zeroed(Sizes {
            nbody: 3,
            nsite: 2,
            njnt: 2,
            nv: 2,
            ngeom: 2,
            ntree: 2,
            ntendon: 2,
            neq: 5,
            ..Sizes::default()
        });
        m.body_treeid.copy_from_slice(&[-1, 0, 1]);
        m.site_bodyid.copy_from_slice(&[2, 1]);
        m.site_pos[0] = Vec3::new(0.5, 0.0, 0.0);
        m.jnt_bodyid.copy_from_slice(&[1, 2]);
        m.jnt_dofadr.copy_from_slice(&[0, 1]);
        m.geom_bodyid.copy_from_slice(&[0, 2]);
        m.tendon_treeid.copy_from_slice(&[[0, 1], [1, -1]]);
        m.body_invweight0.copy_from_slice(&[[0.0; 2], [1.0, 10.0], [2.0, 20.0]]);
        m.dof_invweight0.copy_from_slice(&[3.0, 4.0]);
        m.tendon_invweight0.copy_from_slice(&[5.0, 6.0]);
        m
    }

    fn tie(m: &mut Model, kind: EqualityType, by: ObjType, ids: [i32; 2]) -> Option<Tie> {
        m.eq_type[0] = kind as i32;
        m.eq_objtype[0] = by as i32;
        [m.eq_obj1id[0], m.eq_obj2id[0]] = ids;
        Tie::of(m, 0)
    }

    #[test]
    fn ties_know_their_bodies_however_they_are_named() {
        let m = &mut model();
        m.eq_data[0][..6].copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let (first, second) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0));
        let connect = tie(m, EqualityType::Connect, ObjType::Body, [1, 0]).unwrap();
        assert_eq!(connect, Tie::Points(Ends { bodies: [1, 0], sites: None }));
        assert_eq!(connect.anchors(m, 0), [first, second]);
        assert_eq!(connect.tied_trees(m), [0, -1, -1, -1]);
        // a weld stores its anchors the other way round
        let weld = tie(m, EqualityType::Weld, ObjType::Body, [1, 2]).unwrap();
        assert_eq!(weld.anchors(m, 0), [second, first]);
        let by_site = tie(m, EqualityType::Weld, ObjType::Site, [0, 1]).unwrap();
        assert_eq!(by_site, Tie::Frames(Ends { bodies: [2, 1], sites: Some([0, 1]) }));
        assert_eq!(by_site.anchors(m, 0), [Vec3::new(0.5, 0.0, 0.0), Vec3::ZERO]);
        let joint = tie(m, EqualityType::Joint, ObjType::Joint, [1, -1]).unwrap();
        assert_eq!((joint, joint.tied_trees(m)), (Tie::Joints(1, None), [1, -1, -1, -1]));
        let tendon = tie(m, EqualityType::Tendon, ObjType::Tendon, [0, 1]).unwrap();
        assert_eq!(tendon.tied_trees(m), [0, 1, 1, -1]);
        assert_eq!([connect, weld, joint, tendon].map(|t| t.size()), [3, 6, 1, 1]);
        // what does not exist, or lacks an object
        assert_eq!(tie(m, EqualityType::Distance, ObjType::Geom, [0, 1]), None);
        assert_eq!(tie(m, EqualityType::Connect, ObjType::Body, [1, -1]), None);
    }

    #[test]
    fn weights_of_both_sides_add_up() {
        let m = &mut model();
        let weights = |m: &mut Model, kind, by, ids| {
            let tie = tie(m, kind, by, ids).unwrap();
            let mut out = [0.0; 6];
            tie.diagonal(m, &mut out[..tie.size()]);
            out
        };
        let weld = weights(m, EqualityType::Weld, ObjType::Body, [1, 2]);
        assert_eq!(weld, [3.0, 3.0, 3.0, 30.0, 30.0, 30.0]);
        assert_eq!(weights(m, EqualityType::Joint, ObjType::Joint, [0, 1])[0], 7.0);
        assert_eq!(weights(m, EqualityType::Joint, ObjType::Joint, [1, -1])[0], 4.0);
        assert_eq!(weights(m, EqualityType::Tendon, ObjType::Tendon, [0, 1])[0], 11.0);
    }

    #[test]
    fn the_cone_decides_on_the_rows_of_a_contact() {
        let mut m = model();
        m.body_mocapid.fill(-1);
        let contact = |geom| Contact { geom, dim: 4, friction: [0.5; 5], ..Zeroable::zeroed() };
        let contacts = [contact([0, 1])];
        let elliptic = Constraint { kind: ConstraintType::ContactElliptic, id: 0 };
        let pyramid = Constraint { kind: ConstraintType::ContactPyramidal, id: 0 };
        assert_eq!((elliptic.size(&m, &contacts), pyramid.size(&m, &contacts)), (4, 6));
        let mut data = crate::OwnedWorld::new(&m);
        let d = &mut data.view_mut();
        d.reserve(&WorkSizes { ncon: 1, ..WorkSizes::default() }).unwrap();
        d.work.contact[0] = contacts[0];
        let mut out = [0.0; 6];
        elliptic.diagonal(&m, d, &mut out[..4]);
        assert_eq!(out[..4], [2.0, 2.0, 2.0, 20.0]);
        pyramid.diagonal(&m, d, &mut out);
        assert_eq!(out, [2.5, 2.5, 2.5, 2.5, 7.0, 7.0]);
    }
}
