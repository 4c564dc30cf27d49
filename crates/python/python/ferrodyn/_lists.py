"""Lists of structs: contacts, warnings and solver statistics of a world."""

from functools import partial

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


def public(dtype):
    """The fields of a struct that users see."""
    return [name for name in dtype.names if not name.startswith("_")]


def _field_of_struct(name, shape):
    def array(self):
        return self._element[name][0]

    def scalar(self):
        return self._element[name].item()

    def set_(self, value):
        self._element[name] = value

    return property(array if shape else scalar, set_)


def _field_of_list(name):
    return property(lambda self: self._get()[name])


class Struct:
    """One element of a list of structs."""

    __slots__ = ("_element",)
    _dtype = np.dtype([])

    def __init__(self, element):
        # an array with one element, in the engine's memory
        self._element = element

    def __init_subclass__(cls):
        for name in public(cls._dtype):
            setattr(cls, name, _field_of_struct(name, cls._dtype[name].shape))

    def __repr__(self):
        return describe(self, public(self._dtype))


class MjContact(Struct):
    """A detected contact (``data.contact[i]``), or a new one for ``mj_addContact``."""

    __slots__ = ()
    _dtype = CONTACT

    def __init__(self, element=None):
        self._element = np.zeros(1, CONTACT) if element is None else element


class MjWarningStat(Struct):
    """How often one kind of warning was raised (``data.warning[i]``)."""

    __slots__ = ()
    _dtype = WARNING


class MjSolverStat(Struct):
    """What one iteration of the constraint solver did (``data.solver[i]``)."""

    __slots__ = ()
    _dtype = SOLVER


class StructList:
    """A list of structs; its attributes are the fields of all elements as arrays."""

    __slots__ = ("_get",)
    _element = Struct

    def __init__(self, get):
        # what gives the elements as they are now: an array, in the engine's memory
        self._get = get

    def __init_subclass__(cls):
        for name in public(cls._element._dtype):
            setattr(cls, name, _field_of_list(name))

    def __len__(self):
        return len(self._get())

    def __getitem__(self, i):
        array = self._get()
        if isinstance(i, slice):
            part = array[i]
            return type(self)(lambda: part)
        n = len(array)
        if not -n <= i < n:
            raise IndexError(f"no element {i} in a list of {n}")
        i %= n
        return self._element(array[i : i + 1])

    def __iter__(self):
        array = self._get()
        return (self._element(array[i : i + 1]) for i in range(len(array)))

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return np.array_equal(self._get(), other._get())

    __hash__ = None

    def __repr__(self):
        return describe(self, public(self._element._dtype))


class _MjContactList(StructList):
    """The contacts of a world (``data.contact``), as many as there are when the list is used."""

    __slots__ = ()
    _element = MjContact


class _MjWarningStatList(StructList):
    """The warnings of a world, by kind (``data.warning``)."""

    __slots__ = ()
    _element = MjWarningStat


class _MjSolverStatList(StructList):
    """The iterations of the constraint solver, by island (``data.solver``).

    Only islands that were there have memory for their iterations, and the list is as long as
    MuJoCo's. So elements are in place, while arrays are read-only copies with zeros for other islands.
    """

    __slots__ = ("_recorded",)
    _element = MjSolverStat

    def __init__(self, get, recorded=None):
        super().__init__(get)
        self._recorded = recorded

    def __len__(self):
        return super().__len__() if self._recorded is None else mjNISLAND * mjNSOLVER

    def __getitem__(self, i):
        if self._recorded is None or isinstance(i, slice):
            return super().__getitem__(i)
        i, array = range(len(self))[i], self._recorded()
        return self._element(array[i : i + 1]) if i < len(array) else super().__getitem__(i)

    def __iter__(self):
        return (self[i] for i in range(len(self)))


def contacts(native):
    """The contacts of a native world."""
    return _MjContactList(partial(native.contacts, CONTACT))


def warnings(native):
    """The warnings of a native world."""
    array = native.array("warning").view(WARNING)
    return _MjWarningStatList(lambda: array)


def solver_statistics(native):
    """What the constraint solver of a native world did, by island; zero where it did nothing."""
    recorded = partial(native.solver_statistics, SOLVER)

    def padded():
        array, statistics = recorded(), np.zeros(mjNISLAND * mjNSOLVER, SOLVER)
        statistics[: len(array)] = array
        statistics.flags.writeable = False
        return statistics

    return _MjSolverStatList(padded, recorded)
