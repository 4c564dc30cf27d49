//! Ways from one object of a model to others: typed, so that nobody has to know which array holds an address and which a number.
//!
//! Ids and addresses that a validated model has are in range; negative ones, which mean "none", give an empty range or
//! stay out of the functions that need an object.
use core::ops::Range;

use crate::{
    BiasType, Cone, DynType, FlexBendingType, FlexElasticityType, GainModelType, GainType,
    GeomType, Integrator, JacobianType, JointType, Model, Projection, SensorType, SleepPolicy,
    Solver, Stage, Storage, TransmissionType, WrapType,
};

/// Methods that follow one array of ids.
macro_rules! ids {
    ($($name:ident = $array:ident, $doc:literal;)*) => {
        impl<S: Storage> Model<S> {
            $(
                #[doc = $doc]
                #[inline]
                pub fn $name(&self, id: usize) -> usize {
                    self.$array[id] as usize
                }
            )*
        }
    };
}

/// Methods that give the objects between an address and a number; none where the address is negative.
macro_rules! ranges {
    ($($name:ident = $adr:ident, $num:ident, $doc:literal;)*) => {
        impl<S: Storage> Model<S> {
            $(
                #[doc = $doc]
                #[inline]
                pub fn $name(&self, id: usize) -> Range<usize> {
                    let first = self.$adr[id].max(0) as usize;
                    first..first + self.$num[id].max(0) as usize
                }
            )*
        }
    };
}

/// Methods that read an enumeration; `None` for a number that is no member.
macro_rules! accessors {
    ($($name:ident = $array:ident, $kind:ident, $doc:literal;)*) => {
        impl<S: Storage> Model<S> {
            $(
                #[doc = $doc]
                #[inline]
                pub fn $name(&self, id: usize) -> Option<$kind> {
                    $kind::try_from(self.$array[id]).ok()
                }
            )*
        }
    };
}

ids! {
    body_parent = body_parentid, "The body that a body is fixed to or moves against; of the world, itself.";
    body_root = body_rootid, "The first body of the tree of bodies below the world that a body is in.";
    body_weld = body_weldid, "The body that a body does not move against: itself, or one above it.";
    joint_body = jnt_bodyid, "The body that a joint moves.";
    joint_dof = jnt_dofadr, "The first degree of freedom of a joint.";
    joint_qpos = jnt_qposadr, "The first position coordinate of a joint.";
    dof_body = dof_bodyid, "The body that a degree of freedom moves.";
    dof_joint = dof_jntid, "The joint that a degree of freedom belongs to.";
    geom_body = geom_bodyid, "The body of a geom.";
    site_body = site_bodyid, "The body of a site.";
    camera_body = cam_bodyid, "The body of a camera.";
    light_body = light_bodyid, "The body of a light.";
}

ranges! {
    body_joints = body_jntadr, body_jntnum, "The joints of a body, the first to move it first.";
    body_dofs = body_dofadr, body_dofnum, "The degrees of freedom of a body.";
    body_geoms = body_geomadr, body_geomnum, "The geoms of a body.";
    tree_bodies = tree_bodyadr, tree_bodynum, "The bodies of a kinematic tree.";
    tree_dofs = tree_dofadr, tree_dofnum, "The degrees of freedom of a kinematic tree.";
    tendon_path = tendon_adr, tendon_num, "The objects on the path of a tendon.";
    flex_nodes = flex_nodeadr, flex_nodenum, "The nodes of a flex.";
    flex_vertices = flex_vertadr, flex_vertnum, "The vertices of a flex.";
    flex_edges = flex_edgeadr, flex_edgenum, "The edges of a flex.";
    flex_hinges = flex_hingeadr, flex_hingenum, "The hinges of a flex with Bridson bending: an extension.";
    flex_elements = flex_elemadr, flex_elemnum, "The elements of a flex.";
    sensor_values = sensor_adr, sensor_dim, "Where the values of a sensor lie in `sensordata`.";
}

accessors! {
    geom_kind = geom_type, GeomType, "The kind of a geom.";
    transmission_kind = actuator_trntype, TransmissionType, "What an actuator drives.";
    wrap_kind = wrap_type, WrapType, "What an object on the path of a tendon is.";
    dynamics_kind = actuator_dyntype, DynType, "How the activation of an actuator follows its control.";
    gain_kind = actuator_gaintype, GainType, "What an actuator multiplies its input with.";
    bias_kind = actuator_biastype, BiasType, "What an actuator adds to its force.";
    gain_model = actuator_gain_model, GainModelType, "The law of an actuator with a user's gain: an extension.";
    bending_model = flex_bending_model, FlexBendingType, "The law of a flex's bending: an extension.";
    elasticity_model = flex_elasticity_model, FlexElasticityType, "The law of a flex's elasticity: an extension.";
    sensor_kind = sensor_type, SensorType, "The kind of a sensor.";
    sensor_stage = sensor_needstage, Stage, "The stage after which a sensor can be computed.";
    sleep_policy = tree_sleep_policy, SleepPolicy, "When a kinematic tree may fall asleep.";
    camera_projection = cam_projection, Projection, "How a camera projects.";
}

/// Degrees of freedom at which the automatic choice changes from dense to sparse matrices: the number of MuJoCo's `mj_isSparse`.
const SPARSE_FROM: usize = 60;

impl<S: Storage> Model<S> {
    /// The kind of a joint; a hinge where the number is no member, which `validate` refuses.
    #[inline]
    pub fn joint_kind(&self, joint: usize) -> JointType {
        match self.jnt_type[joint] {
            0 => JointType::Free,
            1 => JointType::Ball,
            2 => JointType::Slide,
            _ => JointType::Hinge,
        }
    }

    /// The vertices of element `e` of a flex, both by numbers within the flex.
    #[inline]
    pub fn flex_element(&self, flex: usize, e: usize) -> &[i32] {
        let corners = self.flex_dim[flex] as usize + 1;
        let start = self.flex_elemdataadr[flex] as usize + e * corners;
        &self.flex_elem[start..start + corners]
    }

    /// Are Jacobians and what follows from them stored sparsely (`mj_isSparse`)?
    ///
    /// ```
    /// use ferrodyn_model::{JacobianType, Model, Sizes};
    /// let mut model = Model::zeroed(Sizes { nv: 10, ..Sizes::default() });
    /// model.opt.jacobian = JacobianType::Auto as i32;
    /// assert!(!model.is_sparse());
    /// model.opt.jacobian = JacobianType::Sparse as i32;
    /// assert!(model.is_sparse());
    /// ```
    #[inline]
    pub fn is_sparse(&self) -> bool {
        match JacobianType::try_from(self.opt.jacobian) {
            Ok(JacobianType::Sparse) => true,
            Ok(JacobianType::Auto) => self.nv >= SPARSE_FROM,
            Ok(JacobianType::Dense) | Err(_) => false,
        }
    }

    /// The constraint solver; Newton's method where the number is no member.
    #[inline]
    pub fn solver(&self) -> Solver {
        match Solver::try_from(self.opt.solver).unwrap_or(Solver::Newton) {
            // a model of rigid bodies has no such solver
            Solver::Xpbd if self.only_rigid() => Solver::Newton,
            solver => solver,
        }
    }

    /// The integrator; Euler where the number is no member.
    #[inline]
    pub fn integrator(&self) -> Integrator {
        Integrator::try_from(self.opt.integrator).unwrap_or(Integrator::Euler)
    }

    /// The friction cone of contacts. MuJoCo: `mj_isPyramidal`.
    #[inline]
    pub fn cone(&self) -> Cone {
        Cone::try_from(self.opt.cone).unwrap_or(Cone::Pyramidal)
    }
}
