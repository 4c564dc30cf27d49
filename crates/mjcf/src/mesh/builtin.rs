//! Shapes that are made from a few parameters.
//!
//! Vertices are on or in the unit cube, whatever the shape; the scale of the mesh makes them larger. Parameters are checked first, with
//! MuJoCo's limits, and what they make against the budget, before memory is taken. MuJoCo: `mjCMesh::MakeSphere` and its kin.

use core::f64::consts::PI;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ferrodyn_math::elementary::{cos, pow, sin};
use libm::copysign;

use super::raw::RawMesh;
use super::{Builtin, MeshBudget, MeshError};
use crate::pose::{cross, normalize};

/// Replaces vertices, and normals and faces where the shape has its own.
pub(super) fn make(
    mesh: &mut RawMesh,
    shape: Builtin,
    parameters: &[f64],
    budget: &MeshBudget,
) -> Result<(), MeshError> {
    let ok = |condition: bool, message: &'static str| {
        if condition { Ok(()) } else { Err(MeshError::Builtin(message)) }
    };
    let fits = |vertices: u64, faces: u64| {
        budget.check("vertices", vertices as usize, budget.vertices)?;
        budget.check("faces", faces as usize, budget.faces)
    };
    // numbers that count things: the fraction is cut off
    let whole = |x: f64| x as i32;
    let positive = "horizontal and vertical resolutions must be positive";
    match shape {
        Builtin::Sphere => {
            let &[subdivision] = array(parameters, "a sphere needs 1 parameter")?;
            let subdivision = whole(subdivision);
            ok(
                (0..=4).contains(&subdivision),
                "the subdivision of a sphere must be between 0 and 4",
            )?;
            sphere(mesh, subdivision);
        }
        Builtin::Hemisphere => {
            let &[resolution] = array(parameters, "a hemisphere needs 1 parameter")?;
            let resolution = whole(resolution);
            let message = "the resolution of a hemisphere must be between 0 and 10";
            ok((0..=10).contains(&resolution), message)?;
            hemisphere(mesh, resolution as usize);
        }
        Builtin::Supersphere => {
            let &[resolution, e, n] = array(parameters, "a supersphere needs 3 parameters")?;
            let resolution = whole(resolution);
            ok(resolution >= 3, "the resolution of a supersphere must be greater than 2")?;
            ok(e >= 0.0, "parameter 'e' of a supersphere cannot be negative")?;
            ok(n >= 0.0, "parameter 'n' of a supersphere cannot be negative")?;
            fits(square(resolution), 2 * square(resolution))?;
            supersphere(mesh, resolution, e, n);
        }
        Builtin::Supertorus => {
            let &[resolution, radius, s, t] = array(parameters, "a supertorus needs 4 parameters")?;
            let resolution = whole(resolution);
            ok(resolution >= 3, "the resolution of a supertorus must be at least 3")?;
            ok(radius > 0.0 && radius <= 1.0, "the radius of a supertorus must be in (0, 1]")?;
            ok(s > 0.0, "parameter 's' of a supertorus must be greater than 0")?;
            ok(t > 0.0, "parameter 't' of a supertorus must be greater than 0")?;
            fits(square(resolution), 2 * square(resolution))?;
            supertorus(mesh, resolution, radius, s, t);
        }
        Builtin::Wedge => {
            let &[columns, rows, width, height, gamma] =
                array(parameters, "a wedge needs 5 parameters")?;
            let size = [columns, rows].map(whole);
            ok(width > 0.0 && width <= 180.0, "the first angle of a wedge must be in (0, 180]")?;
            ok(height > 0.0 && height <= 90.0, "the second angle of a wedge must be in (0, 90]")?;
            ok(size.iter().all(|&n| n > 0), positive)?;
            ok((0.0..=1.0).contains(&gamma), "parameter 'gamma' of a wedge must be in [0, 1]")?;
            fits(3 * size[0] as u64 * size[1] as u64, 0)?;
            wedge(mesh, size.map(|n| n as usize), [width, height], gamma);
        }
        Builtin::Plate => {
            let &[columns, rows] = array(parameters, "a plate needs 2 parameters")?;
            let size = [columns, rows].map(whole);
            ok(size.iter().all(|&n| n > 0), positive)?;
            let cells = size[0] as u64 * size[1] as u64;
            fits(3 * cells, 2 * cells)?;
            plate(mesh, size.map(|n| n as usize));
        }
        Builtin::Cone => {
            let &[edges, radius] = array(parameters, "a cone needs 2 parameters")?;
            let edges = whole(edges);
            ok(edges >= 0, "the number of edges of a cone cannot be negative")?;
            fits(2 * edges as u64, 0)?;
            cone(mesh, edges, radius);
        }
    }
    Ok(())
}

/// Parameters, if their number is right.
fn array<'a, const N: usize>(
    parameters: &'a [f64],
    message: &'static str,
) -> Result<&'a [f64; N], MeshError> {
    parameters.try_into().map_err(|_| MeshError::Builtin(message))
}

/// `n²`, without overflow.
fn square(n: i32) -> u64 {
    n as u64 * n as u64
}

/// An icosahedron whose faces are divided into four, several times.
fn sphere(mesh: &mut RawMesh, subdivision: i32) {
    // the corners of three golden rectangles across each other
    let phi = ((1.0 + 5f64.sqrt()) / 2.0) as f32;
    let mut vert = vec![
        [-1.0, phi, 0.0],
        [1.0, phi, 0.0],
        [-1.0, -phi, 0.0],
        [1.0, -phi, 0.0],
        [0.0, -1.0, phi],
        [0.0, 1.0, phi],
        [0.0, -1.0, -phi],
        [0.0, 1.0, -phi],
        [phi, 0.0, -1.0],
        [phi, 0.0, 1.0],
        [-phi, 0.0, -1.0],
        [-phi, 0.0, 1.0],
    ];
    // onto the unit sphere
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    for x in vert.as_flattened_mut() {
        *x = (f64::from(*x) / norm) as f32;
    }
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..subdivision {
        // the middle of each edge, pushed out to the sphere; neighbours share it
        let mut middles = HashMap::new();
        let mut middle = |a: i32, b: i32| match middles.entry((a.min(b), a.max(b))) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let (v, w) = (vert[a as usize], vert[b as usize]);
                let m: [f32; 3] = core::array::from_fn(|i| (v[i] + w[i]) / 2.0);
                let norm = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt();
                vert.push(m.map(|x| x / norm));
                *entry.insert(vert.len() as i32 - 1)
            }
        };
        // a triangle at each corner, and one between the middles
        let mut finer = Vec::with_capacity(4 * face.len());
        for [a, b, c] in face {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        face = finer;
    }
    mesh.vert = vert;
    mesh.face = face;
}

/// Rows of squares from the pole to the equator, and a flat bottom around its centre.
fn hemisphere(mesh: &mut RawMesh, resolution: usize) {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let mut vert = vec![[0.0, 0.0, 1.0]];
    // rows of an octahedron's upper half, each 4 (row + 1) points, pushed out to the sphere
    for row in 0..=resolution {
        for side in 0..4 {
            // along the edges from the pole to two corners of the equator, then between them
            let factor = (row + 1) as f64 / (resolution + 1) as f64;
            let on_arc = |corner: usize| -> [f64; 3] {
                core::array::from_fn(|i| POLE[i] + factor * (EQUATOR[corner][i] - POLE[i]))
            };
            let (start, end) = (on_arc(side), on_arc((side + 1) % 4));
            for step in 0..=row {
                let p: [f64; 3] = core::array::from_fn(|i| {
                    start[i] + step as f64 * ((end[i] - start[i]) / (row + 1) as f64)
                });
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.push(p.map(|x| (x / norm) as f32));
            }
        }
    }
    let centre = vert.len();
    vert.push([0.0; 3]);

    // around the pole, then bands between rows, of 2 row + 3 triangles in each quarter
    let mut face: Vec<[usize; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..resolution {
        let (start, count) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (next_start, next_count) = (start + count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let here = |k: usize| start + (k + (row + 1) * side) % count;
                let next = |k: usize| next_start + (k + (row + 2) * side) % next_count;
                face.push([here(i), next(i), next(i + 1)]);
                if i < row + 1 {
                    face.push([here(i), next(i + 1), here(i + 1)]);
                }
            }
        }
    }
    // the bottom: a fan around its centre
    let (start, count) = (2 * resolution * (resolution + 1) + 1, 4 * (resolution + 1));
    for i in 0..count {
        face.push([start + i, centre, start + (i + 1) % count]);
    }
    mesh.vert = vert;
    mesh.face = face.into_iter().map(|ids| ids.map(|id| id as i32)).collect();
}

/// Cosine to a power, with its sign.
fn cos_power(angle: f64, exponent: f64) -> f64 {
    copysign(pow(cos(angle).abs(), exponent), cos(angle))
}

/// Sine to a power, with its sign.
fn sin_power(angle: f64, exponent: f64) -> f64 {
    copysign(pow(sin(angle).abs(), exponent), sin(angle))
}

/// `x = cosⁿ v cosᵉ u`, `y = cosⁿ v sinᵉ u`, `z = sinⁿ v`, powers with the sign of their base; rings between two poles.
fn supersphere(mesh: &mut RawMesh, resolution: i32, e: f64, n: f64) {
    // south pole, rings, north pole
    let mut vert = vec![[0.0, 0.0, -1.0]];
    for i in 1..resolution {
        let v = -PI / 2.0 + f64::from(i) * PI / f64::from(resolution);
        for j in 0..resolution {
            let u = -PI + f64::from(j) * 2.0 * PI / f64::from(resolution);
            let x = cos_power(v, n) * cos_power(u, e);
            let y = cos_power(v, n) * sin_power(u, e);
            vert.push([x as f32, y as f32, sin_power(v, n) as f32]);
        }
    }
    vert.push([0.0, 0.0, 1.0]);

    let on_ring = |ring: i32, j: i32| 1 + ring * resolution + j % resolution;
    let mut face = Vec::new();
    // south pole, bands of squares cut in two, north pole
    for j in 0..resolution {
        face.push([0, on_ring(0, j + 1), on_ring(0, j)]);
    }
    for ring in 0..resolution - 2 {
        for j in 0..resolution {
            let (a, b) = (on_ring(ring, j), on_ring(ring, j + 1));
            let (d, c) = (on_ring(ring + 1, j), on_ring(ring + 1, j + 1));
            face.extend([[a, b, d], [b, c, d]]);
        }
    }
    let north = vert.len() as i32 - 1;
    for j in 0..resolution {
        face.push([on_ring(resolution - 2, j), on_ring(resolution - 2, j + 1), north]);
    }
    mesh.vert = vert;
    mesh.face = face;
}

/// `x = (1 + r cosˢ v) cosᵗ u`, `y = (1 + r cosˢ v) sinᵗ u`, `z = r sinˢ v`: a grid that closes upon itself both ways.
fn supertorus(mesh: &mut RawMesh, resolution: i32, radius: f64, s: f64, t: f64) {
    let mut vert = Vec::new();
    let mut face = Vec::new();
    for i in 0..resolution {
        for j in 0..resolution {
            let u = 2.0 * PI * f64::from(i) / f64::from(resolution);
            let v = 2.0 * PI * f64::from(j) / f64::from(resolution);
            let x = (1.0 + radius * cos_power(v, s)) * cos_power(u, t);
            let y = (1.0 + radius * cos_power(v, s)) * sin_power(u, t);
            vert.push([x as f32, y as f32, (radius * sin_power(v, s)) as f32]);

            // two triangles for each cell of the grid
            let (i_next, j_next) = ((i + 1) % resolution, (j + 1) % resolution);
            let (a, b) = (i * resolution + j, i_next * resolution + j);
            let (d, c) = (i * resolution + j_next, i_next * resolution + j_next);
            face.extend([[a, b, d], [b, c, d]]);
        }
    }
    mesh.vert = vert;
    mesh.face = face;
}

/// Points on a part of the unit sphere, each with a normal and two tangents; the hull makes the
/// faces.
fn wedge(mesh: &mut RawMesh, size: [usize; 2], angles: [f64; 2], gamma: f64) {
    let [xs, ys] = [0, 1].map(|axis| bin_edges(size[axis], angles[axis], gamma));
    mesh.vert = Vec::with_capacity(size[0] * size[1]);
    mesh.normal = Vec::with_capacity(3 * size[0] * size[1]);
    for i in 0..size[0] {
        for j in 0..size[1] {
            // azimuth and elevation of the middle of a bin
            let (a, e) = (0.5 * (xs[i + 1] + xs[i]), 0.5 * (ys[j + 1] + ys[j]));
            mesh.vert.push([cos(e) * sin(a), sin(e), -cos(e) * cos(a)].map(|x| x as f32));
            // a tangent along the azimuth, one along the elevation, and their product
            let mut along = [cos(e) * cos(a), 0.0, cos(e) * sin(a)];
            let mut up = [-sin(e) * sin(a), cos(e), sin(e) * cos(a)];
            normalize(&mut along);
            normalize(&mut up);
            let normal = cross(&up, &along);
            mesh.normal.extend([normal, along, up].map(|axis| axis.map(|x| x as f32)));
        }
    }
}

/// Edges of bins between plus and minus an angle in degrees, closer together in the middle.
fn bin_edges(count: usize, angle: f64, gamma: f64) -> Vec<f64> {
    let gamma = gamma.clamp(0.0, 1.0);
    let increment = 2.0 / count as f64;
    let mut edge = -1.0;
    let edges = (0..=count).map(|_| {
        let x = edge;
        edge += increment;
        // γ x⁵ + (1 - γ) x
        let bent = if gamma == 0.0 { x } else { gamma * pow(x, 5.0) + (1.0 - gamma) * x };
        bent * (angle * PI / 180.0)
    });
    edges.collect()
}

/// A grid of points in a plane, each with three normals.
fn plate(mesh: &mut RawMesh, size: [usize; 2]) {
    let [columns, rows] = size;
    mesh.vert = Vec::with_capacity(columns * rows);
    mesh.normal = Vec::with_capacity(3 * columns * rows);
    mesh.face = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
    for i in 0..columns {
        for j in 0..rows {
            // middles of cells
            let x = -1.0 + (i as f64 + 0.5) * (2.0 / columns as f64);
            let y = -1.0 + (j as f64 + 0.5) * (2.0 / rows as f64);
            mesh.vert.push([x as f32, y as f32, -1.0]);
            mesh.normal.extend([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
            if i > 0 && j > 0 {
                let at = |i: usize, j: usize| (i * rows + j) as i32;
                mesh.face.push([at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)]);
                mesh.face.push([at(i, j), at(i - 1, j), at(i, j - 1)]);
            }
        }
    }
}

/// A polygon, and above it a smaller one or a point; the hull makes the faces.
fn cone(mesh: &mut RawMesh, edges: i32, radius: f64) {
    // the base, then the top or the tip
    let angle = |i: i32| 2.0 * f64::from(i) * PI / f64::from(edges);
    mesh.vert = (0..edges).map(|i| [cos(angle(i)) as f32, sin(angle(i)) as f32, -1.0]).collect();
    if radius > 0.0 {
        let top = edges..2 * edges;
        mesh.vert.extend(
            top.map(|i| [(radius * cos(angle(i))) as f32, (radius * sin(angle(i))) as f32, 1.0]),
        );
    } else {
        mesh.vert.push([0.0, 0.0, 1.0]);
    }
}
