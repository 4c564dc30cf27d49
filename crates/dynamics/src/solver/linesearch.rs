//! Exact line search: a one-dimensional Newton method with brackets.
//!
//! Along a direction `s` the cost `φ(α) = cost(q̈ + α s)` is convex with a continuous slope, and made of few pieces: the inertia gives
//! one parabola, and each row one that holds as long as the row keeps its state. [`prepare`] writes down these parabolas once;
//! an evaluation then only decides states and adds coefficients, without a product of matrices.
//!
//! 1. The Newton step from `α = 0`. Often no row changes its state on the way, and it is exact.
//! 2. If the slope is still too large, Newton steps downhill from there until the slope changes its sign: the last two points
//!    enclose the minimum.
//! 3. In the bracket, three candidates: the Newton points of both ends, and the middle, which halves the bracket even where the
//!    curvature jumps. Each end moves to the candidate of its own sign with the smallest slope.
//!
//! Done where `|φ'|` is below the tolerance, or where no end moves any more (the limit of rounding; then the middle is
//! taken). After `ls_iterations` evaluations: in a bracket the better end, if it costs less than the start, else `α = 0`, and
//! the solver ends; before there is one, the last Newton point, whatever it costs.
use ferrodyn_math::{MIN_VAL, Real, sqrt};
use ferrodyn_model::ConstraintState;

use super::primal::{PrimalMemory, Problem};
use crate::constraint::zone::{
    cone_stiffness, cone_zone, elliptic_contact, friction_zone, push_zone,
};

/// What the search found.
pub(super) struct Line {
    /// How far to go; zero where there is nothing to gain.
    pub(super) alpha: Real,
    /// Scaled slope there; 1 where it was not computed.
    pub(super) slope: Real,
    pub(super) evaluations: i32,
}

/// Cost and its derivatives at a point of the line.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) alpha: Real,
    pub(super) cost: Real,
    pub(super) slope: Real,
    pub(super) curvature: Real,
}

impl Point {
    /// The point where all parabolas together are `total`, and what is no parabola comes to the rest.
    #[inline]
    pub(super) fn new(
        alpha: Real,
        total: [Real; 3],
        [mut cost, mut slope, mut curvature]: [Real; 3],
    ) -> Point {
        cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
        slope += 2.0 * alpha * total[2] + total[1];
        curvature += 2.0 * total[2];
        // only rounding makes a convex function bend down; the step that follows is long, and brackets catch it
        if curvature <= 0.0 {
            curvature = MIN_VAL;
        }
        Point { alpha, cost, slope, curvature }
    }

    /// Where Newton's method goes from here.
    fn next(&self) -> Real {
        self.alpha - self.slope / self.curvature
    }
}

/// The cost along the line, row by row.
struct Rowwise<'a> {
    p: &'a Problem<'a>,
    v: &'a PrimalMemory<'a>,
    /// The costs of leaving the free motion and of all equalities, which keep their parabola everywhere, as a polynomial of the position
    /// on the line.
    smooth: [Real; 3],
    evaluations: i32,
}

/// Find the minimum of the cost along the search direction. MuJoCo: `PrimalSearch`.
pub(super) fn search(
    p: &Problem<'_>,
    v: &mut PrimalMemory<'_>,
    gauss: [Real; 3],
    length: Real,
    tolerance: Real,
    max_evaluations: i32,
    scale: Real,
) -> Line {
    // the direction has no length: the gradient vanished
    if length < MIN_VAL {
        return Line { alpha: 0.0, slope: 1.0, evaluations: 0 };
    }
    prepare(p, v);
    // |φ'| / |s| is the slope per unit of length; scaled like the gradient, it has to be below the tolerance
    let gtol = tolerance * length / scale;
    let slope_scale = scale / length;
    let mut smooth = gauss;
    for quad in &v.quad[..p.rows.ne] {
        add(&mut smooth, quad);
    }
    let mut f = Rowwise { p, v, smooth, evaluations: 0 };
    f.line(gtol, max_evaluations, slope_scale)
}

/// No point better than the start was found.
pub(super) struct NoImprovement;

/// Write the cost of every row as a polynomial of the position on the line. A contact with an
/// elliptic cone keeps what its zones need in the places of its next two rows. MuJoCo: `PrimalPrepare`.
fn prepare(p: &Problem<'_>, v: &mut PrimalMemory<'_>) {
    let count = v.jar.len();
    let (jar, jv, d) = (&*v.jar, &*v.jv, p.rows.d);
    // rows that stand alone
    let single = p.rows.alone.min(count);
    let rows = d.iter().zip(jar.iter().zip(jv));
    for (quad, (d, (x, v))) in v.quad[..single].iter_mut().zip(rows) {
        let [constant, linear, square] = parabola(*d, *x, *v);
        *quad = [0.5 * constant, linear, 0.5 * square];
    }
    let mut i = single;
    while i < count {
        let mut quad = parabola(d[i], jar[i], jv[i]);
        let mut size = 1;
        if let Some(contact) = elliptic_contact(p.rows.kind[i], p.rows.id[i]) {
            let contact = &p.contacts[contact];
            let (dim, mu) = (contact.dim as usize, contact.mu);
            // sticking, all rows of the contact count; sliding, only |u + α w|² of the tangential motion scaled by friction
            let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
            for j in 1..dim {
                let k = i + j;
                add(&mut quad, &parabola(d[k], jar[k], jv[k]));
                let (u, w) = (jar[k] * contact.friction[j - 1], jv[k] * contact.friction[j - 1]);
                uu += u * u;
                uv += u * w;
                vv += w * w;
            }
            // N = μ (x₀ + α v₀), T² = uu + 2 α uv + α² vv, and Dₘ: of the cost ½ Dₘ (N - μ T)² between the zones
            v.quad[i + 1] = [jar[i] * mu, jv[i] * mu, uu];
            v.quad[i + 2] = [uv, vv, cone_stiffness(d[i], mu)];
            size = dim;
        }
        quad[0] *= 0.5;
        quad[2] *= 0.5;
        v.quad[i] = quad;
        i += size;
    }
}

/// `½ D (x + α v)²`: coefficients of 1, α and α², the outer two doubled until the end.
#[inline(always)]
pub(super) fn parabola(d: Real, x: Real, v: Real) -> [Real; 3] {
    let dj = d * x;
    [x * dj, v * dj, v * d * v]
}

#[inline(always)]
pub(super) fn add(total: &mut [Real; 3], part: &[Real; 3]) {
    for k in 0..3 {
        total[k] += part[k];
    }
}

impl Objective for Rowwise<'_> {
    fn evaluations(&self) -> i32 {
        self.evaluations
    }

    fn at(&mut self, alpha: Real) -> Point {
        let rows = &self.p.rows;
        let (ne, nf) = (rows.ne, rows.nf);
        let (quads, jar, jv) = (&self.v.quad, &self.v.jar, &self.v.jv);
        let count = jar.len();
        let mut total = self.smooth;
        let (mut cost, mut slope, mut curvature) = (0.0, 0.0, 0.0);
        // friction loss: the parabola between ±R f, straight lines with slope ±f outside that meet it smoothly
        for i in ne..ne + nf {
            let (start, dir) = (jar[i], jv[i]);
            let x = start + alpha * dir;
            let f = rows.frictionloss[i];
            let rf = rows.r[i] * f;
            match friction_zone(x, rf) {
                ConstraintState::LinearNeg => {
                    add(&mut total, &[f * (-0.5 * rf - start), -f * dir, 0.0]);
                }
                ConstraintState::LinearPos => {
                    add(&mut total, &[f * (-0.5 * rf + start), f * dir, 0.0]);
                }
                _ => add(&mut total, &quads[i]),
            }
        }
        // limits and contacts: the parabola where they are violated, nothing elsewhere
        let single = ne + nf..rows.alone.max(ne + nf);
        let line = jar[single.clone()].iter().zip(&jv[single.clone()]);
        for (quad, (x, v)) in quads[single.clone()].iter().zip(line) {
            if push_zone(x + alpha * v) == ConstraintState::Quadratic {
                add(&mut total, quad);
            }
        }
        let mut i = single.end;
        while i < count {
            let Some(contact) = elliptic_contact(rows.kind[i], rows.id[i]) else {
                if push_zone(jar[i] + alpha * jv[i]) == ConstraintState::Quadratic {
                    add(&mut total, &quads[i]);
                }
                i += 1;
                continue;
            };
            // the zone of the contact
            let contact = &self.p.contacts[contact];
            let mu = contact.mu;
            let [u0, v0, uu] = quads[i + 1];
            let [uv, vv, dm] = quads[i + 2];
            let n = u0 + alpha * v0;
            let t_sqr = uu + alpha * (2.0 * uv + alpha * vv);
            // rounding can make the square of nearly nothing negative
            let t = if t_sqr <= 0.0 { 0.0 } else { sqrt(t_sqr) };
            match cone_zone(mu, n, t) {
                // in the dual cone: it opens
                ConstraintState::Satisfied => {}
                // it slides: T' and T'' from T², then the chain rule on ½ Dₘ (N - μ T)²
                ConstraintState::Cone => {
                    let t1 = (uv + alpha * vv) / t;
                    let t2 = vv / t - (uv + alpha * vv) * t1 / (t * t);
                    let (gap, rate) = (n - mu * t, v0 - mu * t1);
                    cost += 0.5 * dm * gap * gap;
                    slope += dm * gap * rate;
                    curvature += dm * (rate * rate + gap * (-mu * t2));
                }
                _ => add(&mut total, &quads[i]),
            }
            i += contact.dim as usize;
        }
        self.evaluations += 1;
        Point::new(alpha, total, [cost, slope, curvature])
    }
}

/// A cost along a line.
pub(super) trait Objective {
    /// Evaluate the cost and its first two derivatives at a point. MuJoCo: `PrimalEval`.
    fn at(&mut self, alpha: Real) -> Point;

    /// How often it was evaluated.
    fn evaluations(&self) -> i32;

    /// The minimum along the line; slopes are reported times `slope_scale`.
    fn line(&mut self, gtol: Real, max_evaluations: i32, slope_scale: Real) -> Line {
        let (alpha, slope) = match self.minimize(gtol, max_evaluations) {
            Ok(point) => (point.alpha, point.slope.abs() * slope_scale),
            Err(NoImprovement) => (0.0, 1.0),
        };
        Line { alpha, slope, evaluations: self.evaluations() }
    }

    /// The point where the slope vanishes, within `gtol`, in at most `max` evaluations.
    fn minimize(&mut self, gtol: Real, max: i32) -> Result<Point, NoImprovement> {
        // the Newton point of the start is the minimum where no row changes its state
        let p0 = self.at(0.0);
        let mut p1 = self.at(p0.next());
        if p1.slope.abs() < gtol {
            return Ok(p1);
        }
        // one-sided: Newton steps until the slope changes sign
        let dir = if p1.slope < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = p0;
        while p1.slope * dir <= -gtol && self.evaluations() < max {
            p2 = p1;
            p1 = self.at(p1.next());
            if p1.slope.abs() < gtol {
                return Ok(p1);
            }
        }
        // out of evaluations: the last point as it is
        if self.evaluations() >= max {
            return Ok(p1);
        }
        // bracketed: Newton points of both ends, and the middle
        let mut p2_next = p1;
        let mut p1_next = self.at(p1.next());
        while self.evaluations() < max {
            let middle = self.at(0.5 * (p1.alpha + p2.alpha));
            let candidates = [p1_next, p2_next, middle];
            // a candidate that has converged; of several the lowest
            let mut best: Option<Point> = None;
            for point in candidates.iter().filter(|point| point.slope.abs() < gtol) {
                if best.is_none_or(|best| point.cost < best.cost) {
                    best = Some(*point);
                }
            }
            if let Some(best) = best {
                return Ok(best);
            }
            let moved1 = self.tighten(&mut p1, &candidates, &mut p1_next);
            let moved2 = self.tighten(&mut p2, &candidates, &mut p2_next);
            // the ends are neighbours, as far as rounding tells
            if !moved1 && !moved2 {
                return Ok(middle);
            }
        }
        // out of evaluations: the better end, if it is of use at all
        if p1.cost <= p2.cost && p1.cost < p0.cost {
            Ok(p1)
        } else if p2.cost <= p1.cost && p2.cost < p0.cost {
            Ok(p2)
        } else {
            Err(NoImprovement)
        }
    }

    /// Move an end of the bracket to the best candidate on its side. MuJoCo: `updateBracket`.
    fn tighten(&mut self, end: &mut Point, candidates: &[Point; 3], next: &mut Point) -> bool {
        let mut moved = false;
        for point in candidates {
            // the slope rises with α: on each side, the smallest one is nearest to the minimum
            let closer = (end.slope < 0.0 && point.slope < 0.0 && end.slope < point.slope)
                || (end.slope > 0.0 && point.slope > 0.0 && end.slope > point.slope);
            if closer {
                *end = *point;
                moved = true;
            }
        }
        if moved {
            *next = self.at(end.next());
        }
        moved
    }
}
