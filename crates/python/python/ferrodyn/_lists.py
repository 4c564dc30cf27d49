"""Lists of structs: contacts, warnings and solver statistics of a world."""

import numpy as np

from ._arrays import describe
from ._constants import mjNISLAND, mjNSOLVER
from ._native import REAL_BYTES

# reals have four bytes in a build in single precision
_F, _I = np.dtype(f"f{REAL_BYTES}"), np.int32

# MuJoCo's struct of a contact
CONTACT = np.dtype(
    [
        ("dist", _F),
        ("pos", _F, 3),
        ("frame", _F, 9),
        ("includemargin", _F),
        ("friction", _F, 5),
        ("solref", _F, 2),
        ("solreffriction", _F, 2),
        ("solimp", _F, 5),
        ("mu", _F),
        ("H", _F, 36),
        ("dim", _I),
        ("geom1", _I),
        ("geom2", _I),
        ("geom", _I, 2),
        ("flex", _I, 2),
        ("elem", _I, 2),
        ("vert", _I, 2),
        ("exclude", _I),
        ("efc_address", _I),
        ("_padding", _I),
    ]
)
WARNING = np.dtype([("lastinfo", _I), ("number", _I)])
SOLVER = np.dtype(
    [
        ("improvement", _F),
        ("gradient", _F),
        ("lineslope", _F),
        ("nactive", _I),
        ("nchange", _I),
        ("neval", _I),
        ("nupdate", _I),
    ]
)


class Struct:
    """One element of a list of structs."""

    __slots__ = ("_element",)

    def __init__(self, element):
        object.__setattr__(self, "_element", element)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._element.dtype.names:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        value = self._element[name]
        return value[0].item() if value.ndim == 1 else value[0]

    def __setattr__(self, name, value):
        getattr(self, name)
        self._element[name] = value

    def __dir__(self):
        return [*object.__dir__(self), *public(self._element.dtype)]

    def __repr__(self):
        return describe(self, public(self._element.dtype))


class MjContact(Struct):
    """A detected contact (``data.contact[i]``), or a new one for ``mj_addContact``."""

    __slots__ = ()

    def __init__(self, element=None):
        super().__init__(np.zeros(1, CONTACT) if element is None else element)


class MjWarningStat(Struct):
    """How often one kind of warning was raised (``data.warning[i]``)."""

    __slots__ = ()


class MjSolverStat(Struct):
    """What one iteration of the constraint solver did (``data.solver[i]``)."""

    __slots__ = ()


def public(dtype):
    """The fields of a struct that users see."""
    return [name for name in dtype.names if not name.startswith("_")]


class StructList:
    """A list of structs; its attributes are the fields of all elements as arrays."""

    __slots__ = ("_array",)
    _element = Struct

    def __init__(self, array):
        self._array = array

    def __len__(self):
        return len(self._array)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return type(self)(self._array[i])
        i = range(len(self))[i]
        return self._element(self._array[i : i + 1])

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._array.dtype.names:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self._array[name]

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return np.array_equal(self._array, other._array)

    __hash__ = None

    def __dir__(self):
        return [*object.__dir__(self), *public(self._array.dtype)]

    def __repr__(self):
        return describe(self, public(self._array.dtype))


class _MjContactList(StructList):
    """The contacts of a world (``data.contact``)."""

    __slots__ = ()
    _element = MjContact


class _MjWarningStatList(StructList):
    """The warnings of a world, by kind (``data.warning``)."""

    __slots__ = ()
    _element = MjWarningStat


class _MjSolverStatList(StructList):
    """The iterations of the constraint solver, by island (``data.solver``)."""

    __slots__ = ()
    _element = MjSolverStat


def contacts(native):
    """The contacts that a native world holds now."""
    return _MjContactList(np.frombuffer(native.contacts(), CONTACT))


def warnings(header):
    """The warnings of a world; ``header`` is the view of its counters."""
    return _MjWarningStatList(header.view(WARNING))


def solver_statistics(native):
    """What the constraint solver did, by island; zero where it did nothing."""
    statistics = np.zeros(mjNISLAND * mjNSOLVER, SOLVER)
    recorded = np.frombuffer(native.solver_statistics(), SOLVER)
    statistics[: len(recorded)] = recorded
    return _MjSolverStatList(statistics)
