"""Errors between two arrays, and what the oracle's own sensitivity (the shadow) excuses, element by element."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass
class Verdict:
    """What came out of the comparison of one array."""

    error: float = 0.0  # largest error of the elements that the shadow did not excuse
    excess: float = 0.0  # largest error in units of its tolerance, before any excuse
    excused: bool = False  # whether an element passed only because of the shadow
    miss: Miss | None = None


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


def in_tolerances(error: np.ndarray, tolerance: np.ndarray | float) -> np.ndarray:
    """Errors in units of their tolerance; where the tolerance is zero, any error is infinitely many of them."""
    limit = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), error.shape)
    return np.where(error > 0, error / np.maximum(limit, 1e-300), 0.0)


def element_error(oracle: np.ndarray, engine: np.ndarray, scale: np.ndarray | float | None) -> np.ndarray:
    """Error of every element: relative to a scale (one plus the largest element by default); of integers the plain difference."""
    if oracle.dtype.kind != "f":
        # doubles cannot tell all 64-bit integers apart; unequal ones differ by at least one
        return np.where(oracle == engine, 0.0, np.maximum(absolute_difference(oracle, engine), 1.0))
    return absolute_difference(oracle, engine) / (1.0 + largest(oracle) if scale is None else scale)


def compare_array(field: str, oracle: np.ndarray, engine: object, tolerance: np.ndarray | float, scale: np.ndarray | float | None = None,
                  shadows: Callable[[], list[np.ndarray]] | None = None, counts: bool = False) -> Verdict:
    """Compares two arrays; `shadows` gives the oracle's nudged reruns when an element is outside its tolerance.

    With `counts`, the integers count iterations.
    """
    if not isinstance(engine, np.ndarray) or form(oracle) != form(engine):
        miss = Miss(field, (), form_text(oracle), form_text(engine), np.inf, 0.0)
        return Verdict(np.inf, np.inf, miss=miss)
    if oracle.size == 0 or np.array_equal(oracle, engine):
        return Verdict()
    error = element_error(oracle, engine, scale)
    ratio = in_tolerances(error, tolerance)
    excess = float(ratio.max())
    outside = ~(error <= tolerance)
    excused = np.zeros_like(outside)
    if shadows is not None and outside.any():
        excused = outside & shown_by_oracle(engine, oracle, shadows(), counts)
    judged = np.where(excused, 0.0, error)
    verdict = Verdict(float(judged.max()), excess, bool(excused.any()))
    if (outside & ~excused).any():
        worst = np.unravel_index(int(np.argmax(np.where(outside & ~excused, ratio, -1.0))), error.shape)
        index = tuple(int(i) for i in worst)
        limit = float(np.broadcast_to(np.asarray(tolerance, dtype=np.float64), error.shape)[index])
        verdict.miss = Miss(field, index, value_text(oracle[index]), value_text(engine[index]), float(error[index]), limit)
    return verdict


def value_text(value: object) -> str:
    """A number with all its digits."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def shown_by_oracle(engine: np.ndarray, oracle: np.ndarray, shadows: list[np.ndarray], counts: bool = False) -> np.ndarray:
    """For every element, whether the engine is as close to the oracle as the oracle is to itself when nudged.

    Reruns of another form show nothing about single elements.
    Floats: within ten times the largest difference of that element between the oracle and a nudged rerun.
    Integers: the element is one that a nudged rerun has there. Counts of iterations may also be one off, where a rerun has
    another count than the oracle.
    """
    same = [s for s in shadows if form(s) == form(oracle)]
    if oracle.dtype.kind != "f":
        shown = np.zeros(oracle.shape, dtype=bool)
        for shadow in same:
            shown |= engine == shadow
            if counts:
                shown |= (shadow != oracle) & (absolute_difference(oracle, engine) <= 1)
        return shown
    spread = np.zeros(oracle.shape)
    for shadow in same:
        spread = np.maximum(spread, absolute_difference(oracle, shadow))
    return absolute_difference(oracle, engine) <= SHADOW_FACTOR * spread
