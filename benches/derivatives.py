"""Time of the derivative of a step, beside MuJoCo, in one run.

MuJoCo differentiates all columns by centred differences (mjd_transitionFD); Ferrodyn does the same, and with closed
forms for all columns but those of positions, on one thread and on two. The ratio is Ferrodyn's time divided by MuJoCo's.
"""
import argparse
import math
import pathlib
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).parents[1]
EPS = 1e-6
QUADRUPED_LEGS = (("fl", 1, 1), ("fr", 1, -1), ("bl", -1, 1), ("br", -1, -1))


def humanoid():
    """The humanoid with a motor on every hinge."""
    import ferrodyn

    source = (ROOT / "benches/models/humanoid.xml").read_text()
    model = ferrodyn.MjModel.from_xml_string(source)
    hinges = [model.joint(j).name for j in range(model.njnt) if model.jnt_type[j] == 3]
    if model.nu or not all(hinges):
        return source
    motors = "".join(f'<motor joint="{name}" gear="20"/>' for name in hinges)
    return source.replace("</mujoco>", f"<actuator>{motors}</actuator></mujoco>")


def quadruped():
    """A body on four legs with position servos."""
    legs = servos = ""
    for name, x, y in QUADRUPED_LEGS:
        legs += (
            f'<body pos="{0.2 * x} {0.12 * y} 0"><joint name="{name}1" axis="1 0 0" damping="1" armature=".01"/>'
            f'<joint name="{name}2" axis="0 1 0" damping="1" armature=".01"/>'
            '<geom type="capsule" fromto="0 0 0 .02 0 -.2" size=".025" mass=".4"/><body pos=".02 0 -.2">'
            f'<joint name="{name}3" axis="0 1 0" damping="1" armature=".01"/>'
            '<geom type="capsule" fromto="0 0 0 -.02 0 -.2" size=".02" mass=".2"/></body></body>'
        )
        servos += "".join(f'<position joint="{name}{i}" kp="60"/>' for i in (1, 2, 3))
    return (
        '<mujoco><worldbody><geom type="plane" size="3 3 .1"/><body pos="0 0 .42"><freejoint/>'
        f'<geom type="box" size=".25 .1 .05" mass="5"/>{legs}</body></worldbody><actuator>{servos}</actuator></mujoco>'
    )


def pendulum(links):
    """Rods on hinges, with a motor on each."""
    rod = '<geom type="capsule" fromto="0 0 0 0 0 -1" size=".02" mass=".1" contype="0" conaffinity="0"/>'
    bodies = "".join(f'<body pos="0 0 {-min(i, 1)}"><joint name="j{i}" axis="0 1 0"/>{rod}' for i in range(links))
    motors = "".join(f'<motor joint="j{i}"/>' for i in range(links))
    return f"<mujoco><worldbody>{bodies}{'</body>' * links}</worldbody><actuator>{motors}</actuator></mujoco>"


def scenes():
    """Name, model text, steps before."""
    yield "pendulum of six links", pendulum(6), 3
    yield "humanoid in contact", humanoid(), 500
    yield "humanoid in the air", humanoid(), 3
    yield "quadruped", quadruped(), 300


def seconds(function, repeats):
    """Seconds of one call, from a loop."""
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def main():
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="turns of each engine; the fastest counts")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    import ferrodyn
    import mujoco
    from ferrodyn import derivatives

    print(f"{'scene':<22}{'dofs':>5}{'rows':>6}{'MuJoCo':>12}" + "".join(
        f"{name:>20}" for name in ("differences", "closed forms", "on two threads")
    ))
    for name, xml, steps in scenes():
        m, e = mujoco.MjModel.from_xml_string(xml), ferrodyn.MjModel.from_xml_string(xml)
        d, f = mujoco.MjData(m), ferrodyn.MjData(e)
        mujoco.mj_step(m, d, steps)
        for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
            getattr(f, field)[:] = getattr(d, field)
        states = 2 * m.nv + m.na
        a, b = np.zeros((states, states)), np.zeros((states, m.nu))
        ours = a.copy(), b.copy()
        ways = [
            lambda: mujoco.mjd_transitionFD(m, d, EPS, 1, a, b, None, None),
            lambda: ferrodyn.mjd_transitionFD(e, f, EPS, 1, *ours, None, None),
            lambda: derivatives.transition(e, f, eps=EPS),
            lambda: derivatives.transition(e, f, eps=EPS, threads=2),
        ]
        repeats = max(1, int(0.1 / seconds(ways[0], 1)))
        best = [math.inf] * len(ways)
        for _ in range(args.rounds):
            best = [min(old, seconds(way, repeats)) for old, way in zip(best, ways)]
        hybrid = derivatives.transition(e, f, eps=EPS)
        worst = max(
            np.abs(x - y).max() / np.abs(y).max() for x, y in ((ours[0], a), (hybrid.A, a), (hybrid.B, b)) if y.size
        )
        if not worst < 1e-4:
            raise SystemExit(f"{name}: the derivatives differ by {worst}")
        columns = "".join(f"{1e3 * t:11.3f} ms {t / best[0]:5.2f}" for t in best[1:])
        print(f"{name:<22}{m.nv:>5}{d.nefc:>6}{1e3 * best[0]:9.3f} ms{columns}", flush=True)


if __name__ == "__main__":
    main()
