"""The compiled model."""

import os
import warnings

from . import _native
from ._named import MODEL_ACCESSORS, named_accessor
from ._settings import Settings

# arrays of characters, which MuJoCo shows as bytes
_BYTE_ARRAYS = frozenset({"names", "paths", "text_data"})
_VISUAL_GROUPS = ("global_", "quality", "headlight", "map", "scale", "rgba")


class MjOption(Settings):
    """Options of the physics (``model.opt``)."""

    __slots__ = ()


class MjStatistic(Settings):
    """Statistics of a model at ``qpos0`` (``model.stat``)."""

    __slots__ = ()


class _VisualGroup(Settings):
    __slots__ = ()


class MjVisual:
    """Visual settings (``model.vis``)."""

    def __init__(self, settings):
        for group in _VISUAL_GROUPS:
            setattr(self, group, _VisualGroup(settings[group]))


class MjModel:
    """A compiled model. Arrays are zero-copy numpy views under MuJoCo's names.

    Make one with :meth:`from_xml_path`, :meth:`from_xml_string` or :meth:`from_binary_path`.
    """

    def __init__(self, native):
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
        return cls._loaded(_native.Model.from_xml_path(os.fspath(filename), assets))

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """Compile a model from MJCF text; ``assets`` maps file names to bytes."""
        return cls._loaded(_native.Model.from_xml_string(xml, assets))

    @classmethod
    def from_binary_path(cls, filename):
        """Read a model that ``mj_saveModel`` wrote."""
        return cls(_native.Model.from_binary_path(os.fspath(filename)))

    def __getattr__(self, name):
        # called for arrays that were not asked for yet; the view is kept
        if name.startswith("__") or name == "_native":
            raise AttributeError(name)
        try:
            view = self._native.array(name)
        except KeyError:
            raise AttributeError(f"MjModel has no attribute '{name}'") from None
        if name in _BYTE_ARRAYS:
            view = view.tobytes()
        elif name == "plugin_attr":
            view = view.view("int8")
        self.__dict__[name] = view
        return view

    def __setattr__(self, name, value):
        view = getattr(self, name)
        if not hasattr(view, "__setitem__"):
            raise AttributeError(f"'{name}' of MjModel cannot be assigned")
        view[:] = value

    def __dir__(self):
        arrays = (name for name, _ in self._native.array_docs())
        return sorted({*super().__dir__(), *self.__dict__, *arrays, *MODEL_ACCESSORS})

    def __copy__(self):
        return type(self)(self._native.copy())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restore_model, (self._native.to_bytes(),)


def _restore_model(data):
    return MjModel(_native.Model.from_bytes(data))


for _name, _accessor in MODEL_ACCESSORS.items():
    setattr(MjModel, _name, named_accessor(_name, _accessor, "model"))
