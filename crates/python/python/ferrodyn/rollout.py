"""Rollouts: many worlds take many steps from given states, on all cores. MuJoCo's ``mujoco.rollout``.

Open loop, with controls that are known beforehand, or with a policy that sees all worlds at once::

    from ferrodyn import rollout

    data = [ferrodyn.MjData(model) for _ in range(os.cpu_count())]  # one for each thread
    state, sensordata = rollout.rollout(model, data, initial_state, control)
    state, sensordata = rollout.rollout(model, data, initial_state, nstep=100, policy=policy)

Results are the same for any number of threads. Ctrl-C ends a rollout at once.
"""

import atexit
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._data import MjData
from ._enums import mjtState
from ._functions import mj_stateSize
from ._model import MjModel

__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]

_REAL = np.dtype(f"f{_native.REAL_BYTES}")

Policy = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]


class Rollout:
    """Threads that roll out, for as long as they are wanted: a context manager, or until ``close``."""

    def __init__(self, *, nthread: int | None = None):
        """Start so many threads; with none, the calling thread does the work."""
        self.nthread = 0 if nthread is None else nthread
        self._start()

    def _start(self):
        self.rollout_ = _native.Rollout(nthread=self.nthread)
        self._process = os.getpid()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def close(self):
        """Let the threads go."""
        self.rollout_ = None

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: ArrayLike,
        control: ArrayLike | None = None,
        *,
        control_spec: int = mjtState.mjSTATE_CTRL.value,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: ArrayLike | None = None,
        state: NDArray[Any] | None = None,
        sensordata: NDArray[Any] | None = None,
        chunk_size: int | None = None,
        policy: Policy | None = None,
        progress: Callable[[int], Any] | None = None,
    ):
        """States and sensor values of ``nbatch`` rollouts of ``nstep`` steps.

        Both numbers follow from the arrays; a dimension of length 1, or one that is left out in front, is repeated.

        Args:
            model: One model, or one for each rollout, all of the same sizes.
            data: A world for each thread; a world alone is stepped by the calling thread. What it holds counts only for
                inputs that ``control_spec`` names while ``control`` is missing, and for user data: then that of the first one.
            initial_state: ``mjSTATE_FULLPHYSICS`` of each rollout, ``[nbatch, nstate]``.
            control: Inputs of each step, ``[nbatch, nstep, ncontrol]``.
            control_spec: Which inputs these are: a union of bits of ``mjSTATE_USER``. All others are zero, or what the model says.
            skip_checks: Take all arguments as they are: arrays of full size and in row-major order, ``nstep`` given, results only
                where there are arrays for them.
            nstep: Number of steps, where no array says it.
            initial_warmstart: Where the constraint solver starts, ``[nbatch, nv]``; zeros if missing.
            state: Array for the results, ``[nbatch, nstep, nstate]``.
            sensordata: Array for the results, ``[nbatch, nstep, nsensordata]``.
            chunk_size: How many rollouts a thread takes at once, a tenth of its share if missing. Nothing but time depends on it.
            policy: A function of the states of all worlds ``[nbatch, nstate]`` and their sensor values ``[nbatch, nsensordata]`` that
                returns their controls ``[nbatch, ncontrol]``, called before each step: an extension. ``data`` is copied for each
                world. Sensor values are those of the last step, before the first one those of ``mj_forward``.
            progress: A function that is called now and then with the number of finished rollouts, by the calling thread: an
                extension. With a policy, all of them finish at the end.

        Returns:
            ``state`` and ``sensordata``. Where a step raises a warning (of a divergence, for instance) a rollout ends, and its
            last row is repeated.

        Raises:
            ValueError: Sizes or shapes do not fit together.
            RuntimeError: The threads were let go, or a world is in use by another thread.
        """
        if self.rollout_ is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if self._process != os.getpid():
            # a fork has the object, but not its threads; the object is left as it is, since its locks may be held
            self._lost = self.rollout_
            self._start()
        if policy is not None:
            _check_policy(policy, control, skip_checks)
        if not skip_checks:
            call = _Call(model, data, control_spec, nstep, chunk_size)
            arrays = call.fit(initial_state, initial_warmstart, control, state, sensordata)
            model, data, nstep = call.model, call.data, call.nstep
            initial_state, initial_warmstart, control, state, sensordata = arrays
        if policy is not None:
            worlds = (
                self.rollout_,
                model,
                data,
                int(control_spec),
                initial_state,
                initial_warmstart,
            )
            _roll_policy(worlds, policy, state, sensordata, chunk_size)
            if progress is not None:
                progress(state.shape[0])
            return state, sensordata
        self.rollout_.rollout(
            model,
            data,
            0 if nstep is None else nstep,
            int(control_spec),
            _row_major(initial_state),
            _row_major(initial_warmstart),
            _row_major(control),
            state,
            sensordata,
            chunk_size,
            progress,
        )
        return state, sensordata


_persistent = None


def shutdown_persistent_pool():
    """Let the threads go that ``rollout(..., persistent_pool=True)`` started; done at exit, too."""
    global _persistent
    if _persistent is not None:
        _persistent.close()
    _persistent = None


atexit.register(shutdown_persistent_pool)


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: ArrayLike,
    control: ArrayLike | None = None,
    *,
    control_spec: int = mjtState.mjSTATE_CTRL.value,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: ArrayLike | None = None,
    state: NDArray[Any] | None = None,
    sensordata: NDArray[Any] | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
    policy: Policy | None = None,
    progress: Callable[[int], Any] | None = None,
):
    """``Rollout.rollout`` on as many threads as there are worlds in ``data``.

    With ``persistent_pool`` the threads stay for the next call, until one with another number of worlds.
    """
    data = _as_list(data)
    nthread = len(data) if len(data) > 1 else 0
    arguments = dict(
        control_spec=control_spec,
        skip_checks=skip_checks,
        nstep=nstep,
        initial_warmstart=initial_warmstart,
        state=state,
        sensordata=sensordata,
        chunk_size=chunk_size,
        policy=policy,
        progress=progress,
    )
    if persistent_pool:
        threads = _persistent_threads(nthread)
        return threads.rollout(model, data, initial_state, control, **arguments)
    with Rollout(nthread=nthread) as threads:
        return threads.rollout(model, data, initial_state, control, **arguments)


def _persistent_threads(nthread):
    """The threads that stay, so many."""
    global _persistent
    if _persistent is None or _persistent.nthread != nthread:
        shutdown_persistent_pool()
        _persistent = Rollout(nthread=nthread)
    return _persistent


def _as_list(data):
    return [data] if isinstance(data, MjData) else list(data)


def _row_major(array):
    """What the engine can read in place."""
    return None if array is None else np.ascontiguousarray(array, _REAL)


class _Call:
    """Arguments of a rollout: checks, and numbers that follow from them."""

    def __init__(self, model, data, control_spec, nstep, chunk_size):
        if control_spec & ~mjtState.mjSTATE_USER.value:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        for name, value in (("nstep", nstep), ("chunk_size", chunk_size)):
            if value and not isinstance(value, int):
                raise ValueError(f"{name} must be an integer")
        self.model = model if isinstance(model, MjModel) else list(model)
        self.data = _as_list(data)
        self.control_spec = control_spec
        self.nstep = nstep or 1

    def fit(self, initial_state, initial_warmstart, control, state, sensordata):
        """The arrays in their full sizes, those of the results made where there are none."""
        arrays = {
            "initial_state": _with_dimensions("initial_state", initial_state, 2),
            "initial_warmstart": _with_dimensions("initial_warmstart", initial_warmstart, 2),
            "control": _with_dimensions("control", control, 3),
            "state": _with_dimensions("state", state, 3),
            "sensordata": _with_dimensions("sensordata", sensordata, 3),
        }
        given = {name: array for name, array in arrays.items() if array is not None}
        nbatch = self._number_of_rollouts(given)
        with_steps = {name: array for name, array in given.items() if array.ndim == 3}
        self.nstep = _common_length(1, with_steps, self.nstep)
        sizes = self._sizes()
        for name, array in given.items():
            if array.shape[-1] != sizes[name]:
                raise ValueError(
                    f"trailing dimension of {name} must be {sizes[name]}, got {array.shape[-1]}"
                )

        def repeated(name, *dimensions):
            array = arrays[name]
            shape = (*dimensions, sizes[name])
            return None if array is None else np.broadcast_to(array, shape)

        def result(name):
            array = arrays[name]
            return np.empty((nbatch, self.nstep, sizes[name]), _REAL) if array is None else array

        return (
            repeated("initial_state", nbatch),
            repeated("initial_warmstart", nbatch),
            repeated("control", nbatch, self.nstep),
            result("state"),
            result("sensordata"),
        )

    def _number_of_rollouts(self, arrays):
        nbatch = _common_length(0, arrays, 1)
        if isinstance(self.model, MjModel):
            return nbatch
        count = len(self.model)
        if count == 0:
            raise ValueError("the list of models is empty")
        if nbatch == 1:
            return count
        if count not in (1, nbatch):
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {count}")
        return nbatch

    def _sizes(self):
        """Lengths of the rows of all arrays, which are the same for all models."""
        models = [self.model] if isinstance(self.model, MjModel) else self.model
        first = sizes = None
        for model in models:
            if model is not first:
                own = {
                    "state": mj_stateSize(model, mjtState.mjSTATE_FULLPHYSICS),
                    "control": mj_stateSize(model, self.control_spec),
                    "initial_warmstart": model.nv,
                    "sensordata": model.nsensordata,
                }
                if sizes is not None and own != sizes:
                    raise ValueError("models are not compatible")
                first, sizes = model, own
        return {**sizes, "initial_state": sizes["state"]}


def _with_dimensions(name, value, count):
    """An argument as an array in row-major order with so many dimensions: those in front may be missing."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    array = np.asarray(value)
    if array.ndim > count:
        raise ValueError(f"{name} can have at most {count} dimensions")
    if array.ndim < count:
        array = array.reshape((1,) * (count - array.ndim) + array.shape)
    return np.ascontiguousarray(array, _REAL)


def _common_length(dimension, arrays, length):
    """The length that arrays have along a dimension, where it is not 1; it begins with what is known."""
    for name, array in arrays.items():
        own = array.shape[dimension]
        if length == 1:
            length = own
        elif own not in (1, length):
            raise ValueError(f"dimension {dimension} inferred as {length} but {name} has {own}")
    return length


def _check_policy(policy, control, skip_checks):
    if not callable(policy):
        raise TypeError("policy is not callable")
    if control is not None:
        raise ValueError("there can be controls or a policy, not both")
    if skip_checks:
        raise ValueError("a policy needs the checks")


def _roll_policy(worlds, policy, state, sensordata, chunk_size):
    """Fill in the results, a step of all worlds at a time."""
    threads, model, data, control_spec, initial_state, initial_warmstart = worlds
    nbatch, nstep = len(initial_state), state.shape[1]
    models = [model] if isinstance(model, MjModel) else model
    shape = (nbatch, mj_stateSize(models[0], control_spec))
    states, sensors = (np.zeros((nbatch, a.shape[2]), _REAL) for a in (state, sensordata))
    batch = _native.Worlds(
        threads,
        model,
        data,
        control_spec,
        _row_major(initial_state),
        _row_major(initial_warmstart),
        sensors,
        chunk_size,
    )
    seen = initial_state.copy(), sensors.copy()
    for step in range(nstep):
        control = np.asarray(policy(*seen))
        if control.shape != shape:
            raise ValueError(
                f"the policy must return an array of shape {shape}, not {control.shape}"
            )
        batch.advance(threads, model, _row_major(control), states, sensors, chunk_size)
        state[:, step], sensordata[:, step] = states, sensors
        # what the policy keeps is not written to again
        seen = state[:, step], sensordata[:, step]
    batch.tell()
