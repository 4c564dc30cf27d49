//! The memory of a world: where its arrays lie in a block, and the view of them that stages work on.
use bytemuck::{Pod, Zeroable};
use ferrodyn_collision::{End, Separation};
use ferrodyn_math::{Inertia10, Mat3, Quat, Real, Spatial, Stack, Vec3, words_of};
use ferrodyn_model::{Sizes, dynamic_cols};

use crate::contact::{most_marks, separation_slots};
use crate::data::growing::Spare;
use crate::data::header::Header;
use crate::data::lane::{Lane, laned};
use crate::data::scratch::Scratch;
use crate::data::work::{Rest, SolverStat, Work, WorkSizes, elements};
use crate::divergence::DivergencePolicy;
use crate::plugin::Plugins;

/// What a world keeps from step to step that is no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Kept {
    /// How much the workspace has room for.
    pub(crate) room: WorkSizes,
    /// Room for pairs of bodies that may touch. There is no good bound, so that a step that finds more makes room for them.
    pub(crate) pairs: usize,
    /// How many ends of extents the last sweep of the broadphase had.
    pub(crate) swept: usize,
    /// The axis that it went along.
    pub(crate) sweep_axis: usize,
    /// How many nodes of trees are marked, or [`ANY_MARKED`](crate::contact::ANY_MARKED).
    pub(crate) marked: usize,
    /// Does anybody look at these marks? Otherwise collision detection leaves none.
    pub(crate) watched: usize,
    /// Does anybody look at arrays in island order? Otherwise those of an island of everything are not filled.
    pub(crate) islands_watched: usize,
    /// Did collision detection run since the last reset?
    pub(crate) searched: usize,
}

/// Words of eight bytes before the arrays: what is kept, and the header.
pub(crate) const FIRST: usize = words_of::<Kept>(1) + words_of::<Header>(1);

/// How many elements has what collision detection remembers from step to step.
struct Searches {
    ends: usize,
    marks: usize,
    separations: usize,
}

impl Searches {
    fn of(sizes: &Sizes) -> Searches {
        Searches {
            // two for each body and flex
            ends: 2 * (sizes.nbody + sizes.nflex),
            marks: most_marks(sizes),
            separations: separation_slots(sizes),
        }
    }
}

/// Where each array lies in the block of a world, in words of eight bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub(crate) sizes: Sizes,
    /// First word of each array, and the end of the last one.
    pub(crate) start: [usize; FIELDS + 1],
    /// Words of the temporary arrays of fixed sizes.
    pub(crate) scratch: usize,
}

/// The blocks of a world, and what its view needs beside them.
pub(crate) struct Blocks<'a> {
    /// What [`Layout::split`] cuts up.
    pub(crate) core: &'a mut [u64],
    pub(crate) work: &'a mut [u64],
    pub(crate) work_spare: Spare<'a>,
    pub(crate) stack: &'a mut [u64],
    pub(crate) stack_spare: Spare<'a>,
    pub(crate) plugins: &'a Plugins,
    pub(crate) policy: DivergencePolicy,
    /// The state of deformable bodies, if there are any.
    #[cfg(feature = "deformable")]
    pub(crate) soft: Option<crate::soft::Soft<'a>>,
}

macro_rules! define_world {
    ($(($name:ident, $t:tt, $rows:ident, $cols:tt, $doc:literal))*) => {
        /// Number of arrays.
        pub(crate) const FIELDS: usize = [$(stringify!($name)),*].len();

        /// Position of each array in the table.
        #[allow(non_camel_case_types, reason = "MuJoCo's names")]
        pub(crate) enum Field { $($name,)* }

        impl Layout {
            pub(crate) fn new(sizes: &Sizes) -> Layout {
                let words = [$(words_of::<$t>(
                    sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1),
                )),*];
                let mut start = [FIRST; FIELDS + 1];
                for i in 0..FIELDS {
                    start[i + 1] = start[i] + words[i];
                }
                Layout { sizes: sizes.clone(), start, scratch: Scratch::words(sizes) }
            }

            /// Words of eight bytes of a world without its workspace.
            pub(crate) fn words(&self) -> usize {
                let Searches { ends, marks, separations } = Searches::of(&self.sizes);
                self.start[FIELDS]
                    + words_of::<End>(ends)
                    + words_of::<u32>(marks)
                    + words_of::<Separation>(separations)
            }

            /// What the world in a block has kept.
            pub(crate) fn kept<'a>(&self, core: &'a [u64]) -> &'a Kept {
                let bytes = bytemuck::must_cast_slice::<u64, u8>(core);
                bytemuck::from_bytes(&bytes[..size_of::<Kept>()])
            }

            /// A view of the world that lies in some blocks.
            pub(crate) fn view<'a>(&'a self, blocks: Blocks<'a>) -> World<'a> {
                let sizes = &self.sizes;
                let mut rest = Rest(blocks.core);
                let kept = &mut rest.take::<Kept>(1)[0];
                let head = &mut rest.take::<Header>(1)[0];
                $(
                    let field = Field::$name as usize;
                    let words = rest.words(self.start[field + 1] - self.start[field]);
                    let $name = elements::<$t>(
                        words, sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1),
                    );
                )*
                let (scratch, stack) = blocks.stack.split_at_mut(self.scratch);
                let searches = Searches::of(sizes);
                World {
                    head,
                    work: Work::split(blocks.work, sizes, &kept.room),
                    kept,
                    ends: rest.take(searches.ends),
                    marked: rest.take(searches.marks),
                    separations: rest.take(searches.separations),
                    sizes,
                    work_spare: blocks.work_spare,
                    scratch: Scratch::split(scratch, sizes),
                    stack: Stack::new(stack),
                    stack_spare: blocks.stack_spare,
                    plugins: blocks.plugins,
                    policy: blocks.policy,
                    #[cfg(feature = "deformable")]
                    soft: blocks.soft,
                    $($name,)*
                }
            }
        }

        /// A mutable view of one world: every array as a slice, under MuJoCo's name.
        ///
        /// A stage that needs an array while the rest of the world is borrowed takes it out (an empty slice stays) and
        /// puts it back before it returns: `let x = core::mem::take(&mut d.x); ...; d.x = x`. No `?` may stand between,
        /// or the array is lost.
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        ///
        /// The arrays of a world alone have [`Real`] numbers. Stages that are written for any [`Lane`] also take a view of several worlds
        /// [abreast](crate::lanes), whose arrays have a number of each; only these arrays and temporary memory are theirs, and whatever lies
        /// in integers is the same for all of them.
        pub struct World<'a, T = Real> {
            /// Scalars and fixed-size arrays.
            pub head: &'a mut Header,
            /// Contacts, constraint rows and islands.
            pub work: Work<'a>,
            pub(crate) kept: &'a mut Kept,
            /// Both ends of all extents, in the order of the last sweep of the broadphase: that of the next one is
            /// nearly the same, and to keep it is much quicker than to sort anew.
            pub(crate) ends: &'a mut [End],
            /// Nodes that have a mark in `bvh_active`, as many as are kept.
            pub(crate) marked: &'a mut [u32],
            /// What separated pairs of convex shapes in the last step.
            pub(crate) separations: &'a mut [Separation],
            pub(crate) sizes: &'a Sizes,
            pub(crate) work_spare: Spare<'a>,
            pub(crate) scratch: Scratch<'a, T>,
            pub(crate) stack: Stack<'a>,
            pub(crate) stack_spare: Spare<'a>,
            pub(crate) plugins: &'a Plugins,
            pub(crate) policy: DivergencePolicy,
            /// Deformable bodies, if there are any.
            #[cfg(feature = "deformable")]
            pub(crate) soft: Option<crate::soft::Soft<'a>>,
            $(#[doc = $doc] pub $name: &'a mut [laned!(T, $t)],)*
        }

        impl<T: Lane> core::fmt::Debug for World<'_, T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("World")
                    .field("head", &self.head)
                    .field("work", &self.work)
                    $(.field(stringify!($name), &self.$name))*
                    .finish_non_exhaustive()
            }
        }

        impl World<'_> {
            /// The elements of an array, by its number in the table ([`Layout::info`](crate::data::Layout::info)).
            pub fn array_bytes(&self, field: usize) -> &[u8] {
                match field {
                    $(_ if field == Field::$name as usize => bytemuck::must_cast_slice(self.$name),)*
                    _ => &[],
                }
            }

            /// The same view for a shorter time.
            pub(crate) fn reborrow(&mut self) -> World<'_> {
                World {
                    head: self.head,
                    work: self.work.reborrow(),
                    kept: self.kept,
                    ends: self.ends,
                    marked: self.marked,
                    separations: self.separations,
                    sizes: self.sizes,
                    work_spare: self.work_spare.reborrow(),
                    scratch: self.scratch.reborrow(),
                    stack: self.stack.scope(),
                    stack_spare: self.stack_spare.reborrow(),
                    plugins: self.plugins,
                    policy: self.policy,
                    #[cfg(feature = "deformable")]
                    soft: self.soft.as_mut().map(crate::soft::Soft::reborrow),
                    $($name: self.$name,)*
                }
            }

            /// Set every array and scalar to zero.
            pub(crate) fn clear(&mut self) {
                $(self.$name.fill(<$t>::zeroed());)*
                (self.kept.marked, self.kept.searched) = (0, 0);
                *self.head = Header::default();
                self.work.solver.fill(SolverStat::default());
            }
        }
    };
}

ferrodyn_model::data_fields!(define_world);

impl World<'_> {
    /// What a step does when this world diverges.
    pub fn set_divergence_policy(&mut self, policy: DivergencePolicy) {
        self.policy = policy;
    }
}

/// Whether worlds of these sizes have the same arrays. The number of compensated bodies, which derived constants can change,
/// decides on none of them.
pub(crate) fn fits(own: &Sizes, other: &Sizes) -> bool {
    own == other || Sizes { ngravcomp: other.ngravcomp, ..own.clone() } == *other
}
