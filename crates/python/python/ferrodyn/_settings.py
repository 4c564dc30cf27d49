"""Options, statistics and visual settings as objects with attributes."""


class Settings:
    """A group of settings: scalars read and write as numbers, vectors as numpy views."""

    __slots__ = ("_views",)

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        try:
            view = self._views[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'") from None
        return view.item() if view.size == 1 else view

    def __setattr__(self, name, value):
        try:
            self._views[name][:] = value
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'") from None

    def __dir__(self):
        return list(self._views)

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)}" for name in self._views)
        return f"{type(self).__name__}({fields})"
