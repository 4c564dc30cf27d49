"""A physics engine with MuJoCo's model language and MuJoCo's numbers.

``import ferrodyn as mujoco`` runs ordinary MuJoCo programs::

    import ferrodyn as mujoco

    model = mujoco.MjModel.from_xml_path("humanoid.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=100)
    print(data.qpos)
"""

from typing import Union as _Union

# the native module that fits the processor, before anything asks for it
from . import _engine  # noqa: F401, I001

from ._constants import *  # noqa: F403
from ._constants import __all__ as _constant_names
from ._data import MjData
from ._enums import *  # noqa: F403
from ._enums import __all__ as _enum_names
from ._functions import *  # noqa: F403
from ._functions import __all__ as _function_names
from ._lists import MjContact, MjSolverStat, MjWarningStat
from ._model import MjModel
from ._native import FatalError, UnexpectedError, __version__
from ._settings import MjLROpt, MjOption, MjStatistic, MjVisual
from ._spec import MjSpec
from ._spec_arrays import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec
from ._spec_base import MjsDefault
from ._spec_elements import ELEMENTS as _ELEMENTS
from ._spec_elements import MjsTendonPath, MjsWrap
from ._spec_fields import MjsOrientation
from ._spec_settings import MjsCompiler, MjVisualHeadlight, MjVisualRgba

globals().update({cls.__name__: cls for cls in _ELEMENTS.values()})
# any element of a specification
MjStruct = _Union[tuple(_ELEMENTS.values())]

__all__ = [
    "FatalError",
    "MjByteVec",
    "MjCharVec",
    "MjContact",
    "MjData",
    "MjDoubleVec",
    "MjFloatVec",
    "MjIntVec",
    "MjLROpt",
    "MjModel",
    "MjOption",
    "MjSolverStat",
    "MjSpec",
    "MjStatistic",
    "MjStringVec",
    "MjStruct",
    "MjVisual",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "MjWarningStat",
    "MjsCompiler",
    "MjsDefault",
    "MjsOrientation",
    "MjsTendonPath",
    "MjsWrap",
    "UnexpectedError",
    "__version__",
    *(cls.__name__ for cls in _ELEMENTS.values()),
    *_constant_names,
    *_enum_names,
    *_function_names,
]
