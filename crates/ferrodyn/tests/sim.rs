//! Simulations built of exchangeable parts.
#![cfg(not(feature = "f32"))]
use ferrodyn::contact::XpbdSolver;
use ferrodyn::dynamics::World;
use ferrodyn::math::Vec3;
use ferrodyn::sim::{
    BridsonBending, CotangentBending, Enabled, FlexBendingModel, FlexElasticityModel, FlexMatrix,
    LinearElastic, NeoHookean, PartError,
};
use ferrodyn::{
    AnimationSim, Error, FlexBendingType, FlexElasticityType, Integrator, Model, ModelArrays,
    MujocoSim, SimBuilder, SoftBodySim, Solver,
};
use ferrodyn_testing::{load, repository, with_integrator};

/// A sheet, fixed at one side, that resists bending and stretching.
fn flag(attributes: &str, elastic: &str) -> Model {
    load(&format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option timestep='.001'/><worldbody><body name='pole' pos='0 0 1'>
         <flexcomp name='flag' dim='2' type='grid' count='5 4 1' spacing='.1 .1 .1' mass='.5' radius='.01' {attributes}>
         <contact selfcollide='none' internal='false'/>{elastic}</flexcomp></body></worldbody></mujoco>"
    ))
}

const BENDS: &str =
    "<elasticity young='1e5' poisson='.2' thickness='.005' elastic2d='both' damping='.001'/>";

/// The bits of a state after some steps, from a bent start.
fn bent(model: &Model, data: &mut ferrodyn::Data) {
    for v in 0..model.nflexvert {
        data.qpos_mut()[3 * v + 2] = 0.02 * (v as f64).sin();
    }
}

/// Every model of the conformance suite, stepped by a simulation of MuJoCo's parts and by `Data::step`.
#[test]
fn a_simulation_of_mujocos_parts_is_a_plain_step_to_the_bit() {
    let folder = repository("conformance/models");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "xml") {
            continue;
        }
        let Ok(model) = Model::from_xml_path(&path) else { continue };
        let mut sim: MujocoSim = SimBuilder::new().build(model.clone()).unwrap();
        let mut data = model.make_data();
        for (i, u) in data.ctrl_mut().iter_mut().enumerate() {
            *u = 0.1 * (i as f64 + 1.0).sin();
        }
        sim.data_mut().copy_from(&data);
        for _ in 0..20 {
            // what cannot be stepped cannot be stepped by either
            assert_eq!(data.step(&model), sim.step(), "{path:?}");
        }
        assert_eq!(data.state_hash(), sim.data().state_hash(), "{path:?}");
        assert_eq!(data.qacc(), sim.data().qacc(), "{path:?}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_builder_with_bridsons_bending_uses_it() {
    let model = flag("", BENDS);
    let mut sim =
        SimBuilder::new().bending(BridsonBending::default()).build(model.clone()).unwrap();
    // the flex has hinges now, with the stiffness of a plate of its material
    let built = sim.model();
    assert_eq!(built.bending_model(0), Some(FlexBendingType::Bridson));
    assert!(built.nflexhinge > 0 && built.flex_bend_stiffness[0] > 0.0);
    assert_eq!(model.bending_model(0), Some(FlexBendingType::Unstated));

    // and does what a model does that says so itself
    let stiffness = built.flex_bend_stiffness[0];
    let stated = flag(
        &format!("ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='{stiffness}'"),
        BENDS,
    );
    let mut data = stated.make_data();
    bent(&stated, &mut data);
    bent(&model, sim.data_mut());
    data.step_n(&stated, 50).unwrap();
    sim.step_n(50).unwrap();
    assert_eq!(data.qpos(), sim.data().qpos());
    // which is not MuJoCo's law
    let mut plain = model.make_data();
    bent(&model, &mut plain);
    plain.step_n(&model, 50).unwrap();
    assert_ne!(plain.qpos(), data.qpos());
}

#[test]
fn parameters_of_a_part_win_over_the_material_of_a_flex() {
    let model = flag("", BENDS);
    let sim =
        SimBuilder::new().bending(BridsonBending::new(0.5, 0.25)).build(model.clone()).unwrap();
    assert_eq!((sim.model().flex_bend_stiffness[0], sim.model().flex_bend_damping[0]), (0.5, 0.25));
    let sim = SimBuilder::new().elasticity(NeoHookean::new(1e3, 1e3)).build(model.clone()).unwrap();
    let (young, poisson) = (sim.model().flex_young[0], sim.model().flex_poisson[0]);
    assert!((young - 2.5e3).abs() < 1e-9 && (poisson - 0.25).abs() < 1e-12);
    let sim = SimBuilder::new().elasticity(NeoHookean::default()).build(model).unwrap();
    assert_eq!((sim.model().flex_young[0], sim.model().flex_poisson[0]), (1e5, 0.2));
}

#[test]
fn what_a_flex_chooses_comes_before_the_parts() {
    let model =
        flag("ferrodyn:bending_model='cotangent' ferrodyn:elasticity_model='linear'", BENDS);
    let mut sim = SimBuilder::new()
        .bending(BridsonBending::new(1.0, 0.0))
        .elasticity(NeoHookean::new(1e3, 1e3))
        .build(model.clone())
        .unwrap();
    assert_eq!(sim.model().bending_model(0), Some(FlexBendingType::Cotangent));
    assert_eq!(sim.model().elasticity_model(0), Some(FlexElasticityType::Linear));
    let mut data = model.make_data();
    bent(&model, &mut data);
    bent(&model, sim.data_mut());
    data.step_n(&model, 20).unwrap();
    sim.step_n(20).unwrap();
    assert_eq!(data.qpos(), sim.data().qpos());
}

#[test]
fn bad_parameters_are_refused_by_flex() {
    let model = flag("", BENDS);
    let refused = |outcome: Result<(), Error>| match outcome {
        Err(Error::Part(PartError::Flex { flex: 0, reason })) => reason,
        other => panic!("{other:?}"),
    };
    let build = SimBuilder::new().bending(BridsonBending::new(-1.0, 0.0)).build(model.clone());
    assert!(refused(build.map(|_| ())).contains("not negative"));
    let build = SimBuilder::new().elasticity(NeoHookean::new(1e3, f64::INFINITY)).build(model);
    assert!(refused(build.map(|_| ())).contains("finite"));
    // without thickness there is no volume
    let thin = flag("", "");
    let build = SimBuilder::new().elasticity(NeoHookean::new(1e3, 1e3)).build(thin.clone());
    assert!(refused(build.map(|_| ())).contains("thickness"));
    // a flex without a law that the default parts could take the place of is left alone
    let sim = SimBuilder::new()
        .bending(BridsonBending::default())
        .elasticity(NeoHookean::default())
        .build(thin)
        .unwrap();
    assert_eq!((sim.model().nflexhinge, sim.model().nflexrest), (0, 0));
}

/// A soft cube that falls on a plane.
fn cube(option: &str) -> Model {
    load(&format!(
        "<mujoco><option timestep='.002' {option}/><worldbody><geom type='plane' size='1 1 .1'/>
         <body name='b' pos='0 0 .25'><flexcomp name='c' dim='3' type='grid' count='3 3 3' spacing='.1 .1 .1' mass='1' radius='.02'>
         <contact selfcollide='none' internal='false'/><elasticity young='2e4' poisson='.3' damping='.02'/></flexcomp></body></worldbody></mujoco>"
    ))
}

#[test]
fn a_neo_hookean_cube_with_position_based_contacts_lands() {
    let mut model = cube("integrator='implicitfast'");
    model.edit(|m| m.opt.xpbd_substeps = 2);
    let mut sim = SimBuilder::new()
        .elasticity(NeoHookean::default())
        .contact_solver(XpbdSolver::new(4))
        .build(model)
        .unwrap();
    assert_eq!(sim.model().elasticity_model(0), Some(FlexElasticityType::NeoHookean));
    assert_eq!((sim.model().solver(), sim.model().opt.xpbd_substeps), (Solver::Xpbd, 4));
    for _ in 0..1000 {
        assert!(sim.step().unwrap().divergence.is_none());
    }
    let lowest = sim.data().flexvert_xpos().iter().fold(f64::MAX, |low, x| low.min(x[2]));
    let highest = sim.data().flexvert_xpos().iter().fold(f64::MIN, |high, x| high.max(x[2]));
    assert!(lowest > 0.0 && lowest < 0.03, "{lowest}");
    assert!((highest - lowest - 0.2).abs() < 0.02, "{highest}");
}

#[test]
fn the_named_simulations_have_their_parts() {
    let animation: AnimationSim = SimBuilder::new()
        .bending(BridsonBending::default())
        .contact_solver(XpbdSolver::default())
        .build(flag("", BENDS))
        .unwrap();
    assert_eq!(animation.model().bending_model(0), Some(FlexBendingType::Bridson));
    assert_eq!(animation.model().solver(), Solver::Xpbd);
    let soft: SoftBodySim =
        SimBuilder::new().elasticity(NeoHookean::default()).build(cube("")).unwrap();
    assert!(soft.model().nflexrest > 0);
    let (model, data) = soft.into_parts();
    assert!(data.fits(&model));
}

/// A law of the user: edges are springs, so that the sheet is a net. It keeps the rest lengths itself.
#[derive(Default)]
struct Net {
    stiffness: f64,
    implicit: bool,
    rest: Vec<Vec<f64>>,
}

impl FlexElasticityModel for Net {
    fn precompute(&mut self, m: &mut ModelArrays, flex: usize) -> Result<(), PartError> {
        self.rest.resize(m.nflex, Vec::new());
        self.rest[flex] = m.flex_edges(flex).map(|e| m.flexedge_length0[e]).collect();
        Ok(())
    }

    fn apply(&self, m: &ModelArrays, d: &mut World<'_>, flex: usize, enabled: Enabled) {
        if !enabled.springs {
            return;
        }
        let first = m.flex_vertices(flex).start;
        for (e, rest) in m.flex_edges(flex).zip(&self.rest[flex]) {
            let [a, b] = m.flex_edge[e].map(|v| first + v as usize);
            let along = d.flexvert_xpos[b] - d.flexvert_xpos[a];
            let length = along.norm();
            let pull = along * (self.stiffness * (length - rest) / length);
            for (v, force) in [(a, pull), (b, -pull)] {
                let body = m.flex_vertbodyid[v] as usize;
                for (k, dof) in m.body_dofs(body).enumerate() {
                    d.qfrc_spring[dof] += force[k];
                }
            }
        }
    }

    fn has_stiffness(&self) -> bool {
        self.implicit
    }

    fn add_stiffness(&self, m: &ModelArrays, d: &World<'_>, flex: usize, to: &mut FlexMatrix<'_>) {
        let first = m.flex_vertices(flex).start;
        // two triangles share most edges: half of the spring belongs to each; at the border that is too much, and does no harm
        for t in 0..m.flex_elements(flex).len() {
            let corners: Vec<usize> =
                m.flex_element(flex, t).iter().map(|v| first + *v as usize).collect();
            for [i, j] in [[0, 1], [1, 2], [2, 0]] {
                let along =
                    (d.flexvert_xpos[corners[j]] - d.flexvert_xpos[corners[i]]).normalize().0;
                let mut w = [Vec3::ZERO; 3];
                (w[i], w[j]) = (-along, along);
                to.add_element(m, flex, t, &w, self.stiffness, 0.0);
            }
        }
    }
}

#[test]
fn a_law_of_the_user_moves_the_flex_and_can_be_implicit() {
    let model = flag("", "");
    let run = |integrator, stiffness, implicit| {
        let net = Net { stiffness, implicit, ..Net::default() };
        let model = with_integrator(&model, integrator);
        let mut sim = SimBuilder::new().elasticity(net).build(model.clone()).unwrap();
        sim.data_mut().qpos_mut()[0] = -0.05;
        for _ in 0..200 {
            if sim.step().unwrap().divergence.is_some() {
                return None;
            }
        }
        Some(sim.data().qpos().to_vec())
    };
    // the corner is pulled back; without the law everything falls alike
    let pulled = run(Integrator::Euler, 100.0, false).unwrap();
    let free = run(Integrator::Euler, 0.0, false).unwrap();
    assert!((free[0] + 0.05).abs() < 1e-12 && (pulled[0] + 0.05).abs() > 1e-3);
    // far too stiff for an explicit step, and for an implicit one that does not know of it
    assert!(run(Integrator::Euler, 1e6, false).is_none());
    assert!(run(Integrator::ImplicitFast, 1e6, false).is_none());
    assert!(run(Integrator::ImplicitFast, 1e6, true).is_some());
}

/// The laws of MuJoCo through the traits are those of a plain step, for every flex of the conformance suite that has one.
#[test]
fn mujocos_laws_through_the_traits_have_the_same_bits() {
    struct Through;
    impl FlexBendingModel for Through {
        fn apply_forces(&self, m: &ModelArrays, d: &mut World<'_>, flex: usize, enabled: Enabled) {
            CotangentBending.apply_forces(m, d, flex, enabled);
        }
    }
    impl FlexElasticityModel for Through {
        fn apply(&self, m: &ModelArrays, d: &mut World<'_>, flex: usize, enabled: Enabled) {
            LinearElastic.apply(m, d, flex, enabled);
        }
    }
    let held = flag("", "<edge equality='true'/>");
    for model in [flag("", BENDS), held, cube(""), cube("integrator='implicitfast'")] {
        let mut data = model.make_data();
        let build = SimBuilder::new().bending(Through).elasticity(Through);
        let mut sim = build.build(model.clone()).unwrap();
        bent(&model, &mut data);
        bent(&model, sim.data_mut());
        for _ in 0..50 {
            data.step(&model).unwrap();
            sim.step().unwrap();
        }
        assert_eq!(data.qpos(), sim.data().qpos());
        assert_eq!(data.qfrc_constraint(), sim.data().qfrc_constraint());
        assert_eq!(data.work().efc_force, sim.data().work().efc_force);
        assert!(model.neq == 0 || data.work().efc_force.len() == model.nflexedge);
    }
}

/// An episode after the other, each with its own law of bending.
#[test]
fn episodes_with_other_laws_have_other_dynamics() {
    let model = flag("", BENDS);
    let mut ends = Vec::new();
    for episode in 0..3 {
        let mut model = model.clone();
        if episode > 0 {
            model.edit(|m| {
                m.flex_bending_model[0] = FlexBendingType::Bridson as i32;
                m.flex_bend_stiffness[0] = 1e-3 * f64::from(episode);
            });
            model.derive_constants();
        }
        let mut sim = SimBuilder::new().build(model.clone()).unwrap();
        bent(&model, sim.data_mut());
        sim.step_n(100).unwrap();
        ends.push(sim.data().qpos().to_vec());
    }
    assert_ne!(ends[0], ends[1]);
    assert_ne!(ends[1], ends[2]);
    // a loop over types compiles as well
    fn end<B: FlexBendingModel>(law: B, model: &Model) -> Vec<f64> {
        let mut sim = SimBuilder::new().bending(law).build(model.clone()).unwrap();
        bent(model, sim.data_mut());
        sim.step_n(100).unwrap();
        sim.data().qpos().to_vec()
    }
    assert_eq!(end(CotangentBending, &model), ends[0]);
    assert_eq!(end(BridsonBending::new(1e-3, 0.0), &model), ends[1]);
}

/// A world with such laws is copied, saved and restored as any other.
#[test]
fn binary_models_and_worlds_keep_their_laws() {
    let model = flag(
        "ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.01' ferrodyn:bend_damping='1e-4' ferrodyn:elasticity_model='neo_hookean'",
        BENDS,
    );
    let restored = ModelArrays::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(restored, *model);
    let restored = Model::from(restored);
    let (mut a, mut b) = (model.make_data(), restored.make_data());
    bent(&model, &mut a);
    bent(&model, &mut b);
    a.step_n(&model, 30).unwrap();
    b.step_n(&restored, 30).unwrap();
    assert_eq!(a.qpos(), b.qpos());
    // out of range
    let mut broken = ModelArrays::clone(&model);
    broken.flexhinge_vert[0][3] = 99;
    assert_eq!(broken.validate().unwrap_err().field, "flexhinge_vert");
    let mut broken = ModelArrays::clone(&model);
    broken.flex_restadr[0] = 5;
    assert_eq!(broken.validate().unwrap_err().field, "flex_restadr");
}
