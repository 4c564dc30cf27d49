//! Derivatives of fluid forces by velocity, as 6×6 matrices in the axes of body or geom.
//!
//! Each force is a function of the body's own angular and linear velocity `(ω, v)` against the fluid, so that its
//! derivative is one block `B = ∂(τ, F)/∂(ω, v)`, which the Jacobian of the frame carries to the degrees of freedom:
//! `qDeriv += Jᵀ B J`. The Jacobian itself depends on the configuration only. Bodies without ellipsoids take the model
//! of the inertia box, whose blocks are diagonal.
use ferrodyn_math::{MIN_VAL, Mat3, PI, Real, Spatial, Vec3, sqrt};
use ferrodyn_model::{Integrator, Model, Storage};

use crate::World;
use crate::force::fluid::{Ellipsoid, Immersed, Shape, each_immersed};
use crate::position::chain::{dof_chain, point_jacobian};

/// Derivative of torque and force by angular and linear velocity.
type Block = [[Real; 6]; 6];

/// Add the derivative of all fluid forces to `qDeriv`. MuJoCo: `mjd_ellipsoidFluid`, `mjd_inertiaBoxFluid`.
pub(crate) fn add_fluid_derivative(m: &Model<impl Storage>, d: &mut World<'_>) {
    each_immersed(m, d, |d, part| {
        let Immersed { body, pos, mat, velocity, shape } = part;
        match shape {
            Shape::Box(sides) => {
                add_blocks(m, d, *body, *pos, mat, &box_blocks(m, *sides, velocity))
            }
            // the factor of the geom itself is left out here, as in MuJoCo
            Shape::Ellipsoid(e, _) => {
                add_blocks(m, d, *body, *pos, mat, &[ellipsoid_block(m, e, velocity)]);
            }
        }
    });
}

/// Columns of `qDeriv` that are summed side by side.
const LANES: usize = 8;

/// The elements of blocks that are not zero: row, column, value.
struct Elements {
    list: [(usize, usize, Real); 36],
    count: usize,
}

impl Elements {
    /// From one full block, or several that are diagonal.
    fn of(blocks: &[Block]) -> Elements {
        let mut elements = Elements { list: [(0, 0, 0.0); 36], count: 0 };
        for block in blocks {
            for (i, row) in block.iter().enumerate() {
                for (j, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                    elements.list[elements.count] = (i, j, value);
                    elements.count += 1;
                }
            }
        }
        elements
    }
}

/// `qDeriv += Jᵀ B J` for each block, with the Jacobian of a frame in its own axes.
///
/// Every element of a block is added by itself, in the order of `addJTBJ`, which decides the last bits.
fn add_blocks(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    b: usize,
    pos: Vec3,
    mat: &Mat3,
    blocks: &[Block],
) {
    // columns of J, in the axes of the frame
    let local = core::mem::take(&mut d.scratch.dof_spatial);
    for dof in dof_chain(m, b) {
        let rot = mat.mul_transposed(d.cdof[dof].rot());
        local[dof] = Spatial::new(rot, mat.mul_transposed(point_jacobian(m, d, dof, pos, b)));
    }
    let elements = Elements::of(blocks);
    let elements = &elements.list[..elements.count];
    // some columns side by side, and all rows for them; the order of the sums of an entry stays
    let mut columns = dof_chain(m, b);
    loop {
        // the next columns, in ascending order, and their Jacobians as rows of numbers
        let mut group = [0; LANES];
        let mut count = 0;
        for column in columns.by_ref().take(LANES) {
            group[count] = column as i32;
            count += 1;
        }
        let group = &mut group[..count];
        group.reverse();
        let mut right = [[0.0; LANES]; 6];
        for (lane, column) in group.iter().enumerate() {
            (0..6).for_each(|j| right[j][lane] = local[*column as usize].0[j]);
        }
        let (Some(first), Some(last)) = (group.first(), group.last()) else { break };
        let side_by_side = (last - first) as usize == count - 1;
        for row in dof_chain(m, b) {
            let start = m.D_rowadr[row] as usize;
            let stored = &m.D_colind[start..start + m.D_rownnz[row] as usize];
            let place = stored.partition_point(|column| column < first);
            let entries = &mut d.qDeriv[start + place..start + stored.len()];
            let stored = &stored[place..];
            // sums continue from what the matrix has
            let sum = |sums: &mut [Real; LANES]| add_row(sums, &local[row], elements, &right);
            if side_by_side && stored.get(count - 1) == Some(last) && stored.first() == Some(first)
            {
                match entries.first_chunk_mut() {
                    Some(sums) if count == LANES => sum(sums),
                    _ => {
                        let mut sums = [0.0; LANES];
                        sums[..count].copy_from_slice(&entries[..count]);
                        sum(&mut sums);
                        entries[..count].copy_from_slice(&sums[..count]);
                    }
                }
                continue;
            }
            // columns that lie apart are put together; pairs without an entry are dropped
            let mut sums = [0.0; LANES];
            let places = || {
                let near = stored.iter().enumerate().take_while(|(_, column)| *column <= last);
                near.filter_map(|(k, column)| Some((group.binary_search(column).ok()?, k)))
            };
            places().for_each(|(lane, k)| sums[lane] = entries[k]);
            sum(&mut sums);
            places().for_each(|(lane, k)| entries[k] = sums[lane]);
        }
    }
    d.scratch.dof_spatial = local;
}

/// Add some columns of one row of `Jᵀ B J`, where the Jacobian is `left` at the row and `right` at the columns.
#[inline]
fn add_row(
    sums: &mut [Real; LANES],
    left: &Spatial,
    elements: &[(usize, usize, Real)],
    right: &[[Real; LANES]; 6],
) {
    for &(i, j, value) in elements {
        // one element of B after the other
        let scale = left.0[i] * value;
        for (sum, right) in sums.iter_mut().zip(&right[j]) {
            *sum += right * scale;
        }
    }
}

/// What viscosity does to a box, and what density does.
fn box_blocks(m: &Model<impl Storage>, s: Vec3, vel: &Spatial) -> [Block; 2] {
    let (rot, lin) = (vel.rot(), vel.lin());
    let (viscosity, density) = (m.opt.viscosity, m.opt.density);
    let [mut viscous, mut drag] = [[[0.0; 6]; 6]; 2];
    // Stokes: τ = -π d³ η ω, F = -3 π d η v for a sphere of the mean diameter
    if viscosity > 0.0 {
        let diam = (s[0] + s[1] + s[2]) / 3.0;
        for i in 0..3 {
            viscous[i][i] = -PI * diam * diam * diam * viscosity;
            viscous[3 + i][3 + i] = -3.0 * PI * diam * viscosity;
        }
    }
    // drag: τ = -ρ s (sⱼ⁴ + sₖ⁴) |ω| ω / 64 and F = -½ ρ sⱼ sₖ |v| v; the derivative of |x| x is 2 |x|
    if density > 0.0 {
        for (i, (j, k)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            let fourth = s[j] * s[j] * s[j] * s[j] + s[k] * s[k] * s[k] * s[k];
            drag[i][i] = -density * s[i] * fourth * rot[i].abs() / 32.0;
            drag[3 + i][3 + i] = -density * s[j] * s[k] * lin[i].abs();
        }
    }
    [viscous, drag]
}

/// Add a 3×3 matrix at a quadrant: rows torque (0) or force (1), columns angular or linear.
fn add(block: &mut Block, row: usize, column: usize, part: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            block[3 * row + i][3 * column + j] += part[3 * i + j];
        }
    }
}

/// `∂(a × b)/∂a` and `∂(a × b)/∂b`.
fn cross_derivatives(a: Vec3, b: Vec3) -> (Mat3, Mat3) {
    (
        Mat3([0.0, b[2], -b[1], -b[2], 0.0, b[0], b[1], -b[0], 0.0]),
        Mat3([0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0]),
    )
}

/// All forces of an ellipsoid in a fluid. With implicitfast only the symmetric part: its factor has no place for the other.
fn ellipsoid_block(m: &Model<impl Storage>, e: &Ellipsoid, vel: &Spatial) -> Block {
    let density = m.opt.density;
    let (ang, lin) = (vel.rot(), vel.lin());
    let mut block = [[0.0; 6]; 6];

    // Magnus force: c (ω × v)
    let magnus = e.magnus_lift * density * e.volume();
    let (by_ang, by_lin) = cross_derivatives(ang * magnus, lin * magnus);
    add(&mut block, 1, 0, &by_ang);
    add(&mut block, 1, 1, &by_lin);

    // lift and drag act on the force by linear velocity, viscous torque on the torque by rotation
    add(&mut block, 1, 1, &kutta_lift(density, e, lin));
    add(&mut block, 1, 1, &linear_drag(m, e, lin));
    add(&mut block, 0, 0, &angular_drag(m, e, ang));
    add_added_mass(&mut block, density, e, ang, lin);
    if m.integrator() == Integrator::ImplicitFast {
        for i in 0..6 {
            for j in 0..i {
                let mean = 0.5 * (block[i][j] + block[j][i]);
                block[i][j] = mean;
                block[j][i] = mean;
            }
        }
    }
    block
}

/// Torques and forces of the fluid that moves with the body, `τ = L_ω × ω + L_v × v` and `F = L_v × ω` with the momenta
/// `L_ω = I ω`, `L_v = m v` of the fluid. MuJoCo: `mjd_addedMassForces`.
fn add_added_mass(block: &mut Block, density: Real, e: &Ellipsoid, ang: Vec3, lin: Vec3) {
    let inertia = e.virtual_inertia * density;
    let mass = e.virtual_mass * density;
    let (angular, linear) = (ang.mul_elem(inertia), lin.mul_elem(mass));
    let scaled = |mut part: Mat3, by: Vec3| {
        // ∂(L × x)/∂L times ∂L/∂velocity, which is diagonal
        for i in 0..9 {
            part[i] *= by[i % 3];
        }
        part
    };
    // each factor in turn; the momentum changes by inertia or mass times velocity
    let (da, db) = cross_derivatives(angular, ang);
    add(block, 0, 0, &db);
    add(block, 0, 0, &scaled(da, inertia));
    let (da, db) = cross_derivatives(linear, lin);
    add(block, 0, 1, &db);
    add(block, 0, 1, &scaled(da, mass));
    let (da, db) = cross_derivatives(linear, ang);
    add(block, 1, 0, &db);
    add(block, 1, 1, &scaled(da, mass));
}

/// Derivative of `τ = -(π d³ η + ρ |c ω|) ω`: the bracket on the diagonal, and `-ρ ω (c² ω)ᵀ / |c ω|`.
/// MuJoCo: `mjd_viscous_torque`.
fn angular_drag(m: &Model<impl Storage>, e: &Ellipsoid, ang: Vec3) -> Mat3 {
    let diam = e.mean_diameter();
    let (max, middle, _) = e.extremes();
    // rounded otherwise than for the force itself: the products of `mjd_viscous_torque`
    let coef = e.moments(8.0 / 15.0 * PI * middle * (max * max) * (max * max));
    // without rotation the quotient has no value, the product is zero
    let density = m.opt.density / MIN_VAL.max(ang.mul_elem(coef).norm());
    let squares = (ang * -density).mul_elem(coef).mul_elem(coef);
    let diagonal = ang.dot(squares) - m.opt.viscosity * (PI * diam * diam * diam);
    let mut part = Mat3::default();
    for i in 0..3 {
        for j in 0..3 {
            part[3 * i + j] = squares[j] * ang[i];
        }
        part[4 * i] += diagonal;
    }
    part
}

/// Squares of the products of two semi-axes: `(s₁s₂)², (s₂s₀)², (s₀s₁)²`.
fn squared_sections(e: &Ellipsoid) -> Vec3 {
    let s = e.size;
    let section = |x: Real, y: Real| (x * y) * (x * y);
    Vec3::new(section(s[1], s[2]), section(s[2], s[0]), section(s[0], s[1]))
}

/// Derivative of `F = -(3 π d η + ρ C(v) |v|) v`, where `C = k_blunt A + k_slender (A_max - A)` follows the projected area
/// `A = π √(Σ a²v² / Σ a v²)`, `a` the squared sections. MuJoCo: `mjd_viscous_drag`.
fn linear_drag(m: &Model<impl Storage>, e: &Ellipsoid, v: Vec3) -> Mat3 {
    let density = m.opt.density;
    let (max, middle, _) = e.extremes();
    let largest_area = PI * max * middle;
    let abc = squared_sections(e);
    let [a, b, c] = abc.0;
    let vv = v.mul_elem(v);
    // the projected area, and what its derivative has in common
    let denom = abc.mul_elem(abc).dot(vv);
    let num = abc.dot(vv);
    // MIN_VAL keeps quotients finite at rest, where the forces vanish with the square of velocity
    let area_coef = PI / MIN_VAL.max(sqrt(num * num * num * denom));
    let area = PI * sqrt(denom / MIN_VAL.max(num));
    let norm = sqrt(vv[0] + vv[1] + vv[2]);
    let inv_norm = 1.0 / MIN_VAL.max(norm);
    let linear = m.opt.viscosity * 3.0 * PI * e.mean_diameter();
    let quadratic = density * (area * e.blunt_drag + e.slender_drag * (largest_area - area));
    let coef = density * norm * (e.blunt_drag - e.slender_drag) * area_coef;
    // ρ |v| ∂C/∂v
    let by_area = Vec3::new(
        coef * a * v[0] * (b * vv[1] * (a - b) + c * vv[2] * (a - c)),
        coef * b * v[1] * (a * vv[0] * (b - a) + c * vv[2] * (b - c)),
        coef * c * v[2] * (a * vv[0] * (c - a) + b * vv[1] * (c - b)),
    );
    // -ρ C (|v| + v vᵀ / |v|) - v (ρ |v| ∂C/∂v)ᵀ, and viscosity on the diagonal
    let inner = vv[0] + vv[1] + vv[2];
    let mut part = Mat3::default();
    for i in 0..3 {
        for j in 0..3 {
            let outer = v[i] * v[j] + if i == j { inner } else { 0.0 };
            part[3 * i + j] = outer * (-quadratic * inv_norm) - v[i] * by_area[j];
        }
        part[4 * i] -= linear;
    }
    part
}

/// Derivative of `cos α · A · ((n × v) × v)`: lift across the flow, of a body at an angle `α` to it. MuJoCo: `mjd_kutta_lift`.
fn kutta_lift(density: Real, e: &Ellipsoid, v: Vec3) -> Mat3 {
    let abc = squared_sections(e);
    let squares = abc.mul_elem(abc);
    let vv = v.mul_elem(v);
    let denom = squares.dot(vv);
    let num = abc.dot(vv);
    let norm_sqr = vv[0] + vv[1] + vv[2];
    // cos α · A = π n·v / √(Σ a²v² · n·v · |v|²), with nᵢ = aᵢ vᵢ
    let scale = PI * e.kutta_lift * density / MIN_VAL.max(sqrt(denom * num * norm_sqr));
    let [a, b, c] = abc.0;
    // (n × v) × v = v (n·v) - n |v|², whose components are -vᵢ rowsᵢ
    let rows = [
        vv[1] * (a - b) + vv[2] * (a - c),
        vv[0] * (b - a) + vv[2] * (b - c),
        vv[0] * (c - a) + vv[1] * (c - b),
    ];
    let proj = num / MIN_VAL.max(denom);
    let cosine = num / MIN_VAL.max(norm_sqr);
    let mut part = Mat3::default();
    for i in 0..3 {
        for j in 0..3 {
            // product rule: the bracket, its factor, and vᵢ itself on the diagonal
            let inner = squares[j] * proj - abc[j] + cosine;
            let mut value = (abc[j] - abc[i]) * (2.0 * num) + inner * rows[i];
            value *= v[i] * v[j];
            if i == j {
                value -= rows[i] * num;
            }
            part[3 * i + j] = value * scale;
        }
    }
    part
}
