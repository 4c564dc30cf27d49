"""Many worlds of one model, stepped together on all cores.

::

    from ferrodyn.batch import BatchSim

    batch = BatchSim(model, 1024, frame_skip=5, observe=("xpos",))
    for _ in range(1000):
        batch.step(policy(batch.states))
    print(batch.qpos.shape, batch.observed["xpos"].shape)

Arrays of results are made once; every call writes into them. Results do not depend on the number of threads.
"""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._functions import mj_stateSize

__all__ = ["BatchSim"]

REAL = np.dtype(f"f{_native.REAL_BYTES}")

_POLICIES = ("mujoco", "error", "freeze")


class BatchSim:
    """Worlds of one model that are stepped together.

    The model is copied: later changes of it do not reach the worlds. A world that diverges fails for itself: ``failed``
    marks it, ``errors`` says why, and its state is the one before the step. With ``auto_reset`` the next call brings it back to
    its initial state instead of stepping it.

    ``states`` has a row for each world, ``qpos`` and then ``qvel``; ``qpos`` and ``qvel`` are views of it. ``sensors`` holds the
    sensors, ``contacts`` (where asked for) number of contacts, smallest distance and sum of normal forces, ``observed`` the arrays of ``MjData``
    that were named, views of the columns of ``observed_rows``. As after ``mj_step``, what follows from the configuration belongs to the state before the last step.
    """

    def __init__(
        self,
        model,
        n: int,
        *,
        threads: int = 0,
        frame_skip: int = 1,
        observe: Sequence[str] = (),
        contacts: bool = False,
        keyframe: int | None = None,
        auto_reset: bool = True,
        divergence: str = "error",
    ):
        """``threads``: 0 for one on each core. ``divergence``: "error", "freeze" or "mujoco" (which resets the world)."""
        if n < 0:
            raise ValueError(f"a batch cannot have {n} worlds")
        if divergence not in _POLICIES:
            raise ValueError(f"divergence is one of {', '.join(_POLICIES)}, not {divergence!r}")
        self._batch = _native.Batch(model, n, threads)
        self._batch.set_frame_skip(frame_skip)
        self._batch.set_auto_reset(auto_reset)
        self._batch.set_divergence_policy(_POLICIES.index(divergence))
        self.num_worlds = n
        self.nq, self.nv, self.nu = model.nq, model.nv, model.nu
        self._state_size = functools.partial(mj_stateSize, model)
        self.controls: NDArray = np.zeros((n, model.nu), REAL)
        self.states: NDArray = np.zeros((n, model.nq + model.nv), REAL)
        self.sensors: NDArray = np.zeros((n, model.nsensordata), REAL)
        self.contacts: NDArray | None = np.zeros((n, 3), REAL) if contacts else None
        self.failed: NDArray = np.zeros(n, bool)
        self.errors: dict[int, str] = {}
        columns = self._batch.observe(list(observe))
        self.observed_rows: NDArray = np.zeros((n, columns[-1][1] if columns else 0), REAL)
        shapes = _shapes(model, observe)
        self.observed: dict[str, NDArray] = {
            name: self.observed_rows[:, first:last].reshape(n, *shape)
            for name, shape, (first, last) in zip(observe, shapes, columns, strict=True)
        }
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
    def threads(self) -> int:
        """How many threads share the work."""
        return self._batch.threads

    @property
    def memory_size(self) -> int:
        """Bytes that all worlds take."""
        return self._batch.memory_size

    @property
    def _outputs(self):
        return _Outputs(
            self.states, self.sensors, self.observed_rows, self.contacts, self.failed
        )

    def step(self, controls: ArrayLike | None = None) -> NDArray:
        """Step all worlds with ``controls``, or with those in ``self.controls``; returns ``self.states``.

        Ctrl-C ends the call soon: worlds that were reached by then have taken their steps, the others none.
        """
        if controls is not None:
            self.controls[:] = controls
        self.errors = dict(self._batch.step(self.controls, self._outputs))
        return self.states

    def reset(
        self,
        mask: ArrayLike | None = None,
        states: ArrayLike | None = None,
        *,
        spec: int | None = None,
    ) -> NDArray:
        """Bring the worlds that ``mask`` marks (all of them without it) to their initial states; returns ``self.states``.

        ``states`` are new initial states for all worlds, rows of ``qpos`` and ``qvel``, or, with ``spec``, vectors of ``mj_getState``. They hold for
        later resets too.
        """
        if states is not None:
            rows = np.ascontiguousarray(states, REAL)
            self._batch.start_at_states(rows, None if spec is None else int(spec))
        which = _marks(mask, self.num_worlds)
        errors = dict(self._batch.reset(which, self._outputs))
        kept = {i: text for i, text in self.errors.items() if not which[i]}
        self.errors = kept | errors
        return self.states

    def states_of(self, spec: int) -> NDArray:
        """State vectors of all worlds (``mj_getState``), a row for each. A batch that is reset to those of ``mjSTATE_INTEGRATION`` goes on
        as this one does.
        """
        rows = np.zeros((self.num_worlds, self._state_size(int(spec))), REAL)
        self._batch.states_of(int(spec), rows)
        return rows

    def set_parameter(self, name: str, values: ArrayLike) -> None:
        """Give each world values of its own of an array of the model (``body_mass``, ``geom_friction``, ...) or of an
        option (``opt.gravity``): one row for each world. What follows from them follows for each world, from the next step on.
        """
        self._batch.set_parameter(name, np.asarray(values, np.float64))


def _marks(mask, n):
    """Which worlds a mask marks; all of them without one."""
    which = np.ones(n, bool) if mask is None else np.asarray(mask)
    if which.dtype != bool:
        raise ValueError(f"a mask has elements of type bool, not {which.dtype}")
    return np.ascontiguousarray(which)


class _Outputs:
    """The arrays that a call writes into, by name."""

    __slots__ = ("states", "sensors", "observed", "contacts", "failed")

    def __init__(self, states, sensors, observed, contacts, failed):
        self.states, self.sensors, self.observed = states, sensors, observed
        self.contacts, self.failed = contacts, failed


def _shapes(model, names):
    """Shapes of arrays of a world."""
    from ._data import MjData

    data = MjData(model) if names else None
    for name in names:
        if not isinstance(getattr(data, name, None), np.ndarray):
            raise KeyError(f"a world has no array {name!r}")
    return [getattr(data, name).shape for name in names]
