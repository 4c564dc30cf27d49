"""A physics engine with MuJoCo's model language and MuJoCo's numbers.

``import ferrodyn as mujoco`` runs ordinary MuJoCo programs::

    import ferrodyn as mujoco

    model = mujoco.MjModel.from_xml_path("humanoid.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=100)
    print(data.qpos)
"""

from ._data import MjData
from ._enums import *  # noqa: F403
from ._enums import __all__ as _enum_names
from ._functions import *  # noqa: F403
from ._functions import __all__ as _function_names
from ._model import MjModel, MjOption, MjStatistic, MjVisual
from ._native import __version__

mjMINVAL = 1e-15
mjMAXVAL = 1e10
mjPI = 3.14159265358979323846

__all__ = [
    "MjData",
    "MjModel",
    "MjOption",
    "MjStatistic",
    "MjVisual",
    "__version__",
    "mjMAXVAL",
    "mjMINVAL",
    "mjPI",
    *_enum_names,
    *_function_names,
]
