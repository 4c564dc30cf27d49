//! Arrays of all worlds, as other programs on the GPU see them.
use ferrodyn_math::{Element, Real};
use ferrodyn_model::ArrayInfo;

/// An array of all worlds in memory of the GPU: element `j` of world `i` lies at `address + i * stride + j * size_of(element)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceArray {
    /// Address of the first element.
    pub address: u64,
    /// Bytes from one world to the next.
    pub stride: usize,
    /// How many worlds there are.
    pub worlds: usize,
    /// Name, type and shape of the array in one world.
    pub info: ArrayInfo,
}

impl DeviceArray {
    /// Extents: worlds, rows, and columns where the array has some.
    ///
    /// ```
    /// use ferrodyn_gpu::DeviceArray;
    /// use ferrodyn_math::{Real, Vec3};
    /// use ferrodyn_model::ArrayInfo;
    /// let xpos = ArrayInfo::of::<Vec3<Real>>("xpos", "", 4, None);
    /// let array = DeviceArray { address: 4096, stride: 1000, worlds: 10, info: xpos };
    /// assert_eq!(array.shape(), [10, 4, 3]);
    /// assert_eq!(array.byte_strides(), [1000, 3 * size_of::<Real>(), size_of::<Real>()]);
    /// ```
    pub fn shape(&self) -> Vec<usize> {
        [self.worlds, self.info.rows].into_iter().chain(self.info.cols).collect()
    }

    /// Bytes from one element to the next along each of the extents.
    pub fn byte_strides(&self) -> Vec<usize> {
        let size = self.info.kind.size();
        let inner = match self.info.cols {
            Some(cols) => vec![cols * size, size],
            None => vec![size],
        };
        [self.stride].into_iter().chain(inner).collect()
    }
}

/// Does an array hold floating-point numbers of the precision of worlds?
pub(crate) fn is_of_reals(info: &ArrayInfo) -> bool {
    info.kind == <Real as Element>::KIND
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrodyn_dynamics::data::{Capacity, FixedLayout};
    use ferrodyn_math::ScalarKind;

    /// An array of three worlds of a model, at some address.
    fn array(model: &ferrodyn::Model, name: &str) -> DeviceArray {
        let layout = FixedLayout::new(&**model, Capacity::new(model, 4, 16));
        let (start, info) = layout.place(name).expect(name);
        DeviceArray {
            address: (1 << 40) + 8 * start as u64,
            stride: 8 * layout.words(),
            worlds: 3,
            info,
        }
    }

    fn humanoid() -> ferrodyn::Model {
        ferrodyn_testing::benchmark_model("humanoid")
    }

    #[test]
    fn vectors_matrices_and_integers_have_their_shapes() {
        let model = humanoid();
        let (nq, nbody) = (model.nq, model.nbody);
        assert_eq!(array(&model, "qpos").shape(), [3, nq]);
        assert_eq!(array(&model, "xpos").shape(), [3, nbody, 3]);
        assert_eq!(array(&model, "xmat").shape(), [3, nbody, 9]);
        let awake = array(&model, "body_awake");
        assert_eq!((awake.shape(), awake.info.kind), (vec![3, nbody], ScalarKind::I32));
        assert!(!is_of_reals(&awake.info) && is_of_reals(&array(&model, "qpos").info));
    }

    #[test]
    fn strides_lead_to_the_elements_of_every_world() {
        let model = humanoid();
        for name in ["qpos", "xmat", "body_awake", "cvel"] {
            let array = array(&model, name);
            let (shape, strides) = (array.shape(), array.byte_strides());
            let size = array.info.kind.size();
            assert_eq!(strides[0], array.stride, "{name}");
            assert_eq!(strides.last(), Some(&size), "{name}");
            // within a world, one element follows the other, and a world is longer than its array
            assert_eq!(shape[1] * strides[1], array.info.len() * size, "{name}");
            assert!(shape[1] * strides[1] <= array.stride, "{name}");
            assert!(array.address.is_multiple_of(size as u64));
            assert!(strides.iter().all(|stride| stride.is_multiple_of(size)));
        }
    }
}
