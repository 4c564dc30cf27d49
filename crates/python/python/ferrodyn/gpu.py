"""Many worlds of one model, stepped together on an NVIDIA GPU, with the bits of :class:`ferrodyn.batch.BatchSim`.

::

    import torch
    from ferrodyn import gpu

    batch = gpu.Batch(model, 8192)
    qpos, ctrl = (torch.from_dlpack(batch.array(name)) for name in ("qpos", "ctrl"))
    stream = torch.cuda.ExternalStream(batch.stream)
    with torch.cuda.stream(stream):              # in one order with the steps, nobody waits
        for _ in range(1000):
            ctrl.copy_(policy(qpos))
            batch.step_on_device(5)
    batch.collect()                              # states and errors, as numpy arrays

Where there is no GPU, :func:`available` says why, :class:`Batch` raises ``RuntimeError``, and :func:`auto` makes a batch on the
processor. What a GPU leaves out is in ``docs/gpu.md``; such models are a ``ValueError``, which names it.
"""

import operator
import warnings
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from .batch import REAL, BatchSim, _marks

__all__ = ["Availability", "Batch", "DeviceArray", "auto", "available"]

# what DLPack calls the first GPU: its kind of device (kDLCUDA), and its number
_DEVICE = (2, 0)


class Availability(NamedTuple):
    """Whether worlds can be stepped on a GPU. It counts as true or false by itself."""

    available: bool
    reason: str
    """Name of the GPU, or why there is none to use."""

    def __bool__(self) -> bool:
        return self.available


def available() -> Availability:
    """Whether there is a GPU that can step worlds, and its name or what is missing."""
    return Availability(*_native.gpu_available())


class DeviceArray:
    """An array of all worlds in memory of the GPU, a row for each world: for ``torch.from_dlpack``, ``cupy.asarray`` and their like.

    It is the memory of the batch and no copy: steps change it, and what is written to it the next step sees. Rows do not follow each other
    closely, since each world lies in a block of its own. The batch lives as long as the array and all that was made from it.
    """

    def __init__(self, owner: Any, place: tuple[int, list[int], list[int], str]):
        address, shape, strides, dtype = place
        self._owner = owner
        self._address: int = address
        self.shape: tuple[int, ...] = tuple(shape)
        self.strides: tuple[int, ...] = tuple(strides)
        """Bytes from one element to the next along each axis."""
        self.dtype: np.dtype[Any] = np.dtype(dtype)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} {self.dtype} on the GPU>"

    @property
    def _data(self) -> int:
        # both protocols want an empty array to be nowhere
        return self._address if prod(self.shape) else 0

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self._data, False),
            # work on other streams has to wait for this one
            "stream": self._owner.stream,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _DEVICE

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule for whoever works on ``stream``. Unless that is the stream of the batch or -1, steps are waited for here."""
        if copy:
            raise BufferError("arrays of a batch are shared and not copied")
        if dl_device is not None and tuple(dl_device) != _DEVICE:
            raise BufferError(f"the array is on the device {_DEVICE}, not on {tuple(dl_device)}")
        self._wait_for(stream)
        strides = [stride // self.dtype.itemsize for stride in self.strides]
        return _native.dlpack_capsule(
            self._owner, self._data, list(self.shape), strides, self.dtype.name
        )

    def _wait_for(self, stream: int | None) -> None:
        number = None if stream is None else operator.index(stream)
        if number == 0:
            raise ValueError("the stream 0 may be either of two: 1 is the default, 2 that of a thread")
        if number not in (-1, self._owner.stream):
            self._owner.synchronize()


class Batch:
    """Worlds of one model on a GPU, with the states that they have on the processor, bit by bit.

    The model is copied: later changes of it do not reach the worlds. ``states`` (``qpos`` and then ``qvel``, a row for each world), ``failed`` and
    ``errors`` are on this machine, as the last :meth:`step`, :meth:`reset` or :meth:`collect` left them; :meth:`array` is for what stays on the GPU.
    A world that fails does so for itself, and its state is the one before the step; the next :meth:`step` brings it back to its initial state.
    """

    def __init__(self, model, n: int, *, frame_skip: int = 1, keyframe: int | None = None):
        if n < 0:
            raise ValueError(f"a batch cannot have {n} worlds")
        self._batch = _native.GpuBatch(model, n)
        self._batch.set_frame_skip(frame_skip)
        self.num_worlds = n
        self.nq, self.nv, self.nu = model.nq, model.nv, model.nu
        self.controls: NDArray = np.zeros((n, model.nu), REAL)
        self.states: NDArray = np.zeros((n, model.nq + model.nv), REAL)
        self.failed: NDArray = np.zeros(n, bool)
        self.errors: dict[int, str] = {}
        if keyframe is not None:
            self._batch.start_at_keyframe(keyframe)
        self.reset()

    @property
    def qpos(self) -> NDArray:
        """Positions, one row for each world."""
        return self.states[:, : self.nq]

    @property
    def qvel(self) -> NDArray:
        """Velocities, one row for each world."""
        return self.states[:, self.nq :]

    @property
    def device(self) -> str:
        """Name of the GPU."""
        return self._batch.device

    @property
    def stream(self) -> int:
        """The CUDA stream on which all steps run. Work that is queued on it needs no waiting on either side."""
        return self._batch.stream

    @property
    def _outputs(self):
        return _Outputs(self.states, self.failed)

    def step(self, controls: ArrayLike | None = None) -> NDArray:
        """Step all worlds with ``controls``, or with those in ``self.controls``; returns ``self.states``."""
        if controls is not None:
            self.controls[:] = controls
        self.errors = dict(self._batch.step(self.controls, self._outputs))
        return self.states

    def reset(self, mask: ArrayLike | None = None, states: ArrayLike | None = None) -> NDArray:
        """Bring the worlds that ``mask`` marks (all of them without it) to their initial states; returns ``self.states``.

        ``states`` are new initial states for all worlds, rows of ``qpos`` and ``qvel``. They hold for later resets too.
        """
        if states is not None:
            self._batch.start_at_states(np.ascontiguousarray(states, REAL))
        which = _marks(mask, self.num_worlds)
        self.errors = dict(self._batch.reset(which, self._outputs))
        return self.states

    def step_on_device(self, steps: int) -> None:
        """Take so many steps with the controls that lie in memory of the GPU (``array("ctrl")``), and leave the results there.

        Returns without waiting. Worlds that fail stop until they are reset; :meth:`collect` says which.
        """
        self._batch.step_on_device(steps)

    def synchronize(self) -> None:
        """Wait for all steps."""
        self._batch.synchronize()

    def collect(self) -> NDArray:
        """Wait for all steps, and bring states and errors to this machine; returns ``self.states``."""
        self.errors = dict(self._batch.collect(self._outputs))
        return self.states

    def array(self, name: str) -> DeviceArray:
        """An array of ``MjData`` (``qpos``, ``ctrl``, ``sensordata``, ``xpos``, ...) of all worlds, in memory of the GPU."""
        return DeviceArray(self._batch, self._batch.place(name))


def auto(
    model, n: int, *, frame_skip: int = 1, keyframe: int | None = None
) -> "Batch | BatchSim":
    """So many worlds on a GPU, or, with a warning that says why, on the processor: where there is no GPU, or the model cannot go there.

    Both have the same bits.
    """
    why = _native.gpu_refusal(model)
    if why is None:
        return Batch(model, n, frame_skip=frame_skip, keyframe=keyframe)
    warnings.warn(f"the batch is on the processor: {why}", stacklevel=2)
    return BatchSim(model, n, frame_skip=frame_skip, keyframe=keyframe)


class _Outputs:
    """The arrays that a call writes into, by name."""

    __slots__ = ("states", "failed")

    def __init__(self, states, failed):
        self.states, self.failed = states, failed
