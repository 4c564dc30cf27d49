"""The state and results of one world."""

from . import _native
from ._model import MjModel
from ._named import DATA_ACCESSORS, named_accessor


class _WarningStat:
    """How often one kind of warning was raised (``data.warning[i]``)."""

    __slots__ = ("_row",)

    def __init__(self, row):
        self._row = row

    @property
    def lastinfo(self):
        """Index that the last warning concerns."""
        return int(self._row[0])

    @lastinfo.setter
    def lastinfo(self, value):
        self._row[0] = value

    @property
    def number(self):
        """Number of warnings."""
        return int(self._row[1])

    @number.setter
    def number(self, value):
        self._row[1] = value


def _scalar(name):
    def get(self):
        return self._header[name].item()

    def set_(self, value):
        self._header[name][0] = value

    return property(get, set_)


class MjData:
    """State and results of one world. Arrays are zero-copy numpy views under MuJoCo's names."""

    def __init__(self, model, _native_data=None):
        if not isinstance(model, MjModel):
            raise TypeError(f"expected an MjModel, not {type(model).__name__}")
        native = _native.Data(model._native) if _native_data is None else _native_data
        header = native.header()
        self.__dict__.update(
            model=model,
            signature=model.signature,
            nplugin=model.nplugin,
            contact=[],
            _native=native,
            _header=header,
            _arena=frozenset(name for name, _, fixed in native.array_docs() if fixed),
            warning=[_WarningStat(row) for row in header["warning"].reshape(-1, 2)],
            **{name: view for name, view in header.items() if view.size > 1 and name != "warning"},
        )

    def __getattr__(self, name):
        # called for arrays that were not asked for yet; views of the arena are kept
        if name.startswith("__") or name == "_native":
            raise AttributeError(name)
        try:
            view = self._native.array(name)
        except KeyError:
            raise AttributeError(f"MjData has no attribute '{name}'") from None
        if name in self._arena:
            self.__dict__[name] = view
        return view

    def __setattr__(self, name, value):
        attribute = getattr(type(self), name, None)
        if isinstance(attribute, property):
            attribute.fset(self, value)
            return
        view = getattr(self, name)
        if not hasattr(view, "__setitem__") or isinstance(view, list):
            raise AttributeError(f"'{name}' of MjData cannot be assigned")
        view[:] = value

    def __dir__(self):
        arrays = (name for name, _, _ in self._native.array_docs())
        return sorted({*super().__dir__(), *self.__dict__, *arrays, *DATA_ACCESSORS})

    def __copy__(self):
        return type(self)(self.model, self._native.copy())

    def __deepcopy__(self, memo):
        return type(self)(self.model.__deepcopy__(memo), self._native.copy())

    def __reduce__(self):
        return _restore_data, (self.model, self._native.to_bytes())


def _restore_data(model, data):
    return MjData(model, _native.Data.from_bytes(model._native, data))


_SCALARS = (
    "time ncon ne nf nl nefc nJ nA nisland nidof ntree_awake nbody_awake nparent_awake nv_awake "
    "flg_energypos flg_energyvel flg_subtreevel flg_rnepost"
).split()
for _name in _SCALARS:
    setattr(MjData, _name, _scalar(_name))
for _name, _accessor in DATA_ACCESSORS.items():
    setattr(MjData, _name, named_accessor(_name, _accessor, "data"))
