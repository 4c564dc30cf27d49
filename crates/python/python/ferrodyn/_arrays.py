"""What models and worlds share: attributes that are views of memory which Rust owns."""


class ArrayOwner:
    """An object whose attributes are arrays: assigning to one writes its elements."""

    def __setattr__(self, name, value):
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        view = getattr(self, name)
        if not hasattr(view, "__setitem__"):
            raise AttributeError(f"'{name}' of {type(self).__name__} cannot be assigned")
        view[:] = value

    def __delattr__(self, name):
        raise AttributeError(f"'{name}' of {type(self).__name__} cannot be deleted")

    def _no_attribute(self, name):
        return AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def describe(owner, names):
    """The text of an object with attributes, one line each, as MuJoCo writes it."""
    lines = "".join(f"  {name}: {getattr(owner, name)!r}\n" for name in sorted(names))
    return f"<{type(owner).__name__}\n{lines}>"
