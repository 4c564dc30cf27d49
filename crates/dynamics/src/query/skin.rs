//! Where the vertices of a skin are, for whoever draws it: bones carry them, and no force depends on them.
use ferrodyn_math::{MIN_VAL, Quat, Real, Vec3, sqrt};
use ferrodyn_model::{Model, Storage};

/// The rows that belong to one object.
fn rows(adr: i32, num: i32) -> core::ops::Range<usize> {
    adr as usize..adr as usize + num as usize
}

fn real<const N: usize>(v: [f32; N]) -> [Real; N] {
    v.map(|x| x as Real)
}

/// The triangles of a skin, by numbers of its vertices.
pub fn skin_faces<S: Storage>(m: &Model<S>, skin: usize) -> &[[i32; 3]] {
    &m.skin_face[rows(m.skin_faceadr[skin], m.skin_facenum[skin])]
}

/// Vertices and unit normals of a skin where bodies have these poses (`xpos` and `xquat` of a world), inflated; `vertices`
/// and `normals` are as long as the skin has vertices (`skin_vertnum`). MuJoCo: `mjv_updateSkin`.
///
/// A vertex `v` is at `Σ w (x + R (v - b))` with the weights `w` of its bones, which are at `x` and are turned by `R` since they were
/// at `b` in the bind pose. Its normal is the sum of the normals of its triangles, which are as long as those are large.
pub fn skin_surface(
    m: &Model<impl Storage>,
    xpos: &[Vec3],
    xquat: &[Quat],
    skin: usize,
    vertices: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    vertices.fill([0.0; 3]);
    normals.fill([0.0; 3]);
    carry(m, xpos, xquat, skin, vertices);
    for face in skin_faces(m, skin) {
        add_normal(face.map(|v| v as usize), vertices, normals);
    }

    // unit length; a vertex without triangles has no normal
    for n in &mut *normals {
        let length = sqrt((n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) as Real);
        let scale = (1.0 / length.max(MIN_VAL)) as f32;
        *n = n.map(|x| x * scale);
    }

    // away from the surface
    let inflate = m.skin_inflate[skin];
    if inflate != 0.0 {
        for (v, n) in vertices.iter_mut().zip(&*normals) {
            *v = core::array::from_fn(|k| v[k] + inflate * n[k]);
        }
    }
}

/// Adds what the bones of a skin do to its vertices.
fn carry(
    m: &Model<impl Storage>,
    xpos: &[Vec3],
    xquat: &[Quat],
    skin: usize,
    vertices: &mut [[f32; 3]],
) {
    let bind = &m.skin_vert[rows(m.skin_vertadr[skin], m.skin_vertnum[skin])];
    for bone in rows(m.skin_boneadr[skin], m.skin_bonenum[skin]) {
        // rotation since the bind pose, and where its origin went
        let body = m.skin_bonebodyid[bone] as usize;
        let bound = Quat(real(m.skin_bonebindquat[bone]));
        let turn = (xquat[body] * bound.conjugate()).to_mat();
        let shift = xpos[body] - &turn * Vec3(real(m.skin_bonebindpos[bone]));
        for k in rows(m.skin_bonevertadr[bone], m.skin_bonevertnum[bone]) {
            let (vertex, weight) = (m.skin_bonevertid[k] as usize, m.skin_bonevertweight[k]);
            let moved = &turn * Vec3(real(bind[vertex])) + shift;
            for (sum, x) in vertices[vertex].iter_mut().zip(moved.0) {
                let x: Real = x;
                *sum += weight * x as f32;
            }
        }
    }
}

/// Adds the normal of a triangle to those of its vertices.
fn add_normal(face: [usize; 3], vertices: &[[f32; 3]], normals: &mut [[f32; 3]]) {
    let [a, b, c] = face.map(|v| vertices[v]);
    let edge = |to: [f32; 3]| Vec3(real(core::array::from_fn(|k| to[k] - a[k])));
    let normal = edge(b).cross(edge(c));
    for vertex in face {
        for (sum, x) in normals[vertex].iter_mut().zip(normal.0) {
            let total: Real = *sum as Real + x;
            *sum = total as f32;
        }
    }
}
