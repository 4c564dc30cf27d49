//! The sparse Hessian and its factor.
//!
//! The pattern is found once for all rows, acting or not, so that rows that come and go find their entries in place. An island of few
//! degrees of freedom has its pattern in words of bits and its matrix in full rows ([`BitMatrix`]); a large one has sparse rows. Both have
//! the same bits.
use ferrodyn_math::{
    BitMatrix, GROUP, List, MIN_VAL, Real, SparseFactor, SparseLower, SparseRows, Stack, StackFull,
    Which, add_scaled, sort_by, sqrt,
};

use super::hessian::quadratic;
use super::primal::Problem;

/// The Hessian and its factor, with cones in a second one.
#[derive(Debug)]
pub(super) struct Sparse<'a> {
    matrix: Matrix<'a>,
    pub(super) factor: SparseFactor<'a>,
    /// Values of the factor with the contacts on the boundary of their cones.
    pub(super) cone: &'a mut [Real],
    /// Number of entries that MuJoCo sets aside for the matrix.
    pub(super) reserved: usize,
    /// Some columns of one row.
    pub(super) vector: List<'a, Real>,
}

/// The matrix before it is factored.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of them at a time")]
enum Matrix<'a> {
    Few(BitMatrix<'a>),
    Many(Assembly<'a>),
}

impl<'a> Sparse<'a> {
    /// Find the patterns of the Hessian and of its factor, and compute the Hessian.
    pub(super) fn new(
        p: &Problem<'_>,
        rows: &SparseRows<'_>,
        nv: usize,
        stack: &mut Stack<'a>,
    ) -> Result<Self, StackFull> {
        let (matrix, factor, reserved) = if nv <= BitMatrix::MOST_ROWS {
            let (mut matrix, reserved) = few_columns(p, rows, nv, stack)?;
            let factor = matrix.analyze(stack)?;
            (Matrix::Few(matrix), factor, reserved)
        } else {
            let (assembly, reserved) = Assembly::new(p, rows, nv, stack)?;
            let factor = SparseFactor::analyze(&assembly.matrix, stack)?;
            (Matrix::Many(assembly), factor, reserved)
        };
        let cones = if p.is_elliptic() { factor.lower.value.len() } else { 0 };
        let (cone, vector) = (stack.take(cones)?, stack.list(nv)?);
        let mut sparse = Sparse { matrix, factor, cone, reserved, vector };
        sparse.fill(p, rows, nv);
        Ok(sparse)
    }

    /// Compute the Hessian for the present states of the rows.
    pub(super) fn fill(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>, nv: usize) {
        match &mut self.matrix {
            Matrix::Few(matrix) => fill_few(matrix, p, rows, nv),
            Matrix::Many(assembly) => assembly.fill(p, rows, nv, &mut self.vector),
        }
    }

    /// Factor the Hessian, once after it was filled. Pivots below the smallest usable number are raised to it: a massless direction
    /// stays solvable.
    pub(super) fn factor(&mut self) {
        match &mut self.matrix {
            Matrix::Few(matrix) => matrix.factor(&mut self.factor, MIN_VAL),
            Matrix::Many(assembly) => self.factor.factor(&assembly.matrix, MIN_VAL),
        };
    }

    /// Change the factor by `± (√D j)(√D j)ᵀ` for rows that became quadratic or ceased to be; false where it lost a pivot.
    pub(super) fn update(
        &mut self,
        p: &Problem<'_>,
        nv: usize,
        rows: impl Iterator<Item = usize>,
    ) -> bool {
        for i in rows {
            let (values, columns) = p.jacobian.row(i);
            let scale = sqrt(p.rows.d[i]);
            self.vector.clear();
            self.vector.extend(values.iter().map(|x| x * scale));
            let is = quadratic(p.state[i]);
            if self.factor.update(Which::Own, columns, &self.vector, is) < nv {
                return false;
            }
        }
        true
    }
}

/// Places for the products of all rows, acting or not, and for the inertia; and the number of entries that MuJoCo reserves.
fn few_columns<'a>(
    p: &Problem<'_>,
    rows: &SparseRows<'_>,
    nv: usize,
    stack: &mut Stack<'a>,
) -> Result<(BitMatrix<'a>, usize), StackFull> {
    let mut matrix = BitMatrix::new(nv, stack)?;
    let mut touched = 0_u64;
    for (first, _) in rows.groups() {
        let columns = rows.row(first).1;
        matrix.join(columns);
        touched = columns.iter().fold(touched, |bits, c| bits | 1 << c);
    }
    // what no row touches has an entry on its diagonal from the inertia only
    let untouched = nv - touched.count_ones() as usize;
    let reserved = reserved_inertia(p) + matrix.entries() - untouched;
    for r in 0..nv {
        matrix.join_row(r, inertia_row(p, r).1);
    }
    Ok((matrix, reserved))
}

/// `Jᵀ D J + M`, group by group of rows.
fn fill_few(matrix: &mut BitMatrix<'_>, p: &Problem<'_>, rows: &SparseRows<'_>, nv: usize) {
    matrix.clear();
    for (first, end) in rows.groups() {
        let columns = rows.row(first).1;
        // quadratic rows, as many at once as there are registers for
        let (mut some, mut weights) = ([&[][..]; GROUP], [0.0; GROUP]);
        let mut count = 0;
        for i in (first..end).filter(|i| quadratic(p.state[*i])) {
            (some[count], weights[count]) = (rows.row(i).0, p.rows.d[i]);
            count += 1;
            if count == GROUP {
                matrix.add(columns, &some, &weights);
                count = 0;
            }
        }
        matrix.add(columns, &some[..count], &weights[..count]);
    }
    for r in 0..nv {
        let (values, columns) = inertia_row(p, r);
        matrix.add_last(r, columns, values);
    }
}

/// Values and columns of a row of the inertia.
fn inertia_row<'p>(p: &'p Problem<'_>, r: usize) -> (&'p [Real], &'p [i32]) {
    let start = p.pattern.rowadr[r] as usize;
    let row = start..start + p.pattern.rownnz[r] as usize;
    (&p.inertia[row.clone()], &p.pattern.colind[row])
}

/// MuJoCo reserves room for the inertia up to the end of the island.
fn reserved_inertia(p: &Problem<'_>) -> usize {
    let last = p.pattern.rowadr.last().zip(p.pattern.rownnz.last());
    last.map_or(0, |(adr, nnz)| (adr + nnz) as usize)
}

/// A matrix in sparse rows, and what is needed to compute it.
#[derive(Debug)]
struct Assembly<'a> {
    matrix: SparseLower<'a>,
    members: Members<'a>,
    /// One row of the matrix.
    accumulator: &'a mut [Real],
    /// The rows of `J`, each times its `D`.
    weighted: &'a mut [Real],
    /// Quadratic rows: where they begin in `weighted`, and their `D`; and the first of each group.
    quadratic: List<'a, usize>,
    quadratic_weight: List<'a, Real>,
    quadratic_start: List<'a, usize>,
}

/// Groups of rows of `J` that share their columns, and the degrees of freedom in them.
#[derive(Debug)]
struct Members<'a> {
    /// First row, and the one after the last.
    groups: &'a mut [[usize; 2]],
    /// For each degree of freedom, the groups that it is in and its place among their columns.
    start: &'a mut [usize],
    members: &'a mut [[usize; 2]],
}

impl Members<'_> {
    /// The groups that a degree of freedom is in, and its place in each.
    #[inline]
    fn of(&self, dof: usize) -> &[[usize; 2]] {
        &self.members[self.start[dof]..self.start[dof + 1]]
    }
}

impl<'a> Members<'a> {
    /// The groups of rows, and for each degree of freedom those that it is in.
    fn new(rows: &SparseRows<'_>, nv: usize, stack: &mut Stack<'a>) -> Result<Self, StackFull> {
        let groups =
            stack.build(|groups| rows.groups().all(|(first, end)| groups.push([first, end])))?;
        let start = stack.take_zeroed(nv + 1)?;
        // how many groups each degree of freedom is in, then where its list begins
        for [first, _] in groups.iter() {
            for c in rows.row(*first).1 {
                start[*c as usize + 1] += 1;
            }
        }
        for c in 0..nv {
            start[c + 1] += start[c];
        }
        // fill the lists, groups in ascending order, so that sums run over rows of J in order
        let members = stack.take(start[nv])?;
        let mut inner = stack.scope();
        let next = inner.take::<usize>(nv)?;
        next.copy_from_slice(&start[..nv]);
        for (group, [first, _]) in groups.iter().enumerate() {
            for (place, c) in rows.row(*first).1.iter().enumerate() {
                let slot = &mut next[*c as usize];
                members[*slot] = [group, place];
                *slot += 1;
            }
        }
        Ok(Members { groups, start, members })
    }
}

impl<'a> Assembly<'a> {
    /// Find the pattern of the Hessian, and the number of entries that MuJoCo reserves for it.
    fn new(
        p: &Problem<'_>,
        rows: &SparseRows<'_>,
        nv: usize,
        stack: &mut Stack<'a>,
    ) -> Result<(Self, usize), StackFull> {
        // which rows of J meet which degree of freedom, then the pattern of H
        let members = Members::new(rows, nv, stack)?;
        let accumulator = stack.take_zeroed(nv)?;
        let (start, mark) = (stack.take(nv + 1)?, stack.take(nv)?);
        let mut reserved = 0;
        let column = stack.build(|column| {
            let found = find_pattern(p, rows, &members, start, mark, column);
            reserved = found.unwrap_or(0);
            found.is_some()
        })?;
        let matrix = SparseLower { start, value: stack.take(column.len())?, column };
        // entries of this island's rows, from its first to its last
        let entries = match (rows.rowadr.first(), rows.rowadr.last(), rows.rownnz.last()) {
            (Some(first), Some(last), Some(count)) => (last + count - first) as usize,
            _ => 0,
        };
        let assembly = Assembly {
            matrix,
            accumulator,
            weighted: stack.take(entries)?,
            quadratic: stack.list(p.state.len())?,
            quadratic_weight: stack.list(p.state.len())?,
            quadratic_start: stack.list(members.groups.len() + 1)?,
            members,
        };
        Ok((assembly, reserved))
    }

    /// Lower triangle of `Jᵀ D J + M`. Every entry is summed row by row of `J`, with the products of MuJoCo: off the
    /// diagonal `J(i, r) (D J(i, c))`, on it `J(i, r)² D`.
    fn fill(
        &mut self,
        p: &Problem<'_>,
        rows: &SparseRows<'_>,
        nv: usize,
        vector: &mut List<'_, Real>,
    ) {
        let base = self.weigh(p, rows);
        let Assembly { matrix: h, accumulator, members, .. } = self;
        for r in 0..nv {
            // row r of Jᵀ D J: from every group of rows of J that has column r
            let mut diagonal = 0.0;
            for &[group, place] in members.of(r) {
                let places = self.quadratic_start[group]..self.quadratic_start[group + 1];
                if places.is_empty() {
                    continue;
                }
                // entries left of the diagonal, side by side: gathered, summed over the group's rows, and put back
                let columns = &rows.row(members.groups[group][0]).1[..place];
                vector.clear();
                vector.extend(columns.iter().map(|c| accumulator[*c as usize]));
                for (&start, &d) in
                    self.quadratic[places.clone()].iter().zip(&self.quadratic_weight[places])
                {
                    // J(i, r), which multiplies what D J has to the left
                    let x = rows.values[base + start + place];
                    diagonal += x * x * d;
                    add_scaled(vector, &self.weighted[start..start + place], x);
                }
                for (x, c) in vector.iter().zip(columns) {
                    accumulator[*c as usize] = *x;
                }
            }
            // the inertia on top
            accumulator[r] = diagonal;
            let start = p.pattern.rowadr[r] as usize;
            for k in start..start + p.pattern.rownnz[r] as usize {
                accumulator[p.pattern.colind[k] as usize] += p.inertia[k];
            }
            // into the pattern, and the accumulator is clean for the next row
            for k in h.start[r]..h.start[r + 1] {
                let c = h.column[k];
                h.value[k] = accumulator[c];
                accumulator[c] = 0.0;
            }
        }
    }

    /// `D J` of the quadratic rows, in the places of `J` from the first one on, which is returned.
    fn weigh(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>) -> usize {
        self.quadratic.clear();
        self.quadratic_weight.clear();
        self.quadratic_start.clear();
        self.quadratic_start.extend([0]);
        // rows of an island begin somewhere in the array of all
        let Some(&base) = rows.rowadr.first() else { return 0 };
        let base = base as usize;
        for &[first, end] in self.members.groups.iter() {
            // rows that are not quadratic are left out of their group
            for i in (first..end).filter(|i| quadratic(p.state[*i])) {
                let start = rows.rowadr[i] as usize - base;
                let d = p.rows.d[i];
                for (to, x) in self.weighted[start..].iter_mut().zip(rows.row(i).0) {
                    *to = d * x;
                }
                self.quadratic.extend([start]);
                self.quadratic_weight.extend([d]);
            }
            self.quadratic_start.extend([self.quadratic.len()]);
        }
        base
    }
}

/// Columns of each row of the Hessian: those of all rows of `J` that the row is in, and those of the inertia. The number of entries
/// that MuJoCo reserves is returned; `None` where there is no room for the columns.
fn find_pattern(
    p: &Problem<'_>,
    rows: &SparseRows<'_>,
    members: &Members<'_>,
    start: &mut [usize],
    mark: &mut [usize],
    column: &mut List<'_, usize>,
) -> Option<usize> {
    let nv = mark.len();
    mark.fill(usize::MAX);
    let mut reserved = reserved_inertia(p);
    for r in 0..nv {
        let begin = column.len();
        start[r] = begin;
        // columns that are not in this row yet; `mark` holds the last row that had each column
        let mut add = |columns: &[i32]| {
            for c in columns.iter().map(|c| *c as usize) {
                if mark[c] != r {
                    mark[c] = r;
                    if !column.push(c) {
                        return None;
                    }
                }
            }
            Some(column.len())
        };
        // columns of J up to the diagonal, then those of the inertia
        for &[group, place] in members.of(r) {
            add(&rows.row(members.groups[group][0]).1[..=place])?;
        }
        reserved += add(&[])? - begin;
        add(inertia_row(p, r).1)?;
        // ascending, as the factor expects; the diagonal comes last
        sort_by(&mut column[begin..], |a, b| a < b);
    }
    start[nv] = column.len();
    Some(reserved)
}
