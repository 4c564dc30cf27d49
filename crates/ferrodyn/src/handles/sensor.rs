//! Handles of sensors.
use ferrodyn_math::Real;
use ferrodyn_model::SensorType;

use super::place::Span;
use super::table::{handle, relations};

handle! {
    /// The handle of a sensor.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body name='ball' pos='1 2 3'><freejoint/><geom size='.1'/></body></worldbody>
    ///      <sensor><clock/><framepos name='where' objtype='body' objname='ball'/></sensor></mujoco>",
    /// )?;
    /// let place = model.sensor("where")?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert_eq!(place.data(&data), [1.0, 2.0, 3.0]);
    /// assert_eq!(place.kind(&model), SensorType::FramePos);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Sensor = "sensor", Sensor, sensor, sensors;
    keep {
        values: Span = |m, i| Span::new(m.sensor_adr[i], m.sensor_dim[i]);
    }
    data_slices {
        data: [Real] = sensordata[values], "values of the sensor";
    }
    model {
        cutoff, set_cutoff: Real = sensor_cutoff, "largest magnitude, 0 for none";
        noise, set_noise: Real = sensor_noise, "standard deviation of the noise";
    }
}

relations!(Sensor, kind SensorType in sensor_type);

impl Sensor {
    /// Number of its values.
    pub fn dim(self) -> usize {
        self.values.range().len()
    }
}
