//! Names of documents that are not part of this repository, and where each lives here.
//!
//! Some of these names look like MuJoCo's and are not: MuJoCo's own functions are found by their names after `MuJoCo:` in the
//! documentation of [`dynamics`](crate::dynamics) and the crates beside it.
//!
//! The documents that this engine started from fix names of types, functions and fields. Most are MuJoCo's or
//! are used as they stand. The others are below: types under their first name in this module, functions and fields by their
//! address. What does not exist yet is in `conformance/CRITERIA.md`.
//!
//! # Types
//!
//! | documents | here |
//! |---|---|
//! | `SolverType` with `PGS`, `CG`, `Newton`, `CGStrict` | [`Solver`](crate::Solver) with `Pgs`, `Cg`, `Newton`, `CgStrict` |
//! | `Integrator::RungeKutta4` | [`Integrator::Rk4`](crate::Integrator::Rk4) |
//! | `MjcfIntegrator` | [`Integrator`](crate::Integrator): language and engine share one |
//! | `MjJointType`, `MjObjectType`, `MjSensorType`, `MjcfSensorType` | [`JointType`](crate::JointType), [`ObjType`](crate::ObjType), [`SensorType`](crate::SensorType) |
//! | `MjSensorDataType`: the stage of a sensor | [`Stage`](crate::Stage); MuJoCo's data type is [`DataType`](ferrodyn_model::DataType) |
//! | `ActuatorTransmission`, `ActuatorDynamics` | [`TransmissionType`](ferrodyn_model::TransmissionType), [`DynType`](ferrodyn_model::DynType) |
//! | `GainType`, `BiasType`, `WrapType`, `EqualityType` | the same, in [`ferrodyn_model`] |
//! | `FlexBendingModel`, `FlexElasticityModel`, `ActuatorGainModel`, `ContactSolver` and what implements them | the same, in [`sim`](crate::sim); solvers also in [`contact`](crate::contact). `precompute` and `prepare` take the model by `&mut`, so that a part can write its choice into it; what is kept between steps is the part itself, not an associated type |
//! | `FlexBendingType`, `FlexElasticityType` | the same, with a third member `Unstated` |
//! | `gaintype="custom"` | `gaintype="user" ferrodyn:gain_model=...` |
//! | `TendonType` | a tendon is fixed where its first part is a joint: `wrap_type` |
//! | `FluidShape` | the same, in [`mjcf`](crate::mjcf) |
//! | `DISABLE_*`, `ENABLE_*` | [`DisableBit`](crate::DisableBit), [`EnableBit`](crate::EnableBit) |
//! | `MjcfModel`, `ModelBuilder` | [`Spec`](crate::Spec) and [`Spec::compile`](crate::Spec::compile) |
//! | `MjcfFlag` | [`FlagAttrs`](crate::mjcf::FlagAttrs) |
//! | `MjcfContactPair`, `MjcfPairDefaults`, `MjcfContactExclude` | [`PairAttrs`](crate::mjcf::PairAttrs), [`ExcludeAttrs`](crate::mjcf::ExcludeAttrs) |
//! | `MjcfContact { pairs, excludes }` | the lists of the same names in [`Spec`](crate::Spec) |
//! | `MjcfTendon`, `MjcfTendonDefaults`, `SpatialPathElement` | [`TendonSpec`](crate::mjcf::TendonSpec), [`TendonAttrs`](crate::mjcf::TendonAttrs), [`Wrap`](crate::mjcf::Wrap) |
//! | `MjcfTendonType` | `spatial` of [`TendonSpec`](crate::mjcf::TendonSpec) |
//! | `MjcfEquality`, `MjcfTendonEquality` | [`EqualityAttrs`](crate::mjcf::EqualityAttrs) |
//! | `MjcfActuator`, `MjcfActuatorType` | [`ActuatorAttrs`](crate::mjcf::ActuatorAttrs), [`ActuatorKind`](crate::mjcf::ActuatorKind) |
//! | `MjcfSensor`, `MjcfDefault` | [`SensorAttrs`](crate::mjcf::SensorAttrs), [`ClassDefaults`](crate::mjcf::ClassDefaults) |
//! | `Keyframe` | the arrays `key_*`, and [`KeyAttrs`](crate::mjcf::KeyAttrs) for new ones |
//! | `ModelConversionError`, `MjcfError::MissingAttribute` | [`MjcfError`](crate::MjcfError); [`DiagnosticKind::Missing`](crate::mjcf::DiagnosticKind::Missing) |
//! | `StepError::LuSingular`, `SingularMassMatrix` | [`StepError::SingularMatrix`](crate::StepError::SingularMatrix); [`LuError`](crate::math::LuError) of the function |
//! | `StepError::CholeskyFailed` | [`StepReport::indefinite`](crate::StepReport::indefinite): MuJoCo goes on, and so does a step; [`CholeskyError`](crate::math::CholeskyError) of the function |
//! | `Vector3`, `Matrix3`, `UnitQuaternion` | [`Vec3`](crate::math::Vec3), [`Mat3`](crate::math::Mat3), [`Quat`](crate::math::Quat) |
//! | `ContactPair`, `contact_pairs`, `contact_pair_set`, `contact_excludes` | the arrays `pair_*` and `exclude_signature` |
//! | `BatchSim { model, envs }`, `BatchResult`, `RewardFn` | the same, in [`batch`](crate::batch); what worlds remember lies in one allocation, so that `envs` is [`BatchSim::world`](crate::BatchSim::world) and [`with_world`](crate::BatchSim::with_world), and a reward sees a view of a world |
//! | `WarmstartKey`, `efc_lambda` | none: the warm start is `qacc_warmstart`, as in MuJoCo |
//! | `ContactPoint`, `ContactForce`, `ContactManifold` | [`Contact`](crate::prelude::Contact); [`contact_force`](crate::dynamics::query::contact_force) |
//! | `Pose`, `Twist`, `RigidBodyState`, `MassProperties`, `JointState`, `JointCommand`, `Action`, `Observation`, `SimulationConfig`, `SolverConfig`, `ParallelConfig`, `ExternalForce`, `BodyId`, `JointId`, `SimError` | none: state, controls and options are MuJoCo's arrays and [`Options`](crate::Options) |
//!
//! # Functions
//!
//! | documents | here |
//! |---|---|
//! | `Model::empty`, `Model::n_link_pendulum` | [`Model::empty`](crate::Model::empty), [`Model::n_link_pendulum`](crate::Model::n_link_pendulum) |
//! | `ball_limit_axis_angle`, `normalize_quat4` | [`ball_limit_axis_angle`], [`Quat::normalize`](crate::math::Quat::normalize) |
//! | `wrap_inside_2d`, `sphere_wrapping_plane`, `sphere_wrap`, `cylinder_wrap`, `WrapResult` | the same, in this module |
//! | `compute_tangent_pair`, `directional_wrap_angle`, `segments_intersect_2d` | inside of [`sphere_wrap`] and [`cylinder_wrap`] |
//! | `flags_to_bits` | [`flags_to_bits`] |
//! | `batch_dot_product_4`, `batch_aabb_overlap_4`, `batch_normal_force_4`, `batch_friction_force_4`, `batch_integrate_position_4`, `batch_integrate_velocity_4` | none: kernels four wide are inside of [`math`](crate::math) and of the build for AVX2 |
//! | `cholesky_in_place`, `cholesky_solve_in_place`, `lu_factor_in_place`, `lu_solve_factored` | the same, in [`math`](crate::math) |
//! | `mj_fwd_position`, `mj_fwd_velocity`, `mj_fwd_actuation`, `mj_fwd_acceleration`, `mj_fwd_constraint` | [`fwd_position`](crate::dynamics::forward::fwd_position), [`fwd_velocity`](crate::dynamics::forward::fwd_velocity), [`fwd_actuation`](crate::dynamics::force::fwd_actuation), [`fwd_acceleration`](crate::dynamics::force::fwd_acceleration), [`fwd_constraint`](crate::dynamics::solver::fwd_constraint) |
//! | `mj_fwd_passive`, `mj_gravcomp`, `mj_fluid`, `mj_inertia_box_fluid`, `mj_ellipsoid_fluid` | [`passive`](crate::dynamics::force::passive) |
//! | `mj_fwd_tendon`, `mj_fwd_tendon_fixed`, `mj_fwd_tendon_spatial`, `apply_tendon_force` | [`tendon`](crate::dynamics::position::tendon); forces of tendons in [`passive`](crate::dynamics::force::passive) and [`fwd_actuation`](crate::dynamics::force::fwd_actuation) |
//! | `mj_actuator_length`, `mj_transmission_site`, `mj_transmission_body`, `compute_contact_normal_jacobian` | [`transmission`](crate::dynamics::position::transmission) |
//! | `mj_collision`, `make_contact_from_geoms`, `check_collision_affinity`, `apply_pair_overrides` | [`collision`](crate::dynamics::contact::collision), [`geom_contacts`](crate::dynamics::contact::geom_contacts) |
//! | `mj_sensor_pos`, `mj_sensor_vel`, `mj_sensor_acc`, `mj_sensor_postprocess` | [`sensor_pos`](crate::dynamics::sensor::sensor_pos), [`sensor_vel`](crate::dynamics::sensor::sensor_vel), [`sensor_acc`](crate::dynamics::sensor::sensor_acc), which end with the cutoff |
//! | `mj_energy_pos`, `mj_energy_vel` | [`energy_pos`](crate::dynamics::sensor::energy_pos), [`energy_vel`](crate::dynamics::sensor::energy_vel) |
//! | `mj_crba`, `mj_rne`, `mj_factor_sparse`, `mj_solve_sparse` | [`make_m`](crate::dynamics::position::make_m), [`rne`](crate::dynamics::force::rne), [`factor_m`](crate::dynamics::position::factor_m), [`solve_m`](crate::dynamics::position::solve_m) |
//! | `forward_skip_sensors`, `Data::integrate` | [`forward_skip`](crate::dynamics::step::forward_skip), [`euler`](crate::dynamics::integrate::euler) and [`implicit`](crate::dynamics::integrate::implicit) |
//! | `mj_runge_kutta`, `mj_integrate_pos_explicit`, `mj_normalize_quat` | [`runge_kutta`](crate::dynamics::integrate::runge_kutta), [`integrate_pos`](crate::dynamics::integrate::integrate_pos), [`normalize_quats`](crate::dynamics::integrate::normalize_quats) |
//! | `mj_next_activation`, `mj_apply_ft`, `mj_jac_site`, `accumulate_point_jacobian` | [`next_activation`](crate::dynamics::force::next_activation), [`apply_ft`](crate::dynamics::query::apply_ft), [`jac_site`](crate::dynamics::query::jac_site), [`jac`](crate::dynamics::query::jac) |
//! | `subquat` | [`Quat::rotation_from`](crate::math::Quat::rotation_from) |
//! | `muscle_gain_velocity`, `muscle_passive_force`, `muscle_activation_dynamics`, `sigmoid` | [`muscle_gain`](crate::dynamics::force::muscle_gain), [`muscle_bias`](crate::dynamics::force::muscle_bias), [`muscle_dynamics`](crate::dynamics::force::muscle_dynamics) |
//! | `noslip_postprocess`, `noslip_qcqp2`, `noslip_qcqp3`, `pgs_solve_contacts`, `pgs_solve_with_system`, `pgs_solve_unified`, `cg_solve_contacts`, `assemble_contact_system`, `compute_efc_offsets`, `extract_forces`, `compute_block_jacobi_preconditioner`, `apply_preconditioner` | [`fwd_constraint`](crate::dynamics::solver::fwd_constraint): MuJoCo's formulation has other parts |
//! | `project_elliptic_cone`, `project_friction_cone`, `apply_contact_torque` | none: forces come from one convex problem, and act through `efc_J` |
//! | `compute_contact_jacobian`, `extract_tendon_equality_jacobian` | [`make_constraint`](crate::dynamics::constraint::make_constraint) |
//! | `solref_to_penalty`, `compute_impedance`, `apply_distance_constraint` | none: MuJoCo's rows, whose impedance is in `efc_KBIP` |
//! | `mj_wake_equality`, `equality_trees` | in [`fwd_position`](crate::dynamics::forward::fwd_position) |
//! | `compute_ancestors`, `compute_implicit_params`, `compute_muscle_params`, `compute_spatial_tendon_length0` | [`set_const`](crate::dynamics::constants::set_const), called by [`Model::derive_constants`](crate::Model::derive_constants) |
//! | `process_contact`, `process_tendons`, `process_sensors`, `convert_sensor_type`, `resolve_sensor_object`, `model_from_mjcf` | [`Spec::compile`](crate::Spec::compile) |
//! | `mjd_passive_vel`, `mjd_actuator_vel`, `mjd_rne_vel` | [`add_passive_derivative`](crate::dynamics::derivative::add_passive_derivative), [`add_actuator_derivative`](crate::dynamics::derivative::add_actuator_derivative), [`subtract_bias_derivative`](crate::dynamics::derivative::subtract_bias_derivative) |
//! | `mj_deformable_collision`, `collide_vertex_geom`, `solve_deformable_contacts`, `compute_rigid_inv_mass_at_point`, `compute_erp`, `mj_deformable_step` | the same, in `dynamics::soft` |
//! | `TransitionMatrices { A, B, C, D }`, the other `mjd_*` | [`derivative`](crate::derivative), matrices in lower case |
//!
//! # Fields
//!
//! | documents | here |
//! |---|---|
//! | `jnt_qpos_adr`, `jnt_dof_adr`, `dof_parent`, `actuator_act_adr`, `act_num` | `jnt_qposadr`, `jnt_dofadr`, `dof_parentid`, `actuator_actadr`, `actuator_actnum` |
//! | `jnt_damping`, `jnt_armature` | `dof_damping`, `dof_armature` |
//! | `jnt_limit_frc` | `efc_force` of the row, or a `jointlimitfrc` sensor |
//! | `implicit_damping`, `implicit_stiffness`, `implicit_springref` | `dof_damping`, `jnt_stiffness`, `qpos_spring` |
//! | `geom_fluidshape`, `geom_fluidcoef`, `geom_fluid_ellipsoid` | `geom_fluid` and the sizes of the geom |
//! | `solver_type`, `solver_iterations`, `solver_tolerance`, `disableflags`, `enableflags`, `noslip_*`, `magnetic`, `wind`, `density`, `viscosity`, `cone` | fields of `opt`: `solver`, `iterations`, `tolerance`, and the same names |
//! | `tendon_type`, `tendon_solref`, `tendon_solimp`, `wrap_sidesite` | `wrap_type`, `tendon_solref_lim`, `tendon_solref_fri`, `tendon_solimp_lim`, `tendon_solimp_fri`, `wrap_prm` |
//! | `tendon_name`, `sensor_name`, `eq_name` | names of all objects: [`ModelArrays::name`](crate::ModelArrays::name) |
//! | `sensor_datatype` as a stage | `sensor_needstage` |
//! | `efc_floss`, `efc_dim`, `Contact.mu`, `Contact.normal`, `Contact.depth` | `efc_frictionloss`, `dim` of the contact, `friction`, the first row of `frame`, `-dist` |
//! | `qLD_diag`, `qLD_L`, `qLD_valid`, `qM_cholesky` | `qLDiagInv`, `qLD`; the position stage always factors, and there is no dense factor |
//! | `deformable_condim`, `deformable_solref`, `deformable_solimp`, `n_substep_iterations` | fields of `opt`, the last one `deformable_iterations` |
//! | `deformable_bodies`, `deformable_solvers`, `deformable_contacts` | `Data::deformable`, the configuration of each, `Data::deformable_contacts` |
//! | `site_xquat` | `site_xmat` |
//! | `ten_force` | not kept: springs and dampers of tendons are part of `qfrc_spring` and `qfrc_damper` |
//! | `scratch_*`, `rk4_*`, `deriv_Dcvel`, `deriv_Dcacc`, `deriv_Dcfrc` | working memory, which is not part of a world |
//! | `default_eq_stiffness`, `default_eq_damping`, `max_constraint_vel`, `max_constraint_angvel`, `friction_smoothing`, `regularization` | none: MuJoCo has no such options |
//!
//! The feature `serde` makes the attribute structs of [`mjcf`](crate::mjcf) serializable, as maps from the names of the
//! language to its texts, and so are the enumerations.
pub use ferrodyn_dynamics::constraint::ball_limit_axis_angle;
pub use ferrodyn_dynamics::position::{
    WrapResult, cylinder_wrap, sphere_wrap, sphere_wrapping_plane, wrap_inside_2d,
};
pub use ferrodyn_mjcf::{
    ActuatorAttrs as MjcfActuator, ActuatorKind as MjcfActuatorType, ClassDefaults as MjcfDefault,
    EqualityAttrs as MjcfEquality, ExcludeAttrs as MjcfContactExclude, FlagAttrs as MjcfFlag,
    PairAttrs as MjcfContactPair, SensorAttrs as MjcfSensor, Spec as MjcfModel,
    TendonAttrs as MjcfTendonDefaults, TendonSpec as MjcfTendon, Wrap as SpatialPathElement,
    flags_to_bits,
};
pub use ferrodyn_model::{
    BiasType, DynType as ActuatorDynamics, GainType, Integrator as MjcfIntegrator,
    JointType as MjJointType, ObjType as MjObjectType, SensorType as MjSensorType,
    Solver as SolverType, Stage as MjSensorDataType, TransmissionType as ActuatorTransmission,
    WrapType,
};
