"""One step from states of the oracle, with every solver, cone, Jacobian, island setting and integrator.

The comparison is that of L3: 1e-9, or 1e-6 in states with iterative contacts, relative to one plus the size of a number;
an element that misses it must lie within ten times the oracle's own spread of that element over nudges of 1e-13.
"""

import os
from itertools import product
from pathlib import Path

import mujoco
import pytest

import ferrodyn
from ferrodyn_conform.level_step import StepOracle, compare_steps
from ferrodyn_conform.states import States

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = {
    "humanoid": "benches/models/humanoid.xml",
    "box_stack": "conformance/models/box_stack.xml",
    "closed_chain": "conformance/models/closed_chain.xml",
    "hand": "conformance/models/hand.xml",
}
# a dexterous hand and a robot with closed chains, where there is a checkout of the Menagerie
if "FERRODYN_MENAGERIE" in os.environ:
    MENAGERIE = Path(os.environ["FERRODYN_MENAGERIE"]).resolve()
    MODELS |= {"shadow_hand": MENAGERIE / "shadow_hand/scene_right.xml", "cassie": MENAGERIE / "agility_cassie/scene.xml"}
PICKED = (0, 3, 8, 13, 18)  # of twenty states of a rollout; odd ones have applied forces

SOLVERS = {int(getattr(mujoco.mjtSolver, f"mjSOL_{name}")): name for name in ("PGS", "CG", "NEWTON")}
CONES = {int(getattr(mujoco.mjtCone, f"mjCONE_{name}")): name for name in ("PYRAMIDAL", "ELLIPTIC")}
JACOBIANS = {int(getattr(mujoco.mjtJacobian, f"mjJAC_{name}")): name for name in ("DENSE", "SPARSE")}
INTEGRATORS = {int(getattr(mujoco.mjtIntegrator, f"mjINT_{name}")): name for name in ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST")}
ISLAND = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)


@pytest.fixture(scope="module", params=MODELS)
def scene(request):
    """A model in both engines and states along a rollout of the oracle, in contact from the second on."""
    path = str(ROOT / MODELS[request.param])
    theirs, ours = mujoco.MjModel.from_xml_path(path), ferrodyn.MjModel.from_xml_path(path)
    return theirs, ours, States(theirs, 7)


def check(scene, **options):
    """Compare one step of both engines under some options."""
    theirs, ours, states = scene
    islands = options.pop("islands", True)
    for model in (theirs, ours):
        for name, value in options.items():
            setattr(model.opt, name, value)
        model.opt.disableflags = model.opt.disableflags & ~ISLAND if islands else model.opt.disableflags | ISLAND
    outcome = compare_steps(ferrodyn, ours, StepOracle(theirs, states), states.fork(PICKED))
    assert outcome.status == "pass", outcome.misses[:1] or outcome.undecided


@pytest.mark.parametrize("noslip", (0, 5))
@pytest.mark.parametrize("islands", (True, False), ids=("islands", "whole"))
@pytest.mark.parametrize("jacobian", JACOBIANS, ids=JACOBIANS.values())
@pytest.mark.parametrize("cone", CONES, ids=CONES.values())
@pytest.mark.parametrize("solver", SOLVERS, ids=SOLVERS.values())
def test_solvers(scene, solver, cone, jacobian, islands, noslip):
    check(scene, solver=solver, cone=cone, jacobian=jacobian, islands=islands, noslip_iterations=noslip, integrator=0)


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=INTEGRATORS.values())
def test_integrators(scene, integrator):
    for solver, cone, jacobian in product(SOLVERS, CONES, JACOBIANS):
        check(scene, solver=solver, cone=cone, jacobian=jacobian, noslip_iterations=0, integrator=integrator)
