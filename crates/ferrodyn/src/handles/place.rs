//! Where an object is: its number, and what the models and worlds look like in which that number means it.
use ferrodyn_model::ObjType;

use crate::{Data, ModelArrays};

/// The multiplier and the start of the hash FNV-1a.
const FNV: (u64, u64) = (0x0000_0100_0000_01b3, 0xcbf2_9ce4_8422_2325);

/// A fingerprint of where the values of every object lie in a world: sizes, structure, and the addresses that neither
/// of them fixes.
pub(crate) fn layout(m: &ModelArrays) -> u64 {
    let sizes = m.sizes.all().into_iter().map(|(_, size, _)| size as u64);
    let addresses = [&m.jnt_type, &m.sensor_adr, &m.actuator_actadr, &m.body_mocapid];
    let addresses = addresses.into_iter().flat_map(|array| array.iter().map(|&x| x as u64));
    std::iter::once(m.signature)
        .chain(sizes)
        .chain(addresses)
        .fold(FNV.1, |hash, word| (hash ^ word).wrapping_mul(FNV.0))
}

/// What a handle is for the functions that make them all.
pub(super) trait Handle: Copy {
    /// The kind of object.
    const KIND: ObjType;
    /// The kind in a word.
    const NOUN: &'static str;
    /// The handle of the object at a place, which the model has.
    fn make(m: &ModelArrays, place: Place) -> Self;
}

/// The number of an object, and fingerprints of the models and worlds that it holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    id: u32,
    signature: u64,
    layout: u64,
}

impl Place {
    /// The place of the first object of a model.
    pub(super) fn first(m: &ModelArrays) -> Place {
        Place { id: 0, signature: m.signature, layout: layout(m) }
    }

    /// The place of another object of the same model.
    pub(super) fn with_id(self, id: usize) -> Place {
        Place { id: id as u32, ..self }
    }

    /// The number of the object.
    #[inline]
    pub(super) fn id(self) -> usize {
        self.id as usize
    }

    /// Does the number mean this object in a model? The signature does not count everything, so the number is compared too.
    #[inline]
    pub(super) fn is_of<H: Handle>(self, m: &ModelArrays) -> bool {
        self.signature == m.signature && self.id() < m.count(H::KIND)
    }

    /// Do the values of the object lie in this world where the handle looks for them?
    #[inline]
    pub(super) fn is_in(self, data: &Data) -> bool {
        self.layout == data.layout()
    }

    /// The object's number, if this is its model.
    #[inline]
    #[track_caller]
    pub(super) fn of<H: Handle>(self, m: &ModelArrays) -> usize {
        if !self.is_of::<H>(m) {
            stranger::<H>(self, "model");
        }
        self.id()
    }

    /// The object's number, if this is a world of its model.
    #[inline]
    #[track_caller]
    pub(super) fn in_world<H: Handle>(self, data: &Data) -> usize {
        if !self.is_in(data) {
            stranger::<H>(self, "data");
        }
        self.id()
    }

    /// The handle of a related object, where the model has one: -1 stands for none.
    pub(super) fn relative<H: Handle>(self, m: &ModelArrays, id: i32) -> Option<H> {
        let id = usize::try_from(id).ok().filter(|&id| id < m.count(H::KIND))?;
        Some(H::make(m, self.with_id(id)))
    }

    /// The handles of `count` related objects in a row.
    pub(super) fn row<H: Handle>(
        self,
        m: &ModelArrays,
        first: i32,
        count: i32,
    ) -> impl Iterator<Item = H> {
        (0..count).filter_map(move |i| self.relative(m, first + i))
    }
}

/// Some values of a world that belong to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    start: u32,
    count: u32,
}

impl Span {
    /// `count` values from an address of a model on; none where the address is negative.
    pub(super) fn new(start: i32, count: i32) -> Span {
        let count = if start < 0 { 0 } else { count.max(0) };
        Span { start: start.max(0) as u32, count: count as u32 }
    }

    /// The values as a range.
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}

/// A handle was used with what it does not belong to.
#[cold]
#[track_caller]
fn stranger<H: Handle>(place: Place, what: &str) -> ! {
    panic!(
        "the handle of {} {} belongs to another model than this {what}: make handles again after a model is compiled",
        H::NOUN,
        place.id
    )
}
