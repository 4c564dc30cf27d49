"""The rows of a model or world that belong to elements of its specification."""

import numpy as np


class BoundList:
    """The rows of several elements: attributes are those of all of them, one after the other."""

    __slots__ = ("_views",)

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        if not self._views:
            return np.empty(0)
        return np.concatenate([np.atleast_1d(getattr(view, name)) for view in self._views])

    def __setattr__(self, name, value):
        parts = [np.atleast_1d(getattr(view, name)) for view in self._views]
        whole = np.broadcast_to(np.asarray(value), (sum(len(part) for part in parts),))
        start = 0
        for part in parts:
            part[:] = whole[start : start + len(part)]
            start += len(part)


def bind(self, specs):
    """The rows of an element of the specification, or of a list of them."""
    if isinstance(specs, (list, tuple)):
        return BoundList([bind(self, element) for element in specs])
    model = getattr(self, "model", self)
    if specs._spec._signature != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    return getattr(self, specs._spec_name)(specs.id)
