//! Consistency of the references from one array into another.
//!
//! The step indexes arrays by ids found in other arrays. A model that passes these checks cannot
//! send it out of bounds.
use core::fmt;

use ferrodyn_math::{Stack, StackFull, words_of};

use crate::{JointType, LoadError, Model, Sizes, Storage};

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
pub(crate) fn ids(
    field: &'static str,
    ids: &[i32],
    min: i64,
    max: usize,
) -> Result<(), InvalidModel> {
    match ids.iter().position(|&v| (v as i64) < min || v as i64 >= max as i64) {
        Some(index) => Err(InvalidModel { field, index, value: ids[index] as i64 }),
        None => Ok(()),
    }
}

/// Every block `adr[i] .. adr[i] + num[i]` lies in `0..max`; an empty block may have any address.
pub(crate) fn blocks(
    field: &'static str,
    adr: &[i32],
    num: &[i32],
    max: usize,
) -> Result<(), InvalidModel> {
    for (index, (&a, &n)) in adr.iter().zip(num).enumerate() {
        if n < 0 || n > 0 && (a < 0 || a as i64 + n as i64 > max as i64) {
            return Err(InvalidModel { field, index, value: a as i64 });
        }
    }
    Ok(())
}

/// Memory that [`Model::validate_in`] has counted.
pub(crate) fn taken<T>(memory: Result<T, StackFull>) -> Result<T, InvalidModel> {
    memory.map_err(|full| InvalidModel { field: "memory", index: 0, value: full.missing as i64 })
}

/// One value must be this.
pub(crate) fn one(
    field: &'static str,
    index: usize,
    value: i32,
    expected: i64,
) -> Result<(), InvalidModel> {
    if value as i64 == expected {
        Ok(())
    } else {
        Err(InvalidModel { field, index, value: value as i64 })
    }
}

impl<S: Storage> Model<S> {
    /// Check that every id and address in the model points into the array that it names, that the
    /// tree of bodies, joints and dofs is in order, and that the sparse patterns are those of the tree.
    #[cfg(feature = "alloc")]
    pub fn validate(&self) -> Result<(), InvalidModel> {
        let mut memory = alloc::vec![0; Self::validation_words(&self.sizes)];
        match self.validate_in(&mut memory) {
            Err(LoadError::Invalid(invalid)) => Err(invalid),
            // there are no other errors where there is enough memory
            _ => Ok(()),
        }
    }

    /// Words of memory that [`Model::validate_in`] takes.
    pub fn validation_words(sizes: &Sizes) -> usize {
        words_of::<i32>(sizes.nbody).max(words_of::<u32>(sizes.nbvh.max(sizes.noct)))
    }

    /// The same as [`Model::validate`] in memory that is handed in.
    pub fn validate_in(&self, memory: &mut [u64]) -> Result<(), LoadError> {
        let needed = Self::validation_words(&self.sizes);
        if memory.len() < needed {
            return Err(LoadError::NoRoom { missing: needed - memory.len() });
        }
        let mut stack = Stack::new(memory);
        self.validate_references(&mut stack).map_err(LoadError::Invalid)
    }

    fn validate_references(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        self.validate_kinds()?;
        self.validate_tree(stack.scope())?;
        self.validate_attachments()?;
        self.validate_patterns()?;
        self.validate_relations(stack)?;
        blocks("numeric_adr", &self.numeric_adr, &self.numeric_size, self.nnumericdata)?;
        blocks("text_adr", &self.text_adr, &self.text_size, self.ntextdata)?;
        blocks("tuple_adr", &self.tuple_adr, &self.tuple_size, self.ntupledata)
    }

    /// Bodies come after their parents; joints and dofs are numbered body by body.
    fn validate_tree(&self, mut stack: Stack<'_>) -> Result<(), InvalidModel> {
        let (mut joints, mut dofs, mut coordinates) = (0usize, 0usize, 0usize);
        // last dof that moves each body, -1 for none
        let last_dof = taken(stack.take::<i32>(self.nbody))?;
        last_dof.fill(-1);
        let address = |count: i32, next: usize| if count == 0 { -1 } else { next as i64 };
        for b in 0..self.nbody {
            let bad = |field, value: i32| InvalidModel { field, index: b, value: value as i64 };
            let parent = self.body_parentid[b];
            if parent < 0 || parent as usize >= b.max(1) {
                return Err(bad("body_parentid", parent));
            }
            let parent = parent as usize;
            let moving = self.body_jntnum[b] > 0;
            let root = if parent == 0 { b as i64 } else { self.body_rootid[parent] as i64 };
            let weld = if moving { b as i64 } else { self.body_weldid[parent] as i64 };
            one("body_rootid", b, self.body_rootid[b], root)?;
            one("body_weldid", b, self.body_weldid[b], if b == 0 { 0 } else { weld })?;
            let tree = self.body_treeid[b];
            if tree < -1 || tree >= self.ntree as i32 || (weld != 0 && b > 0) != (tree >= 0) {
                return Err(bad("body_treeid", tree));
            }
            if self.body_treeid[parent] >= 0 {
                one("body_treeid", b, tree, self.body_treeid[parent] as i64)?;
            }
            one("body_jntadr", b, self.body_jntadr[b], address(self.body_jntnum[b], joints))?;
            one("body_dofadr", b, self.body_dofadr[b], address(self.body_dofnum[b], dofs))?;
            if self.body_jntnum[b] < 0 || self.body_jntnum[b] as usize > self.njnt - joints {
                return Err(bad("body_jntnum", self.body_jntnum[b]));
            }

            last_dof[b] = last_dof[parent];
            let first_dof = dofs;
            for j in joints..joints + self.body_jntnum[b] as usize {
                one("jnt_bodyid", j, self.jnt_bodyid[j], b as i64)?;
                one("jnt_qposadr", j, self.jnt_qposadr[j], coordinates as i64)?;
                one("jnt_dofadr", j, self.jnt_dofadr[j], dofs as i64)?;
                let kind = JointType::try_from(self.jnt_type[j]).map_err(|e| InvalidModel {
                    field: "jnt_type",
                    index: j,
                    value: e.0 as i64,
                })?;
                coordinates += kind.nq();
                if coordinates > self.nq || dofs + kind.nv() > self.nv {
                    return Err(InvalidModel { field: "jnt_type", index: j, value: kind as i64 });
                }
                for d in dofs..dofs + kind.nv() {
                    one("dof_treeid", d, self.dof_treeid[d], self.body_treeid[b] as i64)?;
                    one("dof_bodyid", d, self.dof_bodyid[d], b as i64)?;
                    one("dof_jntid", d, self.dof_jntid[d], j as i64)?;
                    one("dof_parentid", d, self.dof_parentid[d], last_dof[b] as i64)?;
                    last_dof[b] = d as i32;
                }
                dofs += kind.nv();
            }
            joints += self.body_jntnum[b] as usize;
            one("body_dofnum", b, self.body_dofnum[b], (dofs - first_dof) as i64)?;
        }
        let sizes =
            [("njnt", joints, self.njnt), ("nv", dofs, self.nv), ("nq", coordinates, self.nq)];
        match sizes.into_iter().find(|(_, counted, stated)| counted != stated) {
            Some((field, _, stated)) => Err(InvalidModel { field, index: 0, value: stated as i64 }),
            None => Ok(()),
        }
    }

    fn validate_attachments(&self) -> Result<(), InvalidModel> {
        let nbody = self.nbody;
        ids("body_mocapid", &self.body_mocapid, -1, self.nmocap)?;
        ids("body_treeid", &self.body_treeid, -1, self.ntree)?;
        ids("dof_treeid", &self.dof_treeid, 0, self.ntree)?;
        blocks("tree_bodyadr", &self.tree_bodyadr, &self.tree_bodynum, nbody)?;
        blocks("tree_dofadr", &self.tree_dofadr, &self.tree_dofnum, self.nv)?;
        blocks("body_geomadr", &self.body_geomadr, &self.body_geomnum, self.ngeom)?;
        blocks("body_bvhadr", &self.body_bvhadr, &self.body_bvhnum, self.nbvh)?;
        ids("geom_bodyid", &self.geom_bodyid, 0, nbody)?;
        ids("site_bodyid", &self.site_bodyid, 0, nbody)?;
        ids("cam_bodyid", &self.cam_bodyid, 0, nbody)?;
        ids("cam_targetbodyid", &self.cam_targetbodyid, -1, nbody)?;
        ids("light_bodyid", &self.light_bodyid, 0, nbody)?;
        ids("light_targetbodyid", &self.light_targetbodyid, -1, nbody)?;
        ids("geom_matid", &self.geom_matid, -1, self.nmat)?;
        ids("site_matid", &self.site_matid, -1, self.nmat)
    }
}
