//! Flexes at a configuration: vertices, boxes, lengths of edges and their Jacobians.
use ferrodyn::math::Vec3;
use ferrodyn::{Data, Model};
use ferrodyn_testing::{all_close, forward_at};

use crate::support::{by_configuration, dense_row, flexcomp, flexcomps, on_bodies, stirred};

/// The Jacobian of an edge without zeros left out.
fn edge_row(model: &Model, data: &Data, e: usize) -> Vec<f64> {
    let start = model.flexedge_J_rowadr[e] as usize;
    let row = start..start + model.flexedge_J_rownnz[e] as usize;
    dense_row(model.nv, &model.flexedge_J_colind[row.clone()], &data.flexedge_J()[row])
}

#[test]
fn vertices_are_where_their_bodies_carry_them() {
    let model = on_bodies(1, "0 1 1 2 2 3 3 4", "<edge stiffness='1'/>");
    let data = stirred(&model);
    for v in 0..model.nflexvert {
        let body = model.flex_vertbodyid[v] as usize;
        let expected = &data.xmat()[body] * model.flex_vert[v] + data.xpos()[body];
        assert_eq!(data.flexvert_xpos()[v], expected);
    }
    // a generated flex has each vertex at the origin of its body
    let model = flexcomp("count='3 3 1' spacing='.1 .1 .1'", "");
    let data = stirred(&model);
    for v in 0..9 {
        assert_eq!(data.flexvert_xpos()[v], data.xpos()[model.flex_vertbodyid[v] as usize]);
    }
}

/// Every affine motion of the nodes moves all vertices alike; a quadratic flex also bends.
#[test]
fn vertices_between_nodes_follow_them() {
    let grid = "count='4 4 4' spacing='.1 .1 .1' dim='3'";
    let contact = "<contact selfcollide='none'/>";
    for (dof, order) in [("trilinear", 1), ("quadratic", 2)] {
        let model = flexcomp(&format!("{grid} dof='{dof}'"), contact);
        let rest = model.make_data();
        let start = forward_at(&model, rest.qpos(), &[]);
        let bend = |x: Vec3| {
            let square = if order == 2 { 2.0 * x[0] * x[2] * x[2] } else { 0.0 };
            Vec3::new(0.3 * x[0] + square, -0.2 * x[0] + 0.1 * x[1], 0.4 * x[2] + 0.05)
        };
        let mut qpos = vec![0.0; model.nq];
        for node in 0..model.nflexnode {
            let body = model.flex_nodebodyid[node] as usize;
            let moved = bend(start.xpos()[body]);
            let first = model.jnt_qposadr[model.body_jntadr[body] as usize] as usize;
            qpos[first..first + 3].copy_from_slice(&moved.0);
        }
        let data = forward_at(&model, &qpos, &[]);
        for (x, moved) in start.flexvert_xpos().iter().zip(data.flexvert_xpos()) {
            all_close(&moved.0, &(*x + bend(*x)).0, 1e-14);
        }
    }
}

#[test]
fn boxes_hold_their_elements_and_the_tree_all_of_them() {
    let model = flexcomp("count='3 3 3' dim='3' spacing='.1 .1 .1'", "");
    let data = stirred(&model);
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    for e in 0..model.nflexelem {
        let corners = model.flex_element(0, e).iter().map(|v| data.flexvert_xpos()[*v as usize]);
        let bounds = data.flexelem_aabb()[e];
        for k in 0..3 {
            let least = corners.clone().map(|x| x[k]).fold(f64::MAX, f64::min) - 0.01;
            let most = corners.clone().map(|x| x[k]).fold(f64::MIN, f64::max) + 0.01;
            all_close(
                &[bounds[k] - bounds[k + 3], bounds[k] + bounds[k + 3]],
                &[least, most],
                1e-15,
            );
            low[k] = low[k].min(least);
            high[k] = high[k].max(most);
        }
    }
    let root = data.bvh_aabb_dyn()[0];
    for k in 0..3 {
        all_close(&[root[k] - root[k + 3], root[k] + root[k + 3]], &[low[k], high[k]], 1e-15);
    }
}

#[test]
fn the_tree_stays_as_it_was_without_a_midphase() {
    let mut model = flexcomp("count='3 3 1' spacing='.1 .1 .1'", "");
    assert_ne!(stirred(&model).bvh_aabb_dyn()[0], [0.0; 6]);
    model.edit(|m| m.opt.disableflags |= ferrodyn::DisableBit::Midphase as i32);
    assert_eq!(stirred(&model).bvh_aabb_dyn()[0], [0.0; 6]);
}

#[test]
fn jacobians_of_edges_are_the_slopes_of_their_lengths() {
    let model = on_bodies(1, "0 1 1 2 2 3 3 4 4 1", "<edge stiffness='1'/>");
    let data = stirred(&model);
    let slopes = by_configuration(&model, &data, |d| d.flexedge_length().to_vec());
    for e in 0..model.nflexedge {
        let measured: Vec<f64> = slopes.iter().map(|column| column[e]).collect();
        all_close(&edge_row(&model, &data, e), &measured, 1e-9);
    }
}

/// Free vertices: the row is `-n` at the three slides of the first, `n` at those of the second, bit by bit.
#[test]
fn edges_between_free_vertices_pull_along_their_direction() {
    let model = flexcomp("count='3 3 1' spacing='.1 .1 .1'", "<edge damping='1'/>");
    let data = stirred(&model);
    for e in 0..model.nflexedge {
        let [v1, v2] = model.flex_edge[e].map(|v| v as usize);
        let (direction, length) = (data.flexvert_xpos()[v2] - data.flexvert_xpos()[v1]).normalize();
        let mut expected = vec![0.0; model.nv];
        for k in 0..3 {
            expected[3 * v1 + k] = -direction[k];
            expected[3 * v2 + k] = direction[k];
        }
        assert_eq!(edge_row(&model, &data, e), expected);
        assert_eq!(data.flexedge_length()[e], length);
    }
}

#[test]
fn edges_that_cannot_act_have_no_jacobian() {
    // nothing acts along edges
    let model = flexcomp("count='3 3 1' spacing='.1 .1 .1'", "");
    assert!(model.flexedge_J_rownnz.iter().all(|n| *n == 0));
    assert!(stirred(&model).flexedge_length().iter().all(|l| *l > 0.0));
    // all vertices on one body: a rigid flex, whose lengths are not computed
    let model = flexcomps(&[(
        "<joint/><geom size='.1'/>",
        "count='3 3 1' spacing='.1 .1 .1' rigid='true'",
        "<edge damping='1'/>",
    )]);
    assert_eq!((model.flex_rigid[0], model.nJfe), (1, 0));
    assert!(model.flexedge_rigid.iter().all(|r| *r == 1));
    assert!(stirred(&model).flexedge_length().iter().all(|l| *l == 0.0));
    // both ends on one body: the edge is rigid, its length is computed all the same
    let model = on_bodies(1, "0 4 0 1", "<edge stiffness='1'/>");
    assert_eq!((model.flex_rigid[0], &*model.flexedge_rigid), (0, &[1, 0][..]));
    all_close(&stirred(&model).flexedge_length()[..1], &model.flexedge_length0[..1], 1e-15);
}

#[test]
fn an_edge_without_length_has_finite_numbers() {
    let model = flexcomp("count='2 2 1' spacing='.1 .1 .1'", "<edge equality='true' damping='1'/>");
    let mut data = model.make_data();
    // the second vertex onto the first
    for k in 0..3 {
        data.qpos_mut()[3 + k] = model.body_pos[2][k] - model.body_pos[3][k];
    }
    data.forward(&model).unwrap();
    assert!(data.flexedge_length().contains(&0.0), "{:?}", data.flexedge_length());
    assert!(data.flexedge_J().iter().chain(data.qacc()).all(|x| x.is_finite()));
}
