//! Names of objects and their hash tables.
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::{Model, ObjType, Storage};

/// Slots of a hash table per object.
const LOAD: usize = 2;

/// The hash of a name, modulo `n`.
///
/// ```
/// assert_eq!(ferrodyn_model::hash_name(b"", 7), 5381 % 7);
/// ```
pub fn hash_name(name: &[u8], n: u64) -> u64 {
    let mut h: u64 = 5381;
    for &b in name {
        // bytes are signed characters: those above 127 extend their sign
        h = (h << 5).wrapping_add(h) ^ (b as i8 as u64);
    }
    h % n
}

/// The hash table of the names of one kind of object: object ids, -1 in free slots.
///
/// Objects without a name are left out; collisions go to the next free slot.
#[cfg(feature = "alloc")]
pub fn name_map<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Vec<i32> {
    let slots = LOAD * names.len();
    let mut map = vec![-1; slots];
    for (id, name) in names.enumerate() {
        if name.is_empty() {
            continue;
        }
        let mut slot = hash_name(name.as_bytes(), slots as u64) as usize;
        while map[slot] >= 0 {
            slot = (slot + 1) % slots;
        }
        map[slot] = id as i32;
    }
    map
}

impl<S: Storage> Model<S> {
    /// Name addresses of the kinds of objects, in the order of their hash tables.
    fn name_addresses(&self) -> [(ObjType, &[i32]); 23] {
        use ObjType::*;
        [
            (Body, &self.name_bodyadr),
            (Joint, &self.name_jntadr),
            (Geom, &self.name_geomadr),
            (Site, &self.name_siteadr),
            (Camera, &self.name_camadr),
            (Light, &self.name_lightadr),
            (Flex, &self.name_flexadr),
            (Mesh, &self.name_meshadr),
            (Skin, &self.name_skinadr),
            (Hfield, &self.name_hfieldadr),
            (Texture, &self.name_texadr),
            (Material, &self.name_matadr),
            (Pair, &self.name_pairadr),
            (Exclude, &self.name_excludeadr),
            (Equality, &self.name_eqadr),
            (Tendon, &self.name_tendonadr),
            (Actuator, &self.name_actuatoradr),
            (Sensor, &self.name_sensoradr),
            (Numeric, &self.name_numericadr),
            (Text, &self.name_textadr),
            (Tuple, &self.name_tupleadr),
            (Key, &self.name_keyadr),
            (Plugin, &self.name_pluginadr),
        ]
    }

    /// The zero-terminated string at an address of the name buffer.
    fn name_at(&self, adr: i32) -> &str {
        let tail = usize::try_from(adr).ok().and_then(|a| self.names.get(a..)).unwrap_or(&[]);
        let end = tail.iter().position(|&b| b == 0).unwrap_or(tail.len());
        core::str::from_utf8(&tail[..end]).unwrap_or("")
    }

    /// The model's own name.
    pub fn model_name(&self) -> &str {
        self.name_at(0)
    }

    /// Number of objects of a kind.
    pub fn count(&self, kind: ObjType) -> usize {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.name_addresses().iter().find(|(k, _)| *k == kind).map_or(0, |(_, adr)| adr.len())
    }

    /// Name of an object; `None` when it has none or does not exist. MuJoCo: `mj_id2name`.
    pub fn name(&self, kind: ObjType, id: usize) -> Option<&str> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let (_, adr) = *self.name_addresses().iter().find(|(k, _)| *k == kind)?;
        let name = self.name_at(*adr.get(id)?);
        (!name.is_empty()).then_some(name)
    }

    /// Id of the object with a name, through the hash table. MuJoCo: `mj_name2id`.
    pub fn id(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let mut start = 0;
        for (k, adr) in self.name_addresses() {
            let slots = LOAD * adr.len();
            if k == kind {
                let map = self.names_map.get(start..start + slots)?;
                if map.is_empty() {
                    return None;
                }
                let first = hash_name(name.as_bytes(), slots as u64) as usize;
                for probe in 0..slots {
                    let id = usize::try_from(map[(first + probe) % slots]).ok()?;
                    if self.name_at(*adr.get(id)?) == name {
                        return Some(id);
                    }
                }
                return None;
            }
            start += slots;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sizes;

    #[test]
    fn colliding_names_are_all_found() {
        let names = ["a", "b", "", "shoulder", "a\u{fc}"];
        let mut buffer = vec![0u8];
        let mut adr = Vec::new();
        for n in names {
            adr.push(buffer.len() as i32);
            buffer.extend_from_slice(n.as_bytes());
            buffer.push(0);
        }
        let map = name_map(names.into_iter());
        let mut model = Model::zeroed(Sizes {
            nbody: names.len(),
            nnames: buffer.len(),
            nnames_map: map.len(),
            ..Sizes::default()
        });
        model.names = buffer.into();
        model.names_map = map.into();
        model.name_bodyadr = adr.into();
        for (i, n) in names.iter().enumerate().filter(|(_, n)| !n.is_empty()) {
            assert_eq!(model.id(ObjType::Body, n), Some(i));
            assert_eq!(model.name(ObjType::XBody, i), Some(*n));
        }
        assert_eq!(model.id(ObjType::Body, "c"), None);
        assert_eq!(model.id(ObjType::Body, ""), None);
        assert_eq!(model.name(ObjType::Body, 2), None);
        assert_eq!(model.id(ObjType::Joint, "a"), None);
    }
}
