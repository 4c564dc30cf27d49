"""MuJoCo's functions."""

import os
import warnings

from . import _native
from ._data import MjData
from ._model import MjModel

# functions on vectors and quaternions come as they are
for _name in dir(_native):
    if _name.startswith("mju_"):
        globals()[_name] = getattr(_native, _name)


def _diverged(message):
    if message is not None:
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def mj_step(m, d, nstep=1):
    """Advance the world by ``nstep`` time steps with the same controls."""
    _diverged(_native.step(m._native, d._native, nstep))


def mj_step1(m, d):
    """First half of a step: all that does not depend on controls and applied forces."""
    _diverged(_native.step1(m._native, d._native))


def mj_step2(m, d):
    """Second half of a step: forces, acceleration, integration."""
    _diverged(_native.step2(m._native, d._native))


def mj_forward(m, d):
    """Compute everything at the current state, without moving it."""
    _native.forward(m._native, d._native)


def mj_resetData(m, d):
    """Return to the reference pose."""
    _native.reset(m._native, d._native)


def mj_resetDataKeyframe(m, d, key):
    """Return to a keyframe; a number without a keyframe is a plain reset."""
    _native.reset_to_keyframe(m._native, d._native, key)


def mj_copyData(dest, m, src):
    """Copy the state and all results of ``src`` to ``dest``."""
    dest._native.copy_from(src._native)


def mj_setConst(m, d):
    """Derive all dependent constants of the model again; resets ``d``."""
    m._native.set_const()
    _native.reset(m._native, d._native)


def mj_name2id(m, type, name):
    """Id of a named object, -1 when there is none."""
    return m._native.name2id(int(type), name)


def mj_id2name(m, type, id):
    """Name of an object, None when it has none."""
    return m._native.id2name(int(type), int(id))


def mj_fullM(m, dst, M):
    """Write the inertia matrix ``M`` (``data.qM``) as a dense matrix."""
    _native.full_m(m._native, dst, M)


def mj_mulM(m, d, res, vec):
    """``res = M vec``."""
    _native.mul_m(m._native, d._native, res, vec)


def mj_solveM(m, d, x, y):
    """``x = M⁻¹ y``, row by row."""
    _native.solve_m(m._native, d._native, x, y)


def mj_rne(m, d, flg_acc, result):
    """Inverse dynamics; without ``flg_acc`` the inertial term is left out."""
    _native.rne(m._native, d._native, bool(flg_acc), result)


def mj_integratePos(m, qpos, qvel, dt):
    """Move ``qpos`` with velocity ``qvel`` for a time ``dt``."""
    _native.integrate_pos(m._native, qpos, qvel, dt)


def mj_differentiatePos(m, qvel, dt, qpos1, qpos2):
    """The velocity that takes ``qpos1`` to ``qpos2`` in time ``dt``."""
    _native.differentiate_pos(m._native, qvel, dt, qpos1, qpos2)


def mj_normalizeQuat(m, qpos):
    """Normalize all quaternions of a configuration."""
    _native.normalize_quat(m._native, qpos)


def mj_jac(m, d, jacp, jacr, point, body):
    """Jacobians of a point fixed to a body."""
    _native.jac(m._native, d._native, jacp, jacr, point, body)


def mj_jacBody(m, d, jacp, jacr, body):
    """Jacobians of the origin of a body."""
    _native.jac_object(m._native, d._native, jacp, jacr, "body", body)


def mj_jacBodyCom(m, d, jacp, jacr, body):
    """Jacobians of the centre of mass of a body."""
    _native.jac_object(m._native, d._native, jacp, jacr, "bodycom", body)


def mj_jacGeom(m, d, jacp, jacr, geom):
    """Jacobians of the centre of a geom."""
    _native.jac_object(m._native, d._native, jacp, jacr, "geom", geom)


def mj_jacSite(m, d, jacp, jacr, site):
    """Jacobians of a site."""
    _native.jac_object(m._native, d._native, jacp, jacr, "site", site)


def mj_jacSubtreeCom(m, d, jacp, body):
    """Jacobian of the centre of mass of a subtree."""
    _native.jac_subtree_com(m._native, d._native, jacp, body)


def mj_jacPointAxis(m, d, jacPoint, jacAxis, point, axis, body):
    """Jacobians of a point and a direction fixed to a body."""
    _native.jac_point_axis(m._native, d._native, jacPoint, jacAxis, point, axis, body)


def mj_jacDot(m, d, jacp, jacr, point, body):
    """Time derivatives of the Jacobians of a point fixed to a body."""
    _native.jac_dot(m._native, d._native, jacp, jacr, point, body)


def mj_applyFT(m, d, force, torque, point, body, qfrc_target):
    """Add the generalized force of a force and torque at a point."""
    _native.apply_ft(m._native, d._native, force, torque, point, body, qfrc_target)


def mj_objectVelocity(m, d, objtype, objid, res, flg_local):
    """Velocity of an object with a spatial frame, rotation first."""
    _native.object_velocity(m._native, d._native, int(objtype), objid, res, bool(flg_local))


def mj_stateSize(m, sig):
    """Length of the state vector for a union of ``mjtState`` bits."""
    return _native.state_size(m._native, int(sig))


def mj_getState(m, d, state, sig):
    """Write the state vector for a union of ``mjtState`` bits."""
    _native.get_state(m._native, d._native, state, int(sig))


def mj_setState(m, d, state, sig):
    """Set the state from a vector made by ``mj_getState``."""
    _native.set_state(m._native, d._native, state, int(sig))


def mj_saveModel(m, filename, buffer=None):
    """Write a model in Ferrodyn's binary format to a file."""
    with open(os.fspath(filename), "wb") as file:
        file.write(m._native.to_bytes())


def mj_versionString():
    """Version of the MuJoCo release whose numbers this engine gives."""
    return "3.5.0"


def _stage(name, doc):
    def run(m, d):
        _native.stage(m._native, d._native, name)

    run.__name__ = run.__qualname__ = f"mj_{name}"
    run.__doc__ = doc
    return run


_STAGES = {
    "kinematics": "Poses of bodies, joints, geoms and sites.",
    "comPos": "Centres of mass, inertias and motion axes.",
    "camlight": "Poses of cameras and lights.",
    "crb": "Inertia matrix by the composite rigid body algorithm.",
    "makeM": "Inertia matrix in both storage orders.",
    "factorM": "Factor of the inertia matrix.",
    "comVel": "Velocities of bodies.",
    "passive": "Passive forces.",
    "subtreeVel": "Velocity and angular momentum of subtrees.",
    "rnePostConstraint": "Accelerations and interaction forces of bodies.",
    "energyPos": "Potential energy.",
    "energyVel": "Kinetic energy.",
    "fwdPosition": "All that depends on the configuration.",
    "fwdVelocity": "All that depends on configuration and velocity.",
    "fwdAcceleration": "Acceleration without constraints.",
    "fwdConstraint": "Acceleration with constraints.",
}
for _name, _doc in _STAGES.items():
    globals()[f"mj_{_name}"] = _stage(_name, _doc)

__all__ = sorted(name for name in globals() if name.startswith(("mj_", "mju_")))
