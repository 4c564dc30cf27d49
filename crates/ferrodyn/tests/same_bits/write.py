"""Writes `pile.json`: accelerations of `pile.xml` by MuJoCo 3.5.0, as bits, for solvers, cones and Jacobians, and steps of
the implicit integrators in fluids. Writes `row.json`: accelerations of `row.xml`, in whose solution many rows change at once.

    python write.py
"""
import itertools
import json
from pathlib import Path

import mujoco
import numpy as np

HERE = Path(__file__).parent
IMPLICIT = (int(mujoco.mjtIntegrator.mjINT_IMPLICIT), int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST))
FLUIDS = ("none", "box", "ellipsoid")
# coefficients of every geom as an ellipsoid; those of the compiler need a power
ELLIPSOID = [1, 0.5, 0.25, 1.5, 1, 0.75, 0.001, 0.002, 0.003, 0.0001, 0.0002, 0.0003]


def bits(array: np.ndarray) -> list[str]:
    """Numbers as hexadecimal words, which no reader rounds."""
    return [f"{word:016x}" for word in np.ascontiguousarray(array, dtype=float).view(np.uint64)]


def state(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """A disturbed start with unit quaternions."""
    rng = np.random.default_rng(7)
    qpos = model.qpos0 + 0.01 * rng.standard_normal(model.nq)
    for joint in np.flatnonzero(model.jnt_type <= int(mujoco.mjtJoint.mjJNT_BALL)):
        start = model.jnt_qposadr[joint] + (3 if model.jnt_type[joint] == int(mujoco.mjtJoint.mjJNT_FREE) else 0)
        qpos[start:start + 4] /= np.linalg.norm(qpos[start:start + 4])
    return qpos, rng.standard_normal(model.nv)


def steps(qpos: np.ndarray, qvel: np.ndarray) -> list[dict]:
    """The derivative of forces by velocity, and the state after a step."""
    found = []
    for integrator, jacobian, fluid in itertools.product(IMPLICIT, range(2), FLUIDS):
        model = mujoco.MjModel.from_xml_path(str(HERE / "pile.xml"))
        model.opt.integrator, model.opt.jacobian = integrator, jacobian
        if fluid != "none":
            model.opt.density, model.opt.viscosity, model.opt.wind[:] = 1.2, 0.02, (1, 2, 0.5)
        if fluid == "ellipsoid":
            model.geom_fluid[:] = ELLIPSOID
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, 0.5
        mujoco.mj_step(model, data)
        found.append({
            "integrator": integrator, "jacobian": jacobian, "fluid": fluid, "qDeriv": bits(data.qDeriv), "qvel": bits(data.qvel),
        })
    return found


def row() -> dict:
    """Boxes that move at random, solved by Newton's method and noslip."""
    model = mujoco.MjModel.from_xml_path(str(HERE / "row.xml"))
    data = mujoco.MjData(model)
    data.qvel[:] = np.random.default_rng(1).standard_normal(model.nv)
    qvel = bits(data.qvel)
    mujoco.mj_forward(model, data)
    changes = data.solver.nchange[: data.solver_niter[0]]
    return {"qvel": qvel, "most_changes": int(changes.max()), "qacc": bits(data.qacc), "efc_force": bits(data.efc_force)}


def main() -> None:
    """All variants."""
    model = mujoco.MjModel.from_xml_path(str(HERE / "pile.xml"))
    qpos, qvel = state(model)
    variants = []
    for solver, cone, jacobian, noslip in itertools.product(range(3), range(2), range(2), (0, 3)):
        model.opt.solver, model.opt.cone, model.opt.jacobian = solver, cone, jacobian
        model.opt.noslip_iterations = noslip
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, 0.5
        mujoco.mj_forward(model, data)
        variants.append({
            "solver": solver, "cone": cone, "jacobian": jacobian, "noslip": noslip, "ncon": data.ncon,
            "niter": int(data.solver_niter.sum()), "qacc": bits(data.qacc), "efc_force": bits(data.efc_force),
        })
    golden = {"qpos": bits(qpos), "qvel": bits(qvel), "variants": variants, "ellipsoid": ELLIPSOID, "steps": steps(qpos, qvel)}
    (HERE / "pile.json").write_text(json.dumps(golden, indent=1) + "\n")
    (HERE / "row.json").write_text(json.dumps(row(), indent=1) + "\n")


if __name__ == "__main__":
    main()
