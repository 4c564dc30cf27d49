//! The skin of a cable of boxes: a closed surface around its links, whose vertices hang on points at the edges of the boxes.
//!
//! The points form a grid: one row for each point of the cable, and in a row those at the two edges of the boxes. There are as
//! many bones as points, each on the body that begins there, and two vertices for each, on the upper and lower side: both
//! lie at the point itself, and only inflation moves them apart. With `subgrid` a row has a point in the middle as well, and
//! vertices lie between the points, on a bicubic surface through them.

use crate::schema::{CompositeSkinAttrs, SkinAttrs};

/// The corners of a square, in the order of Hermite's coefficients.
const CORNERS: [(usize, usize); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// Coefficients of 1, t, t^2, t^3 that values and slopes at the ends 0 and 1 have in a cubic: `HERMITE[power][slope][end]`.
const HERMITE: [[[f64; 2]; 2]; 4] = [
    [[1.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [1.0, 0.0]],
    [[-3.0, 3.0], [-2.0, -1.0]],
    [[2.0, -2.0], [1.0, 1.0]],
];

type Matrix = [[f64; 16]; 16];

/// The skin of a cable through so many points, at least three, whose boxes have this size. An error where it would have more
/// numbers than the budget allows.
pub(super) fn cable_skin(
    prefix: &str,
    points: usize,
    size: [f64; 3],
    asked: &CompositeSkinAttrs,
    budget: usize,
) -> Result<SkinAttrs, String> {
    let subgrid = usize::try_from(asked.or_default().subgrid()).unwrap_or(0);
    let columns = if subgrid > 0 { 3 } else { 2 };
    let rows = |n: usize| n.saturating_add((n - 1).saturating_mul(subgrid));
    let grid = Grid { rows: rows(points), columns: rows(columns) };
    // a vertex hangs on up to sixteen points
    let numbers = grid.rows.saturating_mul(grid.columns).saturating_mul(32);
    if numbers > budget {
        return Err(format!("{numbers} numbers of a skin are more than the budget allows"));
    }
    let mut skin = bones(prefix, points, columns, size);
    let (vertid, vertweight) =
        if subgrid > 0 { smooth(points, subgrid, &grid) } else { direct(&grid) };
    skin.vertid = Some(vertid);
    skin.vertweight = Some(vertweight);
    skin.vertex = Some(vec![0.0; 6 * grid.rows * grid.columns]);
    skin.face = Some(grid.faces());
    if asked.or_default().texcoord() {
        skin.texcoord = Some(grid.texcoord());
    }
    skin.material = asked.material.clone();
    skin.rgba = Some(asked.or_default().rgba());
    skin.group = asked.group;
    // the skin is as thick as the boxes
    skin.inflate = Some((2.0 * size[2]) as f32);
    Ok(skin)
}

/// The bodies of the bones and their bind poses. The last row hangs on the last link; how far behind its beginning is what the
/// size of the boxes says.
fn bones(prefix: &str, points: usize, columns: usize, size: [f64; 3]) -> SkinAttrs {
    let mut skin = SkinAttrs::default();
    for row in 0..points {
        let label = match row {
            0 => String::from("first"),
            row if row + 2 >= points => String::from("last"),
            row => row.to_string(),
        };
        let back = if row + 1 == points { -2.0 * size[0] } else { 0.0 };
        for column in 0..columns {
            let side = match column {
                0 => -size[1],
                column if column + 1 == columns => size[1],
                _ => 0.0,
            };
            skin.bodyname.get_or_insert_default().push(format!("{prefix}B_{label}"));
            skin.bindpos.get_or_insert_default().extend([back as f32, side as f32, 0.0]);
            skin.bindquat.get_or_insert_default().extend([1.0, 0.0, 0.0, 0.0]);
        }
    }
    skin
}

/// Vertices of each bone and their weights.
type Weights = (Vec<Vec<i32>>, Vec<Vec<f32>>);

/// Each bone has the two vertices at its point.
fn direct(grid: &Grid) -> Weights {
    let side = grid.rows * grid.columns;
    let ids = (0..side).map(|i| vec![i as i32, (side + i) as i32]).collect();
    (ids, vec![vec![1.0, 1.0]; side])
}

/// Vertices lie on a bicubic surface through the points: each hangs on the points around it, with the weights that those have
/// in the surface.
fn smooth(points: usize, subgrid: usize, grid: &Grid) -> Weights {
    let (side, columns) = (grid.rows * grid.columns, 3);
    let mut ids = vec![Vec::new(); points * columns];
    let mut weights = vec![Vec::new(); points * columns];
    let surfaces = surfaces(subgrid);
    let steps = subgrid + 1;
    // which squares lie at the border, where slopes are one-sided
    let border = |i: usize, last: usize| match i {
        0 => 0,
        i if i == last => 2,
        _ => 1,
    };
    for x in 0..points - 1 {
        for y in 0..columns - 1 {
            let at = 3 * border(x, points - 2) + border(y, columns - 2);
            // the square at the end also has the vertices at the end
            for dx in 0..steps + usize::from(x == points - 2) {
                for dy in 0..steps + usize::from(y == columns - 2) {
                    let vertex = (x * steps + dx) * grid.columns + y * steps + dy;
                    let row = &surfaces[at][dx * (steps + 1) + dy];
                    for (k, &weight) in row.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                        // points of the square and around it; those beyond a border have no weight
                        let bone = (x + k / 4 - 1) * columns + (y + k % 4 - 1);
                        ids[bone].extend([vertex as i32, (vertex + side) as i32]);
                        weights[bone].extend([weight as f32; 2]);
                    }
                }
            }
        }
    }
    (ids, weights)
}

/// Weights of the 4 x 4 points in and around a square for each vertex in it, by the place of the square: three times that
/// along the cable, plus that across it.
fn surfaces(subgrid: usize) -> Vec<Vec<[f64; 16]>> {
    let steps = subgrid + 1;
    let step = 1.0 / steps as f64;
    let to_coefficients = hermite();
    let mut powers = Vec::with_capacity((steps + 1) * (steps + 1));
    for sx in 0..=steps {
        for sy in 0..=steps {
            let (x, y) = (sx as f64 * step, sy as f64 * step);
            let mut row = [0.0; 16];
            // x^i y^j, multiplied from the left
            for (k, power) in row.iter_mut().enumerate() {
                let in_x = (0..k / 4).fold(1.0, |p, _| p * x);
                *power = (0..k % 4).fold(in_x, |p, _| p * y);
            }
            powers.push(times(&row, &to_coefficients));
        }
    }
    let places = (0..9).map(|at| slopes(at / 3, at % 3));
    places.map(|slopes| powers.iter().map(|row| times(row, &slopes)).collect()).collect()
}

/// A row times a matrix, summed in order.
fn times(row: &[f64; 16], matrix: &Matrix) -> [f64; 16] {
    let mut out = [0.0; 16];
    for (factor, line) in row.iter().zip(matrix).filter(|(factor, _)| **factor != 0.0) {
        for (sum, x) in out.iter_mut().zip(line) {
            *sum += x * factor;
        }
    }
    out
}

/// Coefficients of `x^i y^j` (row `4 i + j`) from values, slopes along x, slopes along y and mixed slopes at the corners.
fn hermite() -> Matrix {
    let mut matrix = [[0.0; 16]; 16];
    for (k, row) in matrix.iter_mut().enumerate() {
        for (column, entry) in row.iter_mut().enumerate() {
            let (along, corner) = (column / 4, CORNERS[column % 4]);
            *entry = HERMITE[k / 4][along % 2][corner.0] * HERMITE[k % 4][along / 2][corner.1];
        }
    }
    matrix
}

/// Values, slopes and mixed slopes at the corners of a square from the 4 x 4 points in and around it: differences of the
/// neighbours, one-sided at a border. The place along each axis is 0 at the first, 2 at the last square, otherwise 1.
fn slopes(place_x: usize, place_y: usize) -> Matrix {
    // points at -1, 0, 1, 2 of an axis: the value at a corner, and the slope there
    let value = |corner: usize| {
        let mut weights = [0.0; 4];
        weights[corner + 1] = 1.0;
        weights
    };
    let slope = |corner: usize, place: usize| match (corner, place) {
        (0, 0) | (1, 2) => [0.0, -1.0, 1.0, 0.0],
        (0, _) => [-0.5, 0.0, 0.5, 0.0],
        _ => [0.0, -0.5, 0.0, 0.5],
    };
    let mut matrix = [[0.0; 16]; 16];
    for (k, row) in matrix.iter_mut().enumerate() {
        let (along, corner) = (k / 4, CORNERS[k % 4]);
        let in_x = if along % 2 == 1 { slope(corner.0, place_x) } else { value(corner.0) };
        let in_y = if along / 2 == 1 { slope(corner.1, place_y) } else { value(corner.1) };
        for (column, entry) in row.iter_mut().enumerate() {
            *entry = in_x[column / 4] * in_y[column % 4];
        }
    }
    matrix
}

/// The vertices of one side.
struct Grid {
    rows: usize,
    columns: usize,
}

impl Grid {
    /// Texture coordinates of both sides: along the cable and across it.
    fn texcoord(&self) -> Vec<f32> {
        let share = |i: usize, n: usize| i as f32 / (n - 1) as f32;
        let vertex = |i: usize| {
            let (row, column) = (i / self.columns % self.rows, i % self.columns);
            [share(row, self.rows), share(column, self.columns)]
        };
        (0..2 * self.rows * self.columns).flat_map(vertex).collect()
    }

    /// Triangles: the two sides, then the narrow strips that close the surface.
    fn faces(&self) -> Vec<i32> {
        let Self { rows, columns } = *self;
        let mut faces = Vec::new();
        let mut add = |face: [usize; 3]| faces.extend(face.map(|v| v as i32));
        let lower = rows * columns;
        let at = |row: usize, column: usize| row * columns + column;
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let corner = [at(row, column), at(row + 1, column), at(row + 1, column + 1)];
                add(corner);
                add([at(row, column), at(row + 1, column + 1), at(row, column + 1)]);
            }
        }
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let below = |row, column| lower + at(row, column);
                let far = below(row + 1, column + 1);
                add([below(row, column), far, below(row + 1, column)]);
                add([below(row, column), below(row, column + 1), far]);
            }
        }
        for row in 0..rows - 1 {
            let (a, b) = (at(row, 0), at(row + 1, 0));
            add([a, lower + b, b]);
            add([a, lower + a, lower + b]);
        }
        for row in 0..rows - 1 {
            let (a, b) = (at(row, columns - 1), at(row + 1, columns - 1));
            add([a, b, lower + b]);
            add([a, lower + b, lower + a]);
        }
        for column in 0..columns - 1 {
            let (a, b) = (at(0, column), at(0, column + 1));
            add([a, b, lower + b]);
            add([a, lower + b, lower + a]);
        }
        for column in 0..columns - 1 {
            let (a, b) = (at(rows - 1, column), at(rows - 1, column + 1));
            add([a, lower + b, b]);
            add([a, lower + a, lower + b]);
        }
        faces
    }
}
