"""Rollouts that are shared among workers."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import ray as _ray
from numpy.typing import ArrayLike, NDArray

from .. import _native
from .. import rollout as _rollout
from .._data import MjData
from .._enums import mjtState
from .._functions import mj_resetData, mj_stateSize
from .cluster import TRIES, free_workers

__all__ = ["Rollouts", "rollout"]

_REAL = np.dtype(f"f{_native.REAL_BYTES}")

# chunks that a worker has at a time: while it sends the results of one, it can begin the next
_AHEAD = 2


class _Worker:
    """Rolls out chunks on some machine."""

    def __init__(self, model, threads):
        self.model = model
        self.data = [MjData(model) for _ in range(threads)]
        self.pool = _rollout.Rollout(nthread=threads if threads > 1 else 0)

    def run(self, initial_state, control, arguments):
        if control is None:
            # inputs that nobody gives are those of a new world, and not of the rollout before
            for data in self.data:
                mj_resetData(self.model, data)
        return self.pool.rollout(self.model, self.data, initial_state, control, **arguments)


class Rollouts:
    """Workers on the machines of a cluster, which have the model and stay until ``close``."""

    def __init__(self, model, *, workers: int | None = None, threads: int = 1):
        """``workers`` of ``threads`` cores each; without a number as many as the cluster has room for now.

        Ray is started on this machine where it does not run yet.
        """
        workers = free_workers(workers, threads)
        self._sizes = model.nv, model.nsensordata, mj_stateSize(model, mjtState.mjSTATE_FULLPHYSICS)
        self._size_of = lambda spec: mj_stateSize(model, spec)
        self._model = _ray.put(model)
        self._threads = threads
        kind = _ray.remote(_Worker)
        self._kind = kind.options(num_cpus=threads, scheduling_strategy="SPREAD")
        self._workers = [self._start() for _ in range(workers)]

    def _start(self):
        return self._kind.remote(self._model, self._threads)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def close(self) -> None:
        """Let the workers go."""
        for worker in self._workers:
            _ray.kill(worker)
        self._workers = []

    def rollout(
        self,
        initial_state: ArrayLike,
        control: ArrayLike | None = None,
        *,
        nstep: int | None = None,
        control_spec: int = mjtState.mjSTATE_CTRL.value,
        initial_warmstart: ArrayLike | None = None,
        chunk_size: int | None = None,
        progress: Callable[[int], Any] | None = None,
    ) -> tuple[NDArray, NDArray]:
        """States ``[nbatch, nstep, nstate]`` and sensor values ``[nbatch, nstep, nsensordata]``, as those of ``ferrodyn.rollout.rollout``.

        Args:
            initial_state: ``mjSTATE_FULLPHYSICS`` of each rollout, ``[nbatch, nstate]``.
            control: Inputs of each step, ``[nbatch, nstep, ncontrol]``.
            nstep: Number of steps, where there is no ``control``.
            control_spec: Which inputs ``control`` has.
            initial_warmstart: Where the constraint solver starts, ``[nbatch, nv]``.
            chunk_size: How many rollouts a worker takes at once; nothing but time depends on it.
            progress: A function that is called with the number of finished rollouts.
        """
        if not self._workers:
            raise RuntimeError("the workers were let go")
        nv, nsensordata, nstate = self._sizes
        initial = _batch("initial_state", initial_state, 2, nstate)
        controls = warmstart = None
        nbatch = len(initial)
        if control is not None:
            controls = _batch("control", control, 3, self._size_of(control_spec))
            nbatch = max(nbatch, len(controls))
            nstep = controls.shape[1] if nstep is None else nstep
        if initial_warmstart is not None:
            warmstart = _batch("initial_warmstart", initial_warmstart, 2, nv)
            nbatch = max(nbatch, len(warmstart))
        if nstep is None:
            raise ValueError("nstep is missing: there is no control that says it")
        initial, controls, warmstart = (
            _repeat(name, array, nbatch)
            for name, array in (
                ("initial_state", initial),
                ("control", controls),
                ("initial_warmstart", warmstart),
            )
        )
        if chunk_size is None:
            # as many as let a worker be late without all others waiting for it
            chunk_size = max(1, nbatch // (10 * len(self._workers)))
        elif chunk_size < 1:
            raise ValueError(f"a chunk has at least one rollout, not {chunk_size}")
        state = np.empty((nbatch, nstep, nstate), _REAL)
        sensordata = np.empty((nbatch, nstep, nsensordata), _REAL)
        chunks = [slice(i, min(i + chunk_size, nbatch)) for i in range(0, nbatch, chunk_size)]

        def send(worker, chunk):
            rest = {"nstep": nstep, "control_spec": int(control_spec)}
            if warmstart is not None:
                rest["initial_warmstart"] = warmstart[chunk]
            part = None if controls is None else controls[chunk]
            return worker.run.remote(initial[chunk], part, rest)

        def receive(chunk, result):
            state[chunk], sensordata[chunk] = result

        self._share(chunks, send, receive, progress)
        return state, sensordata

    def _share(self, chunks, send, receive, progress):
        """Have all chunks done by some worker."""
        waiting = deque((chunk, 0) for chunk in chunks)
        # by task: the worker, its chunk, and how often that was lost
        running: dict[Any, tuple[Any, slice, int]] = {}
        load = dict.fromkeys(self._workers, 0)
        finished = 0
        try:
            while waiting or running:
                for worker in sorted(load, key=load.__getitem__):
                    while waiting and load[worker] < _AHEAD:
                        chunk, tries = waiting.popleft()
                        running[send(worker, chunk)] = worker, chunk, tries
                        load[worker] += 1
                done, _ = _ray.wait(list(running), num_returns=1)
                worker, chunk, tries = running.pop(done[0])
                try:
                    receive(chunk, _ray.get(done[0]))
                except (_ray.exceptions.RayActorError, _ray.exceptions.ObjectLostError) as error:
                    if tries + 1 == TRIES:
                        raise RuntimeError(
                            f"{TRIES} workers were lost with rollouts {chunk.start} to {chunk.stop - 1}"
                        ) from error
                    waiting.append((chunk, tries + 1))
                    if load.pop(worker, None) is not None:
                        self._drop(worker)
                        for left in self._workers:
                            load.setdefault(left, 0)
                    continue
                if worker in load:
                    load[worker] -= 1
                finished += chunk.stop - chunk.start
                if progress is not None:
                    progress(finished)
        except BaseException:
            for task in running:
                _ray.cancel(task, force=False)
            raise

    def _drop(self, worker):
        """Do without a worker that was lost; another one starts only where it was the last: there may be no room for more."""
        _ray.kill(worker)
        self._workers.remove(worker)
        if not self._workers:
            self._workers.append(self._start())


def _batch(name, array, dimensions, length):
    """An array with all its dimensions, the last of a known length."""
    array = np.ascontiguousarray(array, _REAL)
    if array.ndim > dimensions:
        raise ValueError(f"{name} has at most {dimensions} dimensions, not {array.ndim}")
    array = array.reshape((1,) * (dimensions - array.ndim) + array.shape)
    if array.shape[-1] != length:
        raise ValueError(f"the last dimension of {name} has {array.shape[-1]} elements, and needs {length}")
    return array


def _repeat(name, array, nbatch):
    """An array for each rollout, where one is given for all."""
    if array is None or len(array) == nbatch:
        return array
    if len(array) != 1:
        raise ValueError(f"{name} is for {len(array)} rollouts, others for {nbatch}")
    return np.broadcast_to(array, (nbatch, *array.shape[1:]))


def rollout(
    model, initial_state: ArrayLike, control: ArrayLike | None = None, *, workers: int | None = None, threads: int = 1, **arguments
) -> tuple[NDArray, NDArray]:
    """:meth:`Rollouts.rollout` with workers that are started for this call and let go after it."""
    with Rollouts(model, workers=workers, threads=threads) as all_workers:
        return all_workers.rollout(initial_state, control, **arguments)
