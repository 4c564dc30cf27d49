"""The state and results of one world."""

import numpy as np

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


class MjData(ArrayOwner):
    """State and results of one world. Arrays are zero-copy numpy views under MuJoCo's names.

    Arrays whose size changes from step to step (``efc_*``, ``island_*``, ...) and ``contact`` are
    read-only copies of their current contents.
    """

    def __init__(self, model, _native_data=None):
        if not isinstance(model, MjModel):
            raise TypeError(f"expected an MjModel, not {type(model).__name__}")
        native = _native.Data(model) if _native_data is None else _native_data
        header = native.header()
        self.__dict__.update(
            model=model,
            signature=model.signature,
            nplugin=model.nplugin,
            warning=_lists.warnings(header["warning"]),
            _native=native,
            _header=header,
            **{name: header[name] for name in SMALL_ARRAYS},
        )

    @property
    def contact(self):
        """The contacts, as a list of structs."""
        return _lists.contacts(self._native)

    @property
    def solver(self):
        """The iterations of the constraint solver, as a list of structs."""
        return _lists.solver_statistics(self._native)

    def __getattr__(self, name):
        # called for arrays that were not asked for yet; views of the arena are kept
        if name.startswith("_"):
            raise self._no_attribute(name)
        try:
            view = self.__dict__[name] = self._native.array(name)
            return view
        except KeyError:
            pass
        try:
            dtype, shape, data = self._native.work_array(name)
        except KeyError:
            raise self._no_attribute(name) from None
        return np.frombuffer(data, dtype).reshape(shape)

    def __dir__(self):
        fields = (name for name, *_ in _native.data_fields() + _native.work_fields())
        return sorted({*super().__dir__(), *self.__dict__, *fields})

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
    def get(self):
        return self._header[name].item()

    def set_(self, value):
        assign_scalar(self._header[name], value)

    return property(get, set_)


for _name in SCALARS:
    setattr(MjData, _name, _scalar(_name))
DATA_VIEWS = add_accessors(MjData)
