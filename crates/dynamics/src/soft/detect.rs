//! Which vertices are near which geoms.
use ferrodyn_collision::{Convex, ConvexShape, ConvexSolver, Nearest, Pose, Surface};
use ferrodyn_math::{Real, Spatial, Stack, Vec3, words_of};
use ferrodyn_model::{DisableBit, GeomType, Model, Storage};
use ferrodyn_soft::VertexFlags;

use super::{DeformableContact, Soft};
use crate::contact::{convex_settings, height_field, mesh_shape, pose, sdf_field};
use crate::position::chain::point_velocity;
use crate::{StepError, World};

/// Vertices whose common box is compared with a geom before each of them is: few enough for the box of neighbours to be small.
const GROUP: usize = 64;

/// A vertex that is nearer than this share of the margin counts, though nothing says that it will touch: forces may push it there
/// within the step.
const SLACK: Real = 0.5;

/// Where the geoms are while a body moves, and what is needed to find distances.
pub(super) struct Detector<'s> {
    /// For meshes, which are convex.
    convex: Option<ConvexSolver<'s>>,
    /// Velocity of every body, about the centre of mass of its tree.
    velocity: &'s mut [Spatial],
}

impl<'s> Detector<'s> {
    pub(super) fn words(m: &Model<impl Storage>) -> usize {
        words_of::<Spatial>(m.nbody) + ConvexSolver::words(&convex_settings(m))
    }

    pub(super) fn new(
        m: &Model<impl Storage>,
        d: &World<'_>,
        stack: &mut Stack<'s>,
    ) -> Result<Detector<'s>, StepError> {
        let velocity: &mut [Spatial] = stack.take_zeroed(m.nbody)?;
        // Σ axis · rate along the tree: that of the parent, and what the joints add
        for b in 1..m.nbody {
            let mut sum = velocity[m.body_parent(b)];
            let first = m.body_dofadr[b].max(0) as usize;
            for i in first..first + m.body_dofnum[b] as usize {
                sum.add_scaled(&d.cdof[i], d.qvel[i]);
            }
            velocity[b] = sum;
        }
        let has_mesh = m.geom_type.contains(&(GeomType::Mesh as i32));
        let convex =
            if has_mesh { Some(ConvexSolver::new(stack, convex_settings(m))?) } else { None };
        Ok(Detector { convex, velocity })
    }

    /// Velocity of a point of a geom.
    fn velocity_at(&self, m: &Model<impl Storage>, d: &World<'_>, g: usize, point: Vec3) -> Vec3 {
        let body = m.geom_body(g);
        point_velocity(&self.velocity[body], point - d.subtree_com[m.body_root(body)])
    }
}

/// The nearest point of a geom's surface, and the distance of a point from it, negative inside; none where they are farther apart than
/// `cutoff`.
///
/// A mesh is its convex hull, as it is to other geoms, and a height field the ground below it.
pub fn collide_vertex_geom(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    geom: usize,
    point: Vec3,
    cutoff: Real,
) -> Result<Option<Nearest>, StepError> {
    d.with_stack(Detector::words(m), |d, mut stack| {
        let detector = &mut Detector::new(m, d, &mut stack)?;
        Ok(nearest(m, d, detector, geom, point, cutoff))
    })?
}

/// [`collide_vertex_geom`] with memory.
fn nearest(
    m: &Model<impl Storage>,
    d: &World<'_>,
    detector: &mut Detector<'_>,
    g: usize,
    point: Vec3,
    cutoff: Real,
) -> Option<Nearest> {
    let (size, at) = (m.geom_size[g], pose(d, g));
    let surface = match m.geom_kind(g)? {
        GeomType::Plane => Surface::Plane,
        GeomType::Sphere => Surface::Sphere(size[0]),
        GeomType::Capsule => Surface::Capsule(size[0], size[1]),
        GeomType::Ellipsoid => Surface::Ellipsoid(size),
        GeomType::Cylinder => Surface::Cylinder(size[0], size[1]),
        GeomType::Box => Surface::Box(size),
        GeomType::Hfield => Surface::HeightField(height_field(m, g)?),
        GeomType::Sdf => Surface::Field(sdf_field(m, d.plugins, g, at)?),
        GeomType::Mesh => {
            let solver = detector.convex.as_mut()?;
            return nearest_of_mesh(m, g, &at, solver, point, cutoff);
        }
        _ => return None,
    };
    surface.nearest(&at, point).filter(|found| found.distance < cutoff)
}

/// The nearest point of a convex hull. The vertex is a ball as large as the cutoff: where it does not touch, nothing is near.
fn nearest_of_mesh(
    m: &Model<impl Storage>,
    g: usize,
    at: &Pose,
    solver: &mut ConvexSolver<'_>,
    point: Vec3,
    cutoff: Real,
) -> Option<Nearest> {
    // outside of the box of the mesh by more than that
    let local = at.to_local(point);
    let bounds = &m.geom_aabb[g];
    if (0..3).any(|i| (local[i] - bounds[i]).abs() > bounds[i + 3] + cutoff) {
        return None;
    }
    let mut hull = Convex::new(ConvexShape::Mesh(mesh_shape(m, g)?), *at, 0.0);
    let mut ball = Convex::new(ConvexShape::Sphere(cutoff), Pose::at(point), 0.0);
    let overlap = solver.distance(&mut hull, &mut ball, cutoff);
    let (on_hull, on_ball) = solver.witness()?;
    let distance = overlap + cutoff;
    // apart the points of both are on one line with the vertex; where it is close to the surface, only the deepest ones are
    let apart = if overlap > 0.0 { on_ball - on_hull } else { on_hull - on_ball };
    let (normal, length) = if overlap.abs() > 0.5 * cutoff {
        apart.normalize()
    } else {
        (point - on_hull).normalize()
    };
    let found = Nearest { distance, normal, point: point.add_scaled(normal, -distance) };
    (length > 0.0 && distance < cutoff && distance.is_finite()).then_some(found)
}

/// May a body and a geom touch? The rule of geoms.
fn may_touch(m: &Model<impl Storage>, contype: i32, conaffinity: i32, g: usize) -> bool {
    contype & m.geom_conaffinity[g] != 0 || m.geom_contype[g] & conaffinity != 0
}

/// Are contacts switched off?
fn disabled(m: &Model<impl Storage>) -> bool {
    m.opt.disabled(DisableBit::Contact) || m.opt.disabled(DisableBit::Constraint)
}

/// Find all contacts of vertices with geoms at the present positions.
pub fn mj_deformable_collision(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    let Some(mut soft) = d.soft.take() else { return Ok(()) };
    let outcome = if soft.hold { Ok(()) } else { find_all(m, d, &mut soft) };
    d.soft = Some(soft);
    outcome
}

fn find_all(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    soft: &mut Soft<'_>,
) -> Result<(), StepError> {
    soft.head.contacts = 0;
    soft.flags.iter_mut().for_each(|flags| flags.set(VertexFlags::COLLIDING, false));
    if !disabled(m) {
        d.with_stack(Detector::words(m), |d, mut stack| {
            let detector = &mut Detector::new(m, d, &mut stack)?;
            (0..soft.scene.bodies.len()).try_for_each(|body| {
                find_contacts(m, d, soft, detector, body, m.opt.timestep, &Still)
            })
        })??;
    }
    soft.head.found = soft.head.contacts;
    // those that overlap
    for i in 0..soft.head.contacts as usize {
        let contact = &soft.contacts[i];
        if contact.depth > 0.0 {
            let body = &soft.scene.bodies[contact.deformable_idx as usize];
            let vertex = body.first + contact.vertex_idx as usize;
            soft.flags[vertex].set(VertexFlags::COLLIDING, true);
        }
    }
    Ok(())
}

/// How rigid bodies have moved since the poses that the world has.
pub(super) trait Motion {
    /// Is the next state looked at, while it is computed?
    const NEXT: bool;
    /// By how much a point of a body has moved; none where that is not known.
    fn displacement(&self, m: &Model<impl Storage>, body: usize, point: Vec3) -> Option<Vec3>;
}

/// They have not.
pub(super) struct Still;

impl Motion for Still {
    const NEXT: bool = false;
    fn displacement(&self, _: &Model<impl Storage>, _: usize, _: Vec3) -> Option<Vec3> {
        Some(Vec3::ZERO)
    }
}

/// Append the contacts of a body that can begin within a time: at the present state, or at the next one while it is computed.
pub(super) fn find_contacts<M: Motion>(
    m: &Model<impl Storage>,
    d: &World<'_>,
    soft: &mut Soft<'_>,
    detector: &mut Detector<'_>,
    index: usize,
    time: Real,
    moved: &M,
) -> Result<(), StepError> {
    let body = &soft.scene.bodies[index];
    let margin = body.shape.margin();
    let time = time.max(0.0);
    let fall = if m.opt.disabled(DisableBit::Gravity) { Vec3::ZERO } else { m.opt.gravity * time };
    let vertices = body.vertices();
    let mut first = vertices.start;
    while first < vertices.end {
        let group = first..(first + GROUP).min(vertices.end);
        first = group.end;
        // a ball around the group, and the fastest of it
        let (x, v) = if M::NEXT {
            (&soft.next_x[group.clone()], &soft.next_v[group.clone()])
        } else {
            (&soft.x[group.clone()], &soft.v[group.clone()])
        };
        let center = x.iter().fold(Vec3::ZERO, |sum, x| sum + *x) * (1.0 / x.len() as Real);
        let radius = x.iter().fold(0.0, |r: Real, x| (*x - center).norm().max(r));
        let speed = v.iter().fold(0.0, |s: Real, v| (*v + fall).norm().max(s));
        for g in 0..m.ngeom {
            if !may_touch(m, body.contype, body.conaffinity, g) {
                continue;
            }
            let bound = m.geom_rbound[g];
            let toward = detector.velocity_at(m, d, g, center).norm();
            // all motion that there can be, the turning of the geom about its middle included
            let spin = detector.velocity[m.geom_body(g)].rot().norm() * (radius + bound);
            let reach = margin * (1.0 + SLACK) + time * (speed + toward + spin);
            // planes have no bound
            if bound > 0.0 && (d.geom_xpos[g] - center).norm() > bound + radius + reach {
                continue;
            }
            for vertex in group.clone() {
                let local = vertex - vertices.start;
                if body.shape.inverse_masses()[local] <= 0.0 {
                    continue;
                }
                let (x, v) = if M::NEXT {
                    (soft.next_x[vertex], soft.next_v[vertex])
                } else {
                    (soft.x[vertex], soft.v[vertex])
                };
                if bound > 0.0 && (d.geom_xpos[g] - x).norm() > bound + reach {
                    continue;
                }
                // the vertex where it would be if the geom had not moved
                let Some(way) = moved.displacement(m, m.geom_body(g), x) else { continue };
                let seen = x - way;
                let Some(found) = nearest(m, d, detector, g, seen, reach) else { continue };
                // can the gap close in time?
                let approach =
                    (detector.velocity_at(m, d, g, found.point) - v - fall).dot(found.normal);
                let gap = found.distance - margin;
                if gap > SLACK * margin + time * approach.max(0.0) {
                    continue;
                }
                let ids = [index, local, g];
                let material = body.shape.material();
                soft.push(DeformableContact::new(m, ids, &found, margin, material))?;
            }
        }
    }
    Ok(())
}
