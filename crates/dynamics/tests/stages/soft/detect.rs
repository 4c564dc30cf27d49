//! Which vertices touch which geoms.
use ferrodyn::dynamics::soft::collide_vertex_geom;
use ferrodyn::math::{Real, Vec3, by_precision, sqrt};
use ferrodyn::soft::{
    CapsuleChain, ChainConfig, ClothConfig, DeformableBody, Material, MaterialPreset, SolverConfig,
    VertexFlags,
};
use ferrodyn::{Data, Model};
use ferrodyn_testing::{forward, load};

use super::{square, undamped, world};

/// One geom of each kind, apart from each other.
fn zoo() -> Model {
    load(
        "<mujoco><asset><mesh name='cube' vertex='-.2 -.2 -.2 .2 -.2 -.2 -.2 .2 -.2 .2 .2 -.2 -.2 -.2 .2 .2 -.2 .2 -.2 .2 .2 .2 .2 .2'/>
         <hfield name='hill' nrow='3' ncol='3' size='.4 .4 .2 .1' elevation='0 0 0 0 1 0 0 0 0'/></asset>
         <extension><plugin plugin='mujoco.sdf.torus'><instance name='torus'>
         <config key='radius1' value='.3'/><config key='radius2' value='.1'/></instance></plugin></extension>
         <asset><mesh name='torus'><plugin instance='torus'/></mesh></asset>
         <worldbody>
         <geom type='plane' size='1 1 1' pos='0 0 -1'/>
         <geom type='sphere' size='.2' pos='1 0 0'/>
         <geom type='box' size='.1 .2 .3' pos='2 0 0' euler='10 20 30'/>
         <geom type='capsule' size='.1 .2' pos='3 0 0' euler='0 50 0'/>
         <geom type='cylinder' size='.2 .1' pos='4 0 0' euler='20 0 0'/>
         <geom type='ellipsoid' size='.1 .2 .3' pos='5 0 0' euler='30 0 0'/>
         <geom type='mesh' mesh='cube' pos='6 0 0' euler='0 0 30'/>
         <geom type='hfield' hfield='hill' pos='7 0 0'/>
         <geom type='sdf' mesh='torus' pos='8 0 0'><plugin instance='torus'/></geom>
         </worldbody></mujoco>",
    )
}

#[test]
fn contacts_of_every_geom_follow_the_conventions() {
    let model = zoo();
    let mut data = forward(&model);
    let margin = 0.01;
    for g in 0..model.ngeom {
        let center = data.geom_xpos()[g];
        let mut seen = 0;
        for k in 0..300 {
            let at = |base| ferrodyn::math::halton(k + 1, base) - 0.5;
            let point = center + Vec3::new(at(2), at(3), at(5)) * 0.9;
            let view = &mut data.view_mut();
            let near = collide_vertex_geom(&model, view, g, point, 0.05).unwrap();
            let Some(found) = near else { continue };
            seen += 1;
            assert!((found.normal.norm() - 1.0).abs() < 1e-9, "{g}: {found:?}");
            // the point of the surface lies along the normal
            let along = found.point.add_scaled(found.normal, found.distance);
            assert!((along - point).norm() < 1e-6, "{g}: {found:?}");
            // a move by normal · depth ends the overlap, within the smooth neighbourhood of a surface
            let depth = margin - found.distance;
            if depth > 0.0 && found.distance > -0.05 {
                let out = point.add_scaled(found.normal, depth + 1e-4);
                let after = collide_vertex_geom(&model, view, g, out, 0.2).unwrap();
                let clear = after.is_none_or(|a| a.distance > margin - 0.004);
                assert!(clear, "{g} at {point:?}: {found:?}, then {after:?}");
            }
        }
        assert!(seen > 5 || g == 0, "{g}: {seen}");
    }
}

#[test]
fn distances_agree_with_those_of_small_spheres() {
    // the nearest point of a vertex is that of a sphere around it, which other code finds
    let text = |kind: &str, size: &str| {
        format!(
            "<mujoco><worldbody><geom type='{kind}' size='{size}' euler='30 40 50'/>
             <body><freejoint/><geom size='.01'/></body></worldbody></mujoco>"
        )
    };
    for (kind, size) in [
        ("sphere", ".3"),
        ("box", ".1 .2 .3"),
        ("capsule", ".1 .2"),
        ("cylinder", ".2 .1"),
        ("ellipsoid", ".1 .2 .3"),
    ] {
        let model = load(&text(kind, size));
        let mut data = model.make_data();
        for k in 0..50 {
            let at = |base| ferrodyn::math::halton(k + 1, base) - 0.5;
            let point = Vec3::new(at(2), at(3), at(5)) * 1.2;
            data.qpos_mut()[..3].copy_from_slice(&point.0);
            data.forward(&model).unwrap();
            let view = &mut data.view_mut();
            let found = collide_vertex_geom(&model, view, 0, point, 10.0).unwrap().unwrap();
            if found.distance < 0.02 {
                continue;
            }
            let (distance, _) =
                ferrodyn::dynamics::contact::geom_distance(&model, view, 0, 1, 10.0).unwrap();
            assert!(
                (found.distance - 0.01 - distance).abs() < 1e-6,
                "{kind} {point:?}: {distance}"
            );
        }
    }
}

/// A body falls on a geom, and does not go through it.
fn lands(model: &Model, body: &dyn DeformableBody) -> Data {
    let mut data = world(model, body, SolverConfig::realtime());
    data.step_n(model, 400).unwrap();
    let flags = data.deformable(0).unwrap().vertex_flags();
    assert!(flags.iter().any(|f| f.contains(VertexFlags::COLLIDING)));
    data
}

#[test]
fn every_geom_holds_a_cloth() {
    let zoo = zoo();
    for g in 0..zoo.ngeom {
        let center = forward(&zoo).geom_xpos()[g];
        let cloth = square(13, 0.5, center + Vec3::new(0.0, 0.0, 0.35), ClothConfig::cotton());
        let data = lands(&zoo, &cloth);
        let on_it = data.deformable_contacts().iter().filter(|c| c.geom_idx as usize == g);
        let lowest =
            data.deformable(0).unwrap().positions().iter().fold(9.0, |z: Real, x| z.min(x[2]));
        assert!(on_it.count() > 0, "{g}");
        assert!(lowest > -1.0, "{g}: {lowest}");
    }
}

#[test]
fn friction_is_the_geometric_mean() {
    for (preset, geom) in [
        (MaterialPreset::Rubber, [1.0, 0.005, 0.0001]),
        (MaterialPreset::Silk, [0.4, 0.01, 0.002]),
        (MaterialPreset::Steel, [0.9, 0.0, 0.0003]),
        (MaterialPreset::Leather, [0.0, 0.02, 0.0]),
    ] {
        let [slide, spin, roll] = geom;
        let model = load(&format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='{slide} {spin} {roll}'/>
             </worldbody></mujoco>"
        ));
        let mut config = ChainConfig::rope();
        config.material = Material::preset(preset);
        let chain = CapsuleChain::line(Vec3::ZERO, Vec3::X, 3, config).unwrap();
        let mut data = world(&model, &chain, undamped());
        data.forward(&model).unwrap();
        assert_eq!(data.deformable_contacts().len(), 4);
        let own = Material::preset(preset).friction;
        for contact in data.deformable_contacts() {
            let expected = geom.map(|mu: Real| sqrt(own * mu));
            assert_eq!(contact.friction, expected[0]);
            let [a, b, c] = expected;
            assert_eq!(contact.mu, [a, a, b, c, c]);
            assert_eq!((contact.dim, contact.solref), (3, model.opt.deformable_solref));
            assert_eq!(contact.solimp, model.opt.deformable_solimp);
        }
    }
}

#[test]
fn fields_of_a_contact_follow_the_conventions() {
    let model = load("<mujoco><worldbody><geom size='.3'/></worldbody></mujoco>");
    let config = ChainConfig { radius: 0.02, ..ChainConfig::rope() };
    let from = Vec3::new(0.0, 0.0, 0.31);
    let chain = CapsuleChain::line(from, Vec3::new(0.5, 0.0, 0.31), 5, config).unwrap();
    let mut data = world(&model, &chain, undamped());
    data.forward(&model).unwrap();
    let contact = &data.deformable_contacts()[0];
    let ids = (contact.deformable_idx, contact.vertex_idx, contact.geom_idx);
    assert_eq!(ids, (0, 0, 0));
    let tolerance = by_precision(1e-14, 1e-6);
    assert!((contact.pos - Vec3::new(0.0, 0.0, 0.3)).norm() < tolerance);
    assert!((contact.normal - Vec3::Z).norm() < tolerance);
    assert!((contact.depth - 0.01).abs() < tolerance);
    for axis in contact.frame {
        assert!(axis.dot(contact.normal).abs() < tolerance);
        assert!((axis.norm() - 1.0).abs() < tolerance);
    }
    let across = contact.frame[0].cross(contact.frame[1]);
    assert!((across - contact.normal).norm() < tolerance);
}

#[test]
fn masks_decide_what_collides() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1' contype='2' conaffinity='4'/></worldbody></mujoco>",
    );
    let chain = CapsuleChain::line(Vec3::ZERO, Vec3::X, 3, ChainConfig::rope()).unwrap();
    for (bits, touches) in [([1, 1], false), ([4, 0], true), ([0, 2], true), ([2, 4], false)] {
        let mut data = model.make_data();
        data.register_deformable_with(&chain, undamped(), bits).unwrap();
        data.forward(&model).unwrap();
        assert_eq!(!data.deformable_contacts().is_empty(), touches, "{bits:?}");
    }
    // and the flags of the model
    let mut off = model.clone();
    off.edit(|m| m.opt.disableflags |= ferrodyn::DisableBit::Contact as i32);
    let mut data = off.make_data();
    data.register_deformable_with(&chain, undamped(), [4, 0]).unwrap();
    data.step(&off).unwrap();
    assert!(data.deformable_contacts().is_empty());
    assert!(data.deformable(0).unwrap().velocities()[0][2] < 0.0);
}

#[test]
fn a_cloth_on_a_sphere_collides_with_a_third_of_its_vertices_and_comes_to_rest() {
    let model = load(
        "<mujoco><option timestep='.005'/><worldbody><geom size='.3' friction='2 0 0'/></worldbody></mujoco>",
    );
    let cloth = square(21, 0.9, Vec3::new(0.0, 0.0, 0.31), ClothConfig::cotton());
    let config = SolverConfig { damping: 5.0, damping_time: 0.01, ..SolverConfig::realtime() };
    let mut data = world(&model, &cloth, config);
    let colliding = |data: &Data| {
        let flags = data.deformable(0).unwrap().vertex_flags();
        flags.iter().filter(|f| f.contains(VertexFlags::COLLIDING)).count() as Real
    };
    data.step_n(&model, 1200).unwrap();
    let share = colliding(&data) / 441.0;
    assert!((0.2..0.4).contains(&share), "{share}");
    // no jitter: over a hundred steps nothing moves by more than a twentieth of a millimetre
    let before = data.deformable(0).unwrap().positions().to_vec();
    let mut most: Real = 0.0;
    for _ in 0..100 {
        data.step(&model).unwrap();
        let x = data.deformable(0).unwrap().positions();
        most = x.iter().zip(&before).fold(most, |m, (a, b)| (*a - *b).norm().max(m));
    }
    assert!(most < 5e-5, "{most}");
    // the flags are those of this step: lifted, none is left
    for x in data.deformable_mut(0).unwrap().positions.iter_mut() {
        x[2] += 1.0;
    }
    data.forward(&model).unwrap();
    assert_eq!(colliding(&data), 0.0);
}

#[test]
fn a_fast_vertex_does_not_pass_a_thin_wall() {
    let model = load("<mujoco><worldbody><geom type='box' size='1 1 .001'/></worldbody></mujoco>");
    let (from, to) = (Vec3::new(-0.2, 0.0, 0.1), Vec3::new(0.2, 0.0, 0.1));
    let mut chain = CapsuleChain::line(from, to, 4, ChainConfig::rope()).unwrap();
    // 40 mm in a step, through 2 mm
    chain.velocities_mut().fill(Vec3::new(0.0, 0.0, -20.0));
    let mut data = world(&model, &chain, undamped());
    data.step_n(&model, 20).unwrap();
    assert!(data.deformable(0).unwrap().positions().iter().all(|x| x[2] > 0.0));
}
