//! Consistency of what lies outside the tree: constraints, tendons, actuators, sensors, assets.
use ferrodyn_math::Stack;

use crate::validate::{InvalidModel, blocks, ids};
use crate::{
    EqualityType, GeomType, JointType, Model, ObjType, Storage, TransmissionType, WrapType,
};

/// An error about one value.
fn bad(field: &'static str, index: usize, value: i32) -> InvalidModel {
    InvalidModel { field, index, value: value as i64 }
}

/// One id lies in `0..max`.
fn id(field: &'static str, index: usize, value: i32, max: usize) -> Result<(), InvalidModel> {
    if value >= 0 && (value as usize) < max { Ok(()) } else { Err(bad(field, index, value)) }
}

impl<S: Storage> Model<S> {
    /// References outside the tree.
    pub(crate) fn validate_relations(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        self.validate_assets(stack)?;
        self.validate_constraints()?;
        self.validate_tendons()?;
        self.validate_actuators()?;
        blocks("sensor_adr", &self.sensor_adr, &self.sensor_dim, self.nsensordata)?;
        self.validate_sensors()?;
        ids("actuator_plugin", &self.actuator_plugin, -1, self.nplugin)?;
        ids("sensor_plugin", &self.sensor_plugin, -1, self.nplugin)?;
        ids("body_plugin", &self.body_plugin, -1, self.nplugin)?;
        ids("geom_plugin", &self.geom_plugin, -1, self.nplugin)
    }

    fn validate_assets(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        for g in 0..self.ngeom {
            let data = self.geom_dataid[g];
            match GeomType::try_from(self.geom_type[g]) {
                Ok(GeomType::Hfield) => id("geom_dataid", g, data, self.nhfield)?,
                Ok(GeomType::Mesh | GeomType::Sdf) => id("geom_dataid", g, data, self.nmesh)?,
                Ok(_) if data >= 0 => id("geom_dataid", g, data, self.nmesh)?,
                Ok(_) => {}
                Err(e) => return Err(bad("geom_type", g, e.0)),
            }
        }
        self.validate_meshes(stack)?;
        self.validate_body_trees(stack)?;
        self.validate_flexes(stack)?;
        self.validate_skins()?;
        self.validate_soft()?;
        ids("light_texid", &self.light_texid, -1, self.ntex)?;
        for (index, row) in self.mat_texid.iter().enumerate() {
            if let Some(&value) = row.iter().find(|&&t| t < -1 || t >= self.ntex as i32) {
                return Err(bad("mat_texid", index, value));
            }
        }
        for i in 0..self.nhfield {
            let (rows, columns) = (self.hfield_nrow[i], self.hfield_ncol[i]);
            let count = i64::from(rows.max(0)) * i64::from(columns.max(0));
            let adr = self.hfield_adr[i];
            if rows < 1 || columns < 1 || adr < 0 || adr as i64 + count > self.nhfielddata as i64 {
                return Err(bad("hfield_adr", i, adr));
            }
        }
        Ok(())
    }

    fn validate_constraints(&self) -> Result<(), InvalidModel> {
        for (field, dims) in [
            ("geom_condim", &self.geom_condim),
            ("pair_dim", &self.pair_dim),
            ("flex_condim", &self.flex_condim),
        ] {
            if let Some(index) = dims.iter().position(|dim| ![1, 3, 4, 6].contains(dim)) {
                return Err(bad(field, index, dims[index]));
            }
        }
        ids("pair_geom1", &self.pair_geom1, 0, self.ngeom)?;
        ids("pair_geom2", &self.pair_geom2, 0, self.ngeom)?;
        for i in 0..self.neq {
            let kind = EqualityType::try_from(self.eq_type[i]);
            let (count, single) = match (kind, ObjType::try_from(self.eq_objtype[i])) {
                (Ok(EqualityType::Joint), _) => (self.njnt, true),
                (Ok(EqualityType::Tendon), _) => (self.ntendon, true),
                (Ok(EqualityType::Flex | EqualityType::FlexVert), _) => (self.nflex, true),
                (Ok(EqualityType::Connect | EqualityType::Weld), Ok(ObjType::Body)) => {
                    (self.nbody, false)
                }
                (Ok(EqualityType::Connect | EqualityType::Weld), Ok(ObjType::Site)) => {
                    (self.nsite, false)
                }
                _ => return Err(bad("eq_type", i, self.eq_type[i])),
            };
            id("eq_obj1id", i, self.eq_obj1id[i], count)?;
            // joints and tendons may stand alone, flexes always do
            if !(single && self.eq_obj2id[i] == -1) {
                id("eq_obj2id", i, self.eq_obj2id[i], count)?;
            }
        }
        Ok(())
    }

    /// A fixed tendon has joints only; in a spatial one every geom lies between two sites.
    fn validate_tendons(&self) -> Result<(), InvalidModel> {
        blocks("tendon_adr", &self.tendon_adr, &self.tendon_num, self.nwrap)?;
        ids("tendon_matid", &self.tendon_matid, -1, self.nmat)?;
        for t in 0..self.ntendon {
            if self.tendon_num[t] < 1 {
                return Err(bad("tendon_num", t, self.tendon_num[t]));
            }
            ids("tendon_treeid", &self.tendon_treeid[t], -1, self.ntree)?;
            let listed = self.tendon_treeid[t].iter().filter(|tree| **tree >= 0).count();
            if listed != self.tendon_treenum[t].clamp(0, 2) as usize {
                return Err(bad("tendon_treenum", t, self.tendon_treenum[t]));
            }
            let first = self.tendon_adr[t] as usize;
            let path = first..first + self.tendon_num[t] as usize;
            let fixed = self.wrap_type[first] == WrapType::Joint as i32;
            let is_site = |w: Option<usize>| {
                w.is_some_and(|w| path.contains(&w) && self.wrap_type[w] == WrapType::Site as i32)
            };
            for w in path.clone() {
                let object = self.wrap_objid[w];
                match WrapType::try_from(self.wrap_type[w]) {
                    Ok(WrapType::Joint) if fixed => id("wrap_objid", w, object, self.njnt)?,
                    Ok(WrapType::Site) if !fixed => id("wrap_objid", w, object, self.nsite)?,
                    Ok(WrapType::Pulley) if !fixed => {}
                    Ok(WrapType::Sphere | WrapType::Cylinder) if !fixed => {
                        id("wrap_objid", w, object, self.ngeom)?;
                        let side = self.wrap_prm[w];
                        let known = side < 0.0 || (side as usize) < self.nsite;
                        if !is_site(w.checked_sub(1)) || !is_site(Some(w + 1)) || !known {
                            return Err(bad("wrap_type", w, self.wrap_type[w]));
                        }
                    }
                    _ => return Err(bad("wrap_type", w, self.wrap_type[w])),
                }
            }
        }
        Ok(())
    }

    fn validate_actuators(&self) -> Result<(), InvalidModel> {
        let mut entries = 0usize;
        for i in 0..self.nu {
            let [first, second] = self.actuator_trnid[i];
            let kind = TransmissionType::try_from(self.actuator_trntype[i])
                .map_err(|e| bad("actuator_trntype", i, e.0))?;
            let count = match kind {
                TransmissionType::Joint | TransmissionType::JointInParent => self.njnt,
                TransmissionType::Tendon => self.ntendon,
                TransmissionType::Site | TransmissionType::SliderCrank => self.nsite,
                TransmissionType::Body => self.nbody,
                TransmissionType::Undefined => {
                    return Err(bad("actuator_trntype", i, kind as i32));
                }
            };
            id("actuator_trnid", i, first, count)?;
            match kind {
                TransmissionType::SliderCrank => id("actuator_trnid", i, second, self.nsite)?,
                TransmissionType::Site if second != -1 => {
                    id("actuator_trnid", i, second, self.nsite)?;
                }
                _ => {}
            }
            entries += match kind {
                TransmissionType::Joint | TransmissionType::JointInParent => {
                    JointType::try_from(self.jnt_type[first as usize]).map_or(0, JointType::nv)
                }
                _ => self.nv,
            };
        }
        if entries > self.nJmom {
            return Err(InvalidModel { field: "nJmom", index: 0, value: self.nJmom as i64 });
        }
        for (i, &adr) in self.actuator_actadr.iter().enumerate() {
            // an actuator without state has no address
            if adr < -1 || (adr < 0) != (self.actuator_actnum[i] == 0) {
                return Err(bad("actuator_actadr", i, adr));
            }
        }
        blocks("actuator_actadr", &self.actuator_actadr, &self.actuator_actnum, self.na)
    }
}
