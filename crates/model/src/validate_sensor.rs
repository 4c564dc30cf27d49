//! Consistency of sensors and of the buffers of past values.
use crate::validate::InvalidModel;
use crate::{JointType, Model, ObjType, SensorInfo, SensorTarget, SensorType, Storage};

impl<S: Storage> Model<S> {
    /// Sensed objects exist and are of a kind that the sensor can sense.
    pub(crate) fn validate_sensors(&self) -> Result<(), InvalidModel> {
        for i in 0..self.nsensor {
            let bad = |field, value: i32| InvalidModel { field, index: i, value: value.into() };
            let kind =
                SensorType::try_from(self.sensor_type[i]).map_err(|e| bad("sensor_type", e.0))?;
            let SensorInfo { object, reference, .. } = kind.info();
            let (obj_kind, obj_id) = (self.sensor_objtype[i], self.sensor_objid[i]);
            let (ref_kind, ref_id) = (self.sensor_reftype[i], self.sensor_refid[i]);
            self.check_object(object, obj_kind, obj_id)
                .map_err(|()| bad("sensor_objid", obj_id))?;
            self.check_object(reference, ref_kind, ref_id)
                .map_err(|()| bad("sensor_refid", ref_id))?;
            let ball = matches!(kind, SensorType::BallQuat | SensorType::BallAngVel);
            if ball && self.jnt_type[obj_id as usize] != JointType::Ball as i32 {
                return Err(bad("sensor_objid", obj_id));
            }
        }
        self.validate_histories()
    }

    /// An object is of the right kind; an optional one, too, where it is there.
    fn check_object(&self, needs: SensorTarget, kind: i32, id: i32) -> Result<(), ()> {
        let found = ObjType::try_from(kind).map_err(|_| ())?;
        let right = match needs {
            SensorTarget::Free if found == ObjType::Unknown || id == -1 => return Ok(()),
            SensorTarget::Free => true,
            SensorTarget::OneOf(kinds) => kinds.contains(&found),
        };
        let exists = usize::try_from(id).is_ok_and(|id| id < self.count(found));
        if right && exists { Ok(()) } else { Err(()) }
    }

    /// Every buffer lies in `history`: a value, a cursor, times and samples.
    fn validate_histories(&self) -> Result<(), InvalidModel> {
        let check = |field, index, samples: i32, adr: i32, dim: i32| {
            let size = 2 + i64::from(samples) * (1 + i64::from(dim));
            let inside = adr >= 0 && i64::from(adr) + size <= self.nhistory as i64;
            if samples == 0 || samples > 0 && inside {
                Ok(())
            } else {
                Err(InvalidModel { field, index, value: adr.into() })
            }
        };
        for i in 0..self.nu {
            let (samples, adr) = (self.actuator_history[i][0], self.actuator_historyadr[i]);
            check("actuator_historyadr", i, samples, adr, 1)?;
        }
        for i in 0..self.nsensor {
            let (samples, adr) = (self.sensor_history[i][0], self.sensor_historyadr[i]);
            check("sensor_historyadr", i, samples, adr, self.sensor_dim[i])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Model, ObjType, SensorType, Sizes};

    fn model() -> Model {
        let sizes =
            Sizes { nsensor: 1, nsite: 2, nsensordata: 3, nhistory: 10, ..Sizes::default() };
        let mut m = Model::zeroed(sizes);
        m.sensor_type[0] = SensorType::Gyro as i32;
        m.sensor_objtype[0] = ObjType::Site as i32;
        m.sensor_objid[0] = 1;
        m.sensor_refid[0] = -1;
        m.sensor_dim[0] = 3;
        m
    }

    #[test]
    fn sensors_of_missing_objects_are_refused() {
        let m = model();
        assert_eq!(m.validate_sensors(), Ok(()));
        for id in [-1, 2] {
            let mut m = model();
            m.sensor_objid[0] = id;
            assert_eq!(m.validate_sensors().unwrap_err().field, "sensor_objid");
        }
        let mut m = model();
        m.sensor_objtype[0] = ObjType::Geom as i32;
        assert_eq!(m.validate_sensors().unwrap_err().field, "sensor_objid");
    }

    #[test]
    fn buffers_must_fit() {
        let mut m = model();
        m.sensor_history[0] = [2, 0];
        assert_eq!(m.validate_sensors(), Ok(()));
        m.sensor_historyadr[0] = 1;
        assert_eq!(m.validate_sensors().unwrap_err().field, "sensor_historyadr");
    }
}
