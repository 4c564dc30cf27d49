//! Numbers that stand for kinds: each must be a member of its enumeration.
use crate::validate::InvalidModel;
use crate::{
    BiasType, ColorSpace, Cone, DataType, DynType, EqualityType, FlexBendingType,
    FlexElasticityType, FlexSelf, GainModelType, GainType, GeomType, Integrator, JacobianType,
    JointType, LightType, Model, ObjType, Projection, SameFrame, SensorType, SleepPolicy, Solver,
    Stage, Storage, TextureType, TrackingMode, TransmissionType, WrapType,
};

/// Makes [`Model::validate_kinds`] from arrays and settings with their enumerations.
macro_rules! kinds {
    ($($array:ident: $kind:ident,)*; $($setting:ident: $of:ident,)*) => {
        /// The arrays and settings that are looked at.
        #[cfg(test)]
        const CHECKED: &[(&str, &str)] =
            &[$((stringify!($array), stringify!($kind)),)* $((stringify!($setting), stringify!($of)),)*];

        impl<S: Storage> Model<S> {
            /// Every number that stands for a kind is one. After this a kind that is not known cannot be met.
            pub(super) fn validate_kinds(&self) -> Result<(), InvalidModel> {
                $(for (index, &value) in self.$array.iter().enumerate() {
                    let value = i32::from(value);
                    if $kind::try_from(value).is_err() {
                        return Err(InvalidModel { field: stringify!($array), index, value: i64::from(value) });
                    }
                })*
                $(if $of::try_from(self.opt.$setting).is_err() {
                    let value = i64::from(self.opt.$setting);
                    return Err(InvalidModel { field: stringify!($setting), index: 0, value });
                })*
                Ok(())
            }
        }
    };
}

kinds! {
    body_sameframe: SameFrame,
    jnt_type: JointType,
    tree_sleep_policy: SleepPolicy,
    geom_type: GeomType,
    geom_sameframe: SameFrame,
    site_type: GeomType,
    site_sameframe: SameFrame,
    cam_mode: TrackingMode,
    cam_projection: Projection,
    light_mode: TrackingMode,
    light_type: LightType,
    flex_selfcollide: FlexSelf,
    flex_bending_model: FlexBendingType,
    flex_elasticity_model: FlexElasticityType,
    tex_type: TextureType,
    tex_colorspace: ColorSpace,
    eq_type: EqualityType,
    eq_objtype: ObjType,
    wrap_type: WrapType,
    actuator_trntype: TransmissionType,
    actuator_dyntype: DynType,
    actuator_gaintype: GainType,
    actuator_biastype: BiasType,
    actuator_gain_model: GainModelType,
    sensor_type: SensorType,
    sensor_datatype: DataType,
    sensor_needstage: Stage,
    sensor_objtype: ObjType,
    sensor_reftype: ObjType,
    tuple_objtype: ObjType,

    ;
    integrator: Integrator,
    cone: Cone,
    jacobian: JacobianType,
    solver: Solver,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sizes;
    use alloc::vec::Vec;

    /// The enumeration that the documentation of an array names, as "kind of joint (`JointType`)" does.
    fn named(doc: &str) -> Option<&str> {
        let (_, rest) = doc.split_once("(`")?;
        let name = rest.strip_suffix("`)")?;
        // flags are unions of members, and any number is one
        name.starts_with(char::is_uppercase).then_some(name).filter(|n| !n.ends_with("Bit"))
    }

    macro_rules! documents {
        ($(($name:ident, $type:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
            const ARRAYS: &[(&str, &str)] = &[$((stringify!($name), $doc)),*];
        };
    }
    crate::model_fields!(documents);

    macro_rules! option_documents {
        ($group:ident, $of:literal; $(($name:ident, $type:ty, $default:expr, $doc:literal))*) => {
            const SETTINGS: &[(&str, &str)] = &[$((stringify!($name), $doc)),*];
        };
    }
    crate::option_fields!(option_documents);

    #[test]
    fn every_array_whose_document_names_an_enumeration_is_looked_at() {
        let documented: Vec<_> = ARRAYS
            .iter()
            .chain(SETTINGS)
            .filter_map(|(name, doc)| Some((*name, named(doc)?)))
            .collect();
        assert_eq!(documented, CHECKED);
    }

    #[test]
    fn a_number_that_is_no_kind_is_refused_by_name() {
        let mut m = Model::zeroed(Sizes { nbody: 1, ngeom: 2, ncam: 1, ..Sizes::default() });
        assert!(m.validate_kinds().is_ok());
        m.cam_mode[0] = 77;
        let refused = |m: &Model| m.validate_kinds().map_err(|e| (e.field, e.index, e.value));
        assert_eq!(refused(&m), Err(("cam_mode", 0, 77)));
        m.cam_mode[0] = 0;
        m.geom_sameframe[1] = 200;
        assert_eq!(refused(&m), Err(("geom_sameframe", 1, 200)));
        m.geom_sameframe[1] = 0;
        m.opt.integrator = -1;
        assert_eq!(refused(&m), Err(("integrator", 0, -1)));
    }
}
