//! The scalars and fixed-size arrays of a world.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Element, Real, ScalarKind};

/// How often a warning was raised, and by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct WarningStat {
    /// Index that the last warning concerns.
    pub lastinfo: i32,
    /// Number of warnings.
    pub number: i32,
}

/// Name, scalar type and number of scalars of a header field, and its bytes.
pub type HeaderField<'a> = (&'static str, ScalarKind, usize, &'a mut [u8]);

macro_rules! define_header {
    ($(($name:ident, $t:ty, $scalar:ty, $doc:literal))*) => {
        /// The scalars and fixed-size arrays of a world.
        #[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
        #[repr(C)]
        #[allow(non_snake_case, reason = "MuJoCo's names")]
        pub struct Header {
            $(#[doc = $doc] pub $name: $t,)*
        }

        impl Default for Header {
            fn default() -> Header {
                Header { $($name: Zeroable::zeroed(),)* }
            }
        }

        impl Header {
            /// Number of fields.
            pub const COUNT: usize = [$(stringify!($name)),*].len();

            /// Name, scalar type, number of scalars and first byte of every field.
            pub const FIELDS: [(&'static str, ScalarKind, usize, usize); Header::COUNT] = [$((
                stringify!($name),
                <$scalar as Element>::KIND,
                size_of::<$t>() / size_of::<$scalar>(),
                core::mem::offset_of!(Header, $name),
            )),*];

            /// Every field as bytes.
            pub fn fields_mut(&mut self) -> [HeaderField<'_>; Header::COUNT] {
                [$((
                    stringify!($name),
                    <$scalar as Element>::KIND,
                    size_of::<$t>() / size_of::<$scalar>(),
                    bytemuck::bytes_of_mut(&mut self.$name),
                )),*]
            }
        }
    };
}

define_header! {
    (time, Real, Real, "simulation time in seconds")
    (energy, [Real; 2], Real, "potential and kinetic energy, in J")
    (warning, [WarningStat; 8], i32, "warnings by kind (`Warning`), of which there are 8")
    (solver_niter, [i32; 20], i32, "number of solver iterations of each of the first 20 islands (`mjNISLAND`)")
    (solver_nnz, [i32; 20], i32, "number of non-zeros of the solver's matrix, of each of the first 20 islands")
    (solver_fwdinv, [Real; 2], Real, "forward-inverse comparison: norms of the differences of constraint forces and of applied forces")
    (ncon, i32, i32, "number of contacts")
    (ne, i32, i32, "number of equality rows")
    (nf, i32, i32, "number of friction rows")
    (nl, i32, i32, "number of limit rows")
    (nefc, i32, i32, "number of constraint rows")
    (nJ, i32, i32, "number of entries of the constraint Jacobian")
    (nA, i32, i32, "number of entries of the projected inverse inertia")
    (nisland, i32, i32, "number of islands")
    (nidof, i32, i32, "number of degrees of freedom in islands")
    (ntree_awake, i32, i32, "number of awake trees")
    (nbody_awake, i32, i32, "number of static and awake bodies")
    (nparent_awake, i32, i32, "number of bodies whose parent is static or awake")
    (nv_awake, i32, i32, "number of awake degrees of freedom")
    (flg_energypos, u8, u8, "is the potential energy up to date")
    (flg_energyvel, u8, u8, "is the kinetic energy up to date")
    (flg_subtreevel, u8, u8, "are the subtree velocities up to date")
    (flg_rnepost, u8, u8, "are `cacc`, `cfrc_int` and `cfrc_ext` up to date")
}

#[cfg(feature = "alloc")]
impl Header {
    /// There are no contacts and rows.
    pub(crate) fn forget_contacts(&mut self) {
        (self.ncon, self.ne, self.nf, self.nl, self.nefc) = (0, 0, 0, 0, 0);
        (self.nJ, self.nA, self.nisland, self.nidof) = (0, 0, 0, 0);
    }

    /// Take over what another header says of contacts, rows, solvers, and which results are up to date.
    pub(crate) fn take_results(&mut self, other: &Header) {
        *self = Header {
            time: self.time,
            energy: self.energy,
            warning: self.warning,
            ntree_awake: self.ntree_awake,
            nbody_awake: self.nbody_awake,
            nparent_awake: self.nparent_awake,
            nv_awake: self.nv_awake,
            ..*other
        };
    }
}
