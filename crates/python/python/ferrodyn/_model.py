"""The compiled model."""

import os
import warnings

from . import _native
from ._arrays import ArrayOwner
from ._named import add_accessors
from ._settings import MjOption, MjStatistic, MjVisual

# arrays of characters, which MuJoCo shows as bytes
BYTE_ARRAYS = frozenset({"names", "paths", "text_data"})
# arrays of characters, which MuJoCo shows as small integers
CHAR_ARRAYS = frozenset({"plugin_attr"})


class MjModel(ArrayOwner):
    """A compiled model. Arrays are zero-copy numpy views under MuJoCo's names.

    Make one with :meth:`from_xml_path`, :meth:`from_xml_string` or :meth:`from_binary_path`.
    """

    def __init__(self, native=None):
        if not isinstance(native, _native.Model):
            raise TypeError("use MjModel.from_xml_path, from_xml_string or from_binary_path")
        settings = native.settings()
        self.__dict__.update(
            native.sizes(),
            _native=native,
            opt=MjOption(settings["opt"]),
            stat=MjStatistic(settings["stat"]),
            vis=MjVisual(settings),
            signature=native.signature,
        )

    @classmethod
    def _loaded(cls, native):
        for text in native.warnings:
            warnings.warn(text, stacklevel=3)
        return cls(native)

    @classmethod
    def from_xml_path(cls, filename, assets=None):
        """Compile a model from an MJCF file; ``assets`` maps file names to bytes."""
        return cls._loaded(_native.Model.from_xml_path(os.fsdecode(filename), _dict(assets)))

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """Compile a model from MJCF text; ``assets`` maps file names to bytes."""
        text = xml.decode() if isinstance(xml, bytes) else xml
        return cls._loaded(_native.Model.from_xml_string(text, _dict(assets)))

    @classmethod
    def from_binary_path(cls, filename, assets=None):
        """Read a model that ``mj_saveModel`` wrote; ``assets`` maps file names to bytes."""
        name = os.fsdecode(filename)
        if assets is not None and name in assets:
            return cls(_native.Model.from_bytes(assets[name]))
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror}") from error
        return cls(_native.Model.from_bytes(data))

    def __getattr__(self, name):
        # called for arrays that were not asked for yet; the view is kept
        if name.startswith("_"):
            raise self._no_attribute(name)
        try:
            view = self._native.array(name)
        except KeyError:
            raise self._no_attribute(name) from None
        if name in BYTE_ARRAYS:
            view = view.tobytes()
        elif name in CHAR_ARRAYS:
            view = view.view("int8")
        self.__dict__[name] = view
        return view

    def __dir__(self):
        arrays = (name for name, *_ in _native.model_fields())
        return sorted({*super().__dir__(), *self.__dict__, *arrays})

    def __copy__(self):
        return type(self)(self._native.copy())

    def __deepcopy__(self, memo):
        copy = memo[id(self)] = self.__copy__()
        return copy

    def __reduce__(self):
        return _restore_model, (type(self), self._native.to_bytes())


def _dict(assets):
    return None if assets is None else dict(assets)


def _restore_model(cls, data):
    return cls(_native.Model.from_bytes(data))


MODEL_VIEWS = add_accessors(MjModel)
