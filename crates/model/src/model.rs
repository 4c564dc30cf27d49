//! The model struct, made from the tables.
use core::ops::Deref;

#[cfg(feature = "alloc")]
use bytemuck::Zeroable;
use ferrodyn_math::{Element, Mat3, Quat, Real, Vec3};

#[cfg(feature = "alloc")]
use crate::ArrayMut;
use crate::{
    ArrayInfo, ArrayRef, Borrowed, EnableBit, GeomType, Options, Owned, Rigid, SensorType, Solver,
    Statistic, Storage, Visual,
};

macro_rules! define_sizes {
    ($(($name:ident, $doc:literal))*) => {
        /// All sizes of a model, under MuJoCo's names.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct Sizes {
            $(#[doc = $doc] pub $name: usize,)*
            /// largest number of constraint rows asked for, -1 for no limit
            pub njmax: i64,
            /// largest number of contacts asked for, -1 for no limit
            pub nconmax: i64,
        }

        impl Default for Sizes {
            fn default() -> Sizes {
                Sizes { $($name: 0,)* njmax: -1, nconmax: -1 }
            }
        }

        impl Sizes {
            /// Number of array sizes in the table.
            pub const COUNT: usize = [$(stringify!($name)),*].len();

            /// Name, value and documentation of every array size, in the order of the table.
            pub fn all(&self) -> [(&'static str, usize, &'static str); Sizes::COUNT] {
                [$((stringify!($name), self.$name, $doc)),*]
            }

            /// Sizes from their values in the order of the table.
            pub fn from_values(values: &[usize; Sizes::COUNT]) -> Sizes {
                let mut values = values.iter().copied();
                let mut next = || values.next().unwrap_or(0);
                Sizes { $($name: next(),)* ..Sizes::default() }
            }
        }
    };
}

crate::model_sizes!(define_sizes);

macro_rules! define_model {
    ($(($name:ident, $t:ty, $rows:ident, $cols:tt, $doc:literal))*) => {
        /// A compiled model: immutable physics parameters shared by all worlds that simulate it.
        ///
        /// Arrays have MuJoCo's names and meaning. Sizes are reached as fields too (`model.nv`). Who owns the arrays is a
        /// parameter ([`Storage`]); a plain `Model` owns them.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct Model<S: Storage = Owned> {
            /// All sizes.
            pub sizes: Sizes,
            /// Physics options.
            pub opt: Options,
            /// Visual settings.
            pub vis: Visual,
            /// Statistics at `qpos0`.
            pub stat: Statistic,
            /// Hash of the structure that the model was compiled from.
            pub signature: u64,
            $(#[doc = $doc] pub $name: S::Array<$t>,)*
        }

        impl<S: Storage> Model<S> {
            /// Number of arrays in the table.
            pub const ARRAYS: usize = [$(stringify!($name)),*].len();

            /// The same model in borrowed arrays, each of which can be replaced by another one of the same length.
            ///
            /// ```
            /// use ferrodyn_model::{Model, Sizes};
            /// let model = Model::zeroed(Sizes { nbody: 2, ..Sizes::default() });
            /// let masses = [0.0, 7.5];
            /// let heavy = ferrodyn_model::ModelRef { body_mass: &masses, ..model.borrowed() };
            /// assert_eq!((model.body_mass[1], heavy.body_mass[1]), (0.0, 7.5));
            /// ```
            pub fn borrowed(&self) -> Model<Borrowed<'_>> {
                Model {
                    sizes: self.sizes.clone(),
                    opt: self.opt.clone(),
                    vis: self.vis.clone(),
                    stat: self.stat.clone(),
                    signature: self.signature,
                    $($name: &self.$name,)*
                }
            }

            /// The same model as one of rigid bodies alone; what it has beside them is `Err`.
            ///
            /// ```
            /// use ferrodyn_model::{Model, Sizes};
            /// let model = Model::zeroed(Sizes { nflex: 1, ..Sizes::default() });
            /// assert_eq!(model.rigid().unwrap_err(), "flexes");
            /// ```
            pub fn rigid(&self) -> Result<Model<Rigid<'_>>, &'static str> {
                self.borrowed().into_rigid()
            }

            /// Every array, in the order of the table.
            pub fn arrays(&self) -> [ArrayRef<'_>; ARRAYS] {
                [$(ArrayRef {
                    info: ArrayInfo::of::<$t>(
                        stringify!($name), $doc, self.sizes.$rows, crate::dynamic_cols!(self.sizes, $cols),
                    ),
                    bytes: bytemuck::cast_slice(&self.$name),
                }),*]
            }
        }

        /// Number of arrays in the table.
        const ARRAYS: usize = Model::<Borrowed<'static>>::ARRAYS;

        /// Position of each array in the table.
        #[allow(non_camel_case_types, reason = "MuJoCo's names")]
        enum Field { $($name,)* }

        impl<'a> Model<Borrowed<'a>> {
            /// This model as one of rigid bodies alone: see [`Model::rigid`].
            pub fn into_rigid(self) -> Result<Model<Rigid<'a>>, &'static str> {
                match self.beyond_rigid() {
                    Some(what) => Err(what),
                    None => Ok(Model {
                        sizes: self.sizes,
                        opt: self.opt,
                        vis: self.vis,
                        stat: self.stat,
                        signature: self.signature,
                        $($name: self.$name,)*
                    }),
                }
            }

            /// Put other elements in the place of an array, by its number in the table; `false` where there is no such array, or where these are not
            /// as many elements of its type.
            ///
            /// ```
            /// use ferrodyn_model::{Model, Sizes};
            /// let model = Model::zeroed(Sizes { nbody: 2, ..Sizes::default() });
            /// let field = model.arrays().iter().position(|a| a.info.name == "body_mass").unwrap();
            /// let masses: [ferrodyn_math::Real; 2] = [0.0, 7.5];
            /// let mut heavy = model.borrowed();
            /// assert!(heavy.replace_array(field, bytemuck::cast_slice(&masses)));
            /// assert_eq!(heavy.body_mass, masses);
            /// assert!(!heavy.replace_array(field, &[0; 3]));
            /// ```
            pub fn replace_array(&mut self, field: usize, bytes: &'a [u8]) -> bool {
                match field {
                    $(_ if field == Field::$name as usize => match bytemuck::try_cast_slice::<u8, $t>(bytes) {
                        Ok(elements) if elements.len() == self.$name.len() => self.$name = elements,
                        _ => return false,
                    },)*
                    _ => return false,
                }
                true
            }
        }

        impl<'a> Model<Borrowed<'a>> {
            /// A model whose arrays lie one after the other in memory, each from a multiple of eight bytes on; `None` where
            /// the memory is not aligned or has another length.
            pub(crate) fn in_memory(sizes: Sizes, bytes: &'a [u8]) -> Option<Model<Borrowed<'a>>> {
                let mut rest = bytes;
                let model = Model {
                    $($name: {
                        let columns = crate::dynamic_cols!(sizes, $cols).unwrap_or(1);
                        take_array::<$t>(&mut rest, sizes.$rows.checked_mul(columns)?)?
                    },)*
                    sizes,
                    opt: Options::default(),
                    vis: Visual::default(),
                    stat: Statistic::default(),
                    signature: 0,
                };
                rest.is_empty().then_some(model)
            }
        }

        #[cfg(feature = "alloc")]
        impl Model {
            /// A model of the given sizes in which every array is zero.
            pub fn zeroed(sizes: Sizes) -> Model {
                Model {
                    $($name: alloc::vec![
                        <$t>::zeroed();
                        sizes.$rows * crate::dynamic_cols!(sizes, $cols).unwrap_or(1)
                    ].into(),)*
                    sizes,
                    opt: Options::default(),
                    vis: Visual::default(),
                    stat: Statistic::default(),
                    signature: 0,
                }
            }

            /// Name, type and shape of every array of a model of the given sizes.
            pub fn layout(sizes: &Sizes) -> [ArrayInfo; ARRAYS] {
                [$(ArrayInfo::of::<$t>(
                    stringify!($name), $doc, sizes.$rows, crate::dynamic_cols!(sizes, $cols),
                )),*]
            }

            /// Every array mutably, in the order of the table.
            pub fn arrays_mut(&mut self) -> [ArrayMut<'_>; ARRAYS] {
                [$(ArrayMut {
                    info: ArrayInfo::of::<$t>(
                        stringify!($name), $doc, self.sizes.$rows, crate::dynamic_cols!(self.sizes, $cols),
                    ),
                    bytes: bytemuck::cast_slice_mut(&mut self.$name),
                }),*]
            }
        }

        impl ModelRef<'_> {
            /// A copy that owns its arrays.
            #[cfg(feature = "alloc")]
            pub fn to_owned(&self) -> Model {
                Model {
                    sizes: self.sizes.clone(),
                    opt: self.opt.clone(),
                    vis: self.vis.clone(),
                    stat: self.stat.clone(),
                    signature: self.signature,
                    $($name: self.$name.into(),)*
                }
            }
        }
    };
}

crate::model_fields!(define_model);

/// A model whose arrays belong to someone else: to a [`Model`], to the image of a file, or each to whom it may.
pub type ModelRef<'a> = Model<Borrowed<'a>>;

/// The number of some object, which is none in models of [`Rigid`] bodies.
macro_rules! deformable {
    ($($(#[$doc:meta])* $name:ident = $size:ident;)*) => {
        impl<S: Storage> Model<S> {$(
            $(#[$doc])*
            #[inline]
            pub fn $name(&self) -> usize {
                if S::RIGID { 0 } else { self.$size }
            }
        )*}
    };
}

deformable! {
    /// Number of flexes.
    flex_count = nflex;
    /// Number of edges of all flexes.
    flex_edge_count = nflexedge;
    /// Number of vertices of all flexes.
    flex_vertex_count = nflexvert;
    /// Number of hinges of flexes that bend by Bridson's law.
    flex_hinge_count = nflexhinge;
    /// Number of rest shapes of flexes with a Neo-Hookean material.
    flex_rest_count = nflexrest;
}

impl<S: Storage> Model<S> {
    /// Is this a model of rigid bodies alone by its type? Code for anything else can be left out then.
    #[inline]
    pub fn only_rigid(&self) -> bool {
        S::RIGID
    }

    /// What this model has that a model of rigid bodies has not, if anything.
    fn beyond_rigid(&self) -> Option<&'static str> {
        let has = |kind: GeomType| self.geom_type.contains(&(kind as i32));
        [
            (self.nflex > 0, "flexes"),
            (self.nsoft > 0, "deformable bodies"),
            (self.nplugin > 0, "plugins"),
            (has(GeomType::Sdf), "distance fields"),
            (self.opt.solver == Solver::Xpbd as i32, "position-based contacts"),
            (self.sensor_type.contains(&(SensorType::Tactile as i32)), "tactile sensors"),
            (self.opt.enabled(EnableBit::FwdInv), "the comparison with inverse dynamics"),
        ]
        .into_iter()
        .find_map(|(has, what)| has.then_some(what))
    }
}

/// Cut an array off the beginning of some memory, together with what fills its last eight bytes.
fn take_array<'a, T: Element>(rest: &mut &'a [u8], count: usize) -> Option<&'a [T]> {
    let length = count.checked_mul(size_of::<T>())?;
    let (bytes, tail) = rest.split_at_checked(length.checked_next_multiple_of(8)?)?;
    *rest = tail;
    bytemuck::try_cast_slice(&bytes[..length]).ok()
}

impl<S: Storage> Deref for Model<S> {
    type Target = Sizes;
    #[inline]
    fn deref(&self) -> &Sizes {
        &self.sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_follow_the_sizes() {
        let sizes = Sizes { nbody: 3, nuser_body: 2, nkey: 2, nmocap: 1, ..Sizes::default() };
        let model = Model::zeroed(sizes);
        let shape = |name: &str| {
            let a = model.arrays().into_iter().find(|a| a.info.name == name).unwrap();
            assert_eq!(a.bytes.len(), a.info.len() * a.info.kind.size());
            (a.info.rows, a.info.cols)
        };
        assert_eq!(shape("body_mass"), (3, None));
        assert_eq!(shape("body_pos"), (3, Some(3)));
        assert_eq!(shape("body_user"), (3, Some(2)));
        assert_eq!(shape("key_mpos"), (2, Some(3)));
        assert_eq!(shape("key_qpos"), (2, Some(0)));
    }

    #[test]
    fn sizes_round_trip_through_their_values() {
        let sizes = Sizes { nq: 7, nv: 6, nnames: 3, ..Sizes::default() };
        let values = sizes.all().map(|(_, v, _)| v);
        assert_eq!(Sizes::from_values(&values), sizes);
    }

    #[test]
    fn model_can_be_shared_between_threads() {
        fn check<T: Send + Sync + Clone>() {}
        check::<Model>();
    }
}
