"""The settings of a specification: compiler, options, statistics, visualization, sizes."""

from functools import lru_cache

from . import _native
from ._enums import mjtDisableBit, mjtEnableBit
from ._model import MjModel
from ._settings import MjVisual
from ._spec_base import Struct
from ._spec_fields import ArrayField, IntField, RealField, fields
from ._spec_sources import SettingSource, unset_statistic

# flags whose name in Rust is another one
_FLAG_FIELDS = {"override": "overrides"}
_LETTERS = {"float64": "d", "float32": "f", "int32": "i"}


@lru_cache(maxsize=1)
def _empty():
    """An empty model, which has every setting at its default."""
    return MjModel.from_xml_string("<mujoco/>")


def _option_default(field):
    field = "disableactuator" if field == "actuatorgroupdisable" else field
    value = getattr(_empty().opt, field)
    return value.tolist() if hasattr(value, "tolist") else value


def _visual_default(group):
    def default(field):
        value = getattr(getattr(_empty().vis, group), field)
        return value.tolist() if hasattr(value, "tolist") else value

    return default


class Flags:
    """Bits that are switches of the model language."""

    def __init__(self, enum, prefix, value, doc):
        bits = {n: int(b) for n, b in enum.__members__.items() if n.startswith(prefix)}
        names = {n: n.removeprefix(prefix).lower() for n in bits}
        self._bits = {_FLAG_FIELDS.get(names[n], names[n]): b for n, b in bits.items()}
        self._value = value
        self.__doc__ = doc

    def __get__(self, owner, _cls=None):
        if owner is None:
            return self
        native = owner._source.spec._native
        values = {name: _native.spec_setting(native, "flags", name) for name in self._bits}
        return sum(bit for name, bit in self._bits.items() if values[name] == self._value)

    def __set__(self, owner, value):
        native = owner._source.spec._native
        for name, bit in self._bits.items():
            setting = self._value if int(value) & bit else None
            _native.spec_set_setting(native, "flags", name, setting)


class MjsCompiler(Struct):
    """Settings of the compiler (``spec.compiler``)."""

    __slots__ = ()

    @property
    def LRopt(self):
        """Settings of the computation of length ranges."""
        return MjLROpt(SettingSource(self._source.spec, "lengthrange"))


class MjLROpt(Struct):
    """Settings of the computation of length ranges."""

    __slots__ = ()


class SpecOption(Struct):
    """Options of the physics (``spec.option``)."""

    __slots__ = ()
    disableflags = Flags(mjtDisableBit, "mjDSBL_", 0, "Features that are off, as bits.")
    enableflags = Flags(mjtEnableBit, "mjENBL_", 1, "Features that are on, as bits.")


class SpecStatistic(Struct):
    """Statistics that replace computed ones (``spec.stat``)."""

    __slots__ = ()


class SpecVisual:
    """Settings of the visualizer (``spec.visual``)."""

    __slots__ = tuple(MjVisual.GROUPS)

    def __init__(self, spec):
        for group in MjVisual.GROUPS:
            source = SettingSource(spec, group.strip("_"), _visual_default(group))
            setattr(self, group, VISUAL[group](source))

    def __getattr__(self, name):
        if name == "global":
            return self.global_
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _give(cls, table):
    for field in table:
        setattr(cls, field.name, field)


def _from_settings(group):
    for name, dtype, size, _ in _native.settings()[group]:
        field = "actuatorgroupdisable" if name == "disableactuator" else name
        if size > 1:
            yield ArrayField(name, f"{_LETTERS[dtype]}{size}", field)
        elif dtype.startswith("float"):
            yield RealField(name, "d", field)
        elif name not in ("disableflags", "enableflags"):
            yield IntField(name, "i", field)


_give(MjsCompiler, fields("compiler").values())
_give(MjLROpt, fields("lengthrange").values())
_give(SpecStatistic, fields("statistic").values())
_give(SpecOption, _from_settings("opt"))
VISUAL = {}
# MuJoCo has classes of their own for two of the groups
_NAMES = {"headlight": "MjVisualHeadlight", "rgba": "MjVisualRgba"}
for _group in MjVisual.GROUPS:
    _name = _NAMES.get(_group, f"SpecVisual{_group.strip('_').title()}")
    _doc = f"Settings of the visualizer (``spec.visual.{_group.strip('_')}``)."
    VISUAL[_group] = type(_name, (Struct,), {"__slots__": (), "__doc__": _doc})
    _give(VISUAL[_group], _from_settings(_group))

MjVisualHeadlight, MjVisualRgba = VISUAL["headlight"], VISUAL["rgba"]

# sizes, with what they are where none is given
SIZES = {
    "memory": -1,
    "nuserdata": 0,
    "nkey": 0,
    "njmax": -1,
    "nconmax": -1,
    "nstack": -1,
    **{f"nuser_{what}": -1 for what in "body jnt geom site cam tendon actuator sensor".split()},
}


def settings(spec):
    """The objects that hold the settings of a specification."""
    return {
        "compiler": MjsCompiler(SettingSource(spec, "compiler")),
        "option": SpecOption(SettingSource(spec, "option", _option_default)),
        "stat": SpecStatistic(SettingSource(spec, "statistic", unset_statistic)),
        "visual": SpecVisual(spec),
    }
