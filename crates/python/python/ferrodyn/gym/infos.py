"""Infos of vector environments: arrays by name, each with a mask ``_name`` of its worlds."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["add", "join"]


def add(infos: dict[str, Any], info: dict[str, Any], which: NDArray) -> dict[str, Any]:
    """Add to ``infos`` what ``info`` says about the worlds that ``which`` marks; returns ``infos``.

    Arrays of ``info`` have a row for every world, of which those not marked are left out. Where
    nothing was said about a world there are zeros, or ``None`` among objects.
    """
    count = np.count_nonzero(which)
    if count == 0:
        return infos
    for name, value in info.items():
        mask = infos.get(f"_{name}")
        infos[f"_{name}"] = which.copy() if mask is None else mask | which
        if isinstance(value, dict):
            infos[name] = add(infos.get(name, {}), value, which)
            continue
        value = np.asarray(value)
        if value.shape[:1] != which.shape:
            raise ValueError(
                f"info {name!r} has the shape {value.shape}: its first axis has to be "
                f"{len(which)}, a row for each world"
            )
        if count == len(which):
            infos[name] = value.copy()
            continue
        array = infos.get(name)
        if array is None:
            array = infos[name] = _blank(value)
        np.copyto(array, value, where=which.reshape(-1, *[1] * (value.ndim - 1)))
    return infos


def join(parts: Sequence[dict[str, Any]], counts: Sequence[int]) -> dict[str, Any]:
    """The infos of several vector environments, one after the other, that have so many worlds each."""
    joined: dict[str, Any] = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        values = [part.get(name) for part in parts]
        like = next(value for value in values if value is not None)
        if isinstance(like, dict):
            joined[name] = join([value or {} for value in values], counts)
            continue
        rows = [
            _blank(np.broadcast_to(like[:1], (count, *like.shape[1:]))) if value is None else value
            for value, count in zip(values, counts, strict=True)
        ]
        joined[name] = np.concatenate(rows)
    return joined


def _blank(like: NDArray) -> NDArray:
    """Zeros, or ``None`` among objects, of the same shape and type."""
    return np.full(like.shape, None) if like.dtype.hasobject else np.zeros_like(like, order="C")
