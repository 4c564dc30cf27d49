"""The derivative of a step, beyond MuJoCo: closed forms where there are any, and several threads.

``mjd_transitionFD`` takes finite differences for every column, as MuJoCo does. Here columns of velocities,
activations and controls are computed without a single perturbed step, contacts included::

    from ferrodyn import derivatives

    step = derivatives.transition(model, data, threads=2)
    print(step.A.shape, step.B.shape)
"""

from typing import NamedTuple

import numpy as np

from . import _native

__all__ = ["TransitionMatrices", "transition"]


class TransitionMatrices(NamedTuple):
    """``dx_next = A dx + B du`` and, where asked for, ``dsensor = C dx + D du``."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray | None
    D: np.ndarray | None


def transition(
    m, d, *, eps=1e-6, centered=True, use_analytical=True, sensors=False, threads=1
) -> TransitionMatrices:
    """The derivative of one step at the state of ``d``, which stays as it is.

    The state is ``(dq, qvel, act)`` with ``dq`` in the tangent space of the configuration. ``eps`` is the
    size of the perturbations of columns without a closed form, at most 0.01. With ``sensors``, or without
    ``use_analytical``, or with callbacks, all columns are differences. The numbers do not depend on ``threads``.
    """
    a, b, c, e = _native.transition_derivatives(
        m, d, eps, centered, use_analytical, sensors, threads
    )
    states, sensors = 2 * m.nv + m.na, m.nsensordata
    return TransitionMatrices(
        a.reshape(states, states),
        b.reshape(states, m.nu),
        None if c is None else c.reshape(sensors, states),
        None if e is None else e.reshape(sensors, m.nu),
    )
