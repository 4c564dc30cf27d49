//! Rays against the geoms of a world.
use bytemuck::{Pod, Zeroable};
use ferrodyn_collision::{
    Hit, Pose, Ray, ray_box, ray_capsule, ray_cylinder, ray_ellipsoid, ray_height_field, ray_plane,
    ray_sdf, ray_sphere,
};
use ferrodyn_math::{MAX_VAL, MIN_VAL, PI, Real, Vec3, atan2, sqrt, words_of};
use ferrodyn_model::{GeomType, Model, Storage};

use super::geom::{height_field, pose};
use super::sdf;
use crate::{StepError, World};

/// Number of geom groups: MuJoCo's `mjNGROUP`.
const GROUPS: usize = 6;

/// Which geoms a ray can meet. Invisible ones are never met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayFilter {
    /// Groups that count; None for all.
    pub groups: Option<[bool; GROUPS]>,
    /// Do geoms that cannot move count?
    pub static_geoms: bool,
    /// A body whose geoms do not count.
    pub exclude_body: Option<usize>,
}

impl Default for RayFilter {
    /// Everything that is visible.
    fn default() -> Self {
        RayFilter { groups: None, static_geoms: true, exclude_body: None }
    }
}

impl RayFilter {
    fn admits(&self, m: &Model<impl Storage>, g: usize) -> bool {
        let body = m.geom_body(g);
        let alpha = match usize::try_from(m.geom_matid[g]) {
            Ok(material) => m.mat_rgba[material][3],
            Err(_) => m.geom_rgba[g][3],
        };
        let group = m.geom_group[g].clamp(0, GROUPS as i32 - 1) as usize;
        self.exclude_body != Some(body)
            && alpha != 0.0
            && (self.static_geoms || m.body_weldid[body] != 0)
            && self.groups.is_none_or(|groups| groups[group])
    }
}

/// The geom that a ray meets first, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The geom.
    pub geom: usize,
    /// Distance from the origin, in units of the length of the ray's direction.
    pub distance: Real,
    /// Unit normal of the surface.
    pub normal: Vec3,
}

/// Is every number of a vector finite?
fn is_finite(v: Vec3) -> bool {
    v.0.iter().all(|x| x.is_finite())
}

/// The first visible geom that the ray `pnt + x vec`, with `x` not negative, meets (`mj_ray`).
pub fn ray(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    pnt: Vec3,
    vec: Vec3,
    filter: &RayFilter,
) -> Result<Option<RayHit>, StepError> {
    if !is_finite(pnt) || !is_finite(vec) {
        return Err(StepError::RayNotFinite);
    }
    // the length here, its square in `each_ray`: MuJoCo's `mj_ray` and `mj_multiRay` differ in this
    if vec.norm() < MIN_VAL {
        return Err(StepError::RayTooShort);
    }
    let ray = Ray { origin: pnt, dir: vec };
    let mut best = None;
    for g in 0..m.ngeom {
        if filter.admits(m, g) {
            keep_nearer(&mut best, g, meet(m, d, g, &ray));
        }
    }
    Ok(best)
}

fn keep_nearer(best: &mut Option<RayHit>, geom: usize, hit: Option<Hit>) {
    if let Some(hit) = hit
        && best.is_none_or(|best| hit.distance < best.distance)
    {
        *best = Some(RayHit { geom, distance: hit.distance, normal: hit.normal });
    }
}

/// Where a ray meets a geom.
fn meet(m: &Model<impl Storage>, d: &mut World<'_>, g: usize, ray: &Ray) -> Option<Hit> {
    let pose = pose(d, g);
    match m.geom_kind(g)? {
        GeomType::Mesh => ray_mesh(m, d, g, ray),
        GeomType::Hfield => ray_hfield(m, d, g, ray),
        GeomType::Sdf if !m.only_rigid() => {
            let field = sdf::field(m, d.plugins, g, pose, None)?;
            ray_sdf(ray, &pose, m.geom_size[g], &field)
        }
        kind => ray_geom(&pose, m.geom_size[g], kind, ray),
    }
}

/// Where a ray meets the mesh of a geom (`mj_rayMesh`); nothing for other geoms.
pub fn ray_mesh(m: &Model<impl Storage>, d: &mut World<'_>, geom: usize, ray: &Ray) -> Option<Hit> {
    if m.geom_kind(geom) != Some(GeomType::Mesh) {
        return None;
    }
    let mesh = sdf::triangle_mesh(m, geom)?;
    let root = m.mesh_bvhadr[m.geom_dataid[geom] as usize] as usize;
    let show = m.vis.global.bvactive != 0;
    let pose = pose(d, geom);
    ferrodyn_collision::ray_mesh(ray, &pose, &mesh, |node| {
        if show {
            d.mark_node(root + node);
        }
    })
}

/// Where a ray meets the height field of a geom (`mj_rayHfield`); nothing for other geoms.
pub fn ray_hfield(m: &Model<impl Storage>, d: &World<'_>, geom: usize, ray: &Ray) -> Option<Hit> {
    if m.geom_kind(geom) != Some(GeomType::Hfield) {
        return None;
    }
    ray_height_field(ray, &pose(d, geom), &height_field(m, geom)?)
}

/// Where a ray meets a shape with sizes (`mju_rayGeom`); nothing for shapes that need more data.
pub fn ray_geom(pose: &Pose, size: Vec3, kind: GeomType, ray: &Ray) -> Option<Hit> {
    match kind {
        GeomType::Plane => ray_plane(ray, pose, size),
        GeomType::Sphere => ray_sphere(ray, pose.pos, size[0]),
        GeomType::Capsule => ray_capsule(ray, pose, size[0], size[1]),
        GeomType::Ellipsoid => ray_ellipsoid(ray, pose, size),
        GeomType::Cylinder => ray_cylinder(ray, pose, size[0], size[1]),
        GeomType::Box => ray_box(ray, pose, size),
        _ => None,
    }
}

/// What a geom looks like from one point: least azimuth and elevation, greatest azimuth and elevation.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
struct View([Real; 4]);

/// The angle around z.
fn azimuth(v: Vec3) -> Real {
    atan2(v[1], v[0])
}

/// The angle from z.
fn elevation(v: Vec3) -> Real {
    atan2(sqrt(v[0] * v[0] + v[1] * v[1]), v[2])
}

impl View {
    /// It does not count, or is too far away: no elevation is between these.
    const HIDDEN: View = View([0.0, Real::MAX, 0.0, -Real::MAX]);
    /// Anywhere.
    const EVERYWHERE: View = View([-PI, 0.0, PI, PI]);

    /// What a geom of a body with a bounding-volume tree looks like.
    fn of(m: &Model<impl Storage>, d: &World<'_>, g: usize, pnt: Vec3, cutoff: Real) -> View {
        let pose = pose(d, g);
        let distance = (pose.pos - pnt).norm();
        if distance > cutoff + m.geom_rbound[g] {
            return View::HIDDEN;
        }
        let bounds = m.geom_aabb[g];
        let (center, half) = (Vec3::from_slice(&bounds[..3]), Vec3::from_slice(&bounds[3..]));
        let local = pose.to_local(pnt) - center;
        if (0..3).all(|i| local[i].abs() <= half[i]) {
            return View::EVERYWHERE;
        }
        let mut range = [MAX_VAL, MAX_VAL, -MAX_VAL, -MAX_VAL];
        for j in 0..8 {
            let corner = Vec3(core::array::from_fn(|i| {
                if j & (1 << i) != 0 { center[i] + half[i] } else { center[i] - half[i] }
            }));
            let toward = pose.to_global(corner) - pnt;
            let (azimuth, elevation) = (azimuth(toward), elevation(toward));
            range = [
                range[0].min(azimuth),
                range[1].min(elevation),
                range[2].max(azimuth),
                range[3].max(elevation),
            ];
        }
        // faces bulge between their corners
        if distance > MIN_VAL {
            let bulge = atan2(half[0].max(half[1].max(half[2])), distance);
            range = [range[0] - bulge, range[1] - bulge, range[2] + bulge, range[3] + bulge];
        }
        if range[2] - range[0] > PI || range[3] - range[1] > PI {
            return View::EVERYWHERE;
        }
        View(range)
    }

    /// May a ray in a direction meet the geom?
    fn contains(&self, azimuth: Real, elevation: Real) -> bool {
        let [from, low, to, high] = self.0;
        if elevation < low || elevation > high {
            return false;
        }
        let mut off = azimuth - (from + to) * 0.5;
        if off > PI {
            off -= 2.0 * PI;
        } else if off < -PI {
            off += 2.0 * PI;
        }
        off.abs() <= (to - from) * 0.5
    }
}

/// Many rays from one point (`mj_multiRay`): what each of them meets first.
///
/// Geoms whose bounding sphere is farther away than `cutoff` do not count. A ray without length, or
/// with numbers that are not finite, meets nothing.
pub fn multi_ray(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    pnt: Vec3,
    vecs: &[Vec3],
    filter: &RayFilter,
    cutoff: Real,
    hits: &mut [Option<RayHit>],
) -> Result<(), StepError> {
    let rays = vecs.iter().copied().take(hits.len());
    let mut hits = hits.iter_mut();
    each_ray(m, d, pnt, rays, filter, cutoff, |_, hit| {
        if let Some(place) = hits.next() {
            *place = hit;
        }
    })
}

/// Words of temporary memory for rays from one point.
pub(crate) fn ray_words(m: &Model<impl Storage>) -> usize {
    words_of::<View>(m.ngeom)
}

/// [`multi_ray`] for rays that are made one after the other; a function is called with each of them and what it meets.
pub(crate) fn each_ray(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    pnt: Vec3,
    vecs: impl Iterator<Item = Vec3>,
    filter: &RayFilter,
    cutoff: Real,
    visit: impl FnMut(Vec3, Option<RayHit>),
) -> Result<(), StepError> {
    d.with_stack(ray_words(m), |d, mut stack| {
        rays(m, d, stack.take(m.ngeom)?, pnt, vecs, filter, cutoff, visit);
        Ok(())
    })?
}

/// [`each_ray`] with memory for the views of all geoms.
fn rays(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    views: &mut [View],
    pnt: Vec3,
    vecs: impl Iterator<Item = Vec3>,
    filter: &RayFilter,
    cutoff: Real,
    mut visit: impl FnMut(Vec3, Option<RayHit>),
) {
    for (g, view) in views.iter_mut().enumerate() {
        let tree = m.body_bvhadr[m.geom_body(g)] != -1;
        *view = match filter.admits(m, g) {
            false => View::HIDDEN,
            true if tree => View::of(m, d, g, pnt, cutoff),
            true => View::EVERYWHERE,
        };
    }
    for vec in vecs {
        let usable = is_finite(pnt) && is_finite(vec) && vec.dot(vec) >= MIN_VAL;
        let ray = Ray { origin: pnt, dir: vec };
        let hit = if usable { ray_in_views(m, d, &ray, views) } else { None };
        visit(vec, hit);
    }
}

/// What a ray meets among the geoms in whose direction it goes.
fn ray_in_views(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    ray: &Ray,
    views: &[View],
) -> Option<RayHit> {
    let (azimuth, elevation) = (azimuth(ray.dir), elevation(ray.dir));
    let mut best = None;
    for b in 0..m.nbody {
        let tree = usize::try_from(m.body_bvhadr[b]).ok().filter(|_| m.body_bvhnum[b] > 0);
        if let Some(root) = tree {
            // the sphere around the tree's box, whose centre MuJoCo does not rotate
            let bounds = &m.bvh_aabb[root];
            let (center, half) = (Vec3::from_slice(&bounds[..3]), Vec3::from_slice(&bounds[3..]));
            if ray.sphere_distance(center + d.xipos[b], half.dot(half)).is_none() {
                continue;
            }
        }
        for g in m.body_geoms(b) {
            let admitted = match tree {
                Some(_) => views[g].contains(azimuth, elevation),
                None => views[g] != View::HIDDEN,
            };
            if admitted {
                keep_nearer(&mut best, g, meet(m, d, g, ray));
            }
        }
    }
    best
}
