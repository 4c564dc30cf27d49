"""Writes golden values of the small models from MuJoCo 3.5.0 to `golden/NAME.json`. `cargo xtask golden` runs this.

One file per model of `models/` that the oracle accepts:

    {"model":  {FIELD: ARRAY, ...},
     "states": [{"input": {FIELD: ARRAY, ...}, "forward": {...}, "step1": {...}, "step50": {...}}, ...]}

ARRAY is {"shape": [...], "data": [...]}: row-major, integers as integers, numbers with the digits that give back
the same double (single precision as the double it equals), NaN and infinities as the strings "nan", "inf", "-inf".
FIELD is the oracle's own name; `opt.` and `stat.` fields are dotted; sizes and other plain numbers have shape [].

* model: every non-empty array, every size, option and statistic, and the byte strings `names`, `paths`
  and `text_data` as bytes; the visual settings are left out.
* input: what to write into a reset Data before anything is computed, `time` included.
* forward: every non-empty array of Data and its counters after `mj_forward`, contacts and constraint rows too; not the copies of
  matrices in the order of islands.
* step1, step50: time, qpos, qvel, act and sensordata after 1 and after 50 steps from the same input; left out where the oracle is
  chaotic.

The last digits of the oracle depend on the mathematical library of the machine. So that another machine gives the same files, inputs
are rounded to 9 decimals, and a file in which no number moved by more than 1e-11 of its array's largest is left as it is.

Models that the oracle refuses are listed in `golden/refused.json`, each with the oracle's message.

Models with distance fields have a million numbers, so they have no such file. What collision detection finds in their first state is
in `contacts.json`: {NAME: {"contacts": [[GEOM1, GEOM2, DISTANCE, POSITION (3), NORMAL (3)], ...], "active": [NODE, ...]}}, where
active are the nodes of bounding-volume trees that were marked.

Models with large flexes have no file either: the comparison of the corpus runs them.

Where the skins of the models are twenty steps after a start in motion is in `skins.json`: {NAME: {"qpos": [...], "vertices": [...],
"normals": [...]}}, with the numbers of all vertices of all skins one after the other.

The models of `models/kinds`, one for each kind of sensor and of actuator, are in `kinds.json`, with constraints active: {NAME:
{"forward": {FIELD: [NUMBER, ...], ...}, "step20": {...}}}, computed from the keyframe with all controls at 0.6.

Runs of the models in which trees fall asleep, with constraints, are in `sleep.json`: {NAME: {"events": [[STEP, FIELD, INDEX, VALUE], ...],
"tree_asleep": [...], "counts": [...], "states": [[STEP, QPOS, QVEL], ...]}}. An event sets one number before a step. After every step,
the first one being that of the reset, there is a row of `tree_asleep` and one of the counts of awake trees, bodies, parents and degrees of
freedom.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import mujoco
import numpy as np

from ferrodyn_conform import fields
from ferrodyn_conform.check import load_oracle
from ferrodyn_conform.conditions import ISLAND_MATRICES, Conditions, read
from ferrodyn_conform.level_model import lookup, model_fields
from ferrodyn_conform.states import State, States, install, seed_of, shadow_states

HERE = Path(__file__).resolve().parent
PICKED_STATES = (0, 11)  # the start, and a later state with applied forces
KIND_FIELDS = ("qpos", "qvel", "act", "sensordata", "actuator_length", "actuator_velocity", "actuator_force", "qfrc_actuator")
KIND_CONTROL = 0.6
MOST_FLEX = 240  # degrees of freedom and vertices: files of larger ones have a million numbers
SKIN_STEPS = 20
SLEEP_STEPS = 600
SLEEP_STATES = 60  # steps between the states that are kept
COUNTS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake")
# what a user does to the sleeping models: step, field, first index, values
SLEEP_EVENTS = {
    "sleep_stacks": [(400, "xfrc_applied", 18, [2.0]), (405, "xfrc_applied", 18, [0.0])],
    "sleep_init": [(300, "qpos", 14, [0.3])],
    "sleep_policies": [
        (0, "ctrl", 0, [0.3, 0.5]), (100, "ctrl", 0, [0.1]), (250, "qvel", 4, [0.2]), (350, "qfrc_applied", 0, [0.1]),
        (380, "qfrc_applied", 0, [0.0]), (450, "ctrl", 1, [-1.0]), (500, "qfrc_applied", 4, [-0.0]),
    ],
    "sleep_welds": [(300, "eq_active", 3, [1]), (400, "qpos", 18, [0.2]), (500, "eq_active", 0, [0])],
    "sleep_mocap": [
        *((step, "mocap_pos", 0, [0.005 * (step - 200)]) for step in range(200, 240)), (300, "eq_active", 0, [1]),
        *((step, "mocap_pos", 5, [0.5 + 0.001 * (step - 350)]) for step in range(350, 450)),
    ],
    "sleep_tendons": [(250, "qfrc_applied", 3, [2.5]), (400, "qfrc_applied", 3, [0.0]), (500, "qvel", 0, [0.5])],
    "sleep_actuators": [
        (0, "ctrl", 0, [0.1, 0.02, 0.2, -0.1, 0.5, 0.4, 0.3, 0.05]), (150, "ctrl", 1, [0.0]), (400, "qpos", 0, [0.05]),
        (450, "ctrl", 0, [0.5]), (550, "qfrc_applied", 1, [0.01]),
    ],
}
SKIPPED_PREFIXES = ("vis.", "solver.", "warning.")
INPUT_DECIMALS = 9  # coarser than what 275 steps make of the last digit, finer than the nudge of the states, 1e-6
CHAOS = 1e-7  # a tenth of the tolerance of the test that reads the file
SAME = 1e-11  # relative to one plus the largest number of an array: what fifty steps make of the last digit


def array(value: object) -> dict:
    """The JSON form of an array, a number or a byte string."""
    if isinstance(value, bytes):
        value = np.frombuffer(value, dtype=np.uint8)
    value = np.asarray(value)
    return {"shape": list(value.shape), "data": [number(v) for v in value.ravel().tolist()]}


def number(value: float | int) -> float | int | str:
    """A JSON number, or the name of a value that JSON has no number for."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def golden_model(model: mujoco.MjModel) -> dict:
    """All model fields that have content."""
    values = {name: lookup(model, name) for name in model_fields(model) if not name.startswith(SKIPPED_PREFIXES)}
    return {name: array(value) for name, value in values.items() if not isinstance(value, np.ndarray) or value.size}


def golden_state(model: mujoco.MjModel, state: State) -> dict:
    """Input, forward dynamics and two points of a run."""
    data = mujoco.MjData(model)
    install(mujoco, model, data, state)
    mujoco.mj_forward(model, data)
    conditions = Conditions(model, data)
    forward = {}
    for name, _, condition in fields.DATA_FIELDS:
        value = read(data, name, conditions.sparse)
        skipped = name in ISLAND_MATRICES or name.startswith(SKIPPED_PREFIXES)
        if conditions.exists[condition] and value.size and not skipped:
            forward[name] = array(value)
    result = {
        "input": {"time": array(state.time)} | {name: array(value) for name, value in state.arrays.items() if value.size},
        "forward": forward,
    }
    result["step1"] = {name: array(value) for name, value in run(model, data, state, 1).items()}
    end = run(model, data, state, 50)
    # where the oracle itself, started a last digit away, ends elsewhere, there is nothing to compare
    reruns = [run(model, data, start, 50) for start in shadow_states(state, 50)]
    if all(np.allclose(rerun[name], end[name], rtol=CHAOS, atol=CHAOS) for rerun in reruns for name in end):
        result["step50"] = {name: array(value) for name, value in end.items()}
    return result


def run(model: mujoco.MjModel, data: mujoco.MjData, state: State, steps: int) -> dict[str, np.ndarray]:
    """The state after some steps."""
    install(mujoco, model, data, state)
    mujoco.mj_step(model, data, steps)
    names = ("time", "qpos", "qvel", "act", "sensordata")
    return {name: np.array(getattr(data, name)) for name in names if np.size(getattr(data, name)) or name[0] == "q"}


def rounded(state: State) -> State:
    """A copy of a state whose numbers do not depend on the last digits of the rollout that led to it."""
    state = state.copy()
    state.time = round(state.time, INPUT_DECIMALS)
    for name, value in state.arrays.items():
        if value.dtype.kind == "f":
            state.arrays[name] = value.round(INPUT_DECIMALS) + 0.0  # no negative zeros
    return state


def same(old: object, new: object) -> bool:
    """Whether two golden contents differ in last digits only."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(same(old[key], new[key]) for key in old)
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return old == new
    if not all(isinstance(x, float) for x in (*old, *new)):
        return all(same(a, b) for a, b in zip(old, new, strict=True))
    limit = SAME * (1 + max(map(abs, old), default=0))
    return all(abs(a - b) <= limit for a, b in zip(old, new, strict=True))


def write(file: Path, content: dict, **layout) -> None:
    """One golden file; one that differs in last digits only stays."""
    text = json.dumps(content, allow_nan=False, **layout) + "\n"
    if not file.exists() or not same(json.loads(file.read_text()), json.loads(text)):
        file.write_text(text)


def golden_contacts(model: mujoco.MjModel) -> dict:
    """Contacts of the first state, with geoms, distance, position and normal, and marked nodes."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contacts = [[*c.geom.tolist(), c.dist, *c.pos.tolist(), *c.frame[:3].tolist()] for c in data.contact]
    return {"contacts": contacts, "active": np.flatnonzero(data.bvh_active).tolist()}


def golden_skins(model: mujoco.MjModel) -> dict:
    """Vertices and normals of all skins after twenty steps."""
    data = mujoco.MjData(model)
    data.qvel[:] = 1 + np.arange(model.nv) % 3
    mujoco.mj_step(model, data, SKIN_STEPS)
    data.qpos[:] = np.round(data.qpos, 9)
    mujoco.mj_forward(model, data)
    scene, option = mujoco.MjvScene(model, 1), mujoco.MjvOption()
    option.skingroup[:] = 1
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), 0, scene)
    return {"qpos": data.qpos.tolist(), "vertices": scene.skinvert.tolist(), "normals": scene.skinnormal.tolist()}


def golden_kind(path: Path) -> dict:
    """What a sensor measures and an actuator does, in the state of the keyframe and twenty steps later."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.ctrl[:] = KIND_CONTROL
    mujoco.mj_forward(model, data)
    result = {"forward": {name: getattr(data, name).tolist() for name in KIND_FIELDS if getattr(data, name).size}}
    mujoco.mj_step(model, data, 20)
    result["step20"] = {name: getattr(data, name).tolist() for name in KIND_FIELDS if getattr(data, name).size}
    return result


def golden_sleep(model: mujoco.MjModel, events: list) -> dict:
    """A run with events: what sleeps after every step, and some states."""
    data = mujoco.MjData(model)
    asleep, counts, states = [], [], []
    for step in range(SLEEP_STEPS + 1):
        asleep.append(data.tree_asleep.tolist())
        counts.append([getattr(data, name) for name in COUNTS])
        if step % SLEEP_STATES == 0:
            states.append([step, data.qpos.tolist(), data.qvel.tolist()])
        for at, field, index, values in events:
            if at == step:
                getattr(data, field).reshape(-1)[index:index + len(values)] = values
        mujoco.mj_step(model, data)
    single = [[at, field, index + k, value] for at, field, index, values in events for k, value in enumerate(values)]
    return {"events": single, "tree_asleep": asleep, "counts": counts, "states": states}


def main() -> int:
    """Writes all files; files of models that no longer exist are removed."""
    folder = HERE / "golden"
    folder.mkdir(exist_ok=True)
    refused, contacts, skins, sleep, written = {}, {}, {}, {}, {"refused.json"}
    for path in sorted((HERE / "models").glob("*.xml")):
        model, error = load_oracle(path)
        if model is None:
            refused[path.name] = error
            continue
        if int(mujoco.mjtGeom.mjGEOM_SDF) in model.geom_type:
            contacts[path.stem] = golden_contacts(model)
            continue
        if model.nflex and model.nv + model.nflexvert > MOST_FLEX:
            continue
        content = {"model": golden_model(model)}
        if model.nskin:
            skins[path.stem] = golden_skins(model)
        if path.stem in SLEEP_EVENTS:
            sleep[path.stem] = golden_sleep(model, SLEEP_EVENTS[path.stem])
        states = States(model, seed_of(path.name))
        content["states"] = [golden_state(model, rounded(states.get(i, 0))) for i in PICKED_STATES]
        write(folder / f"{path.stem}.json", content, separators=(",", ":"))
        written.add(f"{path.stem}.json")
    kinds = {path.stem: golden_kind(path) for path in sorted((HERE / "models/kinds").glob("*_*.xml"))}
    write(HERE / "kinds.json", kinds, indent=1)
    write(HERE / "contacts.json", contacts)
    write(HERE / "skins.json", skins, separators=(",", ":"))
    write(HERE / "sleep.json", sleep, separators=(",", ":"))
    write(folder / "refused.json", refused, indent=1)
    for file in folder.glob("*.json"):
        if file.name not in written:
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
