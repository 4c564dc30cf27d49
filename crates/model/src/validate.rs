//! Consistency of the references from one array into another.
//!
//! The step indexes arrays by ids found in other arrays. A model that passes these checks cannot
//! send it out of bounds.
use core::fmt;

use crate::{JointType, Model};

/// A model array holds a value that points nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidModel {
    /// The array.
    pub field: &'static str,
    /// The row.
    pub index: usize,
    /// The value.
    pub value: i64,
}

impl fmt::Display for InvalidModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] = {} is out of range", self.field, self.index, self.value)
    }
}

impl core::error::Error for InvalidModel {}

/// Every value of `ids` lies in `min..max`.
fn ids(field: &'static str, ids: &[i32], min: i64, max: usize) -> Result<(), InvalidModel> {
    match ids.iter().position(|&v| (v as i64) < min || v as i64 >= max as i64) {
        Some(index) => Err(InvalidModel { field, index, value: ids[index] as i64 }),
        None => Ok(()),
    }
}

/// Every block `adr[i] .. adr[i] + num[i]` lies in `0..max`; an empty block may have any address.
fn blocks(field: &'static str, adr: &[i32], num: &[i32], max: usize) -> Result<(), InvalidModel> {
    for (index, (&a, &n)) in adr.iter().zip(num).enumerate() {
        if n < 0 || n > 0 && (a < 0 || a as i64 + n as i64 > max as i64) {
            return Err(InvalidModel { field, index, value: a as i64 });
        }
    }
    Ok(())
}

/// Every id is smaller than its own index: the array describes a forest.
fn parents(field: &'static str, ids: &[i32], min: i64) -> Result<(), InvalidModel> {
    for (index, &v) in ids.iter().enumerate() {
        if (v as i64) < min || v as i64 >= index.max(1) as i64 {
            return Err(InvalidModel { field, index, value: v as i64 });
        }
    }
    Ok(())
}

impl Model {
    /// Check that every id and address in the model points into the array that it names.
    pub fn validate(&self) -> Result<(), InvalidModel> {
        self.validate_bodies()?;
        self.validate_joints()?;
        self.validate_attachments()?;
        self.validate_patterns()?;
        blocks("numeric_adr", &self.numeric_adr, &self.numeric_size, self.nnumericdata)?;
        blocks("text_adr", &self.text_adr, &self.text_size, self.ntextdata)?;
        blocks("tuple_adr", &self.tuple_adr, &self.tuple_size, self.ntupledata)
    }

    fn validate_bodies(&self) -> Result<(), InvalidModel> {
        let nbody = self.nbody;
        parents("body_parentid", &self.body_parentid, 0)?;
        ids("body_rootid", &self.body_rootid, 0, nbody)?;
        ids("body_weldid", &self.body_weldid, 0, nbody)?;
        ids("body_mocapid", &self.body_mocapid, -1, self.nmocap)?;
        ids("body_treeid", &self.body_treeid, -1, self.ntree)?;
        blocks("body_jntadr", &self.body_jntadr, &self.body_jntnum, self.njnt)?;
        blocks("body_dofadr", &self.body_dofadr, &self.body_dofnum, self.nv)?;
        blocks("body_geomadr", &self.body_geomadr, &self.body_geomnum, self.ngeom)?;
        blocks("body_bvhadr", &self.body_bvhadr, &self.body_bvhnum, self.nbvh)?;
        blocks("tree_bodyadr", &self.tree_bodyadr, &self.tree_bodynum, nbody)?;
        blocks("tree_dofadr", &self.tree_dofadr, &self.tree_dofnum, self.nv)?;
        ids("body_plugin", &self.body_plugin, -1, self.nplugin.max(1))
    }

    fn validate_joints(&self) -> Result<(), InvalidModel> {
        ids("jnt_bodyid", &self.jnt_bodyid, 0, self.nbody)?;
        for j in 0..self.njnt {
            let bad = |field, value: i32| InvalidModel { field, index: j, value: value as i64 };
            let kind = JointType::try_from(self.jnt_type[j])
                .map_err(|_| bad("jnt_type", self.jnt_type[j]))?;
            let (q, v) = (self.jnt_qposadr[j], self.jnt_dofadr[j]);
            if q < 0 || q as usize + kind.nq() > self.nq {
                return Err(bad("jnt_qposadr", q));
            }
            if v < 0 || v as usize + kind.nv() > self.nv {
                return Err(bad("jnt_dofadr", v));
            }
        }
        // the dofs of a body are those of its joints, in order
        for b in 0..self.nbody {
            let first = self.body_jntadr[b].max(0) as usize;
            let mut next = self.body_dofadr[b];
            for j in first..first + self.body_jntnum[b] as usize {
                let nv = JointType::try_from(self.jnt_type[j]).map_or(0, JointType::nv) as i32;
                if self.jnt_dofadr[j] != next || self.jnt_bodyid[j] != b as i32 {
                    return Err(InvalidModel {
                        field: "jnt_dofadr",
                        index: j,
                        value: self.jnt_dofadr[j] as i64,
                    });
                }
                next += nv;
            }
            if self.body_dofnum[b] > 0 && next != self.body_dofadr[b] + self.body_dofnum[b] {
                return Err(InvalidModel {
                    field: "body_dofnum",
                    index: b,
                    value: self.body_dofnum[b] as i64,
                });
            }
        }
        ids("dof_bodyid", &self.dof_bodyid, 0, self.nbody)?;
        ids("dof_jntid", &self.dof_jntid, 0, self.njnt)?;
        ids("dof_treeid", &self.dof_treeid, 0, self.ntree)?;
        for (index, &v) in self.dof_parentid.iter().enumerate() {
            if v < -1 || v >= index as i32 {
                return Err(InvalidModel { field: "dof_parentid", index, value: v as i64 });
            }
        }
        Ok(())
    }

    fn validate_attachments(&self) -> Result<(), InvalidModel> {
        let nbody = self.nbody;
        ids("geom_bodyid", &self.geom_bodyid, 0, nbody)?;
        ids("site_bodyid", &self.site_bodyid, 0, nbody)?;
        ids("cam_bodyid", &self.cam_bodyid, 0, nbody)?;
        ids("cam_targetbodyid", &self.cam_targetbodyid, -1, nbody)?;
        ids("light_bodyid", &self.light_bodyid, 0, nbody)?;
        ids("light_targetbodyid", &self.light_targetbodyid, -1, nbody)?;
        ids("geom_matid", &self.geom_matid, -1, self.nmat)?;
        ids("site_matid", &self.site_matid, -1, self.nmat)
    }

    fn validate_patterns(&self) -> Result<(), InvalidModel> {
        ids("dof_Madr", &self.dof_Madr, 0, self.nM)?;
        ids("mapM2M", &self.mapM2M, 0, self.nM)?;
        ids("mapD2M", &self.mapD2M, 0, self.nD)?;
        // entries that the reduced matrix leaves out are marked by -1
        ids("mapM2D", &self.mapM2D, -1, self.nC)?;
        blocks("M_rowadr", &self.M_rowadr, &self.M_rownnz, self.nC)?;
        blocks("D_rowadr", &self.D_rowadr, &self.D_rownnz, self.nD)?;
        blocks("B_rowadr", &self.B_rowadr, &self.B_rownnz, self.nB)?;
        ids("D_colind", &self.D_colind, 0, self.nv)?;
        ids("B_colind", &self.B_colind, 0, self.nv)?;

        // row i of M: the row of its parent dof, then the diagonal; a simple dof has the diagonal only
        let mut next = 0;
        for i in 0..self.nv {
            let adr = self.M_rowadr[i] as usize;
            // rows lie side by side
            if adr != next {
                return Err(InvalidModel { field: "M_rowadr", index: i, value: adr as i64 });
            }
            next = adr + self.M_rownnz[i] as usize;
            let row = &self.M_colind[adr..adr + self.M_rownnz[i] as usize];
            let parent = match (self.dof_simplenum[i], self.dof_parentid[i]) {
                (0, p) if p >= 0 => {
                    let adr = self.M_rowadr[p as usize] as usize;
                    &self.M_colind[adr..adr + self.M_rownnz[p as usize] as usize]
                }
                _ => &[],
            };
            let starts_with_parent = row.len() == parent.len() + 1 && row.starts_with(parent);
            if !starts_with_parent || row.last() != Some(&(i as i32)) {
                return Err(InvalidModel {
                    field: "M_rowadr",
                    index: i,
                    value: self.M_rowadr[i] as i64,
                });
            }
        }
        Ok(())
    }
}
