//! The state of all deformable bodies: slices of one block, and the contacts, in a block that grows.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Real, Vec3};
use ferrodyn_soft::VertexFlags;

use super::{DeformableContact, Scene};
use crate::data::growing::Spare;
use crate::data::work::{Rest, elements};
use crate::{StepError, World};

/// Counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SoftHead {
    /// Contacts that are there now.
    pub(crate) contacts: u64,
    /// Contacts that were found at the present positions; later ones were found within the step.
    pub(crate) found: u64,
    /// Have the arrays of the next state been exchanged with those of the state, so that they hold the last one?
    pub(crate) stepped: u64,
}

/// Words of the counts, which are last in the block.
pub(crate) const HEAD_WORDS: usize = ferrodyn_math::words_of::<SoftHead>(1);

/// A view of the state of all deformable bodies of a world.
#[derive(Debug)]
pub(crate) struct Soft<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) head: &'a mut SoftHead,
    pub(crate) x: &'a mut [Vec3],
    pub(crate) v: &'a mut [Vec3],
    /// Forces from outside.
    pub(crate) f: &'a mut [Vec3],
    /// The state after the step, once it was computed.
    pub(crate) next_x: &'a mut [Vec3],
    pub(crate) next_v: &'a mut [Vec3],
    pub(crate) flags: &'a mut [VertexFlags],
    /// Steps in which each body was slow.
    pub(crate) quiet: &'a mut [u32],
    /// What the bodies do to the degrees of freedom.
    pub(crate) qfrc: &'a mut [Real],
    /// Contacts, with room for more.
    pub(crate) contacts: &'a mut [DeformableContact],
    pub(crate) spare: Spare<'a>,
    /// Keep contacts and forces as they are, in the later stages of Runge-Kutta.
    pub(crate) hold: bool,
}

/// As many contacts as fit into a block.
fn contacts_of(words: &mut [u64]) -> &mut [DeformableContact] {
    let count = size_of_val(words) / size_of::<DeformableContact>();
    let bytes = bytemuck::must_cast_slice_mut::<u64, u8>(words);
    bytemuck::cast_slice_mut(&mut bytes[..count * size_of::<DeformableContact>()])
}

impl<'a> Soft<'a> {
    /// Cut the blocks up.
    pub(crate) fn new(
        scene: &'a Scene,
        state: &'a mut [u64],
        contacts: &'a mut [u64],
        spare: Spare<'a>,
    ) -> Soft<'a> {
        let count = scene.vertex_count();
        let mut rest = Rest(state);
        let mut vectors = || {
            let words = rest.words(ferrodyn_math::words_of::<Vec3>(count));
            elements::<Vec3>(words, count)
        };
        let [x, v, f, next_x, next_v] = [vectors(), vectors(), vectors(), vectors(), vectors()];
        let mut take = |n: usize| rest.words(n);
        let flags = elements(take(ferrodyn_math::words_of::<VertexFlags>(count)), count);
        let bodies = scene.bodies.len();
        let quiet = elements(take(ferrodyn_math::words_of::<u32>(bodies)), bodies);
        let qfrc = elements(take(ferrodyn_math::words_of::<Real>(scene.nv)), scene.nv);
        let head = &mut elements::<SoftHead>(take(ferrodyn_math::words_of::<SoftHead>(1)), 1)[0];
        let contacts = contacts_of(contacts);
        Soft {
            scene,
            head,
            x,
            v,
            f,
            next_x,
            next_v,
            flags,
            quiet,
            qfrc,
            contacts,
            spare,
            hold: false,
        }
    }

    /// The same view for a shorter time.
    pub(crate) fn reborrow(&mut self) -> Soft<'_> {
        Soft {
            scene: self.scene,
            head: self.head,
            x: self.x,
            v: self.v,
            f: self.f,
            next_x: self.next_x,
            next_v: self.next_v,
            flags: self.flags,
            quiet: self.quiet,
            qfrc: self.qfrc,
            contacts: self.contacts,
            spare: self.spare.reborrow(),
            hold: self.hold,
        }
    }

    /// Go on with the contacts that another view of the same world made room for.
    pub(crate) fn adopt(&mut self) {
        if let Some(block) = self.spare.adopt() {
            self.contacts = contacts_of(block);
        }
    }

    /// Append a contact; room for them doubles.
    pub(crate) fn push(&mut self, contact: DeformableContact) -> Result<(), StepError> {
        let count = self.head.contacts as usize;
        if count == self.contacts.len() {
            let words = (2 * count.max(FIRST_CONTACTS / 2) * size_of::<DeformableContact>()) / 8;
            let full = StepError::NoRoom { what: "contacts of deformable bodies", missing: 1 };
            let larger = contacts_of(self.spare.grow(words).ok_or(full)?);
            larger[..count].copy_from_slice(self.contacts);
            self.contacts = larger;
        }
        self.contacts[count] = contact;
        self.head.contacts = count as u64 + 1;
        Ok(())
    }
}

impl World<'_> {
    /// Positions, in m, and velocities, in m/s, of the vertices of all deformable bodies, one body after the other.
    pub fn deformable_coordinates(&self) -> [&[Vec3]; 2] {
        self.soft.as_ref().map_or([&[], &[]], |soft| [&*soft.x, &*soft.v])
    }
}

/// Room for contacts at first.
const FIRST_CONTACTS: usize = 256;
