"""Errors between two arrays, and what the oracle's own sensitivity (the shadow) excuses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SHADOW_FACTOR = 10.0


@dataclass
class Miss:
    """The worst element of a field that is outside its tolerance."""

    field: str
    index: tuple[int, ...]
    oracle: str
    engine: str
    error: float
    tolerance: float
    where: str = ""

    def line(self) -> str:
        """One line for a terminal."""
        place = f"[{','.join(map(str, self.index))}]" if self.index else ""
        where = f" ({self.where})" if self.where else ""
        return (f"{self.field}{place}: oracle {self.oracle}, engine {self.engine}, "
                f"error {self.error:.3g}, tolerance {self.tolerance:.3g}{where}")


def absolute_difference(oracle: np.ndarray, engine: np.ndarray) -> np.ndarray:
    """|a - b| in double precision; equal infinities and NaN in both count as equal, other non-finite pairs as infinite."""
    a = np.asarray(oracle, dtype=np.float64)
    b = np.asarray(engine, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(a - b)
    bad = ~(np.isfinite(a) & np.isfinite(b))
    if bad.any():
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        difference = np.where(bad, np.where(same, 0.0, np.inf), difference)
    return difference


def largest(array: np.ndarray) -> float:
    """The largest finite magnitude of an array, 0 when there is none."""
    a = np.abs(np.asarray(array, dtype=np.float64))
    a = a[np.isfinite(a)]
    return float(a.max()) if a.size else 0.0


def form(array: object) -> tuple:
    """What must agree before elements can be compared: kind of number, width and shape."""
    a = np.asarray(array)
    return a.dtype.kind, a.dtype.itemsize, a.shape


def form_text(array: object) -> str:
    """Type and shape in words."""
    a = np.asarray(array)
    return f"{a.dtype}{list(a.shape)}"


def worst(field: str, oracle: np.ndarray, engine: np.ndarray, error: np.ndarray, tolerance: np.ndarray | float) -> Miss | None:
    """The element that exceeds its tolerance by the largest factor, or None when every element is within."""
    outside = ~(error <= tolerance)
    if not outside.any():
        return None
    limit = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), error.shape)
    excess = np.where(outside, error / np.maximum(limit, 1e-300), -1.0)
    flat = int(np.argmax(excess))
    index = tuple(int(i) for i in np.unravel_index(flat, error.shape)) if error.shape else ()
    return Miss(field, index, repr(np.asarray(oracle)[index].item()), repr(np.asarray(engine)[index].item()),
                float(error[index]), float(limit[index]))


def compare_array(field: str, oracle: np.ndarray, engine: object, tolerance: np.ndarray | float,
                  scale: np.ndarray | float | None = None) -> tuple[float, Miss | None]:
    """Compares one array; floats by |a-b|/scale (default: one plus the largest element), integers by |a-b|.

    Returns the largest error and the worst miss.
    """
    if not isinstance(engine, np.ndarray) and np.ndim(oracle) > 0:
        return np.inf, Miss(field, (), form_text(oracle), type(engine).__name__, np.inf, 0.0)
    if form(oracle) != form(engine):
        return np.inf, Miss(field, (), form_text(oracle), form_text(engine), np.inf, 0.0)
    oracle, engine = np.asarray(oracle), np.asarray(engine)
    if oracle.size == 0:
        return 0.0, None
    if oracle.dtype.kind != "f":
        if np.array_equal(oracle, engine):
            return 0.0, None
        # doubles cannot tell all 64-bit integers apart; unequal ones differ by at least one
        error = np.where(oracle == engine, 0.0, np.maximum(absolute_difference(oracle, engine), 1.0))
        return float(error.max()), worst(field, oracle, engine, error, tolerance)
    if scale is None:
        scale = 1.0 + largest(oracle)
    error = absolute_difference(oracle, engine) / scale
    return float(error.max()), worst(field, oracle, engine, error, tolerance)


def within_shadow(engine: np.ndarray, oracle: np.ndarray, shadows: list[np.ndarray]) -> bool:
    """Whether the engine is as close to the oracle as the oracle is to itself when nudged.

    Floats: within ten times the largest difference between the oracle and a nudged rerun of the same form.
    Integers: every element is one that the oracle or a nudged rerun produced.
    """
    engine = np.asarray(engine)
    same = [s for s in shadows if form(s) == form(oracle)]
    if form(engine) != form(oracle) or not same or engine.size == 0:
        return False
    if engine.dtype.kind != "f":
        shown = engine == oracle
        for shadow in same:
            shown |= engine == shadow
        return bool(np.all(shown))
    spread = max(float(absolute_difference(oracle, s).max()) for s in same)
    return bool(absolute_difference(oracle, engine).max() <= SHADOW_FACTOR * spread)
