//! Consistency of skins: vertices, triangles, bones; and of where deformable bodies lie.
use core::ops::Range;

use crate::validate::{InvalidModel, blocks, ids};
use crate::{Model, Storage};

/// The rows of one block, in an array whose blocks were checked; an empty block has any address.
fn rows(adr: i32, num: i32) -> Range<usize> {
    if num > 0 { adr as usize..adr as usize + num as usize } else { 0..0 }
}

/// Blocks that lie in an array, and begin in it even where they are empty.
fn blocks_within(
    field: &'static str,
    adr: &[i32],
    num: &[i32],
    max: usize,
) -> Result<(), InvalidModel> {
    ids(field, adr, 0, max + 1)?;
    blocks(field, adr, num, max)
}

impl<S: Storage> Model<S> {
    /// What the surface of a skin is made from.
    pub(crate) fn validate_skins(&self) -> Result<(), InvalidModel> {
        ids("skin_matid", &self.skin_matid, -1, self.nmat)?;
        ids("skin_bonebodyid", &self.skin_bonebodyid, 0, self.nbody)?;
        blocks_within("skin_vertadr", &self.skin_vertadr, &self.skin_vertnum, self.nskinvert)?;
        blocks_within("skin_faceadr", &self.skin_faceadr, &self.skin_facenum, self.nskinface)?;
        blocks_within("skin_boneadr", &self.skin_boneadr, &self.skin_bonenum, self.nskinbone)?;
        blocks_within(
            "skin_bonevertadr",
            &self.skin_bonevertadr,
            &self.skin_bonevertnum,
            self.nskinbonevert,
        )?;
        for skin in 0..self.nskin {
            let (adr, vertices) = (self.skin_texcoordadr[skin], self.skin_vertnum[skin]);
            let bad = |field, index, value: i32| InvalidModel { field, index, value: value as i64 };
            if adr != -1 && (adr < 0 || adr as i64 + vertices as i64 > self.nskintexvert as i64) {
                return Err(bad("skin_texcoordadr", skin, adr));
            }
            let outside = |id: &i32| *id < 0 || *id >= vertices;
            for face in rows(self.skin_faceadr[skin], self.skin_facenum[skin]) {
                if let Some(id) = self.skin_face[face].iter().find(|id| outside(id)) {
                    return Err(bad("skin_face", face, *id));
                }
            }
            for bone in rows(self.skin_boneadr[skin], self.skin_bonenum[skin]) {
                for i in rows(self.skin_bonevertadr[bone], self.skin_bonevertnum[bone]) {
                    if outside(&self.skin_bonevertid[i]) {
                        return Err(bad("skin_bonevertid", i, self.skin_bonevertid[i]));
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the parts of deformable bodies lie; what they are is checked where they are made.
    pub(crate) fn validate_soft(&self) -> Result<(), InvalidModel> {
        ids("soft_bodyid", &self.soft_bodyid, 0, self.nbody)?;
        ids("soft_dim", &self.soft_dim, 1, 4)?;
        blocks_within("soft_vertadr", &self.soft_vertadr, &self.soft_vertnum, self.nsoftvert)?;
        let corners = |i: usize| self.soft_elemnum[i].checked_mul(self.soft_dim[i] + 1);
        for i in 0..self.nsoft {
            let (adr, length) = (self.soft_elemadr[i], corners(i).unwrap_or(-1));
            let end = i64::from(adr) + i64::from(length);
            if adr < 0 || length < 0 || end > self.nsoftelemdata as i64 {
                return Err(InvalidModel { field: "soft_elemadr", index: i, value: adr.into() });
            }
        }
        Ok(())
    }
}
