"""Engines that are wrong on purpose: the oracle with one fault each. The comparison must fail them wherever the fault acts.

A fault of a parameter is hidden: the model shows the oracle's values, and the engine computes with others. At L1, where the
model itself is compared, the fault is in the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import mujoco
import numpy as np

TURN = np.deg2rad(0.1)
INTEGERS = ("ncon", "nefc", "nisland", "efc_type", "dof_island", "moment_rownnz", "ten_wrapnum", "ten_J_rownnz", "efc_id",
            "contact.dim", "body_awake", "nbody_awake", "nv_awake", "solver_nnz", "eq_active")


class Engine:
    """The oracle under the names that the comparison uses; a fault overrides a part of it."""

    name = "the oracle"
    MjData = mujoco.MjData

    def __init__(self, model: mujoco.MjModel, seed: int = 0):
        self._rng = np.random.default_rng(seed)
        self._prepare(model)

    def _prepare(self, model: mujoco.MjModel) -> None:
        """Chooses what is wrong."""

    def spoil_model(self, model: mujoco.MjModel) -> None:
        """The fault as an error of the compiler, for L1."""

    def mj_resetData(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Reset."""
        mujoco.mj_resetData(model, data)

    def mj_forward(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Forward dynamics."""
        mujoco.mj_forward(model, data)

    def mj_step(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """One step."""
        mujoco.mj_step(model, data)


class WrongParameter(Engine):
    """Computes with other parameters than the model shows."""

    def _arrays(self, model: mujoco.MjModel) -> list[tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]]:
        """The arrays that are wrong, and how."""
        raise NotImplementedError

    def spoil_model(self, model: mujoco.MjModel) -> None:
        for array, change in self._arrays(model):
            array[:] = change(array)

    @contextmanager
    def _wrong(self, model: mujoco.MjModel) -> Iterator[None]:
        kept = [(array, array.copy()) for array, _ in self._arrays(model)]
        self.spoil_model(model)
        try:
            yield
        finally:
            for array, value in kept:
                array[:] = value

    def mj_forward(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        with self._wrong(model):
            mujoco.mj_forward(model, data)

    def mj_step(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        with self._wrong(model):
            mujoco.mj_step(model, data)


class Gravity(WrongParameter):
    name = "gravity + 1 %"

    def _arrays(self, model):
        return [(model.opt.gravity, lambda g: 1.01 * g)]


class Friction(WrongParameter):
    name = "friction + 5 %"

    def _arrays(self, model):
        return [(array, lambda f: 1.05 * f) for array in (model.geom_friction, model.pair_friction)]


class Damping(WrongParameter):
    name = "one damping - 5 %"

    def _prepare(self, model):
        damped = np.flatnonzero(model.dof_damping)
        self._dof = int(self._rng.choice(damped)) if damped.size else 0

    def _arrays(self, model):
        return [(model.dof_damping[self._dof:self._dof + 1], lambda b: 0.95 * b)]


class Armature(WrongParameter):
    name = "armature off"

    def _arrays(self, model):
        return [(model.dof_armature, lambda a: 0.0 * a)]


class TimeStep(WrongParameter):
    name = "time step + 0.1 %"

    def spoil_model(self, model):
        model.opt.timestep *= 1.001

    @contextmanager
    def _wrong(self, model):
        kept = model.opt.timestep
        self.spoil_model(model)
        try:
            yield
        finally:
            model.opt.timestep = kept


class Control(Engine):
    name = "control - 1 %"

    def _with(self, function, model, data):
        kept = data.ctrl.copy()
        data.ctrl[:] *= 0.99
        function(model, data)
        data.ctrl[:] = kept

    def mj_forward(self, model, data):
        self._with(mujoco.mj_forward, model, data)

    def mj_step(self, model, data):
        self._with(mujoco.mj_step, model, data)


class Contacts(Engine):
    """Changes the contacts before rows are made from them."""

    def _change(self, data: mujoco.MjData) -> None:
        raise NotImplementedError

    def mj_forward(self, model, data):
        mujoco.mj_fwdPosition(model, data)
        if data.ncon:
            self._change(data)
            mujoco.mj_makeConstraint(model, data)
            mujoco.mj_island(model, data)
            mujoco.mj_transmission(model, data)
            mujoco.mj_projectConstraint(model, data)
        mujoco.mj_sensorPos(model, data)
        if not data.flg_energypos:
            if model.opt.enableflags & mujoco.mjtEnableBit.mjENBL_ENERGY:
                mujoco.mj_energyPos(model, data)
            else:
                data.energy[:] = 0
        mujoco.mj_forwardSkip(model, data, mujoco.mjtStage.mjSTAGE_POS, 0)

    def mj_step(self, model, data):
        mujoco.mj_checkPos(model, data)
        mujoco.mj_checkVel(model, data)
        self.mj_forward(model, data)
        mujoco.mj_checkAcc(model, data)
        integrator = mujoco.mjtIntegrator(model.opt.integrator)
        if integrator == mujoco.mjtIntegrator.mjINT_EULER:
            mujoco.mj_Euler(model, data)
        elif integrator == mujoco.mjtIntegrator.mjINT_RK4:
            mujoco.mj_RungeKutta(model, data, 4)  # the fault acts in the first of its evaluations
        else:
            mujoco.mj_implicit(model, data)


class Unchanged(Contacts):
    """No fault: shows that the steps of this module are the oracle's."""

    name = "none"

    def _change(self, data):
        pass


class DroppedContact(Contacts):
    name = "one contact dropped"

    def _change(self, data):
        data.ncon = data.ncon - 1


class TurnedFrame(Contacts):
    name = "contact frames turned by 0.1 degrees"

    def _change(self, data):
        turn = np.array([[np.cos(TURN), np.sin(TURN), 0], [-np.sin(TURN), np.cos(TURN), 0], [0, 0, 1]])
        for contact in data.contact:
            contact.frame[:] = (turn @ contact.frame.reshape(3, 3)).ravel()


class FrozenSensor(Engine):
    name = "one sensor frozen"

    def _prepare(self, model):
        self._part = slice(0, 0)
        if model.nsensor:
            sensor = self._rng.integers(model.nsensor)
            self._part = slice(model.sensor_adr[sensor], model.sensor_adr[sensor] + model.sensor_dim[sensor])
        self._value = None

    def mj_forward(self, model, data):
        mujoco.mj_forward(model, data)
        if self._value is None:
            self._value = data.sensordata[self._part].copy()
        data.sensordata[self._part] = self._value


class Acceleration(Engine):
    name = "qacc x 1.001"

    def mj_forward(self, model, data):
        mujoco.mj_forward(model, data)
        data.qacc *= 1.001

    def mj_step(self, model, data):
        qpos, qvel = data.qpos.copy(), data.qvel.copy()
        mujoco.mj_step(model, data)
        data.qvel[:] = qvel + 1.001 * (data.qvel - qvel)
        mujoco.mj_integratePos(model, qpos, data.qvel, model.opt.timestep)
        data.qpos[:] = qpos


class StaleWarmStart(Engine):
    name = "warm start of another state"

    def _prepare(self, model):
        self._kept = np.zeros(model.nv)

    def _with(self, function, model, data):
        mine = data.qacc_warmstart.copy()
        data.qacc_warmstart[:] = self._kept
        function(model, data)
        self._kept = mine

    def mj_forward(self, model, data):
        self._with(mujoco.mj_forward, model, data)

    def mj_step(self, model, data):
        self._with(mujoco.mj_step, model, data)


class WrongInteger(Engine):
    name = "one integer field + 1"

    def spoil_model(self, model):
        names = [name for name in dir(model) if isinstance(value := getattr(model, name), np.ndarray) and value.dtype == np.int32 and value.size]
        array = getattr(model, str(self._rng.choice(names)))
        array.flat[self._rng.integers(array.size)] += 1

    def _prepare(self, model):
        self._order = self._rng.permutation(len(INTEGERS))

    def mj_forward(self, model, data):
        mujoco.mj_forward(model, data)
        for number in self._order:
            owner, _, name = INTEGERS[number].rpartition(".")
            owner = getattr(data, owner) if owner else data
            value = getattr(owner, name)
            if isinstance(value, int):
                setattr(data, name, value + 1)
                return
            if value.size:
                value.flat[-1] += 1
                return


FAULTS = (Gravity, Friction, Control, Damping, Armature, DroppedContact, FrozenSensor, Acceleration, TurnedFrame, StaleWarmStart,
          WrongInteger, TimeStep)
