"""The tasks of Gymnasium's MuJoCo environments, version 5, on worlds of Ferrodyn.

Their models come from the installed package of Gymnasium; formulas, parameters and their defaults
are those that its documentation states. What concerns rendering is left out.
"""

from .ant import Ant
from .hoppers import Hopper, Walker2d
from .humanoids import Humanoid, HumanoidStandup
from .pendulums import InvertedDoublePendulum, InvertedPendulum
from .reaching import Pusher, Reacher
from .runners import HalfCheetah, Swimmer

__all__ = [
    "Ant",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "HumanoidStandup",
    "InvertedDoublePendulum",
    "InvertedPendulum",
    "Pusher",
    "Reacher",
    "Swimmer",
    "Walker2d",
]
