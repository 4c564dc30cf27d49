//! Elements whose type is known only when the program runs: a type of object and a number.

use ferrodyn_model::ObjType;

use super::id::{Id, Item, with_item};
use super::{EditError, Value};
use crate::schema::*;
use crate::spec::*;

impl Spec {
    /// The numbers of all elements of a type, in the order of the model.
    pub fn numbers(&self, kind: ObjType) -> Vec<u32> {
        let mut list: Vec<u32> =
            with_item!(kind, E => self.ids::<E>().map(Id::number).collect(), Vec::new());
        let order = self.tree_order();
        if kind == ObjType::Body {
            return order.into_iter().map(|b| list[b]).collect();
        }
        let mut rank = vec![0; self.bodies.len()];
        for (i, &body) in order.iter().enumerate() {
            rank[body] = i;
        }
        list.sort_by_key(|&uid| {
            self.place_of(kind, uid).ok().and_then(|(body, _)| rank.get(body).copied())
        });
        list
    }

    /// The name of an element.
    pub fn name_of(&self, kind: ObjType, uid: u32) -> Result<&str, EditError> {
        with_item!(kind, E => Ok(self.get(Id::<E>::new(uid))?.name()), Err(EditError::Gone))
    }

    /// Gives an element another name; see [`rename`](Self::rename).
    pub fn rename_any(&mut self, kind: ObjType, uid: u32, name: &str) -> Result<(), EditError> {
        with_item!(kind, E => self.rename(Id::<E>::new(uid), name), Err(EditError::Gone))
    }

    /// The number of the element with a name.
    pub fn find_any(&self, kind: ObjType, name: &str) -> Option<u32> {
        with_item!(kind, E => self.find::<E>(name).map(Id::number), None)
    }

    /// Removes an element; a body goes with everything in it and everything that refers to it.
    pub fn remove_any(&mut self, kind: ObjType, uid: u32) -> Result<(), EditError> {
        match kind {
            ObjType::Body => self.remove_body(Id::new(uid)),
            ObjType::Frame => self.remove_frame(Id::new(uid)),
            _ => with_item!(
                kind,
                E => {
                    let index = self.index(Id::<E>::new(uid))?;
                    E::list_mut(self).remove(index);
                    Ok(())
                },
                Err(EditError::Gone)
            ),
        }
    }

    /// The plugin that takes part in an element.
    pub fn plugin_mut(
        &mut self,
        kind: ObjType,
        uid: u32,
    ) -> Result<&mut Option<Box<PluginSpec>>, EditError> {
        Ok(match kind {
            ObjType::Body => &mut self.get_mut(Id::<BodySpec>::new(uid))?.plugin,
            ObjType::Geom => &mut self.get_mut(Id::<Element<GeomAttrs>>::new(uid))?.plugin,
            ObjType::Mesh => &mut self.get_mut(Id::<Object<MeshAttrs>>::new(uid))?.plugin,
            ObjType::Actuator => &mut self.get_mut(Id::<Object<ActuatorSpec>>::new(uid))?.plugin,
            ObjType::Sensor => &mut self.get_mut(Id::<Object<SensorSpec>>::new(uid))?.plugin,
            _ => return Err(EditError::UnknownAttribute(String::from("plugin"))),
        })
    }

    /// A setting of the model, by the name of its group and of its field. A setting that is not
    /// given has no value, apart from those of the compiler.
    pub fn setting(&self, group: &str, field: &str) -> Result<Option<Value>, EditError> {
        let value = match group {
            "compiler" => self.compiler.over(&CompilerAttrs::defaults()).field(field),
            "lengthrange" => self.lengthrange.over(&LengthRangeAttrs::defaults()).field(field),
            "option" => self.option.field(field),
            "flags" => self.flags.field(field),
            "size" => self.size.field(field),
            "statistic" => self.statistic.field(field),
            "global" => self.visual.global.field(field),
            "quality" => self.visual.quality.field(field),
            "headlight" => self.visual.headlight.field(field),
            "map" => self.visual.map.field(field),
            "scale" => self.visual.scale.field(field),
            "rgba" => self.visual.rgba.field(field),
            _ => None,
        };
        value.ok_or_else(|| EditError::UnknownAttribute(field.to_owned()))
    }

    /// Changes a setting of the model, or takes it away.
    pub fn set_setting(
        &mut self,
        group: &str,
        field: &str,
        value: Option<Value>,
    ) -> Result<(), EditError> {
        let value = value.filter(Value::is_given);
        match group {
            "compiler" => self.compiler.set_field(field, value),
            "lengthrange" => self.lengthrange.set_field(field, value),
            "option" => self.option.set_field(field, value),
            "flags" => self.flags.set_field(field, value),
            "size" => self.size.set_field(field, value),
            "statistic" => self.statistic.set_field(field, value),
            "global" => self.visual.global.set_field(field, value),
            "quality" => self.visual.quality.set_field(field, value),
            "headlight" => self.visual.headlight.set_field(field, value),
            "map" => self.visual.map.set_field(field, value),
            "scale" => self.visual.scale.set_field(field, value),
            "rgba" => self.visual.rgba.set_field(field, value),
            _ => Err(FieldError::Unknown),
        }
        .map_err(|e| super::attribute::field_error(e, field))
    }
}
