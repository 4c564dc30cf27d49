"""What a step costs with each integrator, relative to Euler, beside MuJoCo, in one run.

Run with ``cargo xtask bench-integrators``. Both engines advance the same models from the same state with every integrator, in turns; the
figure is the fastest turn. The cost is the time divided by that of Euler in the same engine; the last column is MuJoCo's
time divided by Ferrodyn's (above 1: Ferrodyn is faster).
"""
import argparse
import math
import pathlib
import time
import warnings

ROOT = pathlib.Path(__file__).parents[1]
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicitfast": 3, "implicit": 2}  # MuJoCo's numbers
WARM_UP = 20  # steps before the clock starts: memory grows, caches fill


def chain(links):
    """A pendulum of rods, each on a hinge of its own."""
    rod = '<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.2" size=".01" mass=".1" contype="0" conaffinity="0"/>'
    bodies = f'<body>{rod}' + f'<body pos="0 0 -.2">{rod}' * (links - 1) + "</body>" * links
    return f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"


def models():
    """Name and text."""
    yield "chain of 10 bodies", chain(10)
    yield "humanoid", (ROOT / "benches/models/humanoid.xml").read_text()


class World:
    """One engine, one model, one integrator."""

    def __init__(self, engine, xml, integrator):
        self.engine = engine
        self.model = engine.MjModel.from_xml_string(xml)
        self.model.opt.integrator = INTEGRATORS[integrator]
        self.data = engine.MjData(self.model)
        self.best = math.inf

    def turn(self, steps):
        """Time some steps from the beginning."""
        self.engine.mj_resetData(self.model, self.data)
        self.data.qvel[:] = 0.3
        self.engine.mj_step(self.model, self.data, WARM_UP)
        start = time.perf_counter()
        self.engine.mj_step(self.model, self.data, steps)
        self.best = min(self.best, (time.perf_counter() - start) / steps)
        if not (abs(self.data.qpos) < 1e10).all():
            raise SystemExit(f"{self.engine.__name__} diverged")


def main():
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25, help="turns of each engine; the fastest counts")
    parser.add_argument("--steps", type=int, default=200, help="steps of a turn")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    import ferrodyn
    import mujoco

    print(f"{'model':<20}{'dofs':>5}  {'integrator':<14}{'Ferrodyn':>12}{'cost':>7}{'MuJoCo':>12}{'cost':>7}{'ratio':>7}")
    for name, xml in models():
        worlds = {i: [World(engine, xml, i) for engine in (ferrodyn, mujoco)] for i in INTEGRATORS}
        for _ in range(args.rounds):
            for pair in worlds.values():
                for world in pair:
                    world.turn(args.steps)
        euler = worlds["Euler"]
        for integrator, (ours, theirs) in worlds.items():
            columns = "".join(f"{1e6 * w.best:9.2f} us{w.best / e.best:7.2f}" for w, e in zip((ours, theirs), euler))
            print(f"{name:<20}{ours.model.nv:>5}  {integrator:<14}{columns}{theirs.best / ours.best:7.2f}", flush=True)


if __name__ == "__main__":
    main()
