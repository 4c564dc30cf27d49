"""Worlds on a GPU: what is there without one, and, where there is one, the same bits and no copies."""

import ctypes
import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

import ferrodyn as mujoco
from ferrodyn import _native, gpu
from ferrodyn.batch import REAL, BatchSim

ROOT = Path(__file__).parents[3]
HUMANOID = ROOT / "benches/models/humanoid.xml"
CONFORMANCE = ROOT / "conformance/models"

PENDULUM = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody>
  <actuator><motor joint="hinge" gear="100"/></actuator></mujoco>"""

has_gpu = gpu.available()
needs_gpu = pytest.mark.skipif(not has_gpu, reason="no GPU")
without_gpu = pytest.mark.skipif(bool(has_gpu), reason="there is a GPU")
double = pytest.mark.skipif(REAL.itemsize != 8, reason="single precision")


def model_of(path):
    return mujoco.MjModel.from_xml_path(str(path))


# ---- what holds everywhere


def test_whether_there_is_a_gpu_is_said_with_a_reason():
    found = gpu.available()
    assert found.available is bool(found)
    assert isinstance(found.reason, str) and found.reason
    if not found:
        assert "GPU" in found.reason or "compute capability" in found.reason


@double
@without_gpu
def test_without_a_gpu_a_batch_says_what_is_missing():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    with pytest.raises(RuntimeError, match="there is no GPU to use: .+|compute capability"):
        gpu.Batch(model, 2)
    with pytest.warns(UserWarning) as told:
        gpu.auto(model, 2)
    assert str(told[0].message) == f"the batch is on the processor: {gpu.available().reason}"
    assert told[0].filename == __file__


@double
@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("flex_grid", "flexes"),
        ("pid", "plugins"),
        ("sdf_mesh", "distance fields"),
        ("kinds/sensor_tactile", "tactile sensors"),
        ("sleep_stacks", "sleeping trees"),
    ],
)
def test_what_a_gpu_leaves_out_is_refused_by_name(path, what):
    model = model_of(CONFORMANCE / f"{path}.xml")
    with pytest.raises(ValueError, match=f"^{what}: not on a GPU$"):
        gpu.Batch(model, 2)
    with pytest.warns(UserWarning, match=f"on the processor: {what}: not on a GPU"):
        batch = gpu.auto(model, 2)
    assert isinstance(batch, BatchSim)


@pytest.mark.skipif(REAL.itemsize == 8, reason="double precision")
def test_single_precision_is_refused_by_name():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    with pytest.raises(ValueError, match="single precision: not on a GPU"):
        gpu.Batch(model, 2)
    assert gpu.available() == (False, "single precision: not on a GPU")


def test_a_batch_on_the_processor_steps_with_its_bits():
    model = model_of(CONFORMANCE / "sleep_stacks.xml")
    with pytest.warns(UserWarning):
        batch = gpu.auto(model, 3, frame_skip=2)
    processor = BatchSim(model, 3, frame_skip=2)
    controls = np.linspace(-1, 1, 3 * model.nu).reshape(3, model.nu)
    for _ in range(20):
        assert np.array_equal(batch.step(controls), processor.step(controls))


def test_options_reach_the_batch_that_auto_makes():
    model = model_of(CONFORMANCE / "keyframes.xml")
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    with pytest.warns(UserWarning):
        batch = gpu.auto(model, 2, keyframe=0)
    assert np.array_equal(batch.qpos[0], model.key_qpos[0])


def test_bad_numbers_of_worlds_are_refused():
    with pytest.raises(ValueError, match="cannot have -1 worlds"):
        gpu.Batch(mujoco.MjModel.from_xml_string(PENDULUM), -1)


# ---- exports of memory: nothing looks at it, so an address is enough


class Owner:
    """Whose memory an array is."""

    stream = 4711

    def __init__(self):
        self.waits = 0

    def synchronize(self):
        self.waits += 1


ADDRESS = 0x7F0000001000


def array_of(owner, shape=(5, 4, 3), strides=(1000, 24, 8), dtype="float64"):
    return gpu.DeviceArray(owner, (ADDRESS, list(shape), list(strides), dtype))


class Tensor(ctypes.Structure):
    """A DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("index", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ]


_API = ctypes.pythonapi
_API.PyCapsule_GetPointer.restype = ctypes.c_void_p
_API.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_API.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_TAKEN = b"used_dltensor"


def tensor_in(capsule):
    return ctypes.cast(_API.PyCapsule_GetPointer(capsule, b"dltensor"), ctypes.POINTER(Tensor))


def test_cuda_array_interface():
    told = array_of(Owner()).__cuda_array_interface__
    assert told == {
        "version": 3,
        "shape": (5, 4, 3),
        "strides": (1000, 24, 8),
        "typestr": "<f8",
        "data": (ADDRESS, False),
        "stream": 4711,
    }


def test_dlpack_describes_the_memory():
    array = array_of(Owner())
    assert array.__dlpack_device__() == (2, 0)
    capsule = array.__dlpack__()
    tensor = tensor_in(capsule).contents
    assert (tensor.data, tensor.device, tensor.index) == (ADDRESS, 2, 0)
    assert (tensor.code, tensor.bits, tensor.lanes) == (2, 64, 1)
    assert tensor.shape[: tensor.dimensions] == [5, 4, 3]
    assert tensor.strides[: tensor.dimensions] == [125, 3, 1], "in elements"
    assert tensor.offset == 0


@pytest.mark.parametrize(
    ("dtype", "typestr", "code", "bits"),
    [
        ("float64", "<f8", 2, 64),
        ("float32", "<f4", 2, 32),
        ("int32", "<i4", 0, 32),
        ("int64", "<i8", 0, 64),
        ("uint64", "<u8", 1, 64),
        ("uint8", "|u1", 1, 8),
    ],
)
def test_types_of_numbers(dtype, typestr, code, bits):
    size = bits // 8
    array = array_of(Owner(), (5, 4), (1000, size), dtype)
    assert array.__cuda_array_interface__["typestr"] == typestr
    capsule = array.__dlpack__()
    tensor = tensor_in(capsule).contents
    assert (tensor.code, tensor.bits) == (code, bits)
    assert tensor.strides[:2] == [1000 // size, 1]


def test_empty_arrays_are_nowhere():
    array = array_of(Owner(), (5, 0), (1000, 8))
    assert array.__cuda_array_interface__["data"] == (0, False)
    capsule = array.__dlpack__()
    assert tensor_in(capsule).contents.data is None


def test_a_capsule_that_nobody_takes_gives_back_the_owner():
    owner = Owner()
    gone = weakref.ref(owner)
    capsule = array_of(owner).__dlpack__()
    del owner
    gc.collect()
    assert gone() is not None, "the capsule keeps it"
    del capsule
    gc.collect()
    assert gone() is None


def test_a_tensor_that_is_taken_keeps_the_owner_until_it_is_deleted():
    owner = Owner()
    gone = weakref.ref(owner)
    capsule = array_of(owner).__dlpack__()
    tensor = tensor_in(capsule)
    # as libraries do: the capsule gets another name, and is gone
    assert _API.PyCapsule_SetName(capsule, _TAKEN) == 0
    del owner, capsule
    gc.collect()
    assert gone() is not None
    assert tensor.contents.shape[:3] == [5, 4, 3], "what it points to is there"
    tensor.contents.deleter(ctypes.addressof(tensor.contents))
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("stream", "waits"), [(None, 1), (1, 1), (2, 1), (77, 1), (-1, 0), (Owner.stream, 0)]
)
def test_steps_are_waited_for_unless_the_stream_is_their_own(stream, waits):
    owner = Owner()
    array_of(owner).__dlpack__(stream=stream)
    assert owner.waits == waits


def test_what_the_protocol_excludes_is_refused():
    owner = Owner()
    array = array_of(owner)
    with pytest.raises(ValueError, match="stream 0"):
        array.__dlpack__(stream=0)
    with pytest.raises(BufferError, match="not copied"):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"not on \(1, 0\)"):
        array.__dlpack__(dl_device=(1, 0))
    assert owner.waits == 0
    array.__dlpack__(max_version=(1, 0), dl_device=(2, 0), copy=False)
    with pytest.raises(ValueError, match="2 extents have 1 strides"):
        _native.dlpack_capsule(owner, ADDRESS, [2, 3], [3], "float64")
    with pytest.raises(ValueError, match="no type complex64"):
        _native.dlpack_capsule(owner, ADDRESS, [2], [1], "complex64")


def test_arrays_on_a_gpu_say_what_they_are():
    assert repr(array_of(Owner())) == "<DeviceArray (5, 4, 3) float64 on the GPU>"


# ---- where there is a GPU


@pytest.fixture(scope="module")
def humanoid():
    return model_of(HUMANOID)


def initial_states(model, n):
    rng = np.random.default_rng(3)
    velocities = 0.3 * rng.standard_normal((n, model.nv))
    return np.hstack([np.tile(model.qpos0, (n, 1)), velocities])


def both(model, n, **options):
    """A batch on the GPU and one on the processor."""
    pair = gpu.auto(model, n, **options), BatchSim(model, n, **options)
    assert isinstance(pair[0], gpu.Batch)
    return pair


@needs_gpu
def test_a_gpu_has_the_bits_of_the_processor(humanoid):
    n, rng = 64, np.random.default_rng(0)
    batch, processor = both(humanoid, n, frame_skip=2)
    states = initial_states(humanoid, n)
    assert np.array_equal(batch.reset(states=states), processor.reset(states=states))
    for _ in range(100):
        controls = rng.uniform(-1, 1, (n, humanoid.nu))
        assert np.array_equal(batch.step(controls), processor.step(controls))
        assert not batch.failed.any() and not batch.errors
    mask = np.arange(n) % 3 == 0
    assert np.array_equal(batch.reset(mask), processor.reset(mask))
    assert np.array_equal(batch.step(controls), processor.step(controls))


@needs_gpu
def test_steps_on_the_gpu_are_those_of_the_processor(humanoid):
    batch, processor = both(humanoid, 8)
    controls = np.full((8, humanoid.nu), 0.2)
    batch.step(controls)
    processor.step(controls)
    batch.step_on_device(30)
    batch.synchronize()
    for _ in range(30):
        processor.step()
    assert not np.array_equal(batch.states, processor.states), "not brought here yet"
    assert np.array_equal(batch.collect(), processor.states)


@needs_gpu
def test_a_world_that_fails_on_a_gpu_is_told_and_reset():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    batch, processor = both(model, 3)
    for controls in ([[0.1], [9e9], [0.2]], [[0.1]] * 3, [[0.3]] * 3):
        assert np.array_equal(batch.step(controls), processor.step(controls))
        assert np.array_equal(batch.failed, processor.failed)
        assert batch.errors == processor.errors
    assert not batch.failed.any()


@needs_gpu
def test_worlds_that_failed_step_on_the_gpu_again_after_a_reset():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    controls = [[0.1], [9e9], [0.2]]
    batch = gpu.Batch(model, 3)
    batch.step(controls)
    batch.step_on_device(5)
    batch.collect()
    assert list(batch.errors) == [1] and "diverged" in batch.errors[1]
    # those that a step brought back go on as well as those that a call did
    batch.step(np.full((3, 1), 0.1))
    back = batch.states.copy()
    batch.step_on_device(5)
    assert (batch.collect() != back).any(axis=1).all() and not batch.errors
    batch.step(controls)
    batch.reset([False, True, False])
    assert not batch.errors
    back = batch.states.copy()
    batch.controls[:] = 0.1
    batch.step()
    batch.step_on_device(5)
    assert (batch.collect() != back).any(axis=1).all()


@needs_gpu
def test_keyframes_and_no_worlds_on_a_gpu():
    model = model_of(CONFORMANCE / "keyframes.xml")
    assert np.array_equal(gpu.Batch(model, 2, keyframe=0).qpos[0], model.key_qpos[0])
    with pytest.raises(IndexError, match="there is no keyframe 99"):
        gpu.Batch(model, 2, keyframe=99)
    assert gpu.Batch(model, 0).step().shape == (0, model.nq + model.nv)


@needs_gpu
def test_what_is_wrong_is_said_on_a_gpu(humanoid):
    batch = gpu.Batch(humanoid, 3)
    with pytest.raises(ValueError, match="the mask: 2 elements were given, and 3 are needed"):
        batch.reset(np.ones(2, bool))
    with pytest.raises(ValueError, match="elements of type bool"):
        batch.reset(np.ones(3))
    with pytest.raises(ValueError, match="initial states: 4 elements were given"):
        batch.reset(states=np.ones((2, 2)))
    with pytest.raises(KeyError, match="no array `nothing`"):
        batch.array("nothing")
    with pytest.raises(ValueError, match="number of steps"):
        gpu.Batch(humanoid, 1, frame_skip=0)


@needs_gpu
def test_arrays_of_a_gpu_have_the_shapes_of_a_world(humanoid):
    batch, data = gpu.Batch(humanoid, 3), mujoco.MjData(humanoid)
    for name in ("qpos", "ctrl", "xpos", "xmat", "body_awake", "cvel", "sensordata"):
        own = getattr(data, name)
        array = batch.array(name)
        assert (array.shape, array.dtype) == ((3, *own.shape), own.dtype), name
        assert array.strides[1:] == own.strides, name
    assert batch.stream > 2 and batch.device


@needs_gpu
def test_torch_shares_the_memory(humanoid):
    torch = pytest.importorskip("torch")
    batch, processor = both(humanoid, 16)
    qpos, ctrl, awake = (torch.from_dlpack(batch.array(n)) for n in ("qpos", "ctrl", "body_awake"))
    assert qpos.data_ptr() == batch.array("qpos").__cuda_array_interface__["data"][0]
    assert awake.dtype == torch.int32
    batch.step()
    processor.step()
    assert np.array_equal(qpos.cpu().numpy(), processor.qpos)
    with torch.cuda.stream(torch.cuda.ExternalStream(batch.stream)):
        for _ in range(10):
            ctrl.copy_(0.1 * qpos[:, 7 : 7 + humanoid.nu])
            batch.step_on_device(3)
    for _ in range(10):
        processor.controls[:] = 0.1 * processor.qpos[:, 7 : 7 + humanoid.nu]
        for _ in range(3):
            processor.step()
    assert np.array_equal(batch.collect(), processor.states)
    assert np.array_equal(qpos.cpu().numpy(), processor.qpos)


@needs_gpu
def test_torch_keeps_the_batch(humanoid):
    torch = pytest.importorskip("torch")
    batch = gpu.Batch(humanoid, 4)
    batch.step()
    expected, qpos = batch.qpos.copy(), torch.from_dlpack(batch.array("qpos"))
    del batch
    gc.collect()
    assert np.array_equal(qpos.cpu().numpy(), expected)


@needs_gpu
@pytest.mark.parametrize("way", ["asarray", "from_dlpack"])
def test_cupy_shares_the_memory(humanoid, way):
    cupy = pytest.importorskip("cupy")
    batch = gpu.Batch(humanoid, 4)
    qpos = getattr(cupy, way)(batch.array("qpos"))
    batch.step()
    assert np.array_equal(cupy.asnumpy(qpos), batch.qpos)
    qpos[2, 0] = 0.25
    cupy.cuda.get_current_stream().synchronize()
    assert batch.collect()[2, 0] == 0.25
