//! Derivatives of a step: differences, closed forms, and what both are made of.
mod analytic;
mod difference;
mod flex;
mod integration;
mod velocity;

/// Columns `from..to` of a matrix with `n` columns.
fn columns(mat: &[f64], n: usize, from: usize, to: usize) -> Vec<f64> {
    mat.chunks(n).flat_map(|row| row[from..to].to_vec()).collect()
}

/// Rows `from..to` of a matrix with `n` columns.
fn rows(mat: &[f64], n: usize, from: usize, to: usize) -> Vec<f64> {
    mat[from * n..to * n].to_vec()
}
