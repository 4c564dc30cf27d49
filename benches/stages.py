"""Time of collision detection, of the constraint solver, and of steps of sleeping worlds, beside MuJoCo, in one process and one thread.

Run with ``cargo xtask bench-stages``. Every scene is advanced by MuJoCo until it has settled; both engines then get the same
state and run the same stage again and again, in turns; the time of the calls themselves, measured in an empty world, is taken
off. Sleeping worlds begin asleep; there it is whole steps that are measured. The ratio is Ferrodyn's time divided by MuJoCo's: below 1, Ferrodyn is
faster. Scenes from the Menagerie are left out where ``FERRODYN_MENAGERIE`` names no checkout.
"""

import argparse
import math
import os
import pathlib
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent

COLLISION = ("mj_collision",)
STEP = ("mj_step",)
CONSTRAINT = ("mj_makeConstraint", "mj_island", "mj_projectConstraint", "mj_referenceConstraint", "mj_fwdConstraint")


def humanoids(count):
    """Humanoids beside each other on a plane."""
    import mujoco

    source = (ROOT / "benches/models/humanoid.xml").read_text()
    spec = mujoco.MjSpec.from_string(source)
    for i in range(1, count):
        other = mujoco.MjSpec.from_string(source)
        frame = spec.worldbody.add_frame(pos=[2.0 * i, 0, 0])
        for body in list(other.worldbody.bodies):
            frame.attach_body(body, f"h{i}_", "")
    return spec.to_xml()


def boxes(count):
    """Boxes that fall into a heap."""
    rng = np.random.default_rng(0)
    body = "".join(
        f'<body pos="{rng.uniform(-0.4, 0.4):.3f} {rng.uniform(-0.4, 0.4):.3f} {0.3 + 0.05 * i:.3f}"><freejoint/>'
        f'<geom type="box" size="{rng.uniform(0.03, 0.08):.3f} {rng.uniform(0.03, 0.08):.3f} {rng.uniform(0.03, 0.08):.3f}"/></body>'
        for i in range(count)
    )
    walls = "".join(f'<geom type="box" size=".05 .7 .6" pos="{x} 0 .6"/><geom type="box" size=".7 .05 .6" pos="0 {x} .6"/>' for x in (-0.65, 0.65))
    return f'<mujoco><worldbody><geom type="plane" size="3 3 .1"/>{walls}{body}</worldbody></mujoco>'


def fine_meshes(faces):
    """Two bodies made of fine spherical meshes, one on the other."""
    rows = int(math.sqrt(faces / 2))
    angle = np.linspace(0, math.pi, rows + 1)
    turn = np.linspace(0, 2 * math.pi, rows, endpoint=False)
    points = [[math.sin(a) * math.cos(t), math.sin(a) * math.sin(t), 0.8 * math.cos(a)] for a in angle[1:-1] for t in turn]
    points += [[0, 0, 0.8], [0, 0, -0.8]]
    text = " ".join(f"{0.2 * x:.5g}" for p in points for x in p)
    mesh = f'<mesh name="ball" vertex="{text}"/>'
    return (f'<mujoco><asset>{mesh}</asset><worldbody><geom type="plane" size="3 3 .1"/>'
            '<body pos="0 0 .17"><freejoint/><geom type="mesh" mesh="ball"/></body>'
            '<body pos="0.02 0 .5"><freejoint/><geom type="mesh" mesh="ball"/></body></worldbody></mujoco>')


def humanoid_on_hills():
    """A humanoid on a height field."""
    heights = " ".join(f"{0.5 + 0.5 * math.sin(0.4 * i) * math.cos(0.3 * j):.3f}" for i in range(60) for j in range(60))
    source = (ROOT / "benches/models/humanoid.xml").read_text()
    hills = f'<hfield name="hills" nrow="60" ncol="60" size="5 5 .1 .1" elevation="{heights}"/>'
    floor = '<geom type="hfield" hfield="hills" pos="0 0 .05"/>'
    return source.replace("<worldbody>", f"<asset>{hills}</asset><worldbody>{floor}", 1)


def sleeping_stacks(count, height, awake=0):
    """Stacks of boxes on a plane, all asleep, and balls that roll beside them."""
    side = math.ceil(math.sqrt(count))
    stacks = "".join(
        f'<body pos="{0.5 * (i % side)} {0.5 * (i // side)} {0.099 + 0.198 * k:.3f}" sleep="init"><freejoint/>'
        '<geom type="box" size=".1 .1 .1"/></body>'
        for i in range(count)
        for k in range(height)
    )
    balls = "".join(f'<body pos="{-1 - 0.5 * i} 0 .1"><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>' for i in range(awake))
    return ('<mujoco><size memory="2G"/><option><flag sleep="enable"/></option>'
            f'<worldbody><geom type="plane" size="9 9 .1"/>{stacks}{balls}</worldbody></mujoco>')


def sleeping_scenes():
    """Name and model text."""
    yield "1000 stacks of 2 asleep", sleeping_stacks(1000, 2)
    yield "1000 stacks of 3 asleep", sleeping_stacks(1000, 3)
    yield "and one ball awake", sleeping_stacks(1000, 2, awake=1)


def scenes():
    """Name, model text or path, steps to settle."""
    menagerie = os.environ.get("FERRODYN_MENAGERIE")
    yield "humanoid", humanoids(1), 500
    yield "ten humanoids", humanoids(10), 500
    yield "200 boxes", boxes(200), 1500
    yield "two 100k-face meshes", fine_meshes(100_000), 300
    yield "humanoid on hills", humanoid_on_hills(), 500
    if menagerie:
        yield "dexterous hand", pathlib.Path(menagerie, "shadow_hand/scene_right.xml"), 300
        yield "quadruped, elliptic", pathlib.Path(menagerie, "anybotics_anymal_c/scene.xml"), 300


def load(engine, model):
    """A model from text or from a file."""
    return engine.MjModel.from_xml_path(str(model)) if isinstance(model, pathlib.Path) else engine.MjModel.from_xml_string(model)


def stage_time(engine, model, data, names, repeats):
    """Seconds for running the stages once, from a loop of so many repeats."""
    functions = [getattr(engine, name) for name in names]
    start = time.perf_counter()
    for _ in range(repeats):
        for function in functions:
            function(model, data)
    return (time.perf_counter() - start) / repeats


def call_time(engine, names):
    """Seconds that calling the stages from Python takes by itself: what they need in a world without anything."""
    model = engine.MjModel.from_xml_string("<mujoco/>")
    data = engine.MjData(model)
    return min(stage_time(engine, model, data, names, 2000) for _ in range(5))


def compare(engines, names, rounds):
    """Best times of both engines for the stages, in turns, and their ratio, as text."""
    # short turns, so that each engine has some while nothing else runs
    repeats = max(1, int(0.005 / stage_time(*engines[1], names, 3)))
    best = [math.inf, math.inf]
    for _ in range(rounds):
        for i, (engine, model, data) in enumerate(engines):
            best[i] = min(best[i], stage_time(engine, model, data, names, repeats))
    best = [time - call_time(engine, names) for time, (engine, _, _) in zip(best, engines)]
    return f"{1e6 * best[0]:9.1f} {1e6 * best[1]:9.1f} us {best[0] / best[1]:5.2f}"


def main():
    """Prints two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=150, help="turns of each engine; the fastest counts")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import ferrodyn
    import mujoco

    print(f"{'scene':<22}{'contacts':>9}{'rows':>7}   {'collision':>28}   {'rows and solver':>28}")
    for name, model, steps in scenes():
        m, e = load(mujoco, model), load(ferrodyn, model)
        d, f = mujoco.MjData(m), ferrodyn.MjData(e)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        mujoco.mj_step(m, d, steps)
        for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            getattr(f, field)[:] = getattr(d, field)
        mujoco.mj_forward(m, d)
        ferrodyn.mj_forward(e, f)
        engines = (ferrodyn, e, f), (mujoco, m, d)
        columns = [compare(engines, stages, args.rounds) for stages in (COLLISION, CONSTRAINT)]
        print(f"{name:<22}{d.ncon:>9}{d.nefc:>7}   {columns[0]:>28}   {columns[1]:>28}", flush=True)

    print(f"\n{'sleeping scene':<26}{'trees':>7}{'awake':>7}   {'step':>28}")
    for name, model in sleeping_scenes():
        m, e = load(mujoco, model), load(ferrodyn, model)
        d, f = mujoco.MjData(m), ferrodyn.MjData(e)
        assert d.ntree_awake == f.ntree_awake < m.ntree
        step = compare(((ferrodyn, e, f), (mujoco, m, d)), STEP, args.rounds)
        print(f"{name:<26}{m.ntree:>7}{d.ntree_awake:>7}   {step:>28}", flush=True)


if __name__ == "__main__":
    main()
