"""L2: every array of Data after `mj_forward`, at states along a rollout."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .compare import Miss, compare_array, form, within_shadow
from .level_model import by_appearance, lookup
from .states import State, install, shadow_states

MARGIN_EDGE = 1e-9  # a contact this close to its margin may exist or not
PIPELINE_RANK = {name: rank for rank, (name, _, _) in enumerate(fields.DATA_FIELDS)}
LAST_POSITION_FIELD = "efc_AR"  # what follows depends on velocity


class Conditions:
    """What decides which arrays exist and how tightly they are judged, for one oracle Data."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData):
        option = model.opt
        dual = option.solver == mujoco.mjtSolver.mjSOL_PGS or option.noslip_iterations > 0
        sparse = bool(mujoco.mj_isSparse(model))
        efc, islands = data.nefc > 0, data.nisland > 0
        by_island = islands and not dual and not option.disableflags & mujoco.mjtDisableBit.mjDSBL_ISLAND
        self.exists = {
            fields.ALWAYS: True,
            fields.HAS_EFC: efc,
            fields.IS_DUAL: efc and dual,
            fields.IS_SPARSE: efc and sparse,
            fields.SPARSE_DUAL: efc and dual and sparse,
            fields.HAS_ISLANDS: islands,
            fields.SPARSE_ISLANDS: islands and sparse,
            fields.ISLANDS_SOLVED: by_island,
            # solved by island, the rows' own states are those of the warm start
            fields.HAS_STATE: efc and not (by_island and option.disableflags & mujoco.mjtDisableBit.mjDSBL_WARMSTART),
        }
        self.iterative_contacts = iterative_contacts(model, data)
        self.iterative = bool(self.iterative_contacts.any())
        self.constrained = efc
        self.sparse = sparse


def iterative_contacts(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """For every contact, whether its pair is solved by iteration rather than by a formula."""
    geom = np.array(data.contact.geom).reshape(-1, 2)
    if not geom.size:
        return np.zeros(len(geom), dtype=bool)
    types = np.where(geom >= 0, np.append(model.geom_type, 0)[geom], -1)
    both = (geom >= 0).all(axis=1)
    plane = (types == mujoco.mjtGeom.mjGEOM_PLANE).any(axis=1)
    return np.where(both, ~fields.CLOSED_FORM[types[:, 0], types[:, 1]], ~plane)


def sensor_tolerance(model: mujoco.MjModel, conditions: Conditions) -> np.ndarray:
    """Tolerance of every number in `sensordata`: smooth, or that of the contacts and accelerations it follows from."""
    tolerance = np.full(model.nsensordata, fields.TOLERANCE[fields.SMOOTH][0])
    follow = fields.TOLERANCE[fields.FOLLOW][conditions.iterative]
    kinds = mujoco.mjtSensor
    distances = (kinds.mjSENS_GEOMDIST, kinds.mjSENS_GEOMNORMAL, kinds.mjSENS_GEOMFROMTO)
    for sensor in range(model.nsensor):
        part = slice(model.sensor_adr[sensor], model.sensor_adr[sensor] + model.sensor_dim[sensor])
        if model.sensor_type[sensor] in distances:
            tolerance[part] = fields.TOLERANCE[fields.CONTACT][_distance_is_iterative(model, sensor)]
        elif model.sensor_needstage[sensor] == mujoco.mjtStage.mjSTAGE_ACC and conditions.constrained:
            tolerance[part] = follow
    return tolerance


def _distance_is_iterative(model: mujoco.MjModel, sensor: int) -> bool:
    def geom_types(kind: int, index: int) -> np.ndarray:
        if kind == mujoco.mjtObj.mjOBJ_GEOM:
            return model.geom_type[index:index + 1]
        adr = model.body_geomadr[index]
        return model.geom_type[adr:adr + model.body_geomnum[index]] if adr >= 0 else model.geom_type[:0]

    first = geom_types(model.sensor_objtype[sensor], model.sensor_objid[sensor])
    second = geom_types(model.sensor_reftype[sensor], model.sensor_refid[sensor])
    return not fields.CLOSED_FORM[np.ix_(first, second)].all()


def field_tolerance(name: str, kind: str, model: mujoco.MjModel, conditions: Conditions, ndim: int) -> np.ndarray | float:
    """The tolerance of a field in a state."""
    if kind == fields.SENSOR:
        return sensor_tolerance(model, conditions)
    if kind == fields.CONTACT:
        closed, iterative = fields.TOLERANCE[kind]
        per_contact = np.where(conditions.iterative_contacts, iterative, closed)
        return per_contact.reshape((-1,) + (1,) * (ndim - 1))
    if kind == fields.FOLLOW and not conditions.constrained:
        kind = fields.SMOOTH
    return fields.TOLERANCE[kind][conditions.iterative]


def read(data: object, name: str, sparse: bool) -> object:
    """A field of Data as an array, numbers as arrays without dimension; None when missing."""
    value = lookup(data, name)
    if name == "plugin" and isinstance(value, np.ndarray):
        return by_appearance(value)
    if isinstance(value, int):
        return np.asarray(value % (1 << 64), dtype=np.uint64)
    if isinstance(value, float):
        return np.asarray(value)
    if name in ("actuator_moment", "moment_colind") and isinstance(value, np.ndarray):
        return used_entries(value, getattr(data, "moment_rowadr", None), getattr(data, "moment_rownnz", None))
    if name in ISLAND_MATRICES and isinstance(value, np.ndarray):
        return written_part(data, name, value, sparse)
    if name.startswith("solver.") and np.shape(value) == (mujoco.mjNISLAND * mujoco.mjNSOLVER,):
        # the first iteration of every island: later ones end at the level of rounding
        return value[::mujoco.mjNSOLVER]
    return value


def both_iterated(oracle: object, engine: object, expected: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Statistics of the islands in which both engines made an iteration: the first one can already be at the level of rounding."""
    counts = [np.asarray(getattr(data, "solver_niter", ())) for data in (oracle, engine)]
    if counts[0].shape != counts[1].shape or np.shape(value) != counts[0].shape:
        return expected, value
    both = (counts[0] > 0) & (counts[1] > 0)
    return np.where(both, expected, 0).astype(expected.dtype), np.where(both, value, 0).astype(value.dtype)


def used_entries(value: np.ndarray, adr: np.ndarray | None, num: np.ndarray | None) -> np.ndarray:
    """The entries that belong to a row; others are what the oracle left behind when it compressed a dense row."""
    if not np.size(adr) or not np.size(num):
        return value
    return np.concatenate([value[a:a + n] for a, n in zip(adr, num, strict=True)])


# The oracle reserves room for all dofs and writes only the rows and columns of the islands.
ISLAND_MATRICES = {"iM_colind", "iM", "iLD", "iefc_J", "iefc_J_colind"}


def written_part(data: object, name: str, value: np.ndarray, sparse: bool) -> np.ndarray:
    """The entries of an island matrix that are in use; everything when the engine does not say which."""
    inertia = name.startswith(("iM", "iLD"))
    if inertia or sparse:
        rows = "iM" if inertia else "iefc_J"
        adr, num = getattr(data, f"{rows}_rowadr", None), getattr(data, f"{rows}_rownnz", None)
        return value[: int(adr[-1] + num[-1])] if np.size(adr) and np.size(num) else value
    # dense: one block of rows and columns per island
    nidof = getattr(data, "nidof", None)
    parts = [getattr(data, field, None) for field in ("island_iefcadr", "island_nefc", "island_nv")]
    if nidof is None or any(part is None for part in parts):
        return value
    blocks = [value[nidof * adr: nidof * adr + rows * columns] for adr, rows, columns in zip(*parts, strict=True)]
    return np.concatenate(blocks) if blocks else value


class ForwardCheck:
    """Runs both engines on states and collects misses, errors and how often the shadow was needed."""

    def __init__(self, engine, oracle_model: mujoco.MjModel, engine_model: object, until: str | None = None):
        """With `until`, later fields of the pipeline are left out, and the stages after the position stage if none needs them."""
        self.engine = engine
        last = PIPELINE_RANK[until] if until else len(PIPELINE_RANK)
        self.fields = [field for field in fields.DATA_FIELDS if PIPELINE_RANK[field[0]] <= last]
        self.function = "mj_fwdPosition" if last <= PIPELINE_RANK[LAST_POSITION_FIELD] else "mj_forward"
        self.models = oracle_model, engine_model
        self.data = mujoco.MjData(oracle_model), engine.MjData(engine_model)
        self.shadow_data = mujoco.MjData(oracle_model)
        self.misses: list[Miss] = []
        self.errors: dict[str, float] = {}
        self.shadowed = 0
        self.excused: set[str] = set()  # fields that passed only because of the shadow

    def run(self, states: list[State], seed: int) -> None:
        """Compares all states; misses are in pipeline order, then in order of states."""
        for number, state in enumerate(states):
            (oracle_model, engine_model), (oracle, engine) = self.models, self.data
            install(mujoco, oracle_model, oracle, state)
            install(self.engine, engine_model, engine, state)
            getattr(mujoco, self.function)(oracle_model, oracle)
            getattr(self.engine, self.function)(engine_model, engine)
            self._compare(number, Shadow(oracle_model, self.shadow_data, state, seed + number, self.function))
        self.misses.sort(key=lambda miss: PIPELINE_RANK[miss.field])

    def _compare(self, number: int, shadow: Shadow) -> None:
        model, (oracle, engine) = self.models[0], self.data
        conditions = Conditions(model, oracle)
        excused = set()
        edge = contacts_differ_at_margin(oracle, engine)
        for name, kind, condition in self.fields:
            if not conditions.exists[condition]:
                continue
            expected = read(oracle, name, conditions.sparse)
            value = read(engine, name, conditions.sparse)
            if value is None:
                if expected.size or not name.startswith(fields.OPTIONAL_WHEN_EMPTY):
                    self._miss(Miss(name, (), "present", "missing", np.inf, 0.0), number)
                continue
            if name.startswith("solver."):
                expected, value = both_iterated(oracle, engine, expected, value)
            tolerance = field_tolerance(name, kind, model, conditions, expected.ndim)
            error, miss = compare_array(name, expected, value, tolerance)
            if miss:
                if edge and (kind in fields.CONTACT_DEPENDENT or expected.dtype.kind != "f"):
                    excused.add(name)
                    continue
                reference, others = shadow.reference(name, expected, value)
                if within_shadow(value, reference, others):
                    excused.add(name)
                    continue
                self._miss(miss, number)
            self.errors[name] = max(self.errors.get(name, 0.0), error)
        self.shadowed += bool(excused)
        self.excused |= excused

    def _miss(self, miss: Miss, number: int) -> None:
        miss.where = f"state {number}"
        self.misses.append(miss)


class Shadow:
    """The oracle rerun from nudged copies of one state; computed when first asked for."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, state: State, seed: int, function: str):
        self._model, self._data, self._state, self._seed = model, data, state, seed
        self._function = getattr(mujoco, function)
        self._runs: list[dict[str, np.ndarray]] | None = None

    def _all(self) -> list[dict[str, np.ndarray]]:
        if self._runs is None:
            self._runs = []
            for state in shadow_states(self._state, self._seed):
                install(mujoco, self._model, self._data, state)
                self._function(self._model, self._data)
                conditions = Conditions(self._model, self._data)
                self._runs.append({
                    name: np.array(read(self._data, name, conditions.sparse))
                    for name, _, condition in fields.DATA_FIELDS if conditions.exists[condition]
                })
        return self._runs

    def reference(self, name: str, oracle: np.ndarray, engine: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """What the engine is held against: the oracle, or a rerun of the engine's form; and the other reruns."""
        runs = [run[name] for run in self._all() if name in run]
        if form(oracle) != form(engine):
            for number, run in enumerate(runs):
                if form(run) == form(engine):
                    return run, runs[:number] + runs[number + 1:] + [oracle]
        return oracle, runs


def contacts_differ_at_margin(oracle: object, engine: object) -> bool:
    """Whether the lists of contacts differ, and only by contacts that lie on their margin."""
    lists = []
    for data in (oracle, engine):
        contact = getattr(data, "contact", None)
        if any(getattr(contact, name, None) is None for name in ("geom", "flex", "dist", "includemargin")):
            return False
        pairs = np.concatenate([np.array(contact.geom).reshape(-1, 2), np.array(contact.flex).reshape(-1, 2)], axis=1)
        inside = np.abs(np.array(contact.dist) - np.array(contact.includemargin)) >= MARGIN_EDGE
        if len(pairs) != len(inside):
            return False
        lists.append((pairs.tolist(), pairs[inside].tolist()))
    return lists[0][0] != lists[1][0] and lists[0][1] == lists[1][1]
