//! The dense kind of the Hessian: its matrix, which becomes its factor, in tiles (`math::factor_tiles`).
use ferrodyn_math::{
    Four, GROUP, MIN_VAL, Real, Stack, StackFull, Tile, add_products, add_to_row, clear_tiles,
    factor_tiles, sqrt, tiles, update_tiles, words_of,
};

use super::hessian::{combine, each_cone, quadratic};
use super::primal::Problem;

/// The Hessian or its factor, and vectors that change it.
#[derive(Debug)]
pub(super) struct Dense<'a> {
    pub(super) matrix: &'a mut [Tile],
    /// The same with contacts on the boundary of their cones.
    pub(super) cone: &'a mut [Tile],
    /// As many vectors as are taken at once.
    vectors: &'a mut [Four],
    /// As many of the vectors that contacts on their cones add.
    slides: &'a mut [Four],
}

impl<'a> Dense<'a> {
    /// Words for matrices of `nv` rows.
    pub(super) fn words(nv: usize) -> usize {
        let across = tiles(nv);
        2 * words_of::<Tile>(across * across) + 2 * words_of::<Four>(GROUP * across)
    }

    /// Memory for a matrix, and for a factor with cones where they are `elliptic`.
    pub(super) fn new(nv: usize, elliptic: bool, stack: &mut Stack<'a>) -> Result<Self, StackFull> {
        let across = tiles(nv);
        let size = across * across;
        Ok(Dense {
            matrix: stack.take(size)?,
            cone: stack.take(if elliptic { size } else { 0 })?,
            vectors: stack.take(GROUP * across)?,
            slides: stack.take(if elliptic { GROUP * across } else { 0 })?,
        })
    }

    /// The matrix for the present states.
    pub(super) fn fill(&mut self, p: &Problem<'_>, nv: usize) {
        fill(self.matrix, self.vectors, p, nv);
    }

    /// The matrix for the present states and contacts on their cones, `M + Jᵀ D J + Jᵀ C J`, factored; the number of changes of rank
    /// one that the cones are.
    pub(super) fn factor_with_cones(&mut self, p: &Problem<'_>, nv: usize) -> i32 {
        let Dense { cone, vectors, slides, .. } = self;
        fill(cone, vectors, p, nv);
        // x xᵀ of several vectors at a time
        let across = tiles(nv);
        let mut count = 0;
        let mut add = |slides: &[Four]| {
            let rows = core::array::from_fn(|v| {
                &slides[v * across..(v + 1) * across].as_flattened()[..nv]
            });
            add_products(cone, vectors, rows, [1.0; GROUP]);
        };
        let changes = each_cone(p, |first, weights| {
            let vector = slides[count * across..(count + 1) * across].as_flattened_mut();
            vector.fill(0.0);
            combine(&mut vector[..nv], p, first, weights);
            count += 1;
            if count == GROUP {
                add(slides);
                count = 0;
            }
        });
        if count > 0 {
            slides[count * across..].as_flattened_mut().fill(0.0);
            add(slides);
        }
        factor_tiles(cone, nv, MIN_VAL);
        changes
    }

    /// Factor the matrix. Pivots below the smallest usable number are raised to it: a massless direction stays solvable.
    pub(super) fn factor(&mut self, nv: usize) {
        factor_tiles(self.matrix, nv, MIN_VAL);
    }

    /// Change the factor by `± (√D j)(√D j)ᵀ` for rows that became quadratic or ceased to be; false where it lost a pivot.
    pub(super) fn update(
        &mut self,
        p: &Problem<'_>,
        nv: usize,
        rows: impl Iterator<Item = usize>,
    ) -> bool {
        let mut pending = Pending::new(self.matrix, self.vectors, nv);
        for i in rows {
            let scale = sqrt(p.rows.d[i]);
            let vector = pending.next(quadratic(p.state[i]));
            for (to, x) in vector.iter_mut().zip(p.jacobian.row(i).0) {
                *to = x * scale;
            }
        }
        pending.finish()
    }

    /// A copy of the factor, to which cones are to be added.
    pub(super) fn begin_cones(&mut self, nv: usize) -> Pending<'_> {
        self.cone.copy_from_slice(self.matrix);
        Pending::new(self.cone, self.vectors, nv)
    }
}

/// Lower triangle of `M + Jᵀ D J`. MuJoCo: `MakeHessian`.
fn fill(matrix: &mut [Tile], vectors: &mut [Four], p: &Problem<'_>, nv: usize) {
    clear_tiles(matrix, nv);
    let mut acting = (0..p.state.len()).filter(|i| quadratic(p.state[*i]));
    // D jᵀ j of several rows at a time, in their order
    while let Some(first) = acting.next() {
        // places that no row is left for repeat the first one, with a weight of zero
        let mut rows = [p.jacobian.row(first).0; GROUP];
        let mut weights = [0.0; GROUP];
        weights[0] = p.rows.d[first];
        for (v, i) in (1..GROUP).zip(acting.by_ref()) {
            (rows[v], weights[v]) = (p.jacobian.row(i).0, p.rows.d[i]);
        }
        add_products(matrix, vectors, rows, weights);
    }
    // the inertia on top
    for r in 0..nv {
        let start = p.pattern.rowadr[r] as usize;
        let row = start..start + p.pattern.rownnz[r] as usize;
        add_to_row(matrix, nv, r, &p.pattern.colind[row.clone()], &p.inertia[row]);
    }
}

/// Vectors that wait until there are enough of them to change a factor.
pub(super) struct Pending<'a> {
    matrix: &'a mut [Tile],
    vectors: &'a mut [Four],
    nv: usize,
    count: usize,
    plus: bool,
    /// All pivots stayed positive.
    kept: bool,
}

impl<'a> Pending<'a> {
    fn new(matrix: &'a mut [Tile], vectors: &'a mut [Four], nv: usize) -> Self {
        Pending { matrix, vectors, nv, count: 0, plus: true, kept: true }
    }

    /// Room for a vector that is added or taken away; all of it has to be written.
    pub(super) fn next(&mut self, plus: bool) -> &mut [Real] {
        if self.count == GROUP || plus != self.plus {
            self.apply();
        }
        self.plus = plus;
        let start = self.count * tiles(self.nv);
        self.count += 1;
        &mut self.vectors[start..].as_flattened_mut()[..self.nv]
    }

    fn apply(&mut self) {
        let vectors = &mut self.vectors[..self.count * tiles(self.nv)];
        self.kept &= update_tiles(self.matrix, vectors, self.nv, self.plus) == self.nv;
        self.count = 0;
    }

    /// Apply what is left; false where a pivot was lost.
    pub(super) fn finish(mut self) -> bool {
        self.apply();
        self.kept
    }
}
