//! Convex shapes and their support points.
//!
//! The support point of a shape in a direction `d` is `argmax { d · x : x in the shape }`. All that the searches know
//! of a shape is this function, so that a new shape is a new arm of [`Convex::support`]. Most arms turn `d` into the
//! frame of the shape, find the point there and turn it back; a sphere, and what is given in the world, need no
//! turning.
use ferrodyn_math::{Real, Vec3, sqrt};

use super::MIN_VAL_SQR;
use super::gjk::NO_VERTEX;
use crate::{MeshShape, Pose};

/// Meshes with fewer vertices are searched exhaustively: looking at ten dot products costs less than following edges to
/// them. MuJoCo's `mjMESH_HILLCLIMB_MIN`; the two ways can differ in which of several equally far vertices they find,
/// so that the number must be its own.
const MIN_HILL_CLIMB: usize = 10;

/// A convex shape, in its own frame.
#[derive(Clone, Copy, Debug)]
pub enum ConvexShape<'a> {
    /// The origin.
    Point,
    /// A segment along z of half length.
    Segment(Real),
    /// A sphere of radius.
    Sphere(Real),
    /// A segment along z with a radius: radius, half length.
    Capsule(Real, Real),
    /// An ellipsoid with three radii.
    Ellipsoid(Vec3),
    /// A cylinder along z: radius, half length.
    Cylinder(Real, Real),
    /// A box with half sizes.
    Box(Vec3),
    /// The convex hull of a mesh.
    Mesh(MeshShape<'a>),
    /// Two triangles over each other, in the frame of the world: three lower vertices, three upper.
    Prism([Vec3; 6]),
    /// All within a radius of the hull of up to four corners, in the frame of the world: an element of a deformable body.
    Element(Element),
}

/// A point, segment, triangle or tetrahedron with a radius, in the frame of the world.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Its corners; only the first `count` are meant.
    pub corners: [Vec3; 4],
    /// How many corners it has, at least one.
    pub count: usize,
    /// Distance of the surface from it, with half of the margin where there is one.
    pub radius: Real,
}

impl Element {
    /// Is this element certainly farther than `slack` from another one? That from middle to middle is the axis that most often
    /// separates the corners of both; where it does not, nothing is known.
    pub fn is_apart(&self, other: &Element, slack: Real) -> bool {
        let corners = |element: &Element| element.count.min(element.corners.len());
        let (a, b) = (&self.corners[..corners(self)], &other.corners[..corners(other)]);
        let middle = |corners: &[Vec3]| {
            corners.iter().fold(Vec3::ZERO, |sum, x| sum + *x) * (1.0 / corners.len() as Real)
        };
        let axis = middle(b) - middle(a);
        // how far the first reaches along the axis, and where the second begins
        let end = a.iter().fold(-Real::INFINITY, |end, x| end.max(x.dot(axis)));
        let begin = b.iter().fold(Real::INFINITY, |begin, x| begin.min(x.dot(axis)));
        begin - end > (self.radius + other.radius + slack) * axis.norm()
    }
}

/// A convex shape at a pose, as a query sees it.
///
/// The last support vertex is kept as the start of the next search.
#[derive(Clone, Debug)]
pub struct Convex<'a> {
    /// What it is.
    pub shape: ConvexShape<'a>,
    /// Where it is.
    pub pose: Pose,
    /// The shape is grown by half of this.
    pub margin: Real,
    /// Corner of a box or vertex of a mesh that was the last support, [`NO_VERTEX`] before there was one.
    pub(super) vertex: i32,
    /// The same vertex as numbered in the hull graph.
    graph_vertex: usize,
}

/// What a sphere or capsule has around its point or segment.
pub(super) struct Shell {
    margin: Real,
    /// Radius without the margin.
    own: Real,
    /// Radius and half of the margin.
    pub(super) radius: Real,
}

impl<'a> Convex<'a> {
    /// A shape before any query.
    pub fn new(shape: ConvexShape<'a>, pose: Pose, margin: Real) -> Convex<'a> {
        Convex { shape, pose, margin, vertex: NO_VERTEX, graph_vertex: 0 }
    }

    /// Make a sphere a point and a capsule a segment, without margin; what was taken away.
    pub(super) fn shrink_to_core(&mut self) -> Option<Shell> {
        let (core, own) = match self.shape {
            ConvexShape::Sphere(radius) => (ConvexShape::Point, radius),
            ConvexShape::Capsule(radius, half_length) => {
                (ConvexShape::Segment(half_length), radius)
            }
            _ => return None,
        };
        // half of the margin grows this shape, the other half the other one
        let shell = Shell { margin: self.margin, own, radius: own + 0.5 * self.margin };
        self.shape = core;
        self.margin = 0.0;
        Some(shell)
    }

    /// Give back what [`Convex::shrink_to_core`] took away.
    pub(super) fn grow_again(&mut self, shell: Option<Shell>) {
        if let Some(shell) = shell {
            self.margin = shell.margin;
            self.shape = match self.shape {
                ConvexShape::Segment(half_length) => ConvexShape::Capsule(shell.own, half_length),
                _ => ConvexShape::Sphere(shell.own),
            };
        }
    }

    /// A point inside. MuJoCo: `mjc_center`, `mjc_prism_center`.
    pub(super) fn center(&self) -> Vec3 {
        match &self.shape {
            // the mean of the corners
            ConvexShape::Prism(corners) => {
                let sum = corners.iter().fold(Vec3::ZERO, |sum, v| sum + *v);
                sum * (1.0 / 6.0)
            }
            _ => self.pose.pos,
        }
    }

    /// Whether the shape has corners only, so that searches end after finitely many steps.
    pub(super) fn is_discrete(&self) -> bool {
        use ConvexShape::{Box, Mesh, Prism};
        self.margin == 0.0 && matches!(self.shape, Mesh(_) | Box(_) | Prism(_))
    }

    /// The point of the shape farthest in a unit direction: `argmax d·x`. MuJoCo: `mjc_sphereSupport` and its kin.
    #[inline]
    pub fn support(&mut self, dir: Vec3) -> Vec3 {
        let (mat, pos) = (&self.pose.mat, self.pose.pos);
        // by reference: some shapes are large
        let local = match &self.shape {
            ConvexShape::Point => return pos,
            // the end that the direction points to
            ConvexShape::Segment(half_length) => {
                let axis = self.pose.z_axis();
                return axis * if axis.dot(dir) >= 0.0 { *half_length } else { -half_length } + pos;
            }
            ConvexShape::Sphere(radius) => return dir * *radius + pos,
            // the sphere around that end
            ConvexShape::Capsule(radius, half_length) => {
                let dir = mat.mul_transposed(dir);
                let mut local = dir * *radius;
                local[2] += if dir[2] >= 0.0 { *half_length } else { -half_length };
                local
            }
            // x = S S d / |S d|, S = diag(radii): the point whose normal, S⁻² x, is along d
            ConvexShape::Ellipsoid(radii) => {
                let local = mat.mul_transposed(dir).mul_elem(*radii);
                let norm_sqr = local.dot(local);
                // flat along the direction: every point is as far as any other
                if norm_sqr < MIN_VAL_SQR {
                    return mat.column(0) * radii[0] + pos;
                }
                let inv = 1.0 / sqrt(norm_sqr);
                local.mul_elem(*radii * inv)
            }
            // the rim of the cap ahead, at the azimuth of the direction
            ConvexShape::Cylinder(radius, half_length) => {
                let dir = mat.mul_transposed(dir);
                let across = dir[0] * dir[0] + dir[1] * dir[1];
                // a direction along the axis has no azimuth: the middle of the cap is as far as its rim
                let scale = if across >= MIN_VAL_SQR { radius / sqrt(across) } else { 0.0 };
                let z = if dir[2] >= 0.0 { *half_length } else { -half_length };
                Vec3::new(scale * dir[0], scale * dir[1], z)
            }
            // the corner in the octant of the direction, numbered by one bit for each positive coordinate
            ConvexShape::Box(half) => {
                let dir = mat.mul_transposed(dir);
                let mut local = *half;
                let mut corner = 0;
                for i in 0..3 {
                    if dir[i] < 0.0 {
                        local[i] = -half[i];
                    }
                    corner |= usize::from(local[i] > 0.0) << i;
                }
                self.vertex = corner as i32;
                local
            }
            ConvexShape::Mesh(mesh) => {
                let dir = mat.mul_transposed(dir);
                // all vertices, where there are few or their neighbours are unknown; else along edges from where the
                // last search ended
                let vertex = if mesh.graph.is_none() || mesh.vertices.len() < MIN_HILL_CLIMB {
                    mesh.farthest(dir, usize::try_from(self.vertex).ok())
                } else {
                    self.graph_vertex = mesh.climb(dir, self.graph_vertex);
                    mesh.graph_vertex(self.graph_vertex)
                };
                self.vertex = vertex as i32;
                mesh.vertex(vertex)
            }
            // both triangles have the same shadow from above: the sign of z decides between them
            ConvexShape::Prism(corners) => {
                let start = if dir[2] < 0.0 { 0 } else { 3 };
                let mut best = corners[start].dot(dir);
                let mut point = corners[start];
                for corner in &corners[start + 1..start + 3] {
                    let dot = corner.dot(dir);
                    if dot > best {
                        best = dot;
                        point = *corner;
                    }
                }
                return point;
            }
            // the farthest corner, and from there the radius
            ConvexShape::Element(element) => {
                let mut point = element.corners[0];
                let mut best = point.dot(dir);
                for corner in &element.corners[1..element.count] {
                    let dot = corner.dot(dir);
                    if dot > best {
                        best = dot;
                        point = *corner;
                    }
                }
                return point + dir * element.radius;
            }
        };
        mat * local + pos
    }

    /// Half the width along a unit direction, `max d·(x - pos)`, for shapes that are symmetric about their position.
    #[inline]
    pub(crate) fn half_width(&self, dir: Vec3) -> Option<Real> {
        let mat = &self.pose.mat;
        Some(match &self.shape {
            ConvexShape::Point => 0.0,
            // width of a segment: its shadow on the direction
            ConvexShape::Segment(half_length) => (self.pose.z_axis().dot(dir) * half_length).abs(),
            ConvexShape::Sphere(radius) => *radius,
            ConvexShape::Capsule(radius, half_length) => {
                radius + (self.pose.z_axis().dot(dir) * half_length).abs()
            }
            // |S d|, the value of d·x at the support point
            ConvexShape::Ellipsoid(radii) => mat.mul_transposed(dir).mul_elem(*radii).norm(),
            ConvexShape::Cylinder(radius, half_length) => {
                // shadow of a disc and of the axis
                let dir = mat.mul_transposed(dir);
                radius * sqrt(dir[0] * dir[0] + dir[1] * dir[1]) + half_length * dir[2].abs()
            }
            ConvexShape::Box(half) => {
                // Σ halfᵢ |dᵢ|
                let dir = mat.mul_transposed(dir);
                (0..3).map(|i| half[i] * dir[i].abs()).sum()
            }
            ConvexShape::Mesh(_) | ConvexShape::Prism(_) | ConvexShape::Element(_) => return None,
        })
    }

    /// [`Convex::half_width`] of the shape grown by half its margin.
    #[inline]
    pub(crate) fn grown_half_width(&self, dir: Vec3) -> Option<Real> {
        Some(self.half_width(dir)? + 0.5 * self.margin)
    }

    /// The support point of the shape grown by half its margin.
    #[inline]
    pub(super) fn grown_support(&mut self, dir: Vec3) -> Vec3 {
        let point = self.support(dir);
        if self.margin > 0.0 { point + dir * (0.5 * self.margin) } else { point }
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::Quat;

    use super::*;

    #[test]
    fn half_widths_are_those_of_the_support_points() {
        let axis = Vec3::new(1.0, -2.0, 0.5).normalize().0;
        let mat = Quat::from_axis_angle(axis, 0.7).to_mat();
        let pose = Pose { pos: Vec3::new(0.3, -0.2, 0.1), mat };
        let size = Vec3::new(0.1, 0.3, 0.2);
        let shapes = [
            ConvexShape::Point,
            ConvexShape::Segment(0.4),
            ConvexShape::Sphere(0.2),
            ConvexShape::Capsule(0.1, 0.3),
            ConvexShape::Ellipsoid(size),
            ConvexShape::Cylinder(0.2, 0.1),
            ConvexShape::Box(size),
        ];
        for shape in shapes {
            let mut object = Convex::new(shape, pose, 0.02);
            for dir in [Vec3::X, -Vec3::Z, axis, Vec3::new(0.6, 0.0, -0.8)] {
                let reach = (object.grown_support(dir) - pose.pos).dot(dir);
                let half = object.grown_half_width(dir).unwrap();
                assert!((half - reach).abs() < 1e-6, "{shape:?} {dir:?}: {half}, {reach}");
            }
        }
    }
}
