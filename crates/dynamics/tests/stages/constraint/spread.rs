//! Rows of contacts that move with many bodies.
use ferrodyn::dynamics::query::jac;
use ferrodyn::math::Vec3;
use ferrodyn::prelude::Contact;
use ferrodyn::{Data, Model};
use ferrodyn_testing::{all_close, close, load};

/// A triangle whose corners are on a free body, on slides and on a hinge, over a ball that a hinge moves, and a rope beside it.
fn scene(option: &str) -> (Model, Data) {
    let slides: String = ["1 0 0", "0 1 0", "0 0 1"]
        .map(|axis| format!("<joint type='slide' axis='{axis}'/>"))
        .concat();
    let model = load(&format!(
        "<mujoco><option {option}/><worldbody>\
         <body name='free'><freejoint/><geom size='.1' mass='1' contype='0' conaffinity='0'/></body>\
         <body name='slides' pos='1 0 0'>{slides}<geom size='.1' mass='2' contype='0' conaffinity='0'/>\
         <body name='hinge' pos='-.3 .8 0'><joint axis='1 0 1'/><geom size='.1' pos='.1 0 0' mass='1' contype='0' conaffinity='0'/></body></body>\
         <body name='arm' pos='.3 .3 -1'><joint axis='0 1 0'/><geom size='.3' pos='0 0 .68'/></body>\
         <body name='rope' pos='.2 -.5 .03'><flexcomp name='rope' dim='1' count='2 1 1' spacing='.1 1 1' radius='.02'><contact selfcollide='none'/></flexcomp></body>\
         </worldbody><deformable><flex name='f' dim='2' radius='.05' body='free slides hinge' vertex='0 0 0 0 0 0 0 0 0' element='0 1 2'>\
         <contact selfcollide='none'/></flex></deformable></mujoco>"
    ));
    let mut data = model.make_data();
    // the rope hangs into the triangle
    let reach = model.jnt_qposadr[model.njnt - 6] as usize;
    for i in [reach + 1, reach + 4] {
        data.qpos_mut()[i] = 0.6;
    }
    data.qvel_mut().iter_mut().enumerate().for_each(|(i, v)| *v = (i as f64 * 0.7).sin());
    data.forward(&model).unwrap();
    (model, data)
}

/// The bodies of an element and their shares at a point, by inverse distance.
fn shares(model: &Model, data: &Data, flex: usize, point: Vec3) -> Vec<(usize, f64)> {
    let first = model.flex_vertadr[flex] as usize;
    let vertices = model.flex_element(flex, 0).iter().map(|v| first + *v as usize);
    let inverse: Vec<_> = vertices
        .map(|v| {
            let body = model.flex_vertbodyid[v] as usize;
            (body, 1.0 / (data.flexvert_xpos()[v] - point).norm())
        })
        .collect();
    let sum: f64 = inverse.iter().map(|(_, w)| w).sum();
    inverse.into_iter().map(|(body, w)| (body, w / sum)).collect()
}

/// Shares of both sides, those of the first one negative.
fn both_sides(model: &Model, data: &Data, contact: &Contact) -> Vec<(usize, f64)> {
    let mut all = vec![];
    for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
        if contact.geom[side] >= 0 {
            all.push((model.geom_bodyid[contact.geom[side] as usize] as usize, sign));
        } else {
            let of_flex = shares(model, data, contact.flex[side] as usize, contact.pos);
            all.extend(of_flex.into_iter().map(|(body, w)| (body, sign * w)));
        }
    }
    all
}

#[test]
fn rows_are_the_weighted_motion_of_all_bodies_of_an_element() {
    for option in ["cone='elliptic' jacobian='dense'", "cone='elliptic' jacobian='sparse'"] {
        let (model, mut data) = scene(option);
        let contacts = data.contacts().to_vec();
        // ball and triangle, rope and triangle
        let kinds: Vec<_> = contacts.iter().map(|c| (c.geom[0] >= 0, c.flex)).collect();
        assert!(kinds.contains(&(true, [-1, 0])) && kinds.contains(&(false, [0, 1])), "{kinds:?}");
        let nv = model.nv;
        for contact in &contacts {
            let mut motion = vec![Vec3::ZERO; nv];
            for (body, weight) in both_sides(&model, &data, contact) {
                let mut jacp = vec![0.0; 3 * nv];
                jac(&model, &data.view_mut(), Some(&mut jacp), None, contact.pos, body);
                for (dof, sum) in motion.iter_mut().enumerate() {
                    *sum += Vec3::new(jacp[dof], jacp[nv + dof], jacp[2 * nv + dof]) * weight;
                }
            }
            for r in 0..3 {
                let axis = contact.frame.row(r);
                let expected: Vec<f64> = motion.iter().map(|m| axis.dot(*m)).collect();
                all_close(&row(&model, &data, contact.efc_address as usize + r), &expected, 1e-12);
            }
        }
    }
}

fn row(model: &Model, data: &Data, i: usize) -> Vec<f64> {
    let w = data.work();
    if !model.is_sparse() {
        return w.efc_J[i * model.nv..(i + 1) * model.nv].to_vec();
    }
    let mut dense = vec![0.0; model.nv];
    let start = w.efc_J_rowadr[i] as usize;
    for k in start..start + w.efc_J_rownnz[i] as usize {
        dense[w.efc_J_colind[k] as usize] = w.efc_J[k];
    }
    dense
}

#[test]
fn a_row_weighs_what_its_bodies_weigh() {
    let (model, data) = scene("cone='elliptic'");
    for contact in data.contacts() {
        let all = both_sides(&model, &data, contact);
        let weight: f64 =
            all.iter().map(|(body, w)| w.abs() * model.body_invweight0[*body][0]).sum();
        close(data.work().efc_diagApprox[contact.efc_address as usize], weight, 1e-12);
    }
}
