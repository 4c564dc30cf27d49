"""Which arrays of a Data exist, which part of them is in use, and how tightly they are judged."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .level_model import by_appearance, lookup


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
    if name in ("efc_J", "nJ") and not sparse:
        # rows that were counted but not made leave room at the end
        return value[:data.nefc * data.qvel.size] if name == "efc_J" else np.asarray(data.nefc * data.qvel.size)
    if name in ISLAND_MATRICES and isinstance(value, np.ndarray):
        return written_part(data, name, value, sparse)
    if name.startswith("solver."):
        return made_iterations(value, getattr(data, "solver_niter", ()))
    return value


def made_iterations(values: object, counts: object) -> object:
    """Statistics of the iterations that were made in every island; what lies behind them is of older solves."""
    counts = np.asarray(counts)
    if np.shape(values) != (counts.size * mujoco.mjNSOLVER,):
        return values
    made = np.arange(mujoco.mjNSOLVER) < counts[:, None]
    return np.where(made.ravel(), values, 0).astype(values.dtype)


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
