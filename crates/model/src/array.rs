//! An array of the table without its static type.
use ferrodyn_math::{Element, ScalarKind};

/// Name, scalar type and shape of an array of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// MuJoCo's name of the array.
    pub name: &'static str,
    /// One line of documentation.
    pub doc: &'static str,
    /// Scalar type.
    pub kind: ScalarKind,
    /// Number of rows.
    pub rows: usize,
    /// Number of scalars per row; `None` for one-dimensional arrays.
    pub cols: Option<usize>,
}

impl ArrayInfo {
    /// Describe an array of `T` with `rows` rows, `dynamic_cols` elements each (`None`: one).
    pub fn of<T: Element>(
        name: &'static str,
        doc: &'static str,
        rows: usize,
        dynamic_cols: Option<usize>,
    ) -> ArrayInfo {
        let cols = match dynamic_cols {
            Some(n) => Some(n * T::COLS),
            None if T::COLS == 1 => None,
            None => Some(T::COLS),
        };
        ArrayInfo { name, doc, kind: T::KIND, rows, cols }
    }

    /// Number of scalars.
    pub fn len(&self) -> usize {
        self.rows * self.cols.unwrap_or(1)
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A borrowed array of the table, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct ArrayRef<'a> {
    /// Name, type and shape.
    pub info: ArrayInfo,
    /// The elements.
    pub bytes: &'a [u8],
}

/// A mutably borrowed array of the table, as bytes.
#[derive(Debug)]
pub struct ArrayMut<'a> {
    /// Name, type and shape.
    pub info: ArrayInfo,
    /// The elements.
    pub bytes: &'a mut [u8],
}
