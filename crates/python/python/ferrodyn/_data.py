"""The state and results of one world."""

from . import _lists, _native
from ._arrays import ArrayOwner
from ._model import MjModel
from ._named import add_accessors
from ._settings import assign_scalar

# scalars of the world
SCALARS = (
    "time ncon ne nf nl nefc nJ nA nisland nidof ntree_awake nbody_awake nparent_awake nv_awake "
    "flg_energypos flg_energyvel flg_subtreevel flg_rnepost"
).split()
# small arrays of the world that have the same size for every model
SMALL_ARRAYS = "energy solver_niter solver_nnz solver_fwdinv".split()
# lists of structs
LISTS = {
    "contact": _lists.contacts,
    "solver": _lists.solver_statistics,
    "warning": _lists.warnings,
}


class MjData(ArrayOwner):
    """State and results of one world. Arrays are zero-copy numpy views under MuJoCo's names.

    Arrays whose size changes from step to step (``efc_*``, ``island_*``, ...) and ``contact`` are
    views too: of what is in use when they are asked for. A program that keeps one over a step can
    read it for as long as it likes, but only a fresh one shows the new rows.
    """

    def __init__(self, model, _native_data=None):
        if not isinstance(model, MjModel):
            raise TypeError(f"expected an MjModel, not {type(model).__name__}")
        native = _native.Data(model) if _native_data is None else _native_data
        self.__dict__.update(
            model=model, signature=model.signature, nplugin=model.nplugin, _native=native
        )

    def __getattr__(self, name):
        # called for arrays and lists that were not asked for yet, which are kept
        if name.startswith("_"):
            raise self._no_attribute(name)
        if name == "bvh_active":
            # marks are left for those who look at them
            self._native.watch_boxes(self.model)
        try:
            value = LISTS[name](self._native) if name in LISTS else self._native.array(name)
        except KeyError:
            raise self._no_attribute(name) from None
        self.__dict__[name] = value
        return value

    def __dir__(self):
        fields = (name for name, *_ in _native.data_fields())
        return sorted({*super().__dir__(), *self.__dict__, *SMALL_ARRAYS, *LISTS, *fields})

    @property
    def soft_xpos(self):
        """Positions of the vertices of all deformable bodies, in m, as a copy that cannot be written to: an extension. Shape (nsoftvert, 3)."""
        return self._native.soft_coordinates(False)

    @property
    def soft_xvel(self):
        """Velocities of the vertices of all deformable bodies, in m/s, as a copy that cannot be written to: an extension. Shape (nsoftvert, 3)."""
        return self._native.soft_coordinates(True)

    def __copy__(self):
        return type(self)(self.model, self._native.copy())

    def __deepcopy__(self, memo):
        model = memo.get(id(self.model)) or self.model.__deepcopy__(memo)
        copy = memo[id(self)] = type(self)(model, self._native.copy())
        return copy

    def __reduce__(self):
        return _restore_data, (type(self), self.model, self._native.to_bytes())


def _restore_data(cls, model, data):
    return cls(model, _native.Data.from_bytes(model, data))


def _scalar(name):
    field = _native.header_fields().index(name)

    def get(self):
        return self._native.scalar(field)

    def set_(self, value):
        assign_scalar(self._native.array(name), value)

    return property(get, set_)


def _work_array(field, doc):
    # what is in use changes from step to step: a view is made each time, and none is kept
    return property(lambda self: self._native.work_array(field), doc=doc)


def _island_array(field, doc):
    def get(self):
        # where one island holds everything, its arrays are filled for those who look at them
        self._native.watch_islands(self.model)
        return self._native.work_array(field)

    return property(get, doc=doc)


_IN_ISLAND_ORDER = ("iM", "iLD", "iacc", "ifrc_", "iefc_")


for _name in SCALARS:
    setattr(MjData, _name, _scalar(_name))
for _field, (_name, *_, _doc) in enumerate(_native.work_fields()):
    _make = _island_array if _name.startswith(_IN_ISLAND_ORDER) else _work_array
    setattr(MjData, _name, _make(_field, _doc))
DATA_VIEWS = add_accessors(MjData)
