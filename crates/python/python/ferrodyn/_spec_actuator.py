"""Actuators of a specification, and the kinds of actuator that they can be set to."""

import math

from ._enums import mjtBias, mjtDyn, mjtGain
from ._spec_base import Classed, WithPlugin


class MjsActuator(Classed, WithPlugin):
    """An actuator."""

    __slots__ = ()
    _extra = ("name", "info", "plugin")

    def _types(self, dyn, gain, bias):
        if dyn is not None:
            self.dyntype = dyn
        self.gaintype, self.biastype = gain, bias

    def set_to_motor(self):
        """A force that is the control."""
        self.gainprm[0] = 1
        self._types(mjtDyn.mjDYN_NONE, mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_NONE)

    def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """A servo of the position."""
        self.gainprm[0] = kp
        self.biasprm[1] = -kp
        if dampratio != -1 and kv != -1:
            raise ValueError("kv and dampratio cannot both be defined")
        if kv != -1:
            if kv < 0:
                raise ValueError("kv cannot be negative")
            self.biasprm[2] = -kv
        if dampratio != -1:
            if dampratio < 0:
                raise ValueError("dampratio cannot be negative")
            self.biasprm[2] = dampratio
        if timeconst != -1:
            if timeconst < 0:
                raise ValueError("timeconst cannot be negative")
            self.dynprm[0] = timeconst
            self.dyntype = mjtDyn.mjDYN_FILTEREXACT if timeconst else mjtDyn.mjDYN_NONE
        self.inheritrange = bool(inheritrange)
        if inheritrange and self.ctrlrange.any():
            raise ValueError("ctrlrange and inheritrange cannot both be defined")
        self._types(None, mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE)

    def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """A servo of the position, whose set point is integrated."""
        try:
            self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
        except ValueError:
            # MuJoCo drops what the servo objects to, and keeps what was written before that
            pass
        self.dyntype = mjtDyn.mjDYN_INTEGRATOR
        self.actlimited = 1
        if inheritrange and self.actrange.any():
            raise ValueError("actrange and inheritrange cannot both be defined")

    def set_to_velocity(self, kv):
        """A servo of the velocity."""
        self.biasprm[:] = 0
        self.gainprm[0] = kv
        self.biasprm[2] = -kv
        self._types(mjtDyn.mjDYN_NONE, mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE)

    def set_to_damper(self, kv):
        """A damping that is the control."""
        self.gainprm[:] = 0
        self.gainprm[2] = -kv
        self.ctrllimited = 1
        self._types(mjtDyn.mjDYN_NONE, mjtGain.mjGAIN_AFFINE, mjtBias.mjBIAS_NONE)
        if kv < 0:
            raise ValueError("damping coefficient cannot be negative")
        if (self.ctrlrange < 0).any():
            raise ValueError("damper control range cannot be negative")

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
        """A pneumatic or hydraulic cylinder."""
        self.dynprm[0] = timeconst
        self.biasprm[0] = bias
        self.gainprm[0] = math.pi / 4 * diameter * diameter if diameter >= 0 else area
        self._types(mjtDyn.mjDYN_FILTER, mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE)

    def set_to_muscle(
        self,
        timeconst=(-1, -1),
        tausmooth=0,
        range=(-1, -1),
        force=-1,
        scale=-1,
        lmin=-1,
        lmax=-1,
        vmax=-1,
        fpmax=-1,
        fvmax=-1,
    ):
        """A muscle; negative arguments leave a parameter alone."""
        dynprm, gainprm = self.dynprm, self.gainprm
        if dynprm[0] == 1:
            dynprm[0] = 0.01
        if dynprm[1] == 0:
            dynprm[1] = 0.04
        if gainprm[0] == 1:
            gainprm[0] = 0.75
        for i, value in enumerate((1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2), 1):
            if gainprm[i] == 0:
                gainprm[i] = value
        if tausmooth < 0:
            raise ValueError("muscle tausmooth cannot be negative")
        dynprm[2] = tausmooth
        for i, value in enumerate(timeconst):
            if value >= 0:
                dynprm[i] = value
        given = (*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)
        for i, value in enumerate(given):
            if value >= 0:
                gainprm[i] = value
        self.biasprm[:9] = gainprm[:9]
        self._types(mjtDyn.mjDYN_MUSCLE, mjtGain.mjGAIN_MUSCLE, mjtBias.mjBIAS_MUSCLE)

    def set_to_adhesion(self, gain):
        """An adhesion of contacts."""
        self.gainprm[0] = gain
        self.ctrllimited = 1
        self._types(None, mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_NONE)
        if gain < 0:
            raise ValueError("adhesion gain cannot be negative")
        if (self.ctrlrange < 0).any():
            raise ValueError("adhesion control range cannot be negative")
