"""Options, statistics and visual settings as objects with attributes."""

from operator import index

from ._arrays import describe


def assign_scalar(view, value):
    """Write a number into an array with one element; whatever is not a number is a TypeError."""
    if view.dtype.kind != "f":
        view[0] = index(value)
    elif hasattr(value, "__float__") or hasattr(value, "__index__"):
        view[0] = float(value)
    else:
        raise TypeError(f"expected a number, not {value!r}")


class Settings:
    """A group of settings: scalars read and write as numbers, vectors as numpy views."""

    __slots__ = ("_views",)

    def __init__(self, views=None):
        if views is None:
            raise TypeError(f"{type(self).__name__} is made by a model; copy one with copy.copy")
        object.__setattr__(self, "_views", views)

    def _view(self, name):
        try:
            return self._views[name]
        except KeyError:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'"
            ) from None

    def __getattr__(self, name):
        if name == "_views":
            raise AttributeError(name)
        view = self._view(name)
        return view.item() if view.size == 1 else view

    def __setattr__(self, name, value):
        view = self._view(name)
        if view.size == 1:
            assign_scalar(view, value)
        else:
            view[:] = value

    def __delattr__(self, name):
        raise AttributeError(f"'{name}' of {type(self).__name__} cannot be deleted")

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all((view == other._views[name]).all() for name, view in self._views.items())

    __hash__ = None

    def __copy__(self):
        return type(self)({name: view.copy() for name, view in self._views.items()})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return type(self), ({name: view.copy() for name, view in self._views.items()},)

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._views})

    def __repr__(self):
        return describe(self, self._views)


class MjOption(Settings):
    """Options of the physics (``model.opt``)."""

    __slots__ = ()


class MjStatistic(Settings):
    """Statistics of a model at ``qpos0`` (``model.stat``)."""

    __slots__ = ()


class _Group(Settings):
    """One group of visual settings."""

    __slots__ = ()


class MjVisual:
    """Visual settings (``model.vis``), in groups."""

    __slots__ = GROUPS = ("global_", "quality", "headlight", "map", "scale", "rgba")

    def __init__(self, groups):
        for name in self.GROUPS:
            object.__setattr__(self, name, _Group(groups[name]))

    def __setattr__(self, name, value):
        raise AttributeError(f"'{name}' of MjVisual cannot be assigned")

    def __delattr__(self, name):
        raise AttributeError(f"'{name}' of MjVisual cannot be deleted")

    def __copy__(self):
        return MjVisual({name: getattr(self, name).__copy__()._views for name in self.GROUPS})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self):
        return describe(self, self.GROUPS)


class MjLROpt:
    """Options for finding the length ranges of actuators; ``mj_defaultLROpt`` gives them their defaults."""

    DEFAULTS = {
        "mode": 1,
        "useexisting": 1,
        "uselimit": 0,
        "accel": 20.0,
        "maxforce": 0.0,
        "timeconst": 1.0,
        "timestep": 0.01,
        "inttotal": 10.0,
        "interval": 2.0,
        "tolrange": 0.05,
    }
    __slots__ = tuple(DEFAULTS)

    def __init__(self):
        for name in self.DEFAULTS:
            setattr(self, name, 0)

    def __setattr__(self, name, value):
        if name not in self.DEFAULTS:
            raise AttributeError(f"'MjLROpt' object has no attribute '{name}'")
        kind = index if isinstance(self.DEFAULTS[name], int) else float
        object.__setattr__(self, name, kind(value))

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    __hash__ = None

    def __copy__(self):
        copy = MjLROpt()
        for name in self.DEFAULTS:
            setattr(copy, name, getattr(self, name))
        return copy

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self):
        return describe(self, self.DEFAULTS)

    def _values(self):
        values = [getattr(self, name) for name in self.DEFAULTS]
        return values[:3], values[3:]
