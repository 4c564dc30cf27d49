"""Type stubs, written by make_stubs.py."""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from os import PathLike
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Float64: TypeAlias = NDArray[np.float64]
_Float32: TypeAlias = NDArray[np.float32]
_Int64: TypeAlias = NDArray[np.int64]
_UInt64: TypeAlias = NDArray[np.uint64]
_Int32: TypeAlias = NDArray[np.int32]
_Int8: TypeAlias = NDArray[np.int8]
_UInt8: TypeAlias = NDArray[np.uint8]
_Path: TypeAlias = str | bytes | PathLike[Any]
_Assets: TypeAlias = Mapping[str, bytes] | None

__version__: str
mjPI: float
mjMINVAL: float
mjMAXVAL: float
mjMINMU: float
mjMINIMP: float
mjMAXIMP: float
mjMINAWAKE: int
mjMAXCONPAIR: int
mjMAXTREEDEPTH: int
mjMAXFLEXNODES: int
mjNEQDATA: int
mjNDYN: int
mjNGAIN: int
mjNBIAS: int
mjNFLUID: int
mjNREF: int
mjNIMP: int
mjNSENS: int
mjNGROUP: int
mjNSOLVER: int
mjNISLAND: int
mjMAXLIGHT: int
mjMAXOVERLAY: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXPLANEGRID: int
mjVERSION_HEADER: int
mjDISABLESTRING: tuple[str, ...]
mjENABLESTRING: tuple[str, ...]
mjTIMERSTRING: tuple[str, ...]
mjLABELSTRING: tuple[str, ...]
mjFRAMESTRING: tuple[str, ...]
mjVISSTRING: tuple[tuple[str, str, str], ...]
mjRNDSTRING: tuple[tuple[str, str, str], ...]

class FatalError(Exception):
    """An argument that the engine cannot work with."""

class UnexpectedError(Exception):
    """An internal error."""

class mjtJoint(IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtGeom(IntEnum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001
    mjNGEOMTYPES = 9

class mjtDisableBit(IntEnum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19

class mjtEnableBit(IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjNENABLE = 6

class mjtCamLight(IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtLightType(IntEnum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtProjection(IntEnum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtTexture(IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(IntEnum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtColorSpace(IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtIntegrator(IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3

class mjtFlexSelf(IntEnum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtCone(IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtJacobian(IntEnum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtSolver(IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtEq(IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6

class mjtConstraint(IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtWrap(IntEnum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class mjtTrn(IntEnum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtDyn(IntEnum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5

class mjtGain(IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3

class mjtBias(IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3

class mjtObj(IntEnum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102
    mjNOBJECT = 26

class mjtSensor(IntEnum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtStage(IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtDataType(IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtCamOutBit(IntEnum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtSameFrame(IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSleepPolicy(IntEnum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtSleepState(IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtState(IntEnum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383
    mjNSTATE = 14

class mjtWarning(IntEnum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8

class mjtGeomInertia(IntEnum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtMeshInertia(IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMeshBuiltin(IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtBuiltin(IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtMark(IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtLimited(IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtAlignFree(IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtInertiaFromGeom(IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtOrientation(IntEnum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtLRMode(IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtConDataField(IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtRayDataField(IntEnum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtSDFType(IntEnum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtPluginCapabilityBit(IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtTaskStatus(IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtTimer(IntEnum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtCatBit(IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtMouse(IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtPertBit(IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtCamera(IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtLabel(IntEnum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtFrame(IntEnum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtVisFlag(IntEnum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

class mjtRndFlag(IntEnum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11

class mjtStereo(IntEnum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtGridPos(IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtFramebuffer(IntEnum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtDepthMap(IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtFontScale(IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFont(IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtButton(IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtEvent(IntEnum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtItem(IntEnum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtSection(IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class MjOption:
    """Options of the physics (``model.opt``)."""

    timestep: float
    """Time step in seconds."""
    impratio: float
    """Ratio of friction to normal contact impedance."""
    tolerance: float
    """Tolerance of the constraint solver, of the scaled improvement and gradient."""
    ls_tolerance: float
    """Tolerance of its line search, relative to `tolerance`."""
    noslip_tolerance: float
    """Tolerance of the noslip solver."""
    ccd_tolerance: float
    """Tolerance of convex collision detection."""
    sleep_tolerance: float
    """Velocity below which a tree may fall asleep, in m/s or rad/s."""
    gravity: _Float64
    """Gravitational acceleration, in m/s²."""
    wind: _Float64
    """Velocity of the medium, in m/s."""
    magnetic: _Float64
    """Magnetic flux, in T."""
    density: float
    """Density of the medium, in kg/m³."""
    viscosity: float
    """Viscosity of the medium, in Pa s."""
    o_margin: float
    """Margin of all contacts in m, when overridden."""
    o_solref: _Float64
    """Reference parameters of all contacts, when overridden."""
    o_solimp: _Float64
    """Impedance parameters of all contacts, when overridden."""
    o_friction: _Float64
    """Friction of all contacts, when overridden."""
    integrator: int
    """Integrator (`Integrator`)."""
    cone: int
    """Friction cone (`Cone`)."""
    jacobian: int
    """Storage of the constraint Jacobian (`JacobianType`)."""
    solver: int
    """Constraint solver (`Solver`)."""
    iterations: int
    """Largest number of solver iterations."""
    ls_iterations: int
    """Largest number of line-search iterations."""
    noslip_iterations: int
    """Largest number of noslip iterations."""
    ccd_iterations: int
    """Largest number of convex collision iterations."""
    disableflags: int
    """Switched-off features (`DisableBit`)."""
    enableflags: int
    """Switched-on features (`EnableBit`)."""
    disableactuator: int
    """Switched-off actuator groups, one bit each."""
    sdf_initpoints: int
    """Number of starting points of SDF collision detection."""
    sdf_iterations: int
    """Largest number of SDF collision iterations."""
    deformable_solref: _Float64
    """Reference parameters of contacts of deformable bodies: an extension."""
    deformable_solimp: _Float64
    """Impedance parameters of contacts of deformable bodies, which their solver does not use: an extension."""
    deformable_condim: int
    """Dimension of contacts of deformable bodies, 1 without friction: an extension."""
    deformable_iterations: int
    """How often a step looks for contacts of deformable bodies, 1 to 4: an extension."""
    xpbd_substeps: int
    """Substeps of position-based contacts: an extension."""
    xpbd_iterations: int
    """Sweeps over the contacts in each of their substeps: an extension."""

class MjStatistic:
    """Statistics of a model at ``qpos0`` (``model.stat``)."""

    meaninertia: float
    """Mean diagonal inertia, in kg or kg m²."""
    meanmass: float
    """Mean body mass, in kg."""
    meansize: float
    """Mean body size, in m."""
    extent: float
    """Spatial extent, in m."""
    center: _Float64
    """Centre of the model, in m."""

class _MjVisualGlobal:
    """One group of visual settings."""

    cameraid: int
    """Initial camera, -1 for the free camera."""
    orthographic: int
    """Is the free camera orthographic."""
    fovy: float
    """Vertical field of view of the free camera."""
    ipd: float
    """Distance between the eyes of the free camera, in m."""
    azimuth: float
    """Initial azimuth of the free camera in degrees."""
    elevation: float
    """Initial elevation of the free camera in degrees."""
    linewidth: float
    """Width of lines."""
    glow: float
    """Glow of the selected body."""
    realtime: float
    """Initial speed relative to real time."""
    offwidth: int
    """Width of the off-screen buffer."""
    offheight: int
    """Height of the off-screen buffer."""
    ellipsoidinertia: int
    """Draw inertias as ellipsoids."""
    bvactive: int
    """Draw active bounding volumes."""

class _MjVisualQuality:
    """One group of visual settings."""

    shadowsize: int
    """Size of the shadow map."""
    offsamples: int
    """Number of off-screen samples."""
    numslices: int
    """Number of slices of round shapes."""
    numstacks: int
    """Number of stacks of round shapes."""
    numquads: int
    """Number of quads of boxes."""

class _MjVisualHeadlight:
    """One group of visual settings."""

    ambient: _Float32
    """Ambient colour."""
    diffuse: _Float32
    """Diffuse colour."""
    specular: _Float32
    """Specular colour."""
    active: int
    """Is it on."""

class _MjVisualMap:
    """One group of visual settings."""

    stiffness: float
    """Stiffness of mouse perturbations."""
    stiffnessrot: float
    """Rotational stiffness of mouse perturbations."""
    force: float
    """Length of a unit force."""
    torque: float
    """Length of a unit torque."""
    alpha: float
    """Transparency."""
    fogstart: float
    """Where fog begins, in extents."""
    fogend: float
    """Where fog ends, in extents."""
    znear: float
    """Near clipping plane, in extents."""
    zfar: float
    """Far clipping plane, in extents."""
    haze: float
    """Share of haze."""
    shadowclip: float
    """Clipping of directional shadows, in extents."""
    shadowscale: float
    """Scale of spot-light shadows."""
    actuatortendon: float
    """Width of tendons with actuators."""

class _MjVisualScale:
    """One group of visual settings."""

    forcewidth: float
    """Width of force arrows."""
    contactwidth: float
    """Width of contacts."""
    contactheight: float
    """Height of contacts."""
    connect: float
    """Width of connecting capsules."""
    com: float
    """Radius of centres of mass."""
    camera: float
    """Size of cameras."""
    light: float
    """Size of lights."""
    selectpoint: float
    """Size of the selection point."""
    jointlength: float
    """Length of joints."""
    jointwidth: float
    """Width of joints."""
    actuatorlength: float
    """Length of actuators."""
    actuatorwidth: float
    """Width of actuators."""
    framelength: float
    """Length of frame axes."""
    framewidth: float
    """Width of frame axes."""
    constraint: float
    """Width of constraints."""
    slidercrank: float
    """Width of slider-cranks."""
    frustum: float
    """Far plane of camera frusta."""

class _MjVisualRgba:
    """One group of visual settings."""

    fog: _Float32
    """Fog."""
    haze: _Float32
    """Haze."""
    force: _Float32
    """Applied force."""
    inertia: _Float32
    """Inertia."""
    joint: _Float32
    """Joint."""
    actuator: _Float32
    """Actuator at rest."""
    actuatornegative: _Float32
    """Actuator at its lower limit."""
    actuatorpositive: _Float32
    """Actuator at its upper limit."""
    com: _Float32
    """Centre of mass."""
    camera: _Float32
    """Camera."""
    light: _Float32
    """Light."""
    selectpoint: _Float32
    """Selection point."""
    connect: _Float32
    """Connecting capsules."""
    contactpoint: _Float32
    """Contact point."""
    contactforce: _Float32
    """Contact force."""
    contactfriction: _Float32
    """Contact friction."""
    contacttorque: _Float32
    """Contact torque."""
    contactgap: _Float32
    """Contact within the gap."""
    rangefinder: _Float32
    """Range finder."""
    constraint: _Float32
    """Constraint."""
    slidercrank: _Float32
    """Slider-crank."""
    crankbroken: _Float32
    """Crank out of reach."""
    frustum: _Float32
    """Camera frustum."""
    bv: _Float32
    """Bounding volume."""
    bvactive: _Float32
    """Active bounding volume."""

class MjVisual:
    """Visual settings (``model.vis``), in groups."""

    @property
    def global_(self) -> _MjVisualGlobal: ...
    @property
    def quality(self) -> _MjVisualQuality: ...
    @property
    def headlight(self) -> _MjVisualHeadlight: ...
    @property
    def map(self) -> _MjVisualMap: ...
    @property
    def scale(self) -> _MjVisualScale: ...
    @property
    def rgba(self) -> _MjVisualRgba: ...

class MjLROpt:
    """Options for finding the length ranges of actuators; ``mj_defaultLROpt`` gives them their defaults."""

    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float
    def __init__(self) -> None: ...

class MjContact:
    """A detected contact (``data.contact[i]``), or a new one for ``mj_addContact``."""

    dist: float
    pos: _Float64
    frame: _Float64
    includemargin: float
    friction: _Float64
    solref: _Float64
    solreffriction: _Float64
    solimp: _Float64
    mu: float
    H: _Float64
    dim: int
    geom1: int
    geom2: int
    geom: _Int32
    flex: _Int32
    elem: _Int32
    vert: _Int32
    exclude: int
    efc_address: int
    def __init__(self) -> None: ...

class _MjContactList:
    """The contacts of a world (``data.contact``), as many as there are when the list is used."""

    dist: _Float64
    pos: _Float64
    frame: _Float64
    includemargin: _Float64
    friction: _Float64
    solref: _Float64
    solreffriction: _Float64
    solimp: _Float64
    mu: _Float64
    H: _Float64
    dim: _Int32
    geom1: _Int32
    geom2: _Int32
    geom: _Int32
    flex: _Int32
    elem: _Int32
    vert: _Int32
    exclude: _Int32
    efc_address: _Int32
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> MjContact: ...
    def __iter__(self) -> Iterator[MjContact]: ...

class MjWarningStat:
    """How often one kind of warning was raised (``data.warning[i]``)."""

    lastinfo: int
    number: int

class _MjWarningStatList:
    """The warnings of a world, by kind (``data.warning``)."""

    lastinfo: _Int32
    number: _Int32
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> MjWarningStat: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...

class MjSolverStat:
    """What one iteration of the constraint solver did (``data.solver[i]``)."""

    improvement: float
    gradient: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class _MjSolverStatList:
    """The iterations of the constraint solver, by island (``data.solver``).

    Only islands that were there have memory for their iterations, and the list is as long as
    MuJoCo's. So elements are in place, while arrays are read-only copies with zeros for other islands.
    """

    improvement: _Float64
    gradient: _Float64
    lineslope: _Float64
    nactive: _Int32
    nchange: _Int32
    neval: _Int32
    nupdate: _Int32
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> MjSolverStat: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...

class _MjModelBodyViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bvhadr: _Int32
    """Root of the body's bounding-volume tree, -1 for none."""
    bvhnum: _Int32
    """Number of bounding volumes."""
    conaffinity: _Int32
    """Union of the geoms' contact affinities."""
    contype: _Int32
    """Union of the geoms' contact types."""
    dofadr: _Int32
    """First degree of freedom, -1 for none."""
    dofnum: _Int32
    """Number of degrees of freedom."""
    geomadr: _Int32
    """First geom, -1 for none."""
    geomnum: _Int32
    """Number of geoms."""
    gravcomp: _Float64
    """Share of the body's weight that is compensated."""
    inertia: _Float64
    """Principal moments of inertia, in kg m²."""
    invweight0: _Float64
    """Mean inverse inertia at `qpos0`: translation, rotation, in 1/kg and 1/(kg m²)."""
    ipos: _Float64
    """Centre of mass in the body frame, in m."""
    iquat: _Float64
    """Orientation of the principal axes in the body frame."""
    jntadr: _Int32
    """First joint, -1 for none."""
    jntnum: _Int32
    """Number of joints."""
    margin: _Float64
    """Largest contact margin of the body's geoms, in m."""
    mass: _Float64
    """Mass, in kg."""
    mocapid: _Int32
    """Index of the mocap pose, -1 for none."""
    parentid: _Int32
    """Parent of the body; the world is its own parent."""
    plugin: _Int32
    """Plugin instance, -1 for none."""
    pos: _Float64
    """Position in the parent's frame, in m."""
    quat: _Float64
    """Orientation in the parent's frame."""
    rootid: _Int32
    """Ancestor that is a child of the world."""
    sameframe: _UInt8
    """How the inertial frame is aligned with the body frame (`SameFrame`)."""
    simple: _UInt8
    """Is the inertia the same diagonal in every pose (1), with slides only (2)."""
    subtreemass: _Float64
    """Mass of the body and its descendants, in kg."""
    treeid: _Int32
    """Kinematic tree, -1 when static."""
    user: _Float64
    """User data."""
    weldid: _Int32
    """Topmost ancestor reached without crossing a joint: bodies with the same one cannot move against each other."""

class _MjModelJointViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    M0: _Float64
    """Diagonal inertia at `qpos0`, in kg or kg m²."""
    Madr: _Int32
    """Address of the diagonal entry in `qM`."""
    actfrclimited: _UInt8
    """Is the total actuator force limited."""
    actfrcrange: _Float64
    """Limits of the total actuator force, in N or N m."""
    actgravcomp: _UInt8
    """Is gravity compensation counted as actuator force."""
    armature: _Float64
    """Rotor inertia added to the diagonal, in kg or kg m²."""
    axis: _Float64
    """Axis in the body frame."""
    bodyid: _Int32
    """Body of the degree of freedom."""
    damping: _Float64
    """Viscous damping, in N s/m or N m s/rad."""
    dofadr: _Int32
    """First degree of freedom."""
    frictionloss: _Float64
    """Dry friction, in N or N m."""
    group: _Int32
    """Visibility group."""
    invweight0: _Float64
    """Inverse inertia at `qpos0`, in 1/kg or 1/(kg m²)."""
    jntid: _Int32
    """Joint of the degree of freedom."""
    length: _Float64
    """Length that a unit rotation moves a typical point, in m; 1 for translations."""
    limited: _UInt8
    """Does the joint have limits."""
    margin: _Float64
    """Distance at which a limit becomes active, in m or rad."""
    parentid: _Int32
    """Previous degree of freedom on the way to the world, -1 for none."""
    pos: _Float64
    """Anchor in the body frame, in m."""
    qpos0: _Float64
    """Configuration of the reference pose, in m or rad; quaternions are of length 1."""
    qpos_spring: _Float64
    """Configuration in which joint springs are relaxed, in m or rad."""
    qposadr: _Int32
    """First element in `qpos`."""
    range: _Float64
    """Lower and upper limit, in m or rad; of a ball joint the larger of both is the largest angle."""
    simplenum: _Int32
    """Number of consecutive degrees of freedom of simple bodies from here."""
    solimp: _Float64
    """Impedance parameters of the limit constraint."""
    solref: _Float64
    """Reference parameters of the limit constraint."""
    stiffness: _Float64
    """Spring stiffness, in N/m or N m/rad."""
    treeid: _Int32
    """Kinematic tree."""
    type: _Int32
    """Kind of joint (`JointType`)."""
    user: _Float64
    """User data."""

class _MjModelGeomViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    aabb: _Float64
    """Bounding box in the geom frame: centre, half sizes, in m."""
    bodyid: _Int32
    """Body that the geom belongs to."""
    conaffinity: _Int32
    """Contact affinity bits."""
    condim: _Int32
    """Contact dimension: 1, 3, 4 or 6."""
    contype: _Int32
    """Contact type bits."""
    dataid: _Int32
    """Mesh or height field, -1 for none."""
    fluid: _Float64
    """Ellipsoid fluid model: factor of all forces, 0 where it is not used; drag blunt, slender, angular; lift Kutta, Magnus; virtual mass (3), virtual inertia (3)."""
    friction: _Float64
    """Friction: slide, and spin and roll in m."""
    gap: _Float64
    """Part of the margin in which a contact exerts no force, in m."""
    group: _Int32
    """Visibility group."""
    margin: _Float64
    """Distance at which a contact is detected, in m."""
    matid: _Int32
    """Material, -1 for none."""
    plugin: _Int32
    """Plugin instance, -1 for none."""
    pos: _Float64
    """Position in the body frame, in m."""
    priority: _Int32
    """Priority when contact parameters are combined."""
    quat: _Float64
    """Orientation in the body frame."""
    rbound: _Float64
    """Radius of the bounding sphere, in m; 0 for planes."""
    rgba: _Float32
    """Colour, 0 to 1."""
    sameframe: _UInt8
    """How the frame is aligned with the body (`SameFrame`)."""
    size: _Float64
    """Size, by shape, in m."""
    solimp: _Float64
    """Impedance parameters of its contacts."""
    solmix: _Float64
    """Weight when contact parameters are mixed."""
    solref: _Float64
    """Reference parameters of its contacts."""
    type: _Int32
    """Shape (`GeomType`)."""
    user: _Float64
    """User data."""

class _MjModelSiteViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bodyid: _Int32
    """Body that the site belongs to."""
    group: _Int32
    """Visibility group."""
    matid: _Int32
    """Material, -1 for none."""
    pos: _Float64
    """Position in the body frame, in m."""
    quat: _Float64
    """Orientation in the body frame."""
    rgba: _Float32
    """Colour, 0 to 1."""
    sameframe: _UInt8
    """How the frame is aligned with the body (`SameFrame`)."""
    size: _Float64
    """Size for drawing, in m."""
    type: _Int32
    """Shape for drawing (`GeomType`)."""
    user: _Float64
    """User data."""

class _MjModelCameraViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bodyid: _Int32
    """Body that the camera belongs to."""
    fovy: _Float64
    """Vertical field of view: degrees, or length if orthographic."""
    intrinsic: _Float32
    """Focal lengths and principal point, in m."""
    ipd: _Float64
    """Distance between the eyes, in m."""
    mat0: _Float64
    """Global orientation at `qpos0`."""
    mode: _Int32
    """How the pose follows the body (`TrackingMode`)."""
    output: _Int32
    """Kinds of image that the camera makes, as bits."""
    pos: _Float64
    """Position in the body frame, in m."""
    pos0: _Float64
    """Global offset from the body at `qpos0`, in m."""
    poscom0: _Float64
    """Global offset from the subtree's centre of mass at `qpos0`, in m."""
    projection: _Int32
    """Projection (`Projection`)."""
    quat: _Float64
    """Orientation in the body frame."""
    resolution: _Int32
    """Resolution in pixels: width, height."""
    sensorsize: _Float32
    """Sensor size: width, height, in m."""
    targetbodyid: _Int32
    """Body that the camera looks at, -1 for none."""
    user: _Float64
    """User data."""

class _MjModelLightViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active: _UInt8
    """Is it on."""
    ambient: _Float32
    """Ambient colour."""
    attenuation: _Float32
    """Constant, linear (1/m) and quadratic (1/m²) attenuation."""
    bodyid: _Int32
    """Body that the light belongs to."""
    bulbradius: _Float32
    """Radius for soft shadows, in m."""
    castshadow: _UInt8
    """Does it cast shadows."""
    cutoff: _Float32
    """Half angle of the cone in degrees."""
    diffuse: _Float32
    """Diffuse colour."""
    dir: _Float64
    """Direction in the body frame."""
    dir0: _Float64
    """Global direction at `qpos0`."""
    exponent: _Float32
    """How sharply the cone is focused."""
    intensity: _Float32
    """Intensity in candela."""
    mode: _Int32
    """How the pose follows the body (`TrackingMode`)."""
    pos: _Float64
    """Position in the body frame, in m."""
    pos0: _Float64
    """Global offset from the body at `qpos0`, in m."""
    poscom0: _Float64
    """Global offset from the subtree's centre of mass at `qpos0`, in m."""
    range: _Float32
    """Range of effectiveness, in m."""
    specular: _Float32
    """Specular colour."""
    targetbodyid: _Int32
    """Body that the light points at, -1 for none."""
    texid: _Int32
    """Texture of an image light, -1 for none."""
    type: _Int32
    """Kind of light (`LightType`)."""

class _MjModelMeshViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bvhadr: _Int32
    """Root of the bounding-volume tree."""
    bvhnum: _Int32
    """Number of bounding volumes."""
    faceadr: _Int32
    """First triangle."""
    facenum: _Int32
    """Number of triangles."""
    graphadr: _Int32
    """Convex-hull graph, -1 for none."""
    normaladr: _Int32
    """First normal."""
    normalnum: _Int32
    """Number of normals."""
    octadr: _Int32
    """Root of the octree."""
    octnum: _Int32
    """Number of octree cells."""
    pathadr: _Int32
    """Asset path, -1 for none."""
    polyadr: _Int32
    """First hull polygon."""
    polynum: _Int32
    """Number of hull polygons."""
    pos: _Float64
    """Translation applied to the asset, in m."""
    quat: _Float64
    """Rotation applied to the asset."""
    scale: _Float64
    """Scaling applied to the asset."""
    texcoordadr: _Int32
    """First texture coordinate, -1 for none."""
    texcoordnum: _Int32
    """Number of texture coordinates."""
    vertadr: _Int32
    """First vertex."""
    vertnum: _Int32
    """Number of vertices."""

class _MjModelSkinViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    boneadr: _Int32
    """First bone."""
    bonenum: _Int32
    """Number of bones."""
    faceadr: _Int32
    """First triangle."""
    facenum: _Int32
    """Number of triangles."""
    group: _Int32
    """Visibility group."""
    inflate: _Float32
    """How far vertices are moved along their normals, in m."""
    matid: _Int32
    """Material, -1 for none."""
    pathadr: _Int32
    """Asset path, -1 for none."""
    rgba: _Float32
    """Colour, 0 to 1."""
    texcoordadr: _Int32
    """First texture coordinate, -1 for none."""
    vertadr: _Int32
    """First vertex."""
    vertnum: _Int32
    """Number of vertices."""

class _MjModelHfieldViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Int32
    """First sample."""
    data: _Float32
    """Elevations as shares of the height, 0 to 1, row by row."""
    ncol: _Int32
    """Number of columns."""
    nrow: _Int32
    """Number of rows."""
    pathadr: _Int32
    """Asset path, -1 for none."""
    size: _Float64
    """Half width, half depth, height above and below zero, in m."""

class _MjModelTextureViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Int64
    """First byte."""
    colorspace: _Int32
    """Colour space (`ColorSpace`)."""
    data: _UInt8
    """Pixels."""
    height: _Int32
    """Number of rows."""
    nchannel: _Int32
    """Number of channels."""
    pathadr: _Int32
    """Asset path, -1 for none."""
    type: _Int32
    """Kind of texture (`TextureType`)."""
    width: _Int32
    """Number of columns."""

class _MjModelMaterialViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    emission: _Float32
    """Emission."""
    metallic: _Float32
    """Metallic coefficient."""
    reflectance: _Float32
    """Reflectance."""
    rgba: _Float32
    """Colour that multiplies the texture, 0 to 1."""
    roughness: _Float32
    """Roughness coefficient."""
    shininess: _Float32
    """Shininess."""
    specular: _Float32
    """Specularity."""
    texid: _Int32
    """Texture of each role (`TextureRole`), -1 for none."""
    texrepeat: _Float32
    """Texture repetitions."""
    texuniform: _UInt8
    """Is the texture mapped in uniform scale."""

class _MjModelPairViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    dim: _Int32
    """Contact dimension."""
    friction: _Float64
    """Friction: two tangents, and spin and two rolls in m."""
    gap: _Float64
    """Part of the margin in which the contact exerts no force, in m."""
    geom1: _Int32
    """First geom."""
    geom2: _Int32
    """Second geom."""
    margin: _Float64
    """Distance at which the contact is detected, in m."""
    signature: _Int32
    """Bodies of both geoms, `(body1 << 16) + body2` with `body1 <= body2`."""
    solimp: _Float64
    """Impedance parameters."""
    solref: _Float64
    """Reference parameters, normal direction."""
    solreffriction: _Float64
    """Reference parameters, friction directions."""

class _MjModelExcludeViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    signature: _Int32
    """Both bodies, `(body1 << 16) + body2` with `body1 <= body2`."""

class _MjModelEqualityViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active0: _UInt8
    """Is it active at reset."""
    data: _Float64
    """Connect: anchor on body 1, anchor on body 2; weld: anchor on body 2, anchor on body 1, orientation of body 2 in body 1, torque scale; joint and tendon: coefficients 0 to 4 of a polynomial."""
    obj1id: _Int32
    """First object."""
    obj2id: _Int32
    """Second object."""
    objtype: _Int32
    """Kind of both objects (`ObjType`)."""
    solimp: _Float64
    """Impedance parameters."""
    solref: _Float64
    """Reference parameters."""
    type: _Int32
    """Kind of constraint (`EqualityType`)."""

class _MjModelTendonViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    actfrclimited: _UInt8
    """Is the total actuator force limited."""
    actfrcrange: _Float64
    """Limits of the total actuator force, in N."""
    adr: _Int32
    """First element of the path."""
    armature: _Float64
    """Inertia that moves with the length, in kg."""
    damping: _Float64
    """Viscous damping, in N s/m."""
    frictionloss: _Float64
    """Dry friction, in N."""
    group: _Int32
    """Visibility group."""
    invweight0: _Float64
    """Inverse inertia at `qpos0`, in 1/kg."""
    length0: _Float64
    """Length at `qpos0`, in m."""
    lengthspring: _Float64
    """Interval of lengths in which the spring is relaxed, in m."""
    limited: _UInt8
    """Does the length have limits."""
    margin: _Float64
    """Distance at which a limit becomes active, in m."""
    matid: _Int32
    """Material, -1 for none."""
    num: _Int32
    """Number of elements of the path."""
    range: _Float64
    """Length limits, in m, or the unit of its joints."""
    rgba: _Float32
    """Colour, 0 to 1."""
    solimp_fri: _Float64
    """Impedance parameters of the friction loss."""
    solimp_lim: _Float64
    """Impedance parameters of the limit."""
    solref_fri: _Float64
    """Reference parameters of the friction loss."""
    solref_lim: _Float64
    """Reference parameters of the limit."""
    stiffness: _Float64
    """Spring stiffness, in N/m."""
    treeid: _Int32
    """First two kinematic trees along the path."""
    treenum: _Int32
    """Number of kinematic trees along the path."""
    user: _Float64
    """User data."""
    width: _Float64
    """Width for drawing, in m."""

class _MjModelActuatorViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    acc0: _Float64
    """Norm of the acceleration that a unit force causes at `qpos0`."""
    actadr: _Int32
    """First activation, -1 when stateless."""
    actearly: _UInt8
    """Does the force use the next activation."""
    actlimited: _UInt8
    """Is the activation limited."""
    actnum: _Int32
    """Number of activations."""
    actrange: _Float64
    """Activation limits."""
    biasprm: _Float64
    """Parameters of the bias, by kind: constant, then factors of length and velocity; those of muscles."""
    biastype: _Int32
    """Bias (`BiasType`)."""
    cranklength: _Float64
    """Crank length of a slider-crank, in m."""
    ctrllimited: _UInt8
    """Is the control limited."""
    ctrlrange: _Float64
    """Control limits."""
    delay: _Float64
    """Control delay in seconds."""
    dynprm: _Float64
    """Parameters of the activation dynamics, by kind: time constants, blending width of muscles."""
    dyntype: _Int32
    """Activation dynamics (`DynType`)."""
    forcelimited: _UInt8
    """Is the force limited."""
    forcerange: _Float64
    """Force limits, in N or N m."""
    gain_model: _Int32
    """Law of a user's gain: an extension (`GainModelType`)."""
    gainprm: _Float64
    """Parameters of the gain, by kind: constant, then factors of length and velocity; those of muscles."""
    gaintype: _Int32
    """Gain (`GainType`)."""
    gear: _Float64
    """Scaling of length and force."""
    group: _Int32
    """Visibility group, by which actuators are also switched off (`opt.disableactuator`)."""
    history: _Int32
    """Control history: number of samples, interpolation."""
    historyadr: _Int32
    """Address in `history`, -1 for none."""
    length0: _Float64
    """Length at `qpos0`, in m or rad."""
    lengthrange: _Float64
    """Feasible lengths, in m or rad."""
    plugin: _Int32
    """Plugin instance, -1 for none."""
    trnid: _Int32
    """Objects that the transmission acts on."""
    trntype: _Int32
    """Transmission (`TransmissionType`)."""
    user: _Float64
    """User data."""

class _MjModelSensorViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Int32
    """First value in `sensordata`."""
    cutoff: _Float64
    """Largest magnitude in the unit of the sensor, 0 for none."""
    datatype: _Int32
    """Kind of data (`DataType`)."""
    delay: _Float64
    """Delay in seconds."""
    dim: _Int32
    """Number of values."""
    history: _Int32
    """History: number of samples, interpolation."""
    historyadr: _Int32
    """Address in `history`, -1 for none."""
    interval: _Float64
    """Sampling period and phase in seconds."""
    intprm: _Int32
    """Contact sensors: data as bits, reduction, number of contacts; range finders: data as bits."""
    needstage: _Int32
    """Stage after which it can be computed (`Stage`)."""
    noise: _Float64
    """Standard deviation of the noise."""
    objid: _Int32
    """Sensed object."""
    objtype: _Int32
    """Kind of the sensed object (`ObjType`)."""
    plugin: _Int32
    """Plugin instance, -1 for none."""
    refid: _Int32
    """Reference object, -1 for the world."""
    reftype: _Int32
    """Kind of the reference object (`ObjType`)."""
    type: _Int32
    """Kind of sensor (`SensorType`)."""
    user: _Float64
    """User data."""

class _MjModelNumericViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Int32
    """First value."""
    data: _Float64
    """Values of all numeric fields."""
    size: _Int32
    """Number of values."""

class _MjModelTupleViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Int32
    """First member."""
    objid: _Int32
    """Member."""
    objprm: _Float64
    """Parameter of the member."""
    objtype: _Int32
    """Kind of the member (`ObjType`)."""
    size: _Int32
    """Number of members."""

class _MjModelKeyframeViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    act: _Float64
    """Activations of the keyframe."""
    ctrl: _Float64
    """Controls of the keyframe."""
    mpos: _Float64
    """Mocap positions of the keyframe, in m."""
    mquat: _Float64
    """Mocap orientations of the keyframe."""
    qpos: _Float64
    """Configuration of the keyframe, in m or rad."""
    qvel: _Float64
    """Velocity of the keyframe, in m/s or rad/s."""
    time: _Float64
    """Time of the keyframe, in s."""

class _MjDataBodyViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    cacc: _Float64
    """Acceleration of the body about its tree's centre of mass, in the axes of the world: rotation, translation, in rad/s², m/s²."""
    cfrc_ext: _Float64
    """External force on the body, about the tree's centre of mass in the axes of the world: torque, force, in N m, N."""
    cfrc_int: _Float64
    """Force that the parent transmits to the body, about the tree's centre of mass in the axes of the world: torque, force, in N m, N."""
    cinert: _Float64
    """Inertia of the body about its tree's centre of mass, in the axes of the world: six moments (xx, yy, zz, xy, xz, yz), mass times offset, mass."""
    crb: _Float64
    """Inertia of the body and its descendants about the tree's centre of mass."""
    cvel: _Float64
    """Velocity of the body as that of the point at its tree's centre of mass, in the axes of the world: rotation, translation, in rad/s, m/s."""
    subtree_angmom: _Float64
    """Angular momentum about the subtree's centre of mass, in kg m²/s."""
    subtree_com: _Float64
    """Centre of mass of the body and its descendants in the world, in m."""
    subtree_linvel: _Float64
    """Velocity of the subtree's centre of mass, in m/s."""
    xfrc_applied: _Float64
    """Force and torque applied by the user at the centre of mass, in the axes of the world, in N, N m."""
    ximat: _Float64
    """Orientation of the principal axes of inertia in the world: the columns."""
    xipos: _Float64
    """Centre of mass of the body in the world, in m."""
    xmat: _Float64
    """Orientation of the body frame in the world, as a matrix whose columns are the axes of the body."""
    xpos: _Float64
    """Position of the body frame in the world, in m."""
    xquat: _Float64
    """Orientation of the body frame in the world, as a quaternion."""

class _MjDataJointViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    cdof: _Float64
    """Motion of the point at the tree's centre of mass per unit velocity of the degree of freedom, in the axes of the world: rotation in rad, translation in m, per unit of the coordinate."""
    cdof_dot: _Float64
    """`cvel × cdof` with the velocity before the joint, in the unit of `cdof` per s: the time derivative of `cdof`, except for the rotations of ball and free joints, where only the sum `Σ cdof_dot q̇` is that of the true derivatives."""
    qHDiagInv: _Float64
    """Inverse of its D."""
    qLDiagInv: _Float64
    """Inverse of D, in 1/kg or 1/(kg m²)."""
    qacc: _Float64
    """Acceleration, in m/s² or rad/s²."""
    qacc_smooth: _Float64
    """Acceleration without constraints, in m/s² or rad/s²."""
    qacc_warmstart: _Float64
    """Acceleration from which the constraint solver starts, in m/s² or rad/s²."""
    qfrc_actuator: _Float64
    """Generalized actuator force, in N or N m."""
    qfrc_applied: _Float64
    """Generalized force applied by the user, in N or N m."""
    qfrc_bias: _Float64
    """Coriolis, centrifugal and gravity forces, in N or N m."""
    qfrc_constraint: _Float64
    """Generalized constraint force, in N or N m."""
    qfrc_damper: _Float64
    """Damper forces, in N or N m."""
    qfrc_fluid: _Float64
    """Fluid forces, in N or N m."""
    qfrc_gravcomp: _Float64
    """Gravity compensation, in N or N m."""
    qfrc_inverse: _Float64
    """External force found by inverse dynamics, in N or N m."""
    qfrc_passive: _Float64
    """Sum of the passive forces, in N or N m."""
    qfrc_smooth: _Float64
    """Sum of all forces but those of constraints, in N or N m."""
    qfrc_spring: _Float64
    """Spring forces, in N or N m."""
    qpos: _Float64
    """Configuration, in m or rad; quaternions are of length 1."""
    qvel: _Float64
    """Velocity, in m/s or rad/s."""
    xanchor: _Float64
    """Joint anchor in the world, in m."""
    xaxis: _Float64
    """Joint axis in the world."""

class _MjDataGeomViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Float64
    """Orientation of the geom in the world: columns are its axes."""
    xpos: _Float64
    """Position of the geom in the world, in m."""

class _MjDataSiteViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Float64
    """Orientation of the site in the world: columns are its axes."""
    xpos: _Float64
    """Position of the site in the world, in m."""

class _MjDataCameraViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Float64
    """Orientation of the camera in the world: columns are its axes; it looks along -z."""
    xpos: _Float64
    """Position of the camera in the world, in m."""

class _MjDataLightViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xdir: _Float64
    """Direction of the light in the world."""
    xpos: _Float64
    """Position of the light in the world, in m."""

class _MjDataTendonViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    J: _Float64
    """Tendon Jacobian, in units of the length per unit of the coordinate."""
    J_colind: _Int32
    """Tendon Jacobian: column of each entry."""
    J_rowadr: _Int32
    """Tendon Jacobian: first entry of each row."""
    J_rownnz: _Int32
    """Tendon Jacobian: entries of each row."""
    length: _Float64
    """Tendon lengths, in m, or the unit of its joints."""
    velocity: _Float64
    """Tendon velocities, in m/s."""
    wrapadr: _Int32
    """First point of the tendon's path."""
    wrapnum: _Int32
    """Number of points of the tendon's path."""

class _MjDataActuatorViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    ctrl: _Float64
    """Controls."""
    force: _Float64
    """Actuator forces, in N or N m."""
    length: _Float64
    """Actuator lengths, in m or rad."""
    velocity: _Float64
    """Actuator velocities, in m/s or rad/s."""

class _MjDataSensorViews:
    """The rows that belong to one object."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    data: _Float64
    """Sensor values."""

class MjModel:
    """A compiled model."""

    @classmethod
    def from_xml_path(cls, filename: _Path, assets: _Assets = None) -> MjModel:
        """Compile a model from an MJCF file; ``assets`` maps file names to bytes."""
    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: _Assets = None) -> MjModel:
        """Compile a model from MJCF text; ``assets`` maps file names to bytes."""
    @classmethod
    def from_binary_path(cls, filename: _Path, assets: _Assets = None) -> MjModel:
        """Read a model that ``mj_saveModel`` wrote; ``assets`` maps file names to bytes."""
    @property
    def opt(self) -> MjOption: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def signature(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def nq(self) -> int:
        """Length of `qpos`, the generalized coordinates."""
    @property
    def nv(self) -> int:
        """Number of degrees of freedom, the length of `qvel`."""
    @property
    def nu(self) -> int:
        """Number of actuators, the length of `ctrl`."""
    @property
    def na(self) -> int:
        """Number of actuator activations, the length of `act`."""
    @property
    def nbody(self) -> int:
        """Number of bodies, the world included."""
    @property
    def nbvh(self) -> int:
        """Number of bounding volumes of all bodies and meshes."""
    @property
    def nbvhstatic(self) -> int:
        """Number of bounding volumes whose boxes never change."""
    @property
    def nbvhdynamic(self) -> int:
        """Number of bounding volumes whose boxes are recomputed."""
    @property
    def noct(self) -> int:
        """Number of octree cells of all meshes."""
    @property
    def njnt(self) -> int:
        """Number of joints."""
    @property
    def ntree(self) -> int:
        """Number of kinematic trees that hang from the world."""
    @property
    def nM(self) -> int:
        """Number of entries of the inertia matrix `qM`: for each degree of freedom itself and its ancestors."""
    @property
    def nB(self) -> int:
        """Number of entries of the body-by-dof pattern: for each body the degrees of freedom above, in and below it."""
    @property
    def nC(self) -> int:
        """Number of entries of the inertia matrix `M` by rows: as `nM`, but simple degrees of freedom have the diagonal alone."""
    @property
    def nD(self) -> int:
        """Number of entries of the dof-by-dof pattern: for each degree of freedom itself, its ancestors and its descendants."""
    @property
    def ngeom(self) -> int:
        """Number of geoms."""
    @property
    def nsite(self) -> int:
        """Number of sites."""
    @property
    def ncam(self) -> int:
        """Number of cameras."""
    @property
    def nlight(self) -> int:
        """Number of lights."""
    @property
    def nflex(self) -> int:
        """Number of flexes."""
    @property
    def nflexnode(self) -> int:
        """Number of nodes of all flexes."""
    @property
    def nflexvert(self) -> int:
        """Number of vertices of all flexes."""
    @property
    def nflexedge(self) -> int:
        """Number of edges of all flexes."""
    @property
    def nflexelem(self) -> int:
        """Number of elements of all flexes."""
    @property
    def nflexelemdata(self) -> int:
        """Number of element vertex ids of all flexes."""
    @property
    def nflexelemedge(self) -> int:
        """Number of element edge ids of all flexes."""
    @property
    def nflexshelldata(self) -> int:
        """Number of shell fragment vertex ids of all flexes."""
    @property
    def nflexevpair(self) -> int:
        """Number of element-vertex pairs of all flexes."""
    @property
    def nflextexcoord(self) -> int:
        """Number of flex texture coordinates."""
    @property
    def nJfe(self) -> int:
        """Number of entries of the flex edge Jacobian."""
    @property
    def nJfv(self) -> int:
        """Number of entries of the flex vertex Jacobian."""
    @property
    def nflexhinge(self) -> int:
        """Number of hinges between triangles of flexes with Bridson bending: an extension."""
    @property
    def nflexrest(self) -> int:
        """Number of elements of flexes of Neo-Hookean material: an extension."""
    @property
    def nmesh(self) -> int:
        """Number of meshes."""
    @property
    def nmeshvert(self) -> int:
        """Number of vertices of all meshes."""
    @property
    def nmeshnormal(self) -> int:
        """Number of normals of all meshes."""
    @property
    def nmeshtexcoord(self) -> int:
        """Number of texture coordinates of all meshes."""
    @property
    def nmeshface(self) -> int:
        """Number of triangles of all meshes."""
    @property
    def nmeshgraph(self) -> int:
        """Length of the convex-hull graphs of all meshes."""
    @property
    def nmeshpoly(self) -> int:
        """Number of hull polygons of all meshes."""
    @property
    def nmeshpolyvert(self) -> int:
        """Number of vertex ids of all hull polygons."""
    @property
    def nmeshpolymap(self) -> int:
        """Number of polygon ids of all hull vertices."""
    @property
    def nskin(self) -> int:
        """Number of skins."""
    @property
    def nskinvert(self) -> int:
        """Number of vertices of all skins."""
    @property
    def nskintexvert(self) -> int:
        """Number of textured vertices of all skins."""
    @property
    def nskinface(self) -> int:
        """Number of triangles of all skins."""
    @property
    def nskinbone(self) -> int:
        """Number of bones of all skins."""
    @property
    def nskinbonevert(self) -> int:
        """Number of vertex ids of all bones."""
    @property
    def nhfield(self) -> int:
        """Number of height fields."""
    @property
    def nhfielddata(self) -> int:
        """Number of samples of all height fields."""
    @property
    def ntex(self) -> int:
        """Number of textures."""
    @property
    def ntexdata(self) -> int:
        """Number of bytes of all textures."""
    @property
    def nmat(self) -> int:
        """Number of materials."""
    @property
    def npair(self) -> int:
        """Number of explicit contact pairs."""
    @property
    def nexclude(self) -> int:
        """Number of excluded body pairs."""
    @property
    def neq(self) -> int:
        """Number of equality constraints."""
    @property
    def ntendon(self) -> int:
        """Number of tendons."""
    @property
    def nwrap(self) -> int:
        """Number of path elements of all tendons."""
    @property
    def nsensor(self) -> int:
        """Number of sensors."""
    @property
    def nnumeric(self) -> int:
        """Number of custom numeric fields."""
    @property
    def nnumericdata(self) -> int:
        """Number of values of all custom numeric fields."""
    @property
    def ntext(self) -> int:
        """Number of custom text fields."""
    @property
    def ntextdata(self) -> int:
        """Number of bytes of all custom text fields."""
    @property
    def ntuple(self) -> int:
        """Number of custom tuples."""
    @property
    def ntupledata(self) -> int:
        """Number of members of all custom tuples."""
    @property
    def nkey(self) -> int:
        """Number of keyframes."""
    @property
    def nmocap(self) -> int:
        """Number of mocap bodies."""
    @property
    def nplugin(self) -> int:
        """Number of plugin instances."""
    @property
    def npluginattr(self) -> int:
        """Number of bytes of all plugin configurations."""
    @property
    def nuser_body(self) -> int:
        """Number of user values per body."""
    @property
    def nuser_jnt(self) -> int:
        """Number of user values per joint."""
    @property
    def nuser_geom(self) -> int:
        """Number of user values per geom."""
    @property
    def nuser_site(self) -> int:
        """Number of user values per site."""
    @property
    def nuser_cam(self) -> int:
        """Number of user values per camera."""
    @property
    def nuser_tendon(self) -> int:
        """Number of user values per tendon."""
    @property
    def nuser_actuator(self) -> int:
        """Number of user values per actuator."""
    @property
    def nuser_sensor(self) -> int:
        """Number of user values per sensor."""
    @property
    def nnames(self) -> int:
        """Number of bytes of all names."""
    @property
    def npaths(self) -> int:
        """Number of bytes of all asset paths."""
    @property
    def nnames_map(self) -> int:
        """Number of slots of the name hash tables."""
    @property
    def nJmom(self) -> int:
        """Number of entries of the sparse actuator moment matrix."""
    @property
    def ngravcomp(self) -> int:
        """Number of bodies with gravity compensation."""
    @property
    def nemax(self) -> int:
        """Largest number of equality rows; a weld counts 7, though it has 6."""
    @property
    def nuserdata(self) -> int:
        """Number of values in `userdata`."""
    @property
    def nsensordata(self) -> int:
        """Number of values in `sensordata`."""
    @property
    def npluginstate(self) -> int:
        """Number of values in `plugin_state`."""
    @property
    def nhistory(self) -> int:
        """Number of values in `history`."""
    @property
    def nsoft(self) -> int:
        """Number of deformable bodies: an extension."""
    @property
    def nsoftvert(self) -> int:
        """Number of vertices of all deformable bodies: an extension."""
    @property
    def nsoftelemdata(self) -> int:
        """Number of element vertex ids of all deformable bodies: an extension."""
    qpos0: _Float64
    """Configuration of the reference pose, in m or rad; quaternions are of length 1. Shape (nq,)."""
    qpos_spring: _Float64
    """Configuration in which joint springs are relaxed, in m or rad. Shape (nq,)."""
    body_parentid: _Int32
    """Parent of the body; the world is its own parent. Shape (nbody,)."""
    body_rootid: _Int32
    """Ancestor that is a child of the world. Shape (nbody,)."""
    body_weldid: _Int32
    """Topmost ancestor reached without crossing a joint: bodies with the same one cannot move against each other. Shape (nbody,)."""
    body_mocapid: _Int32
    """Index of the mocap pose, -1 for none. Shape (nbody,)."""
    body_jntnum: _Int32
    """Number of joints. Shape (nbody,)."""
    body_jntadr: _Int32
    """First joint, -1 for none. Shape (nbody,)."""
    body_dofnum: _Int32
    """Number of degrees of freedom. Shape (nbody,)."""
    body_dofadr: _Int32
    """First degree of freedom, -1 for none. Shape (nbody,)."""
    body_treeid: _Int32
    """Kinematic tree, -1 when static. Shape (nbody,)."""
    body_geomnum: _Int32
    """Number of geoms. Shape (nbody,)."""
    body_geomadr: _Int32
    """First geom, -1 for none. Shape (nbody,)."""
    body_simple: _UInt8
    """Is the inertia the same diagonal in every pose (1), with slides only (2). Shape (nbody,)."""
    body_sameframe: _UInt8
    """How the inertial frame is aligned with the body frame (`SameFrame`). Shape (nbody,)."""
    body_pos: _Float64
    """Position in the parent's frame, in m. Shape (nbody, 3)."""
    body_quat: _Float64
    """Orientation in the parent's frame. Shape (nbody, 4)."""
    body_ipos: _Float64
    """Centre of mass in the body frame, in m. Shape (nbody, 3)."""
    body_iquat: _Float64
    """Orientation of the principal axes in the body frame. Shape (nbody, 4)."""
    body_mass: _Float64
    """Mass, in kg. Shape (nbody,)."""
    body_subtreemass: _Float64
    """Mass of the body and its descendants, in kg. Shape (nbody,)."""
    body_inertia: _Float64
    """Principal moments of inertia, in kg m². Shape (nbody, 3)."""
    body_invweight0: _Float64
    """Mean inverse inertia at `qpos0`: translation, rotation, in 1/kg and 1/(kg m²). Shape (nbody, 2)."""
    body_gravcomp: _Float64
    """Share of the body's weight that is compensated. Shape (nbody,)."""
    body_margin: _Float64
    """Largest contact margin of the body's geoms, in m. Shape (nbody,)."""
    body_user: _Float64
    """User data. Shape (nbody, nuser_body)."""
    body_plugin: _Int32
    """Plugin instance, -1 for none. Shape (nbody,)."""
    body_contype: _Int32
    """Union of the geoms' contact types. Shape (nbody,)."""
    body_conaffinity: _Int32
    """Union of the geoms' contact affinities. Shape (nbody,)."""
    body_bvhadr: _Int32
    """Root of the body's bounding-volume tree, -1 for none. Shape (nbody,)."""
    body_bvhnum: _Int32
    """Number of bounding volumes. Shape (nbody,)."""
    bvh_depth: _Int32
    """Depth in the bounding-volume tree. Shape (nbvh,)."""
    bvh_child: _Int32
    """Left and right child, -1 for none. Shape (nbvh, 2)."""
    bvh_nodeid: _Int32
    """Geom or element of a leaf, -1 for inner nodes. Shape (nbvh,)."""
    bvh_aabb: _Float64
    """Bounding box: centre, half sizes, in m. Shape (nbvhstatic, 6)."""
    oct_depth: _Int32
    """Depth in the octree. Shape (noct,)."""
    oct_child: _Int32
    """Children of the cell. Shape (noct, 8)."""
    oct_aabb: _Float64
    """Bounding box of the cell: centre, half sizes, in m. Shape (noct, 6)."""
    oct_coeff: _Float64
    """Signed distance at the eight corners of the cell, x fastest, in m. Shape (noct, 8)."""
    jnt_type: _Int32
    """Kind of joint (`JointType`). Shape (njnt,)."""
    jnt_qposadr: _Int32
    """First element in `qpos`. Shape (njnt,)."""
    jnt_dofadr: _Int32
    """First degree of freedom. Shape (njnt,)."""
    jnt_bodyid: _Int32
    """Body that the joint moves. Shape (njnt,)."""
    jnt_group: _Int32
    """Visibility group. Shape (njnt,)."""
    jnt_limited: _UInt8
    """Does the joint have limits. Shape (njnt,)."""
    jnt_actfrclimited: _UInt8
    """Is the total actuator force limited. Shape (njnt,)."""
    jnt_actgravcomp: _UInt8
    """Is gravity compensation counted as actuator force. Shape (njnt,)."""
    jnt_solref: _Float64
    """Reference parameters of the limit constraint. Shape (njnt, 2)."""
    jnt_solimp: _Float64
    """Impedance parameters of the limit constraint. Shape (njnt, 5)."""
    jnt_pos: _Float64
    """Anchor in the body frame, in m. Shape (njnt, 3)."""
    jnt_axis: _Float64
    """Axis in the body frame. Shape (njnt, 3)."""
    jnt_stiffness: _Float64
    """Spring stiffness, in N/m or N m/rad. Shape (njnt,)."""
    jnt_range: _Float64
    """Lower and upper limit, in m or rad; of a ball joint the larger of both is the largest angle. Shape (njnt, 2)."""
    jnt_actfrcrange: _Float64
    """Limits of the total actuator force, in N or N m. Shape (njnt, 2)."""
    jnt_margin: _Float64
    """Distance at which a limit becomes active, in m or rad. Shape (njnt,)."""
    jnt_user: _Float64
    """User data. Shape (njnt, nuser_jnt)."""
    dof_bodyid: _Int32
    """Body of the degree of freedom. Shape (nv,)."""
    dof_jntid: _Int32
    """Joint of the degree of freedom. Shape (nv,)."""
    dof_parentid: _Int32
    """Previous degree of freedom on the way to the world, -1 for none. Shape (nv,)."""
    dof_treeid: _Int32
    """Kinematic tree. Shape (nv,)."""
    dof_Madr: _Int32
    """Address of the diagonal entry in `qM`. Shape (nv,)."""
    dof_simplenum: _Int32
    """Number of consecutive degrees of freedom of simple bodies from here. Shape (nv,)."""
    dof_solref: _Float64
    """Reference parameters of the friction-loss constraint. Shape (nv, 2)."""
    dof_solimp: _Float64
    """Impedance parameters of the friction-loss constraint. Shape (nv, 5)."""
    dof_frictionloss: _Float64
    """Dry friction, in N or N m. Shape (nv,)."""
    dof_armature: _Float64
    """Rotor inertia added to the diagonal, in kg or kg m². Shape (nv,)."""
    dof_damping: _Float64
    """Viscous damping, in N s/m or N m s/rad. Shape (nv,)."""
    dof_invweight0: _Float64
    """Inverse inertia at `qpos0`, in 1/kg or 1/(kg m²). Shape (nv,)."""
    dof_M0: _Float64
    """Diagonal inertia at `qpos0`, in kg or kg m². Shape (nv,)."""
    dof_length: _Float64
    """Length that a unit rotation moves a typical point, in m; 1 for translations. Shape (nv,)."""
    tree_bodyadr: _Int32
    """First body of the tree. Shape (ntree,)."""
    tree_bodynum: _Int32
    """Number of bodies. Shape (ntree,)."""
    tree_dofadr: _Int32
    """First degree of freedom. Shape (ntree,)."""
    tree_dofnum: _Int32
    """Number of degrees of freedom. Shape (ntree,)."""
    tree_sleep_policy: _Int32
    """When the tree may sleep (`SleepPolicy`). Shape (ntree,)."""
    geom_type: _Int32
    """Shape (`GeomType`). Shape (ngeom,)."""
    geom_contype: _Int32
    """Contact type bits. Shape (ngeom,)."""
    geom_conaffinity: _Int32
    """Contact affinity bits. Shape (ngeom,)."""
    geom_condim: _Int32
    """Contact dimension: 1, 3, 4 or 6. Shape (ngeom,)."""
    geom_bodyid: _Int32
    """Body that the geom belongs to. Shape (ngeom,)."""
    geom_dataid: _Int32
    """Mesh or height field, -1 for none. Shape (ngeom,)."""
    geom_matid: _Int32
    """Material, -1 for none. Shape (ngeom,)."""
    geom_group: _Int32
    """Visibility group. Shape (ngeom,)."""
    geom_priority: _Int32
    """Priority when contact parameters are combined. Shape (ngeom,)."""
    geom_plugin: _Int32
    """Plugin instance, -1 for none. Shape (ngeom,)."""
    geom_sameframe: _UInt8
    """How the frame is aligned with the body (`SameFrame`). Shape (ngeom,)."""
    geom_solmix: _Float64
    """Weight when contact parameters are mixed. Shape (ngeom,)."""
    geom_solref: _Float64
    """Reference parameters of its contacts. Shape (ngeom, 2)."""
    geom_solimp: _Float64
    """Impedance parameters of its contacts. Shape (ngeom, 5)."""
    geom_size: _Float64
    """Size, by shape, in m. Shape (ngeom, 3)."""
    geom_aabb: _Float64
    """Bounding box in the geom frame: centre, half sizes, in m. Shape (ngeom, 6)."""
    geom_rbound: _Float64
    """Radius of the bounding sphere, in m; 0 for planes. Shape (ngeom,)."""
    geom_pos: _Float64
    """Position in the body frame, in m. Shape (ngeom, 3)."""
    geom_quat: _Float64
    """Orientation in the body frame. Shape (ngeom, 4)."""
    geom_friction: _Float64
    """Friction: slide, and spin and roll in m. Shape (ngeom, 3)."""
    geom_margin: _Float64
    """Distance at which a contact is detected, in m. Shape (ngeom,)."""
    geom_gap: _Float64
    """Part of the margin in which a contact exerts no force, in m. Shape (ngeom,)."""
    geom_fluid: _Float64
    """Ellipsoid fluid model: factor of all forces, 0 where it is not used; drag blunt, slender, angular; lift Kutta, Magnus; virtual mass (3), virtual inertia (3). Shape (ngeom, 12)."""
    geom_user: _Float64
    """User data. Shape (ngeom, nuser_geom)."""
    geom_rgba: _Float32
    """Colour, 0 to 1. Shape (ngeom, 4)."""
    site_type: _Int32
    """Shape for drawing (`GeomType`). Shape (nsite,)."""
    site_bodyid: _Int32
    """Body that the site belongs to. Shape (nsite,)."""
    site_matid: _Int32
    """Material, -1 for none. Shape (nsite,)."""
    site_group: _Int32
    """Visibility group. Shape (nsite,)."""
    site_sameframe: _UInt8
    """How the frame is aligned with the body (`SameFrame`). Shape (nsite,)."""
    site_size: _Float64
    """Size for drawing, in m. Shape (nsite, 3)."""
    site_pos: _Float64
    """Position in the body frame, in m. Shape (nsite, 3)."""
    site_quat: _Float64
    """Orientation in the body frame. Shape (nsite, 4)."""
    site_user: _Float64
    """User data. Shape (nsite, nuser_site)."""
    site_rgba: _Float32
    """Colour, 0 to 1. Shape (nsite, 4)."""
    cam_mode: _Int32
    """How the pose follows the body (`TrackingMode`). Shape (ncam,)."""
    cam_bodyid: _Int32
    """Body that the camera belongs to. Shape (ncam,)."""
    cam_targetbodyid: _Int32
    """Body that the camera looks at, -1 for none. Shape (ncam,)."""
    cam_pos: _Float64
    """Position in the body frame, in m. Shape (ncam, 3)."""
    cam_quat: _Float64
    """Orientation in the body frame. Shape (ncam, 4)."""
    cam_poscom0: _Float64
    """Global offset from the subtree's centre of mass at `qpos0`, in m. Shape (ncam, 3)."""
    cam_pos0: _Float64
    """Global offset from the body at `qpos0`, in m. Shape (ncam, 3)."""
    cam_mat0: _Float64
    """Global orientation at `qpos0`. Shape (ncam, 9)."""
    cam_projection: _Int32
    """Projection (`Projection`). Shape (ncam,)."""
    cam_fovy: _Float64
    """Vertical field of view: degrees, or length if orthographic. Shape (ncam,)."""
    cam_ipd: _Float64
    """Distance between the eyes, in m. Shape (ncam,)."""
    cam_resolution: _Int32
    """Resolution in pixels: width, height. Shape (ncam, 2)."""
    cam_output: _Int32
    """Kinds of image that the camera makes, as bits. Shape (ncam,)."""
    cam_sensorsize: _Float32
    """Sensor size: width, height, in m. Shape (ncam, 2)."""
    cam_intrinsic: _Float32
    """Focal lengths and principal point, in m. Shape (ncam, 4)."""
    cam_user: _Float64
    """User data. Shape (ncam, nuser_cam)."""
    light_mode: _Int32
    """How the pose follows the body (`TrackingMode`). Shape (nlight,)."""
    light_bodyid: _Int32
    """Body that the light belongs to. Shape (nlight,)."""
    light_targetbodyid: _Int32
    """Body that the light points at, -1 for none. Shape (nlight,)."""
    light_type: _Int32
    """Kind of light (`LightType`). Shape (nlight,)."""
    light_texid: _Int32
    """Texture of an image light, -1 for none. Shape (nlight,)."""
    light_castshadow: _UInt8
    """Does it cast shadows. Shape (nlight,)."""
    light_bulbradius: _Float32
    """Radius for soft shadows, in m. Shape (nlight,)."""
    light_intensity: _Float32
    """Intensity in candela. Shape (nlight,)."""
    light_range: _Float32
    """Range of effectiveness, in m. Shape (nlight,)."""
    light_active: _UInt8
    """Is it on. Shape (nlight,)."""
    light_pos: _Float64
    """Position in the body frame, in m. Shape (nlight, 3)."""
    light_dir: _Float64
    """Direction in the body frame. Shape (nlight, 3)."""
    light_poscom0: _Float64
    """Global offset from the subtree's centre of mass at `qpos0`, in m. Shape (nlight, 3)."""
    light_pos0: _Float64
    """Global offset from the body at `qpos0`, in m. Shape (nlight, 3)."""
    light_dir0: _Float64
    """Global direction at `qpos0`. Shape (nlight, 3)."""
    light_attenuation: _Float32
    """Constant, linear (1/m) and quadratic (1/m²) attenuation. Shape (nlight, 3)."""
    light_cutoff: _Float32
    """Half angle of the cone in degrees. Shape (nlight,)."""
    light_exponent: _Float32
    """How sharply the cone is focused. Shape (nlight,)."""
    light_ambient: _Float32
    """Ambient colour. Shape (nlight, 3)."""
    light_diffuse: _Float32
    """Diffuse colour. Shape (nlight, 3)."""
    light_specular: _Float32
    """Specular colour. Shape (nlight, 3)."""
    flex_contype: _Int32
    """Contact type, as bits. Shape (nflex,)."""
    flex_conaffinity: _Int32
    """Contact affinity, as bits. Shape (nflex,)."""
    flex_condim: _Int32
    """Dimension of its contacts: 1, 3, 4 or 6. Shape (nflex,)."""
    flex_priority: _Int32
    """Priority when contact parameters are mixed. Shape (nflex,)."""
    flex_solmix: _Float64
    """Weight when contact parameters are mixed. Shape (nflex,)."""
    flex_solref: _Float64
    """Reference parameters of its contacts. Shape (nflex, 2)."""
    flex_solimp: _Float64
    """Impedance parameters of its contacts. Shape (nflex, 5)."""
    flex_friction: _Float64
    """Friction: slide, and spin and roll in m. Shape (nflex, 3)."""
    flex_margin: _Float64
    """Distance at which a contact is detected, in m. Shape (nflex,)."""
    flex_gap: _Float64
    """Part of the margin in which a contact exerts no force, in m. Shape (nflex,)."""
    flex_internal: _UInt8
    """Do elements collide with vertices next to them. Shape (nflex,)."""
    flex_selfcollide: _Int32
    """How elements of the flex are found that collide (`FlexSelf`). Shape (nflex,)."""
    flex_activelayers: _Int32
    """Layers of tetrahedra below the surface that collide with themselves. Shape (nflex,)."""
    flex_passive: _Int32
    """Are contacts passive forces instead of constraints. Shape (nflex,)."""
    flex_dim: _Int32
    """1: lines, 2: triangles, 3: tetrahedra. Shape (nflex,)."""
    flex_matid: _Int32
    """Material, -1 for none. Shape (nflex,)."""
    flex_group: _Int32
    """Visibility group. Shape (nflex,)."""
    flex_interp: _Int32
    """Order of the interpolation between nodes; 0: vertices move by themselves. Shape (nflex,)."""
    flex_nodeadr: _Int32
    """First node. Shape (nflex,)."""
    flex_nodenum: _Int32
    """Number of nodes. Shape (nflex,)."""
    flex_vertadr: _Int32
    """First vertex. Shape (nflex,)."""
    flex_vertnum: _Int32
    """Number of vertices. Shape (nflex,)."""
    flex_edgeadr: _Int32
    """First edge. Shape (nflex,)."""
    flex_edgenum: _Int32
    """Number of edges. Shape (nflex,)."""
    flex_elemadr: _Int32
    """First element. Shape (nflex,)."""
    flex_elemnum: _Int32
    """Number of elements. Shape (nflex,)."""
    flex_elemdataadr: _Int32
    """First entry in `flex_elem`. Shape (nflex,)."""
    flex_elemedgeadr: _Int32
    """First entry in `flex_elemedge`. Shape (nflex,)."""
    flex_shellnum: _Int32
    """Number of fragments of the surface. Shape (nflex,)."""
    flex_shelldataadr: _Int32
    """First entry in `flex_shell`. Shape (nflex,)."""
    flex_evpairadr: _Int32
    """First pair of element and vertex. Shape (nflex,)."""
    flex_evpairnum: _Int32
    """Number of pairs of element and vertex. Shape (nflex,)."""
    flex_texcoordadr: _Int32
    """First texture coordinate, -1 for none. Shape (nflex,)."""
    flex_nodebodyid: _Int32
    """Body of the node. Shape (nflexnode,)."""
    flex_vertbodyid: _Int32
    """Body of the vertex, -1 where it is interpolated. Shape (nflexvert,)."""
    flex_vertedgeadr: _Int32
    """First edge of the vertex in `flex_vertedge`. Shape (nflexvert,)."""
    flex_vertedgenum: _Int32
    """Number of edges of the vertex. Shape (nflexvert,)."""
    flex_vertedge: _Int32
    """Edges of all vertices, by numbers within the flex. Shape (nflexedge, 2)."""
    flex_edge: _Int32
    """Both vertices of the edge, by numbers within the flex. Shape (nflexedge, 2)."""
    flex_edgeflap: _Int32
    """Vertices opposite to the edge in its two triangles, -1 for none. Shape (nflexedge, 2)."""
    flex_elem: _Int32
    """Vertices of all elements, by numbers within the flex. Shape (nflexelemdata,)."""
    flex_elemtexcoord: _Int32
    """Texture coordinates of the vertices of all elements. Shape (nflexelemdata,)."""
    flex_elemedge: _Int32
    """Edges of all elements, by numbers within the flex. Shape (nflexelemedge,)."""
    flex_elemlayer: _Int32
    """How far the element is from the surface, in elements. Shape (nflexelem,)."""
    flex_shell: _Int32
    """Vertices of all fragments of the surface, by numbers within the flex. Shape (nflexshelldata,)."""
    flex_evpair: _Int32
    """Element and vertex that can collide within the flex. Shape (nflexevpair, 2)."""
    flex_vert: _Float64
    """Position of the vertex in the frame of its body, in m. Shape (nflexvert, 3)."""
    flex_vert0: _Float64
    """Position of the vertex at `qpos0`, as a share of the flex's box. Shape (nflexvert, 3)."""
    flex_vertmetric: _Float64
    """Inverse of the 2×2 matrix of the edges at the vertex at rest. Shape (nflexvert, 4)."""
    flex_node: _Float64
    """Position of the node in the frame of its body, in m. Shape (nflexnode, 3)."""
    flex_node0: _Float64
    """Position of the node at `qpos0`, in m. Shape (nflexnode, 3)."""
    flexedge_length0: _Float64
    """Length of the edge at `qpos0`, in m. Shape (nflexedge,)."""
    flexedge_invweight0: _Float64
    """Inverse inertia along the edge at `qpos0`, in 1/kg. Shape (nflexedge,)."""
    flex_radius: _Float64
    """Radius around each element, in m. Shape (nflex,)."""
    flex_size: _Float64
    """Half sizes of the box around the vertices at `qpos0`, in m. Shape (nflex, 3)."""
    flex_stiffness: _Float64
    """Stiffness of the element: the upper triangle by pairs of edges; of an interpolated flex one matrix by nodes. Shape (nflexelem, 21)."""
    flex_bending: _Float64
    """Bending stiffness of the edge: 4×4 by vertices, then the factor of a curved reference. Shape (nflexedge, 17)."""
    flex_damping: _Float64
    """Rayleigh damping, in s. Shape (nflex,)."""
    flex_edgestiffness: _Float64
    """Stiffness of edges, in N/m. Shape (nflex,)."""
    flex_edgedamping: _Float64
    """Damping of edges, in N s/m. Shape (nflex,)."""
    flex_edgeequality: _Int32
    """Equality constraints: 0: none, 1: of edges, 2: of vertices. Shape (nflex,)."""
    flex_rigid: _UInt8
    """Are all vertices on one body. Shape (nflex,)."""
    flexedge_rigid: _UInt8
    """Are both vertices on one body. Shape (nflexedge,)."""
    flex_centered: _UInt8
    """Are all vertices, or nodes, at the origins of their bodies. Shape (nflex,)."""
    flex_flatskin: _UInt8
    """Is the surface drawn with flat shading. Shape (nflex,)."""
    flex_bvhadr: _Int32
    """Root of the bounding-volume tree, -1 for none. Shape (nflex,)."""
    flex_bvhnum: _Int32
    """Number of bounding volumes. Shape (nflex,)."""
    flexedge_J_rownnz: _Int32
    """Edge Jacobian: entries of each row. Shape (nflexedge,)."""
    flexedge_J_rowadr: _Int32
    """Edge Jacobian: first entry of each row. Shape (nflexedge,)."""
    flexedge_J_colind: _Int32
    """Edge Jacobian: column of each entry. Shape (nJfe,)."""
    flexvert_J_rownnz: _Int32
    """Vertex Jacobian: entries of both rows of a vertex. Shape (nflexvert, 2)."""
    flexvert_J_rowadr: _Int32
    """Vertex Jacobian: first entry of both rows of a vertex. Shape (nflexvert, 2)."""
    flexvert_J_colind: _Int32
    """Vertex Jacobian: column of each entry. Shape (nJfv, 2)."""
    flex_rgba: _Float32
    """Colour, 0 to 1. Shape (nflex, 4)."""
    flex_texcoord: _Float32
    """Texture coordinates. Shape (nflextexcoord, 2)."""
    flex_bending_model: _Int32
    """Law of bending: an extension (`FlexBendingType`). Shape (nflex,)."""
    flex_elasticity_model: _Int32
    """Law of elasticity: an extension (`FlexElasticityType`). Shape (nflex,)."""
    flex_young: _Float64
    """Young's modulus, in Pa: an extension. Shape (nflex,)."""
    flex_poisson: _Float64
    """Poisson's ratio: an extension. Shape (nflex,)."""
    flex_thickness: _Float64
    """Thickness of a shell, in m, -1 where none is given: an extension. Shape (nflex,)."""
    flex_bend_stiffness: _Float64
    """Stiffness of Bridson's hinges, in N m/rad, -1: that of a plate of the material: an extension. Shape (nflex,)."""
    flex_bend_damping: _Float64
    """Damping of Bridson's hinges, in N m s/rad: an extension. Shape (nflex,)."""
    flex_hingeadr: _Int32
    """First hinge, -1 for none: an extension. Shape (nflex,)."""
    flex_hingenum: _Int32
    """Number of hinges: an extension. Shape (nflex,)."""
    flex_restadr: _Int32
    """First element in `flexrest_inverse`, -1 for none: an extension. Shape (nflex,)."""
    flexhinge_vert: _Int32
    """Both vertices of the hinge's edge and the two opposite to it, by numbers within the flex: an extension. Shape (nflexhinge, 4)."""
    flexhinge_edge: _Int32
    """Edges between these vertices, 01 02 03 12 13, by numbers within the flex: an extension. Shape (nflexhinge, 5)."""
    flexhinge_angle0: _Float64
    """Angle of the hinge at `qpos0`, in rad: an extension. Shape (nflexhinge,)."""
    flexrest_inverse: _Float64
    """Inverse of the matrix of the element's edges at `qpos0`, in 1/m: an extension. Shape (nflexrest, 9)."""
    flexrest_volume: _Float64
    """Volume of the element at `qpos0`, in m³: an extension. Shape (nflexrest,)."""
    mesh_vertadr: _Int32
    """First vertex. Shape (nmesh,)."""
    mesh_vertnum: _Int32
    """Number of vertices. Shape (nmesh,)."""
    mesh_faceadr: _Int32
    """First triangle. Shape (nmesh,)."""
    mesh_facenum: _Int32
    """Number of triangles. Shape (nmesh,)."""
    mesh_bvhadr: _Int32
    """Root of the bounding-volume tree. Shape (nmesh,)."""
    mesh_bvhnum: _Int32
    """Number of bounding volumes. Shape (nmesh,)."""
    mesh_octadr: _Int32
    """Root of the octree. Shape (nmesh,)."""
    mesh_octnum: _Int32
    """Number of octree cells. Shape (nmesh,)."""
    mesh_normaladr: _Int32
    """First normal. Shape (nmesh,)."""
    mesh_normalnum: _Int32
    """Number of normals. Shape (nmesh,)."""
    mesh_texcoordadr: _Int32
    """First texture coordinate, -1 for none. Shape (nmesh,)."""
    mesh_texcoordnum: _Int32
    """Number of texture coordinates. Shape (nmesh,)."""
    mesh_graphadr: _Int32
    """Convex-hull graph, -1 for none. Shape (nmesh,)."""
    mesh_vert: _Float32
    """Vertex positions, in m. Shape (nmeshvert, 3)."""
    mesh_normal: _Float32
    """Normals. Shape (nmeshnormal, 3)."""
    mesh_texcoord: _Float32
    """Texture coordinates. Shape (nmeshtexcoord, 2)."""
    mesh_face: _Int32
    """Vertices of each triangle. Shape (nmeshface, 3)."""
    mesh_facenormal: _Int32
    """Normals of each triangle. Shape (nmeshface, 3)."""
    mesh_facetexcoord: _Int32
    """Texture coordinates of each triangle. Shape (nmeshface, 3)."""
    mesh_graph: _Int32
    """Convex-hull graphs, each: number of vertices, number of faces, for each vertex where its neighbours begin, for each its number in the mesh, neighbours (each list ended by -1), faces. Shape (nmeshgraph,)."""
    mesh_scale: _Float64
    """Scaling applied to the asset. Shape (nmesh, 3)."""
    mesh_pos: _Float64
    """Translation applied to the asset, in m. Shape (nmesh, 3)."""
    mesh_quat: _Float64
    """Rotation applied to the asset. Shape (nmesh, 4)."""
    mesh_pathadr: _Int32
    """Asset path, -1 for none. Shape (nmesh,)."""
    mesh_polynum: _Int32
    """Number of hull polygons. Shape (nmesh,)."""
    mesh_polyadr: _Int32
    """First hull polygon. Shape (nmesh,)."""
    mesh_polynormal: _Float64
    """Normals of the hull polygons. Shape (nmeshpoly, 3)."""
    mesh_polyvertadr: _Int32
    """First vertex of the polygon. Shape (nmeshpoly,)."""
    mesh_polyvertnum: _Int32
    """Number of vertices of the polygon. Shape (nmeshpoly,)."""
    mesh_polyvert: _Int32
    """Vertices of all hull polygons. Shape (nmeshpolyvert,)."""
    mesh_polymapadr: _Int32
    """First polygon of the vertex. Shape (nmeshvert,)."""
    mesh_polymapnum: _Int32
    """Number of polygons of the vertex. Shape (nmeshvert,)."""
    mesh_polymap: _Int32
    """Polygons of all hull vertices. Shape (nmeshpolymap,)."""
    skin_matid: _Int32
    """Material, -1 for none. Shape (nskin,)."""
    skin_group: _Int32
    """Visibility group. Shape (nskin,)."""
    skin_rgba: _Float32
    """Colour, 0 to 1. Shape (nskin, 4)."""
    skin_inflate: _Float32
    """How far vertices are moved along their normals, in m. Shape (nskin,)."""
    skin_vertadr: _Int32
    """First vertex. Shape (nskin,)."""
    skin_vertnum: _Int32
    """Number of vertices. Shape (nskin,)."""
    skin_texcoordadr: _Int32
    """First texture coordinate, -1 for none. Shape (nskin,)."""
    skin_faceadr: _Int32
    """First triangle. Shape (nskin,)."""
    skin_facenum: _Int32
    """Number of triangles. Shape (nskin,)."""
    skin_boneadr: _Int32
    """First bone. Shape (nskin,)."""
    skin_bonenum: _Int32
    """Number of bones. Shape (nskin,)."""
    skin_vert: _Float32
    """Vertex positions in the bind pose, in m. Shape (nskinvert, 3)."""
    skin_texcoord: _Float32
    """Texture coordinates. Shape (nskintexvert, 2)."""
    skin_face: _Int32
    """Vertices of the triangles, by numbers within the skin. Shape (nskinface, 3)."""
    skin_bonevertadr: _Int32
    """First vertex of the bone. Shape (nskinbone,)."""
    skin_bonevertnum: _Int32
    """Number of vertices of the bone. Shape (nskinbone,)."""
    skin_bonebindpos: _Float32
    """Position of the bone in the bind pose, in m. Shape (nskinbone, 3)."""
    skin_bonebindquat: _Float32
    """Orientation of the bone in the bind pose. Shape (nskinbone, 4)."""
    skin_bonebodyid: _Int32
    """Body of the bone. Shape (nskinbone,)."""
    skin_bonevertid: _Int32
    """Vertices of all bones, by numbers within the skin. Shape (nskinbonevert,)."""
    skin_bonevertweight: _Float32
    """Weights of the vertices of all bones. Shape (nskinbonevert,)."""
    skin_pathadr: _Int32
    """Asset path, -1 for none. Shape (nskin,)."""
    hfield_size: _Float64
    """Half width, half depth, height above and below zero, in m. Shape (nhfield, 4)."""
    hfield_nrow: _Int32
    """Number of rows. Shape (nhfield,)."""
    hfield_ncol: _Int32
    """Number of columns. Shape (nhfield,)."""
    hfield_adr: _Int32
    """First sample. Shape (nhfield,)."""
    hfield_data: _Float32
    """Elevations as shares of the height, 0 to 1, row by row. Shape (nhfielddata,)."""
    hfield_pathadr: _Int32
    """Asset path, -1 for none. Shape (nhfield,)."""
    tex_type: _Int32
    """Kind of texture (`TextureType`). Shape (ntex,)."""
    tex_colorspace: _Int32
    """Colour space (`ColorSpace`). Shape (ntex,)."""
    tex_height: _Int32
    """Number of rows. Shape (ntex,)."""
    tex_width: _Int32
    """Number of columns. Shape (ntex,)."""
    tex_nchannel: _Int32
    """Number of channels. Shape (ntex,)."""
    tex_adr: _Int64
    """First byte. Shape (ntex,)."""
    tex_data: _UInt8
    """Pixels. Shape (ntexdata,)."""
    tex_pathadr: _Int32
    """Asset path, -1 for none. Shape (ntex,)."""
    mat_texid: _Int32
    """Texture of each role (`TextureRole`), -1 for none. Shape (nmat, 10)."""
    mat_texuniform: _UInt8
    """Is the texture mapped in uniform scale. Shape (nmat,)."""
    mat_texrepeat: _Float32
    """Texture repetitions. Shape (nmat, 2)."""
    mat_emission: _Float32
    """Emission. Shape (nmat,)."""
    mat_specular: _Float32
    """Specularity. Shape (nmat,)."""
    mat_shininess: _Float32
    """Shininess. Shape (nmat,)."""
    mat_reflectance: _Float32
    """Reflectance. Shape (nmat,)."""
    mat_metallic: _Float32
    """Metallic coefficient. Shape (nmat,)."""
    mat_roughness: _Float32
    """Roughness coefficient. Shape (nmat,)."""
    mat_rgba: _Float32
    """Colour that multiplies the texture, 0 to 1. Shape (nmat, 4)."""
    pair_dim: _Int32
    """Contact dimension. Shape (npair,)."""
    pair_geom1: _Int32
    """First geom. Shape (npair,)."""
    pair_geom2: _Int32
    """Second geom. Shape (npair,)."""
    pair_signature: _Int32
    """Bodies of both geoms, `(body1 << 16) + body2` with `body1 <= body2`. Shape (npair,)."""
    pair_solref: _Float64
    """Reference parameters, normal direction. Shape (npair, 2)."""
    pair_solreffriction: _Float64
    """Reference parameters, friction directions. Shape (npair, 2)."""
    pair_solimp: _Float64
    """Impedance parameters. Shape (npair, 5)."""
    pair_margin: _Float64
    """Distance at which the contact is detected, in m. Shape (npair,)."""
    pair_gap: _Float64
    """Part of the margin in which the contact exerts no force, in m. Shape (npair,)."""
    pair_friction: _Float64
    """Friction: two tangents, and spin and two rolls in m. Shape (npair, 5)."""
    exclude_signature: _Int32
    """Both bodies, `(body1 << 16) + body2` with `body1 <= body2`. Shape (nexclude,)."""
    eq_type: _Int32
    """Kind of constraint (`EqualityType`). Shape (neq,)."""
    eq_obj1id: _Int32
    """First object. Shape (neq,)."""
    eq_obj2id: _Int32
    """Second object. Shape (neq,)."""
    eq_objtype: _Int32
    """Kind of both objects (`ObjType`). Shape (neq,)."""
    eq_active0: _UInt8
    """Is it active at reset. Shape (neq,)."""
    eq_solref: _Float64
    """Reference parameters. Shape (neq, 2)."""
    eq_solimp: _Float64
    """Impedance parameters. Shape (neq, 5)."""
    eq_data: _Float64
    """Connect: anchor on body 1, anchor on body 2; weld: anchor on body 2, anchor on body 1, orientation of body 2 in body 1, torque scale; joint and tendon: coefficients 0 to 4 of a polynomial. Shape (neq, 11)."""
    tendon_adr: _Int32
    """First element of the path. Shape (ntendon,)."""
    tendon_num: _Int32
    """Number of elements of the path. Shape (ntendon,)."""
    tendon_matid: _Int32
    """Material, -1 for none. Shape (ntendon,)."""
    tendon_group: _Int32
    """Visibility group. Shape (ntendon,)."""
    tendon_treenum: _Int32
    """Number of kinematic trees along the path. Shape (ntendon,)."""
    tendon_treeid: _Int32
    """First two kinematic trees along the path. Shape (ntendon, 2)."""
    tendon_limited: _UInt8
    """Does the length have limits. Shape (ntendon,)."""
    tendon_actfrclimited: _UInt8
    """Is the total actuator force limited. Shape (ntendon,)."""
    tendon_width: _Float64
    """Width for drawing, in m. Shape (ntendon,)."""
    tendon_solref_lim: _Float64
    """Reference parameters of the limit. Shape (ntendon, 2)."""
    tendon_solimp_lim: _Float64
    """Impedance parameters of the limit. Shape (ntendon, 5)."""
    tendon_solref_fri: _Float64
    """Reference parameters of the friction loss. Shape (ntendon, 2)."""
    tendon_solimp_fri: _Float64
    """Impedance parameters of the friction loss. Shape (ntendon, 5)."""
    tendon_range: _Float64
    """Length limits, in m, or the unit of its joints. Shape (ntendon, 2)."""
    tendon_actfrcrange: _Float64
    """Limits of the total actuator force, in N. Shape (ntendon, 2)."""
    tendon_margin: _Float64
    """Distance at which a limit becomes active, in m. Shape (ntendon,)."""
    tendon_stiffness: _Float64
    """Spring stiffness, in N/m. Shape (ntendon,)."""
    tendon_damping: _Float64
    """Viscous damping, in N s/m. Shape (ntendon,)."""
    tendon_armature: _Float64
    """Inertia that moves with the length, in kg. Shape (ntendon,)."""
    tendon_frictionloss: _Float64
    """Dry friction, in N. Shape (ntendon,)."""
    tendon_lengthspring: _Float64
    """Interval of lengths in which the spring is relaxed, in m. Shape (ntendon, 2)."""
    tendon_length0: _Float64
    """Length at `qpos0`, in m. Shape (ntendon,)."""
    tendon_invweight0: _Float64
    """Inverse inertia at `qpos0`, in 1/kg. Shape (ntendon,)."""
    tendon_user: _Float64
    """User data. Shape (ntendon, nuser_tendon)."""
    tendon_rgba: _Float32
    """Colour, 0 to 1. Shape (ntendon, 4)."""
    wrap_type: _Int32
    """Kind of path element (`WrapType`). Shape (nwrap,)."""
    wrap_objid: _Int32
    """Joint, site or geom. Shape (nwrap,)."""
    wrap_prm: _Float64
    """Joint coefficient, pulley divisor or side site. Shape (nwrap,)."""
    actuator_trntype: _Int32
    """Transmission (`TransmissionType`). Shape (nu,)."""
    actuator_dyntype: _Int32
    """Activation dynamics (`DynType`). Shape (nu,)."""
    actuator_gaintype: _Int32
    """Gain (`GainType`). Shape (nu,)."""
    actuator_biastype: _Int32
    """Bias (`BiasType`). Shape (nu,)."""
    actuator_trnid: _Int32
    """Objects that the transmission acts on. Shape (nu, 2)."""
    actuator_actadr: _Int32
    """First activation, -1 when stateless. Shape (nu,)."""
    actuator_actnum: _Int32
    """Number of activations. Shape (nu,)."""
    actuator_group: _Int32
    """Visibility group, by which actuators are also switched off (`opt.disableactuator`). Shape (nu,)."""
    actuator_history: _Int32
    """Control history: number of samples, interpolation. Shape (nu, 2)."""
    actuator_historyadr: _Int32
    """Address in `history`, -1 for none. Shape (nu,)."""
    actuator_delay: _Float64
    """Control delay in seconds. Shape (nu,)."""
    actuator_ctrllimited: _UInt8
    """Is the control limited. Shape (nu,)."""
    actuator_forcelimited: _UInt8
    """Is the force limited. Shape (nu,)."""
    actuator_actlimited: _UInt8
    """Is the activation limited. Shape (nu,)."""
    actuator_dynprm: _Float64
    """Parameters of the activation dynamics, by kind: time constants, blending width of muscles. Shape (nu, 10)."""
    actuator_gainprm: _Float64
    """Parameters of the gain, by kind: constant, then factors of length and velocity; those of muscles. Shape (nu, 10)."""
    actuator_biasprm: _Float64
    """Parameters of the bias, by kind: constant, then factors of length and velocity; those of muscles. Shape (nu, 10)."""
    actuator_actearly: _UInt8
    """Does the force use the next activation. Shape (nu,)."""
    actuator_ctrlrange: _Float64
    """Control limits. Shape (nu, 2)."""
    actuator_forcerange: _Float64
    """Force limits, in N or N m. Shape (nu, 2)."""
    actuator_actrange: _Float64
    """Activation limits. Shape (nu, 2)."""
    actuator_gear: _Float64
    """Scaling of length and force. Shape (nu, 6)."""
    actuator_cranklength: _Float64
    """Crank length of a slider-crank, in m. Shape (nu,)."""
    actuator_acc0: _Float64
    """Norm of the acceleration that a unit force causes at `qpos0`. Shape (nu,)."""
    actuator_length0: _Float64
    """Length at `qpos0`, in m or rad. Shape (nu,)."""
    actuator_lengthrange: _Float64
    """Feasible lengths, in m or rad. Shape (nu, 2)."""
    actuator_user: _Float64
    """User data. Shape (nu, nuser_actuator)."""
    actuator_plugin: _Int32
    """Plugin instance, -1 for none. Shape (nu,)."""
    actuator_gain_model: _Int32
    """Law of a user's gain: an extension (`GainModelType`). Shape (nu,)."""
    sensor_type: _Int32
    """Kind of sensor (`SensorType`). Shape (nsensor,)."""
    sensor_datatype: _Int32
    """Kind of data (`DataType`). Shape (nsensor,)."""
    sensor_needstage: _Int32
    """Stage after which it can be computed (`Stage`). Shape (nsensor,)."""
    sensor_objtype: _Int32
    """Kind of the sensed object (`ObjType`). Shape (nsensor,)."""
    sensor_objid: _Int32
    """Sensed object. Shape (nsensor,)."""
    sensor_reftype: _Int32
    """Kind of the reference object (`ObjType`). Shape (nsensor,)."""
    sensor_refid: _Int32
    """Reference object, -1 for the world. Shape (nsensor,)."""
    sensor_intprm: _Int32
    """Contact sensors: data as bits, reduction, number of contacts; range finders: data as bits. Shape (nsensor, 3)."""
    sensor_dim: _Int32
    """Number of values. Shape (nsensor,)."""
    sensor_adr: _Int32
    """First value in `sensordata`. Shape (nsensor,)."""
    sensor_cutoff: _Float64
    """Largest magnitude in the unit of the sensor, 0 for none. Shape (nsensor,)."""
    sensor_noise: _Float64
    """Standard deviation of the noise. Shape (nsensor,)."""
    sensor_history: _Int32
    """History: number of samples, interpolation. Shape (nsensor, 2)."""
    sensor_historyadr: _Int32
    """Address in `history`, -1 for none. Shape (nsensor,)."""
    sensor_delay: _Float64
    """Delay in seconds. Shape (nsensor,)."""
    sensor_interval: _Float64
    """Sampling period and phase in seconds. Shape (nsensor, 2)."""
    sensor_user: _Float64
    """User data. Shape (nsensor, nuser_sensor)."""
    sensor_plugin: _Int32
    """Plugin instance, -1 for none. Shape (nsensor,)."""
    plugin: _Int32
    """Registered plugin of the instance. Shape (nplugin,)."""
    plugin_stateadr: _Int32
    """First value in `plugin_state`. Shape (nplugin,)."""
    plugin_statenum: _Int32
    """Number of state values. Shape (nplugin,)."""
    plugin_attr: _Int8
    """Configuration of all instances. Shape (npluginattr,)."""
    plugin_attradr: _Int32
    """First byte of the configuration. Shape (nplugin,)."""
    numeric_adr: _Int32
    """First value. Shape (nnumeric,)."""
    numeric_size: _Int32
    """Number of values. Shape (nnumeric,)."""
    numeric_data: _Float64
    """Values of all numeric fields. Shape (nnumericdata,)."""
    text_adr: _Int32
    """First byte. Shape (ntext,)."""
    text_size: _Int32
    """Number of bytes, the final zero included. Shape (ntext,)."""
    text_data: bytes
    """Bytes of all text fields. Shape (ntextdata,)."""
    tuple_adr: _Int32
    """First member. Shape (ntuple,)."""
    tuple_size: _Int32
    """Number of members. Shape (ntuple,)."""
    tuple_objtype: _Int32
    """Kind of the member (`ObjType`). Shape (ntupledata,)."""
    tuple_objid: _Int32
    """Member. Shape (ntupledata,)."""
    tuple_objprm: _Float64
    """Parameter of the member. Shape (ntupledata,)."""
    key_time: _Float64
    """Time of the keyframe, in s. Shape (nkey,)."""
    key_qpos: _Float64
    """Configuration of the keyframe, in m or rad. Shape (nkey, nq)."""
    key_qvel: _Float64
    """Velocity of the keyframe, in m/s or rad/s. Shape (nkey, nv)."""
    key_act: _Float64
    """Activations of the keyframe. Shape (nkey, na)."""
    key_mpos: _Float64
    """Mocap positions of the keyframe, in m. Shape (nkey, 3*nmocap)."""
    key_mquat: _Float64
    """Mocap orientations of the keyframe. Shape (nkey, 4*nmocap)."""
    key_ctrl: _Float64
    """Controls of the keyframe. Shape (nkey, nu)."""
    name_bodyadr: _Int32
    """First byte of the body's name. Shape (nbody,)."""
    name_jntadr: _Int32
    """First byte of the joint's name. Shape (njnt,)."""
    name_geomadr: _Int32
    """First byte of the geom's name. Shape (ngeom,)."""
    name_siteadr: _Int32
    """First byte of the site's name. Shape (nsite,)."""
    name_camadr: _Int32
    """First byte of the camera's name. Shape (ncam,)."""
    name_lightadr: _Int32
    """First byte of the light's name. Shape (nlight,)."""
    name_flexadr: _Int32
    """First byte of the flex's name. Shape (nflex,)."""
    name_meshadr: _Int32
    """First byte of the mesh's name. Shape (nmesh,)."""
    name_skinadr: _Int32
    """First byte of the skin's name. Shape (nskin,)."""
    name_hfieldadr: _Int32
    """First byte of the height field's name. Shape (nhfield,)."""
    name_texadr: _Int32
    """First byte of the texture's name. Shape (ntex,)."""
    name_matadr: _Int32
    """First byte of the material's name. Shape (nmat,)."""
    name_pairadr: _Int32
    """First byte of the pair's name. Shape (npair,)."""
    name_excludeadr: _Int32
    """First byte of the exclusion's name. Shape (nexclude,)."""
    name_eqadr: _Int32
    """First byte of the equality's name. Shape (neq,)."""
    name_tendonadr: _Int32
    """First byte of the tendon's name. Shape (ntendon,)."""
    name_actuatoradr: _Int32
    """First byte of the actuator's name. Shape (nu,)."""
    name_sensoradr: _Int32
    """First byte of the sensor's name. Shape (nsensor,)."""
    name_numericadr: _Int32
    """First byte of the numeric field's name. Shape (nnumeric,)."""
    name_textadr: _Int32
    """First byte of the text field's name. Shape (ntext,)."""
    name_tupleadr: _Int32
    """First byte of the tuple's name. Shape (ntuple,)."""
    name_keyadr: _Int32
    """First byte of the keyframe's name. Shape (nkey,)."""
    name_pluginadr: _Int32
    """First byte of the plugin instance's name. Shape (nplugin,)."""
    names: bytes
    """All names, each ended by a zero byte; the model's own comes first. Shape (nnames,)."""
    names_map: _Int32
    """Hash tables of the names, by kind of object. Shape (nnames_map,)."""
    paths: bytes
    """All asset paths, each ended by a zero byte. Shape (npaths,)."""
    B_rownnz: _Int32
    """Body-by-dof pattern: entries of each row. Shape (nbody,)."""
    B_rowadr: _Int32
    """Body-by-dof pattern: first entry of each row. Shape (nbody,)."""
    B_colind: _Int32
    """Body-by-dof pattern: column of each entry. Shape (nB,)."""
    M_rownnz: _Int32
    """Inertia `M`: entries of each row. Shape (nv,)."""
    M_rowadr: _Int32
    """Inertia `M`: first entry of each row. Shape (nv,)."""
    M_colind: _Int32
    """Inertia `M`: column of each entry. Shape (nC,)."""
    mapM2M: _Int32
    """Entry of `qM` that holds each entry of `M`. Shape (nC,)."""
    D_rownnz: _Int32
    """Dof-by-dof pattern: entries of each row. Shape (nv,)."""
    D_rowadr: _Int32
    """Dof-by-dof pattern: first entry of each row. Shape (nv,)."""
    D_diag: _Int32
    """Dof-by-dof pattern: position of the diagonal in its row. Shape (nv,)."""
    D_colind: _Int32
    """Dof-by-dof pattern: column of each entry. Shape (nD,)."""
    mapM2D: _Int32
    """Entry of `M` for each entry of the dof-by-dof pattern, -1 where it has none. Shape (nD,)."""
    mapD2M: _Int32
    """Entry of the dof-by-dof pattern for each entry of `M`. Shape (nC,)."""
    soft_dim: _Int32
    """1: a chain, 2: triangles, 3: tetrahedra: an extension. Shape (nsoft,)."""
    soft_bodyid: _Int32
    """Body in whose frame the vertices begin, and to which pinned ones belong: an extension. Shape (nsoft,)."""
    soft_contype: _Int32
    """Contact type bits: an extension. Shape (nsoft,)."""
    soft_conaffinity: _Int32
    """Contact affinity bits: an extension. Shape (nsoft,)."""
    soft_vertadr: _Int32
    """First vertex: an extension. Shape (nsoft,)."""
    soft_vertnum: _Int32
    """Number of vertices: an extension. Shape (nsoft,)."""
    soft_elemadr: _Int32
    """First element vertex id: an extension. Shape (nsoft,)."""
    soft_elemnum: _Int32
    """Number of elements: an extension. Shape (nsoft,)."""
    soft_substeps: _Int32
    """Substeps of a step: an extension. Shape (nsoft,)."""
    soft_iterations: _Int32
    """Iterations of a substep: an extension. Shape (nsoft,)."""
    soft_material: _Int32
    """Number of a material with a name, -1 for none: an extension. Shape (nsoft,)."""
    soft_margin: _Float64
    """How far around its vertices it touches others, in m: an extension. Shape (nsoft,)."""
    soft_thickness: _Float64
    """Thickness of triangles, in m: an extension. Shape (nsoft,)."""
    soft_mass: _Float64
    """Mass, in kg: an extension. Shape (nsoft,)."""
    soft_young: _Float64
    """Young's modulus in Pa, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_poisson: _Float64
    """Poisson's ratio, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_friction: _Float64
    """Sliding friction, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_stretch: _Float64
    """Compliance of edges in m/N, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_bend: _Float64
    """Compliance of bends, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_volume: _Float64
    """Compliance of volumes in m³/Pa, -1 for that of the material: an extension. Shape (nsoft,)."""
    soft_damping: _Float64
    """Rate at which velocities decay, in 1/s: an extension. Shape (nsoft,)."""
    soft_dampingtime: _Float64
    """Damping of stretching and bending, in s: an extension. Shape (nsoft,)."""
    soft_vert: _Float64
    """Position of the vertex in the frame of the body, in m: an extension. Shape (nsoftvert, 3)."""
    soft_pinned: _UInt8
    """Does the vertex belong to the body: an extension. Shape (nsoftvert,)."""
    soft_elem: _Int32
    """Vertex of an element, counted within its deformable body: an extension. Shape (nsoftelemdata,)."""
    def body(self, name: str | int = ...) -> _MjModelBodyViews:
        """The body with this name or id."""
    def joint(self, name: str | int = ...) -> _MjModelJointViews:
        """The joint with this name or id."""
    def jnt(self, name: str | int = ...) -> _MjModelJointViews:
        """The jnt with this name or id."""
    def geom(self, name: str | int = ...) -> _MjModelGeomViews:
        """The geom with this name or id."""
    def site(self, name: str | int = ...) -> _MjModelSiteViews:
        """The site with this name or id."""
    def camera(self, name: str | int = ...) -> _MjModelCameraViews:
        """The camera with this name or id."""
    def cam(self, name: str | int = ...) -> _MjModelCameraViews:
        """The cam with this name or id."""
    def light(self, name: str | int = ...) -> _MjModelLightViews:
        """The light with this name or id."""
    def mesh(self, name: str | int = ...) -> _MjModelMeshViews:
        """The mesh with this name or id."""
    def skin(self, name: str | int = ...) -> _MjModelSkinViews:
        """The skin with this name or id."""
    def hfield(self, name: str | int = ...) -> _MjModelHfieldViews:
        """The hfield with this name or id."""
    def texture(self, name: str | int = ...) -> _MjModelTextureViews:
        """The texture with this name or id."""
    def tex(self, name: str | int = ...) -> _MjModelTextureViews:
        """The tex with this name or id."""
    def material(self, name: str | int = ...) -> _MjModelMaterialViews:
        """The material with this name or id."""
    def mat(self, name: str | int = ...) -> _MjModelMaterialViews:
        """The mat with this name or id."""
    def pair(self, name: str | int = ...) -> _MjModelPairViews:
        """The pair with this name or id."""
    def exclude(self, name: str | int = ...) -> _MjModelExcludeViews:
        """The exclude with this name or id."""
    def equality(self, name: str | int = ...) -> _MjModelEqualityViews:
        """The equality with this name or id."""
    def eq(self, name: str | int = ...) -> _MjModelEqualityViews:
        """The eq with this name or id."""
    def tendon(self, name: str | int = ...) -> _MjModelTendonViews:
        """The tendon with this name or id."""
    def actuator(self, name: str | int = ...) -> _MjModelActuatorViews:
        """The actuator with this name or id."""
    def sensor(self, name: str | int = ...) -> _MjModelSensorViews:
        """The sensor with this name or id."""
    def numeric(self, name: str | int = ...) -> _MjModelNumericViews:
        """The numeric with this name or id."""
    def tuple(self, name: str | int = ...) -> _MjModelTupleViews:
        """The tuple with this name or id."""
    def keyframe(self, name: str | int = ...) -> _MjModelKeyframeViews:
        """The keyframe with this name or id."""
    def key(self, name: str | int = ...) -> _MjModelKeyframeViews:
        """The key with this name or id."""
    def bind(self, specs: Any) -> Any:
        """The rows of an element of the specification, or of a list of them."""

class MjData:
    """State and results of one world."""

    def __init__(self, model: MjModel) -> None: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def signature(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _MjWarningStatList: ...
    @property
    def solver(self) -> _MjSolverStatList: ...
    time: float
    ncon: int
    ne: int
    nf: int
    nl: int
    nefc: int
    nJ: int
    nA: int
    nisland: int
    nidof: int
    ntree_awake: int
    nbody_awake: int
    nparent_awake: int
    nv_awake: int
    flg_energypos: int
    flg_energyvel: int
    flg_subtreevel: int
    flg_rnepost: int
    energy: _Float64
    solver_niter: _Int32
    solver_nnz: _Int32
    solver_fwdinv: _Float64
    qpos: _Float64
    """Configuration, in m or rad; quaternions are of length 1. Shape (nq,)."""
    qvel: _Float64
    """Velocity, in m/s or rad/s. Shape (nv,)."""
    act: _Float64
    """Actuator activations. Shape (na,)."""
    history: _Float64
    """Past controls and sensor values. Shape (nhistory,)."""
    qacc_warmstart: _Float64
    """Acceleration from which the constraint solver starts, in m/s² or rad/s². Shape (nv,)."""
    plugin_state: _Float64
    """State of plugins. Shape (npluginstate,)."""
    ctrl: _Float64
    """Controls. Shape (nu,)."""
    qfrc_applied: _Float64
    """Generalized force applied by the user, in N or N m. Shape (nv,)."""
    xfrc_applied: _Float64
    """Force and torque applied by the user at the centre of mass, in the axes of the world, in N, N m. Shape (nbody, 6)."""
    eq_active: _UInt8
    """Is the equality constraint active. Shape (neq,)."""
    mocap_pos: _Float64
    """Positions of mocap bodies, in m. Shape (nmocap, 3)."""
    mocap_quat: _Float64
    """Orientations of mocap bodies. Shape (nmocap, 4)."""
    qacc: _Float64
    """Acceleration, in m/s² or rad/s². Shape (nv,)."""
    act_dot: _Float64
    """Time derivative of the activations, in 1/s. Shape (na,)."""
    userdata: _Float64
    """Data of the user, never touched by the engine. Shape (nuserdata,)."""
    sensordata: _Float64
    """Sensor values. Shape (nsensordata,)."""
    plugin: _Int32
    """Registered plugin of the instance. Shape (nplugin,)."""
    tree_asleep: _Int32
    """Negative when awake, else the next sleeping tree of its cycle. Shape (ntree,)."""
    xpos: _Float64
    """Position of the body frame in the world, in m. Shape (nbody, 3)."""
    xquat: _Float64
    """Orientation of the body frame in the world, as a quaternion. Shape (nbody, 4)."""
    xmat: _Float64
    """Orientation of the body frame in the world, as a matrix whose columns are the axes of the body. Shape (nbody, 9)."""
    xipos: _Float64
    """Centre of mass of the body in the world, in m. Shape (nbody, 3)."""
    ximat: _Float64
    """Orientation of the principal axes of inertia in the world: the columns. Shape (nbody, 9)."""
    xanchor: _Float64
    """Joint anchor in the world, in m. Shape (njnt, 3)."""
    xaxis: _Float64
    """Joint axis in the world. Shape (njnt, 3)."""
    geom_xpos: _Float64
    """Position of the geom in the world, in m. Shape (ngeom, 3)."""
    geom_xmat: _Float64
    """Orientation of the geom in the world: columns are its axes. Shape (ngeom, 9)."""
    site_xpos: _Float64
    """Position of the site in the world, in m. Shape (nsite, 3)."""
    site_xmat: _Float64
    """Orientation of the site in the world: columns are its axes. Shape (nsite, 9)."""
    cam_xpos: _Float64
    """Position of the camera in the world, in m. Shape (ncam, 3)."""
    cam_xmat: _Float64
    """Orientation of the camera in the world: columns are its axes; it looks along -z. Shape (ncam, 9)."""
    light_xpos: _Float64
    """Position of the light in the world, in m. Shape (nlight, 3)."""
    light_xdir: _Float64
    """Direction of the light in the world. Shape (nlight, 3)."""
    subtree_com: _Float64
    """Centre of mass of the body and its descendants in the world, in m. Shape (nbody, 3)."""
    cdof: _Float64
    """Motion of the point at the tree's centre of mass per unit velocity of the degree of freedom, in the axes of the world: rotation in rad, translation in m, per unit of the coordinate. Shape (nv, 6)."""
    cinert: _Float64
    """Inertia of the body about its tree's centre of mass, in the axes of the world: six moments (xx, yy, zz, xy, xz, yz), mass times offset, mass. Shape (nbody, 10)."""
    flexvert_xpos: _Float64
    """Position of the flex vertex in the world, in m. Shape (nflexvert, 3)."""
    flexelem_aabb: _Float64
    """Box around the flex element in the axes of the world: centre, half sizes, in m. Shape (nflexelem, 6)."""
    flexedge_J: _Float64
    """Jacobian of the lengths of flex edges. Shape (nJfe,)."""
    flexedge_length: _Float64
    """Length of the flex edge, in m. Shape (nflexedge,)."""
    flexvert_J: _Float64
    """Jacobian of the strains at flex vertices. Shape (nJfv, 2)."""
    flexvert_length: _Float64
    """Strain at the flex vertex: change of the trace and of the determinant, times the root of its mass. Shape (nflexvert, 2)."""
    bvh_aabb_dyn: _Float64
    """Recomputed bounding boxes: centre, half sizes, in m. Shape (nbvhdynamic, 6)."""
    ten_wrapadr: _Int32
    """First point of the tendon's path. Shape (ntendon,)."""
    ten_wrapnum: _Int32
    """Number of points of the tendon's path. Shape (ntendon,)."""
    ten_J_rownnz: _Int32
    """Tendon Jacobian: entries of each row. Shape (ntendon,)."""
    ten_J_rowadr: _Int32
    """Tendon Jacobian: first entry of each row. Shape (ntendon,)."""
    ten_J_colind: _Int32
    """Tendon Jacobian: column of each entry. Shape (ntendon, nv)."""
    ten_J: _Float64
    """Tendon Jacobian, in units of the length per unit of the coordinate. Shape (ntendon, nv)."""
    ten_length: _Float64
    """Tendon lengths, in m, or the unit of its joints. Shape (ntendon,)."""
    wrap_obj: _Int32
    """Geom of each path point; -1 for a site, -2 for a pulley; two points share a row. Shape (nwrap, 2)."""
    wrap_xpos: _Float64
    """Points of all tendon paths in the world, in m; two points share a row. Shape (nwrap, 6)."""
    actuator_length: _Float64
    """Actuator lengths, in m or rad. Shape (nu,)."""
    moment_rownnz: _Int32
    """Actuator moments: entries of each row. Shape (nu,)."""
    moment_rowadr: _Int32
    """Actuator moments: first entry of each row. Shape (nu,)."""
    moment_colind: _Int32
    """Actuator moments: column of each entry. Shape (nJmom,)."""
    actuator_moment: _Float64
    """Actuator moments, in units of the length per unit of the coordinate. Shape (nJmom,)."""
    crb: _Float64
    """Inertia of the body and its descendants about the tree's centre of mass. Shape (nbody, 10)."""
    qM: _Float64
    """Inertia matrix, each row from the diagonal to the root, in kg, kg m or kg m². Shape (nM,)."""
    M: _Float64
    """Inertia matrix in compressed rows, in kg, kg m or kg m². Shape (nC,)."""
    qLD: _Float64
    """Factor Lᵀ D L of `M`. Shape (nC,)."""
    qLDiagInv: _Float64
    """Inverse of D, in 1/kg or 1/(kg m²). Shape (nv,)."""
    bvh_active: _UInt8
    """Did the box overlap another one, or a ray go through it, in the last search; kept only while `vis.global.bvactive` is set, and for geoms only after `watch_boxes`, which Python calls. Shape (nbvh,)."""
    tree_awake: _Int32
    """Is the tree awake. Shape (ntree,)."""
    body_awake: _Int32
    """Sleep state of the body (`SleepState`). Shape (nbody,)."""
    body_awake_ind: _Int32
    """Static and awake bodies. Shape (nbody,)."""
    parent_awake_ind: _Int32
    """Bodies whose parent is static or awake. Shape (nbody,)."""
    dof_awake_ind: _Int32
    """Awake degrees of freedom. Shape (nv,)."""
    flexedge_velocity: _Float64
    """Rate of the length of the flex edge, in m/s. Shape (nflexedge,)."""
    ten_velocity: _Float64
    """Tendon velocities, in m/s. Shape (ntendon,)."""
    actuator_velocity: _Float64
    """Actuator velocities, in m/s or rad/s. Shape (nu,)."""
    cvel: _Float64
    """Velocity of the body as that of the point at its tree's centre of mass, in the axes of the world: rotation, translation, in rad/s, m/s. Shape (nbody, 6)."""
    cdof_dot: _Float64
    """`cvel × cdof` with the velocity before the joint, in the unit of `cdof` per s: the time derivative of `cdof`, except for the rotations of ball and free joints, where only the sum `Σ cdof_dot q̇` is that of the true derivatives. Shape (nv, 6)."""
    qfrc_bias: _Float64
    """Coriolis, centrifugal and gravity forces, in N or N m. Shape (nv,)."""
    qfrc_spring: _Float64
    """Spring forces, in N or N m. Shape (nv,)."""
    qfrc_damper: _Float64
    """Damper forces, in N or N m. Shape (nv,)."""
    qfrc_gravcomp: _Float64
    """Gravity compensation, in N or N m. Shape (nv,)."""
    qfrc_fluid: _Float64
    """Fluid forces, in N or N m. Shape (nv,)."""
    qfrc_passive: _Float64
    """Sum of the passive forces, in N or N m. Shape (nv,)."""
    subtree_linvel: _Float64
    """Velocity of the subtree's centre of mass, in m/s. Shape (nbody, 3)."""
    subtree_angmom: _Float64
    """Angular momentum about the subtree's centre of mass, in kg m²/s. Shape (nbody, 3)."""
    qH: _Float64
    """Factor Lᵀ D L of the inertia changed by an implicit integrator. Shape (nC,)."""
    qHDiagInv: _Float64
    """Inverse of its D. Shape (nv,)."""
    qDeriv: _Float64
    """Derivative of the smooth forces by velocity, in N s/m or N m s/rad. Shape (nD,)."""
    qLU: _Float64
    """Factor L U of the inertia minus step times derivative. Shape (nD,)."""
    actuator_force: _Float64
    """Actuator forces, in N or N m. Shape (nu,)."""
    qfrc_actuator: _Float64
    """Generalized actuator force, in N or N m. Shape (nv,)."""
    qfrc_smooth: _Float64
    """Sum of all forces but those of constraints, in N or N m. Shape (nv,)."""
    qacc_smooth: _Float64
    """Acceleration without constraints, in m/s² or rad/s². Shape (nv,)."""
    qfrc_constraint: _Float64
    """Generalized constraint force, in N or N m. Shape (nv,)."""
    qfrc_inverse: _Float64
    """External force found by inverse dynamics, in N or N m. Shape (nv,)."""
    cacc: _Float64
    """Acceleration of the body about its tree's centre of mass, in the axes of the world: rotation, translation, in rad/s², m/s². Shape (nbody, 6)."""
    cfrc_int: _Float64
    """Force that the parent transmits to the body, about the tree's centre of mass in the axes of the world: torque, force, in N m, N. Shape (nbody, 6)."""
    cfrc_ext: _Float64
    """External force on the body, about the tree's centre of mass in the axes of the world: torque, force, in N m, N. Shape (nbody, 6)."""
    @property
    def efc_type(self) -> _Int32:
        """Kind of row (`ConstraintType`). Shape (nefc,)."""
    @property
    def efc_id(self) -> _Int32:
        """Object of the row. Shape (nefc,)."""
    @property
    def efc_J_rownnz(self) -> _Int32:
        """Constraint Jacobian: entries of each row. Shape (nefc,)."""
    @property
    def efc_J_rowadr(self) -> _Int32:
        """Constraint Jacobian: first entry of each row. Shape (nefc,)."""
    @property
    def efc_J_rowsuper(self) -> _Int32:
        """Constraint Jacobian: following rows of the same pattern. Shape (nefc,)."""
    @property
    def efc_J_colind(self) -> _Int32:
        """Constraint Jacobian: column of each entry. Shape (nJ,)."""
    @property
    def efc_J(self) -> _Float64:
        """Constraint Jacobian. Shape (nJ,)."""
    @property
    def efc_pos(self) -> _Float64:
        """Position of the row: the error of an equality, or the distance to a limit or surface, which is positive where nothing is violated, in m or rad. Shape (nefc,)."""
    @property
    def efc_margin(self) -> _Float64:
        """Position below which the row asks for something, in m or rad. Shape (nefc,)."""
    @property
    def efc_frictionloss(self) -> _Float64:
        """Dry friction, in N or N m. Shape (nefc,)."""
    @property
    def efc_diagApprox(self) -> _Float64:
        """Estimate of the diagonal of `A = J M⁻¹ Jᵀ`, in 1/kg or 1/(kg m²). Shape (nefc,)."""
    @property
    def efc_KBIP(self) -> _Float64:
        """Stiffness in 1/s², damping in 1/s, impedance, its derivative by position. Shape (nefc, 4)."""
    @property
    def efc_D(self) -> _Float64:
        """`1 / R`, stiffness of the row's cost, in kg or kg m². Shape (nefc,)."""
    @property
    def efc_R(self) -> _Float64:
        """Regularizer of the row, in 1/kg or 1/(kg m²). Shape (nefc,)."""
    @property
    def tendon_efcadr(self) -> _Int32:
        """First row of the tendon, -1 for none; of an equality it is the number of the constraint. Shape (ntendon,)."""
    @property
    def efc_vel(self) -> _Float64:
        """Velocity along the row, in m/s or rad/s. Shape (nefc,)."""
    @property
    def efc_aref(self) -> _Float64:
        """Reference acceleration, `-b v - k i (pos - margin)`, in m/s² or rad/s². Shape (nefc,)."""
    @property
    def efc_b(self) -> _Float64:
        """`J qacc_smooth - aref`, linear term of the dual cost, in m/s² or rad/s². Shape (nefc,)."""
    @property
    def efc_state(self) -> _Int32:
        """State of the row (`ConstraintState`). Shape (nefc,)."""
    @property
    def efc_force(self) -> _Float64:
        """Force of the row, in N or N m. Shape (nefc,)."""
    @property
    def efc_AR_rownnz(self) -> _Int32:
        """`A + R`: entries of each row. Shape (nefc,)."""
    @property
    def efc_AR_rowadr(self) -> _Int32:
        """`A + R`: first entry of each row. Shape (nefc,)."""
    @property
    def efc_AR_colind(self) -> _Int32:
        """`A + R`: column of each entry. Shape (nA,)."""
    @property
    def efc_AR(self) -> _Float64:
        """`A + R`, where `A = J M⁻¹ Jᵀ` is the inverse inertia along the rows, in 1/kg or 1/(kg m²). Shape (nA,)."""
    @property
    def tree_island(self) -> _Int32:
        """Island of the tree, -1 for none. Shape (ntree,)."""
    @property
    def island_ntree(self) -> _Int32:
        """Number of trees of the island. Shape (nisland,)."""
    @property
    def island_itreeadr(self) -> _Int32:
        """First place of the island in `map_itree2tree`. Shape (nisland,)."""
    @property
    def map_itree2tree(self) -> _Int32:
        """Trees in island order, those of no island last. Shape (ntree,)."""
    @property
    def dof_island(self) -> _Int32:
        """Island of the degree of freedom, -1 for none. Shape (nv,)."""
    @property
    def island_nv(self) -> _Int32:
        """Number of degrees of freedom of the island. Shape (nisland,)."""
    @property
    def island_idofadr(self) -> _Int32:
        """First place of the island in `map_idof2dof`. Shape (nisland,)."""
    @property
    def island_dofadr(self) -> _Int32:
        """Smallest degree of freedom of the island. Shape (nisland,)."""
    @property
    def map_dof2idof(self) -> _Int32:
        """Place of each degree of freedom in island order. Shape (nv,)."""
    @property
    def map_idof2dof(self) -> _Int32:
        """Degrees of freedom in island order, those of no island last. Shape (nv,)."""
    @property
    def ifrc_smooth(self) -> _Float64:
        """`qfrc_smooth` in island order. Shape (nidof,)."""
    @property
    def iacc_smooth(self) -> _Float64:
        """`qacc_smooth` in island order. Shape (nidof,)."""
    @property
    def iM_rownnz(self) -> _Int32:
        """`M` in island order: entries of each row. Shape (nidof,)."""
    @property
    def iM_rowadr(self) -> _Int32:
        """`M` in island order: first entry of each row. Shape (nidof,)."""
    @property
    def iM_colind(self) -> _Int32:
        """`M` in island order: column of each entry. Shape (nC,)."""
    @property
    def iM(self) -> _Float64:
        """`M` in island order. Shape (nC,)."""
    @property
    def iLD(self) -> _Float64:
        """`qLD` in island order. Shape (nC,)."""
    @property
    def iLDiagInv(self) -> _Float64:
        """`qLDiagInv` in island order. Shape (nidof,)."""
    @property
    def iacc(self) -> _Float64:
        """`qacc` in island order. Shape (nidof,)."""
    @property
    def efc_island(self) -> _Int32:
        """Island of the row. Shape (nefc,)."""
    @property
    def island_ne(self) -> _Int32:
        """Number of equality rows of the island. Shape (nisland,)."""
    @property
    def island_nf(self) -> _Int32:
        """Number of friction rows of the island. Shape (nisland,)."""
    @property
    def island_nefc(self) -> _Int32:
        """Number of rows of the island. Shape (nisland,)."""
    @property
    def island_iefcadr(self) -> _Int32:
        """First place of the island in `map_iefc2efc`. Shape (nisland,)."""
    @property
    def map_efc2iefc(self) -> _Int32:
        """Place of each row in island order. Shape (nefc,)."""
    @property
    def map_iefc2efc(self) -> _Int32:
        """Rows in island order. Shape (nefc,)."""
    @property
    def iefc_type(self) -> _Int32:
        """`efc_type` in island order. Shape (nefc,)."""
    @property
    def iefc_id(self) -> _Int32:
        """`efc_id` in island order. Shape (nefc,)."""
    @property
    def iefc_J_rownnz(self) -> _Int32:
        """`efc_J` in island order: entries of each row. Shape (nefc,)."""
    @property
    def iefc_J_rowadr(self) -> _Int32:
        """`efc_J` in island order: first entry of each row. Shape (nefc,)."""
    @property
    def iefc_J_rowsuper(self) -> _Int32:
        """`efc_J` in island order: following rows of the same pattern. Shape (nefc,)."""
    @property
    def iefc_J_colind(self) -> _Int32:
        """`efc_J` in island order: column of each entry. Shape (nJ,)."""
    @property
    def iefc_J(self) -> _Float64:
        """`efc_J` in island order. Shape (nJ,)."""
    @property
    def iefc_frictionloss(self) -> _Float64:
        """`efc_frictionloss` in island order. Shape (nefc,)."""
    @property
    def iefc_D(self) -> _Float64:
        """`efc_D` in island order. Shape (nefc,)."""
    @property
    def iefc_R(self) -> _Float64:
        """`efc_R` in island order. Shape (nefc,)."""
    @property
    def iefc_aref(self) -> _Float64:
        """`efc_aref` in island order. Shape (nefc,)."""
    @property
    def iefc_state(self) -> _Int32:
        """`efc_state` in island order. Shape (nefc,)."""
    @property
    def iefc_force(self) -> _Float64:
        """`efc_force` in island order. Shape (nefc,)."""
    @property
    def ifrc_constraint(self) -> _Float64:
        """`qfrc_constraint` in island order. Shape (nidof,)."""
    @property
    def soft_xpos(self) -> _Float64:
        """Positions of the vertices of all deformable bodies, in m, as a copy that cannot be written to: an extension. Shape (nsoftvert, 3)."""
    @property
    def soft_xvel(self) -> _Float64:
        """Velocities of the vertices of all deformable bodies, in m/s, as a copy that cannot be written to: an extension. Shape (nsoftvert, 3)."""
    def body(self, name: str | int = ...) -> _MjDataBodyViews:
        """The body with this name or id."""
    def joint(self, name: str | int = ...) -> _MjDataJointViews:
        """The joint with this name or id."""
    def jnt(self, name: str | int = ...) -> _MjDataJointViews:
        """The jnt with this name or id."""
    def geom(self, name: str | int = ...) -> _MjDataGeomViews:
        """The geom with this name or id."""
    def site(self, name: str | int = ...) -> _MjDataSiteViews:
        """The site with this name or id."""
    def camera(self, name: str | int = ...) -> _MjDataCameraViews:
        """The camera with this name or id."""
    def cam(self, name: str | int = ...) -> _MjDataCameraViews:
        """The cam with this name or id."""
    def light(self, name: str | int = ...) -> _MjDataLightViews:
        """The light with this name or id."""
    def tendon(self, name: str | int = ...) -> _MjDataTendonViews:
        """The tendon with this name or id."""
    def ten(self, name: str | int = ...) -> _MjDataTendonViews:
        """The ten with this name or id."""
    def actuator(self, name: str | int = ...) -> _MjDataActuatorViews:
        """The actuator with this name or id."""
    def sensor(self, name: str | int = ...) -> _MjDataSensorViews:
        """The sensor with this name or id."""
    def bind(self, specs: Any) -> Any:
        """The rows of an element of the specification, or of a list of them."""

class MjDoubleVec:
    """Numbers in double precision."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjFloatVec:
    """Numbers in single precision."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjIntVec:
    """Integers."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjByteVec:
    """Bytes."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjStringVec:
    """Texts."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjCharVec:
    """Characters."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def __setitem__(self, i: int, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...

class MjSpec:
    """A model that can be changed: MuJoCo's ``MjSpec``."""

    def __init__(self) -> None: ...
    actuators: Any
    """All elements of the type ``actuator``."""
    assets: dict[str, bytes]
    """Files in memory, by name."""
    bodies: Any
    """All elements of the type ``body``."""
    cameras: Any
    """All elements of the type ``camera``."""
    comment: str
    """A comment."""
    compiler: MjsCompiler
    """The ``compiler``."""
    copy_during_attach: Any
    """Whether objects for elements stay what they are when those are attached."""
    default: MjsDefault
    """The default class that all others descend from."""
    equalities: Any
    """All elements of the type ``equality``."""
    excludes: Any
    """All elements of the type ``exclude``."""
    flexes: Any
    """All elements of the type ``flex``."""
    frames: Any
    """All elements of the type ``frame``."""
    geoms: Any
    """All elements of the type ``geom``."""
    hasImplicitPluginElem: int
    """Whether elements have plugins without an instance."""
    hfields: Any
    """All elements of the type ``hfield``."""
    joints: Any
    """All elements of the type ``joint``."""
    keys: Any
    """All elements of the type ``key``."""
    lights: Any
    """All elements of the type ``light``."""
    materials: Any
    """All elements of the type ``material``."""
    memory: Any
    """The size ``memory``."""
    meshdir: str
    """The ``meshdir``."""
    meshes: Any
    """All elements of the type ``mesh``."""
    modelfiledir: str
    """The ``modelfiledir``."""
    modelname: str
    """The ``modelname``."""
    nconmax: Any
    """The size ``nconmax``."""
    nemax: int
    """The size ``nemax``, which MuJoCo no longer uses."""
    njmax: Any
    """The size ``njmax``."""
    nkey: Any
    """The size ``nkey``."""
    nstack: Any
    """The size ``nstack``."""
    numerics: Any
    """All elements of the type ``numeric``."""
    nuser_actuator: Any
    """The size ``nuser_actuator``."""
    nuser_body: Any
    """The size ``nuser_body``."""
    nuser_cam: Any
    """The size ``nuser_cam``."""
    nuser_geom: Any
    """The size ``nuser_geom``."""
    nuser_jnt: Any
    """The size ``nuser_jnt``."""
    nuser_sensor: Any
    """The size ``nuser_sensor``."""
    nuser_site: Any
    """The size ``nuser_site``."""
    nuser_tendon: Any
    """The size ``nuser_tendon``."""
    nuserdata: Any
    """The size ``nuserdata``."""
    option: MjOption
    """The ``option``."""
    override_assets: bool
    """Whether attached files replace those of the same name."""
    pairs: Any
    """All elements of the type ``pair``."""
    parent: Any
    """The specification that this one was attached to."""
    plugins: Any
    """All elements of the type ``plugin``."""
    sensors: Any
    """All elements of the type ``sensor``."""
    sites: Any
    """All elements of the type ``site``."""
    skins: Any
    """All elements of the type ``skin``."""
    stat: MjStatistic
    """The ``stat``."""
    strippath: Any
    """Whether directories of file names are dropped."""
    tendons: Any
    """All elements of the type ``tendon``."""
    texts: Any
    """All elements of the type ``text``."""
    texturedir: str
    """The ``texturedir``."""
    textures: Any
    """All elements of the type ``texture``."""
    tuples: Any
    """All elements of the type ``tuple``."""
    visual: MjVisual
    """The ``visual``."""
    worldbody: MjsBody
    """The world."""
    def activate_plugin(self, name: Any) -> None:
        """Declare a plugin that elements use."""
    def actuator(self, key: Any) -> MjsActuator | None:
        """The actuator with a name, if there is one."""
    def add_actuator(self, default: Any = None, **kwargs: Any) -> MjsActuator:
        """Add an element of the type ``actuator``; attributes are keyword arguments."""
    def add_default(self, classname: Any, parent: Any = None) -> MjsDefault | None:
        """Add a default class, which starts as a copy of its parent; None if the name is taken."""
    def add_equality(self, default: Any = None, **kwargs: Any) -> MjsEquality:
        """Add an element of the type ``equality``; attributes are keyword arguments."""
    def add_exclude(self, default: Any = None, **kwargs: Any) -> MjsExclude:
        """Add an element of the type ``exclude``; attributes are keyword arguments."""
    def add_flex(self, default: Any = None, **kwargs: Any) -> MjsFlex:
        """Add an element of the type ``flex``; attributes are keyword arguments."""
    def add_hfield(self, default: Any = None, **kwargs: Any) -> MjsHField:
        """Add an element of the type ``hfield``; attributes are keyword arguments."""
    def add_key(self, default: Any = None, **kwargs: Any) -> MjsKey:
        """Add an element of the type ``key``; attributes are keyword arguments."""
    def add_material(self, default: Any = None, **kwargs: Any) -> MjsMaterial:
        """Add an element of the type ``material``; attributes are keyword arguments."""
    def add_mesh(self, default: Any = None, **kwargs: Any) -> MjsMesh:
        """Add an element of the type ``mesh``; attributes are keyword arguments."""
    def add_numeric(self, default: Any = None, **kwargs: Any) -> MjsNumeric:
        """Add an element of the type ``numeric``; attributes are keyword arguments."""
    def add_pair(self, default: Any = None, **kwargs: Any) -> MjsPair:
        """Add an element of the type ``pair``; attributes are keyword arguments."""
    def add_plugin(self, default: Any = None, **kwargs: Any) -> MjsPlugin:
        """Add an element of the type ``plugin``; attributes are keyword arguments."""
    def add_sensor(self, default: Any = None, **kwargs: Any) -> MjsSensor:
        """Add an element of the type ``sensor``; attributes are keyword arguments."""
    def add_skin(self, default: Any = None, **kwargs: Any) -> MjsSkin:
        """Add an element of the type ``skin``; attributes are keyword arguments."""
    def add_tendon(self, default: Any = None, **kwargs: Any) -> MjsTendon:
        """Add an element of the type ``tendon``; attributes are keyword arguments."""
    def add_text(self, default: Any = None, **kwargs: Any) -> MjsText:
        """Add an element of the type ``text``; attributes are keyword arguments."""
    def add_texture(self, default: Any = None, **kwargs: Any) -> MjsTexture:
        """Add an element of the type ``texture``; attributes are keyword arguments."""
    def add_tuple(self, default: Any = None, **kwargs: Any) -> MjsTuple:
        """Add an element of the type ``tuple``; attributes are keyword arguments."""
    def attach(self, child: Any, prefix: Any = None, suffix: Any = None, site: Any = None, frame: Any = None) -> MjsFrame:
        """Attach all of another specification to a site or a frame, given by name or itself."""
    def body(self, key: Any) -> MjsBody | None:
        """The body with a name, if there is one."""
    def camera(self, key: Any) -> MjsCamera | None:
        """The camera with a name, if there is one."""
    def compile(self) -> MjModel:
        """Compile the specification."""
    def copy(self) -> MjSpec:
        """A specification of its own with the same contents."""
    def delete(self, element: Any) -> None:
        """Remove an element; a body goes with everything in it and everything that refers to it.

A default class goes with those that descend from it; elements keep their values."""
    def equality(self, key: Any) -> MjsEquality | None:
        """The equality with a name, if there is one."""
    def exclude(self, key: Any) -> MjsExclude | None:
        """The exclude with a name, if there is one."""
    def find_default(self, classname: Any) -> MjsDefault | None:
        """The default class with a name, if there is one."""
    def flex(self, key: Any) -> MjsFlex | None:
        """The flex with a name, if there is one."""
    def frame(self, key: Any) -> MjsFrame | None:
        """The frame with a name, if there is one."""
    @staticmethod
    def from_file(filename: Any, include: Any = None, assets: Any = None) -> MjSpec:
        """Read a specification from a file."""
    @staticmethod
    def from_string(xml: Any, include: Any = None, assets: Any = None) -> MjSpec:
        """Read a specification from text; ``include`` maps names of included files to contents."""
    @staticmethod
    def from_zip(file: Any) -> MjSpec:
        """Read a specification and its files from a zip archive: a path or an open file."""
    def geom(self, key: Any) -> MjsGeom | None:
        """The geom with a name, if there is one."""
    def hfield(self, key: Any) -> MjsHField | None:
        """The hfield with a name, if there is one."""
    def joint(self, key: Any) -> MjsJoint | None:
        """The joint with a name, if there is one."""
    def key(self, key: Any) -> MjsKey | None:
        """The key with a name, if there is one."""
    def light(self, key: Any) -> MjsLight | None:
        """The light with a name, if there is one."""
    def material(self, key: Any) -> MjsMaterial | None:
        """The material with a name, if there is one."""
    def mesh(self, key: Any) -> MjsMesh | None:
        """The mesh with a name, if there is one."""
    def numeric(self, key: Any) -> MjsNumeric | None:
        """The numeric with a name, if there is one."""
    def pair(self, key: Any) -> MjsPair | None:
        """The pair with a name, if there is one."""
    def plugin(self, key: Any) -> MjsPlugin | None:
        """The plugin with a name, if there is one."""
    def recompile(self, model: Any, data: Any) -> tuple[MjModel, MjData]:
        """Compile again, and carry the state of ``data`` over to the new model."""
    @staticmethod
    def resolve_orientation(degree: Any, sequence: Any = None, orientation: Any = None) -> list[float]:
        """The quaternion of an orientation in another form."""
    def sensor(self, key: Any) -> MjsSensor | None:
        """The sensor with a name, if there is one."""
    def site(self, key: Any) -> MjsSite | None:
        """The site with a name, if there is one."""
    def skin(self, key: Any) -> MjsSkin | None:
        """The skin with a name, if there is one."""
    def tendon(self, key: Any) -> MjsTendon | None:
        """The tendon with a name, if there is one."""
    def text(self, key: Any) -> MjsText | None:
        """The text with a name, if there is one."""
    def texture(self, key: Any) -> MjsTexture | None:
        """The texture with a name, if there is one."""
    def to_file(self, file: Any) -> None:
        """Write the specification to a file."""
    def to_xml(self) -> str:
        """The specification as text; it must compile."""
    def to_zip(self, file: Any) -> None:
        """Write the specification and its files in memory to a zip archive, or an open file."""
    def tuple(self, key: Any) -> MjsTuple | None:
        """The tuple with a name, if there is one."""

class MjsCompiler:
    """Settings of the compiler (``spec.compiler``)."""

    LRopt: Any
    """Settings of the computation of length ranges."""
    alignfree: int
    autolimits: int
    balanceinertia: int
    boundinertia: float
    boundmass: float
    degree: int
    discardvisual: int
    eulerseq: Any
    fitaabb: int
    fusestatic: int
    inertiafromgeom: int
    inertiagrouprange: _Int32
    meshdir: str
    saveinertial: int
    settotalmass: float
    texturedir: str
    usethread: int

class MjsDefault:
    """A default class. Its attributes are what elements of the class start from."""

    actuator: Any
    """What elements of the type ``actuator`` start from."""
    camera: Any
    """What elements of the type ``camera`` start from."""
    equality: Any
    """What elements of the type ``equality`` start from."""
    flex: Any
    """What elements of the type ``flex`` start from."""
    geom: Any
    """What elements of the type ``geom`` start from."""
    joint: Any
    """What elements of the type ``joint`` start from."""
    light: Any
    """What elements of the type ``light`` start from."""
    material: Any
    """What elements of the type ``material`` start from."""
    mesh: Any
    """What elements of the type ``mesh`` start from."""
    name: str
    """The name of the class."""
    pair: Any
    """What elements of the type ``pair`` start from."""
    site: Any
    """What elements of the type ``site`` start from."""
    tendon: Any
    """What elements of the type ``tendon`` start from."""

class MjsOrientation:
    """An orientation in another form than a quaternion (``body.alt``)."""

    axisangle: Any
    """The orientation as ``axisangle``."""
    euler: Any
    """The orientation as ``euler``."""
    type: Any
    """Which form is in effect."""
    xyaxes: Any
    """The orientation as ``xyaxes``."""
    zaxis: Any
    """The orientation as ``zaxis``."""

class MjsTendonPath:
    """The path of a tendon."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> MjsWrap: ...

class MjsWrap:
    """One part of the path of a tendon."""

    coef: Any
    """The factor of a joint; None for others."""
    divisor: Any
    """What a pulley divides by; None for others."""
    info: str
    """What is told in errors."""
    sidesite: Any
    """The site on the side that the tendon prefers, if there is one."""
    target: Any
    """The joint, site or geom; None for a pulley."""
    type: Any
    """What the tendon passes: the kind of a geom is found out here."""

class MjVisualHeadlight:
    """Settings of the visualizer (``spec.visual.headlight``)."""

    active: int
    ambient: _Float32
    diffuse: _Float32
    specular: _Float32

class MjVisualRgba:
    """Settings of the visualizer (``spec.visual.rgba``)."""

    actuator: _Float32
    actuatornegative: _Float32
    actuatorpositive: _Float32
    bv: _Float32
    bvactive: _Float32
    camera: _Float32
    com: _Float32
    connect: _Float32
    constraint: _Float32
    contactforce: _Float32
    contactfriction: _Float32
    contactgap: _Float32
    contactpoint: _Float32
    contacttorque: _Float32
    crankbroken: _Float32
    fog: _Float32
    force: _Float32
    frustum: _Float32
    haze: _Float32
    inertia: _Float32
    joint: _Float32
    light: _Float32
    rangefinder: _Float32
    selectpoint: _Float32
    slidercrank: _Float32

class MjsBody:
    """A body."""

    alt: MjsOrientation
    bodies: Any
    """The elements of the type ``body``."""
    cameras: Any
    """The elements of the type ``camera``."""
    childclass: str
    """The name of the default class of what lies in it."""
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    explicitinertial: Any
    """Whether the inertia is written to text; it is wherever it is stated."""
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    frames: Any
    """The elements of the type ``frame``."""
    fullinertia: _Float64
    geoms: Any
    """The elements of the type ``geom``."""
    gravcomp: float
    ialt: MjsOrientation
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    inertia: _Float64
    info: str
    """What is told in errors."""
    ipos: _Float64
    iquat: _Float64
    joints: Any
    """The elements of the type ``joint``."""
    lights: Any
    """The elements of the type ``light``."""
    mass: float
    mocap: int
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    plugin: Any
    """The plugin of the element."""
    pos: _Float64
    quat: _Float64
    signature: int
    """The signature of the specification when it was last compiled."""
    sites: Any
    """The elements of the type ``site``."""
    sleep: mjtSleepPolicy
    userdata: Any
    def add_body(self, default: Any = None, **kwargs: Any) -> MjsBody:
        """Add an element of the type ``body``; attributes are keyword arguments."""
    def add_camera(self, default: Any = None, **kwargs: Any) -> MjsCamera:
        """Add an element of the type ``camera``; attributes are keyword arguments."""
    def add_frame(self, default: Any = None, **kwargs: Any) -> MjsFrame:
        """Add an element of the type ``frame``; attributes are keyword arguments."""
    def add_freejoint(self, **kwargs: Any) -> MjsJoint:
        """Add a joint that lets the body move freely: ``align``, ``group`` and ``name``."""
    def add_geom(self, default: Any = None, **kwargs: Any) -> MjsGeom:
        """Add an element of the type ``geom``; attributes are keyword arguments."""
    def add_joint(self, default: Any = None, **kwargs: Any) -> MjsJoint:
        """Add an element of the type ``joint``; attributes are keyword arguments."""
    def add_light(self, default: Any = None, **kwargs: Any) -> MjsLight:
        """Add an element of the type ``light``; attributes are keyword arguments."""
    def add_site(self, default: Any = None, **kwargs: Any) -> MjsSite:
        """Add an element of the type ``site``; attributes are keyword arguments."""
    def attach_frame(self, frame: Any, prefix: Any = None, suffix: Any = None) -> MjsFrame:
        """Attach a frame, of this specification or another."""
    def find_all(self, type: Any) -> list[Any]:
        """All elements of a type in the body and below it: an ``mjtObj``, or its name."""
    def find_child(self, name: Any) -> MjsBody | None:
        """The body with a name below this one."""
    def first_body(self) -> MjsBody | None:
        """The first body of the body."""
    def first_camera(self) -> MjsCamera | None:
        """The first camera of the body."""
    def first_frame(self) -> MjsFrame | None:
        """The first frame of the body."""
    def first_geom(self) -> MjsGeom | None:
        """The first geom of the body."""
    def first_joint(self) -> MjsJoint | None:
        """The first joint of the body."""
    def first_light(self) -> MjsLight | None:
        """The first light of the body."""
    def first_site(self) -> MjsSite | None:
        """The first site of the body."""
    def next_body(self, child: Any) -> MjsBody | None:
        """The body of the body after another."""
    def next_camera(self, child: Any) -> MjsCamera | None:
        """The camera of the body after another."""
    def next_frame(self, child: Any) -> MjsFrame | None:
        """The frame of the body after another."""
    def next_geom(self, child: Any) -> MjsGeom | None:
        """The geom of the body after another."""
    def next_joint(self, child: Any) -> MjsJoint | None:
        """The joint of the body after another."""
    def next_light(self, child: Any) -> MjsLight | None:
        """The light of the body after another."""
    def next_site(self, child: Any) -> MjsSite | None:
        """The site of the body after another."""
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""
    def to_frame(self) -> MjsFrame:
        """Turn the body into a frame of its parent."""

class MjsFrame:
    """A frame."""

    alt: MjsOrientation
    childclass: str
    """The default class of what lies in it."""
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    pos: _Float64
    quat: _Float64
    signature: int
    """The signature of the specification when it was last compiled."""
    def add_body(self, default: Any = None, **kwargs: Any) -> MjsBody:
        """Add an element of the type ``body``; attributes are keyword arguments."""
    def add_camera(self, default: Any = None, **kwargs: Any) -> MjsCamera:
        """Add an element of the type ``camera``; attributes are keyword arguments."""
    def add_frame(self, default: Any = None, **kwargs: Any) -> MjsFrame:
        """Add an element of the type ``frame``; attributes are keyword arguments."""
    def add_geom(self, default: Any = None, **kwargs: Any) -> MjsGeom:
        """Add an element of the type ``geom``; attributes are keyword arguments."""
    def add_joint(self, default: Any = None, **kwargs: Any) -> MjsJoint:
        """Add an element of the type ``joint``; attributes are keyword arguments."""
    def add_light(self, default: Any = None, **kwargs: Any) -> MjsLight:
        """Add an element of the type ``light``; attributes are keyword arguments."""
    def add_site(self, default: Any = None, **kwargs: Any) -> MjsSite:
        """Add an element of the type ``site``; attributes are keyword arguments."""
    def attach_body(self, body: Any, prefix: Any = None, suffix: Any = None) -> MjsBody:
        """Attach a body, of this specification or another."""
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsJoint:
    """A joint."""

    actfrclimited: int
    actfrcrange: _Float64
    actgravcomp: int
    align: int
    armature: float
    axis: _Float64
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    damping: float
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    frictionloss: float
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    limited: int
    margin: float
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    pos: _Float64
    range: _Float64
    ref: float
    signature: int
    """The signature of the specification when it was last compiled."""
    solimp_friction: _Float64
    solimp_limit: _Float64
    solref_friction: _Float64
    solref_limit: _Float64
    springdamper: _Float64
    springref: float
    stiffness: float
    type: mjtJoint
    userdata: Any
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsGeom:
    """A geom."""

    alt: MjsOrientation
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    conaffinity: int
    condim: int
    contype: int
    density: float
    fitscale: float
    fluid_coefs: _Float64
    fluid_ellipsoid: float
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    friction: _Float64
    fromto: _Float64
    gap: float
    group: int
    hfieldname: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    margin: float
    mass: float
    material: str
    meshname: str
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    plugin: Any
    """The plugin of the element."""
    pos: _Float64
    priority: int
    quat: _Float64
    rgba: _Float32
    signature: int
    """The signature of the specification when it was last compiled."""
    size: _Float64
    solimp: _Float64
    solmix: float
    solref: _Float64
    type: mjtGeom
    typeinertia: mjtGeomInertia
    userdata: Any
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsSite:
    """A site."""

    alt: MjsOrientation
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    fromto: _Float64
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    material: str
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    pos: _Float64
    quat: _Float64
    rgba: _Float32
    signature: int
    """The signature of the specification when it was last compiled."""
    size: _Float64
    type: mjtGeom
    userdata: Any
    def attach_body(self, body: Any, prefix: Any = None, suffix: Any = None) -> MjsBody:
        """Attach a body at the pose of the site."""
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsCamera:
    """A camera."""

    alt: MjsOrientation
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    focal_length: _Float32
    focal_pixel: _Float32
    fovy: float
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    intrinsic: _Float32
    ipd: float
    mode: mjtCamLight
    name: str
    """The name; empty if there is none."""
    output: int
    parent: Any
    """The body that it belongs to."""
    pos: _Float64
    principal_length: _Float32
    principal_pixel: _Float32
    proj: mjtProjection
    quat: _Float64
    resolution: _Int32
    sensor_size: _Float32
    signature: int
    """The signature of the specification when it was last compiled."""
    targetbody: str
    userdata: Any
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsLight:
    """A light."""

    active: int
    ambient: _Float32
    attenuation: _Float32
    bulbradius: float
    castshadow: int
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    cutoff: float
    diffuse: _Float32
    dir: _Float64
    exponent: float
    frame: MjsFrame | None
    """The frame around it, if there is one."""
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    intensity: float
    mode: mjtCamLight
    name: str
    """The name; empty if there is none."""
    parent: Any
    """The body that it belongs to."""
    pos: _Float64
    range: float
    signature: int
    """The signature of the specification when it was last compiled."""
    specular: _Float32
    targetbody: str
    texture: str
    type: mjtLightType
    def set_frame(self, frame: Any) -> None:
        """Put it into a frame of its body."""

class MjsFlex:
    """A flex."""

    activelayers: int
    bend_damping: float
    bend_stiffness: float
    bending_model: int
    conaffinity: int
    condim: int
    contype: int
    damping: float
    dim: int
    edgedamping: float
    edgestiffness: float
    elastic2d: int
    elasticity_model: int
    elem: Any
    elemtexcoord: Any
    flatskin: int
    friction: _Float64
    gap: float
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    internal: int
    margin: float
    material: str
    name: str
    """The name; empty if there is none."""
    node: Any
    nodebody: Any
    passive: int
    poisson: float
    priority: int
    radius: float
    rgba: _Float32
    selfcollide: int
    signature: int
    """The signature of the specification when it was last compiled."""
    size: _Float64
    solimp: _Float64
    solmix: float
    solref: _Float64
    texcoord: Any
    thickness: float
    vert: Any
    vertbody: Any
    vertcollide: int
    young: float

class MjsMesh:
    """A mesh."""

    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    content_type: str
    file: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    inertia: mjtMeshInertia
    info: str
    """What is told in errors."""
    material: str
    maxhullvert: int
    name: str
    """The name; empty if there is none."""
    needsdf: int
    plugin: Any
    """The plugin of the element."""
    refpos: _Float64
    refquat: _Float64
    scale: _Float64
    signature: int
    """The signature of the specification when it was last compiled."""
    smoothnormal: int
    userface: Any
    userfacenormal: Any
    userfacetexcoord: Any
    usernormal: Any
    usertexcoord: Any
    uservert: Any
    def make_cone(self, nedge: Any, radius: Any) -> None:
        """Become a cone, or a truncated one."""
    def make_hemisphere(self, resolution: Any) -> None:
        """Become half a sphere."""
    def make_plate(self, resolution: Any = (0, 0)) -> None:
        """Become a rectangular grid."""
    def make_sphere(self, subdivision: Any) -> None:
        """Become a subdivided icosahedron."""
    def make_supersphere(self, resolution: Any, e: Any, n: Any) -> None:
        """Become a superquadric ellipsoid."""
    def make_supertorus(self, resolution: Any, radius: Any, s: Any, t: Any) -> None:
        """Become a superquadric torus."""
    def make_wedge(self, resolution: Any = (0, 0), fov: Any = (0, 0), gamma: Any = 0) -> None:
        """Become a part of a sphere, seen from its centre."""

class MjsSkin:
    """A skin."""

    bindpos: Any
    bindquat: Any
    bodyname: Any
    face: Any
    file: str
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    inflate: float
    info: str
    """What is told in errors."""
    material: str
    name: str
    """The name; empty if there is none."""
    rgba: _Float32
    signature: int
    """The signature of the specification when it was last compiled."""
    texcoord: Any
    vert: Any
    vertid: list[Any]
    vertweight: list[Any]

class MjsHField:
    """A height field."""

    content_type: str
    file: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    ncol: int
    nrow: int
    signature: int
    """The signature of the specification when it was last compiled."""
    size: _Float64
    userdata: Any

class MjsTexture:
    """A texture."""

    builtin: int
    colorspace: mjtColorSpace
    content_type: str
    cubefiles: Any
    data: bytes
    file: str
    gridlayout: Any
    gridsize: _Int32
    height: int
    hflip: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    mark: int
    markrgb: _Float64
    name: str
    """The name; empty if there is none."""
    nchannel: int
    random: float
    rgb1: _Float64
    rgb2: _Float64
    signature: int
    """The signature of the specification when it was last compiled."""
    type: mjtTexture
    vflip: int
    width: int

class MjsMaterial:
    """A material."""

    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    emission: float
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    metallic: float
    name: str
    """The name; empty if there is none."""
    reflectance: float
    rgba: _Float32
    roughness: float
    shininess: float
    signature: int
    """The signature of the specification when it was last compiled."""
    specular: float
    texrepeat: _Float32
    textures: Any
    texuniform: int

class MjsPair:
    """A contact pair."""

    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    condim: int
    friction: _Float64
    gap: float
    geomname1: str
    geomname2: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    margin: float
    name: str
    """The name; empty if there is none."""
    signature: int
    """The signature of the specification when it was last compiled."""
    solimp: _Float64
    solref: _Float64
    solreffriction: _Float64

class MjsExclude:
    """Two bodies without contacts."""

    bodyname1: str
    bodyname2: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    signature: int
    """The signature of the specification when it was last compiled."""

class MjsEquality:
    """An equality constraint."""

    active: int
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    data: _Float64
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    name1: str
    name2: str
    objtype: mjtObj
    signature: int
    """The signature of the specification when it was last compiled."""
    solimp: _Float64
    solref: _Float64
    type: mjtEq

class MjsTendon:
    """A tendon."""

    actfrclimited: int
    actfrcrange: _Float64
    armature: float
    damping: float
    frictionloss: float
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    limited: int
    margin: float
    material: str
    name: str
    """The name; empty if there is none."""
    path: MjsTendonPath
    """What the tendon passes."""
    range: _Float64
    rgba: _Float32
    signature: int
    """The signature of the specification when it was last compiled."""
    solimp_friction: _Float64
    solimp_limit: _Float64
    solref_friction: _Float64
    solref_limit: _Float64
    springlength: _Float64
    stiffness: float
    userdata: Any
    width: float
    def default(self) -> MjsDefault:
        """The default class."""
    def wrap_geom(self, name: Any, sidesite: Any) -> MjsWrap:
        """Wrap around a geom."""
    def wrap_joint(self, name: Any, coef: Any) -> MjsWrap:
        """Add a joint with its factor."""
    def wrap_pulley(self, divisor: Any) -> MjsWrap:
        """Go through a pulley."""
    def wrap_site(self, name: Any) -> MjsWrap:
        """Go on to a site."""

class MjsActuator:
    """An actuator."""

    actdim: int
    actearly: int
    actlimited: int
    actrange: _Float64
    biasprm: _Float64
    biastype: mjtBias
    classname: MjsDefault
    """The default class; assigning one does not change the attributes."""
    cranklength: float
    ctrllimited: int
    ctrlrange: _Float64
    delay: float
    dynprm: _Float64
    dyntype: mjtDyn
    forcelimited: int
    forcerange: _Float64
    gainprm: _Float64
    gaintype: mjtGain
    gear: _Float64
    group: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    inheritrange: float
    interp: int
    lengthrange: _Float64
    name: str
    """The name; empty if there is none."""
    nsample: int
    plugin: Any
    """The plugin of the element."""
    refsite: str
    signature: int
    """The signature of the specification when it was last compiled."""
    slidersite: str
    target: str
    trntype: mjtTrn
    userdata: Any
    def set_to_adhesion(self, gain: Any) -> None:
        """An adhesion of contacts."""
    def set_to_cylinder(self, timeconst: Any, bias: Any, area: Any, diameter: Any = -1) -> None:
        """A pneumatic or hydraulic cylinder."""
    def set_to_damper(self, kv: Any) -> None:
        """A damping that is the control."""
    def set_to_intvelocity(self, kp: Any, kv: Any = -1, dampratio: Any = -1, timeconst: Any = -1, inheritrange: Any = False) -> None:
        """A servo of the position, whose set point is integrated."""
    def set_to_motor(self) -> None:
        """A force that is the control."""
    def set_to_muscle(self, timeconst: Any = (-1, -1), tausmooth: Any = 0, range: Any = (-1, -1), force: Any = -1, scale: Any = -1, lmin: Any = -1, lmax: Any = -1, vmax: Any = -1, fpmax: Any = -1, fvmax: Any = -1) -> None:
        """A muscle; negative arguments leave a parameter alone."""
    def set_to_position(self, kp: Any, kv: Any = -1, dampratio: Any = -1, timeconst: Any = -1, inheritrange: Any = False) -> None:
        """A servo of the position."""
    def set_to_velocity(self, kv: Any) -> None:
        """A servo of the velocity."""

class MjsSensor:
    """A sensor."""

    cutoff: float
    datatype: mjtDataType
    delay: float
    dim: int
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    interp: int
    interval: _Float64
    intprm: _Int32
    name: str
    """The name; empty if there is none."""
    needstage: mjtStage
    noise: float
    nsample: int
    objname: str
    objtype: mjtObj
    plugin: Any
    """The plugin of the element."""
    refname: str
    reftype: mjtObj
    signature: int
    """The signature of the specification when it was last compiled."""
    type: mjtSensor
    userdata: Any
    def get_data_size(self) -> int:
        """How many numbers the sensor reports; those of meshes are known to the compiler only."""

class MjsNumeric:
    """Custom numbers."""

    data: Any
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    signature: int
    """The signature of the specification when it was last compiled."""
    size: int

class MjsText:
    """A custom text."""

    data: str
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    signature: int
    """The signature of the specification when it was last compiled."""

class MjsTuple:
    """A tuple of objects."""

    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    objname: Any
    objprm: Any
    objtype: Any
    signature: int
    """The signature of the specification when it was last compiled."""

class MjsKey:
    """A keyframe."""

    act: Any
    ctrl: Any
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    mpos: Any
    mquat: Any
    name: str
    """The name; empty if there is none."""
    qpos: Any
    qvel: Any
    signature: int
    """The signature of the specification when it was last compiled."""
    time: float

class MjsPlugin:
    """An instance of a plugin."""

    active: Any
    """Whether the instance is in use."""
    config: Any
    """The configuration: a copy, which is assigned to change it."""
    id: int
    """The number in the compiled model; -1 if it was not compiled."""
    info: str
    """What is told in errors."""
    name: str
    """The name; empty if there is none."""
    plugin_name: str
    signature: int
    """The signature of the specification when it was last compiled."""

MjStruct: TypeAlias = MjsBody | MjsFrame | MjsJoint | MjsGeom | MjsSite | MjsCamera | MjsLight | MjsFlex | MjsMesh | MjsSkin | MjsHField | MjsTexture | MjsMaterial | MjsPair | MjsExclude | MjsEquality | MjsTendon | MjsActuator | MjsSensor | MjsNumeric | MjsText | MjsTuple | MjsKey | MjsPlugin

def get_gain_model() -> None:
    """The law of user gains."""
def get_mjcb_act_bias() -> Callable[..., Any] | None:
    """The function for user biases of actuators."""
def get_mjcb_act_dyn() -> Callable[..., Any] | None:
    """The function for user dynamics of actuators."""
def get_mjcb_act_gain() -> Callable[..., Any] | None:
    """The function for user gains of actuators."""
def get_mjcb_contactfilter() -> Callable[..., Any] | None:
    """The function that filters pairs of geoms."""
def get_mjcb_control() -> Callable[..., Any] | None:
    """The function that sets controls."""
def get_mjcb_passive() -> Callable[..., Any] | None:
    """The function that adds passive forces."""
def get_mjcb_sensor() -> Callable[..., Any] | None:
    """The function that fills in user sensors."""
def get_mjcb_time() -> Callable[..., Any] | None:
    """The function that tells the time."""
def get_mju_user_warning() -> Callable[..., Any] | None:
    """The function that hears of warnings."""
def mj_Euler(m: MjModel, d: MjData) -> None:
    """Advance the state with semi-implicit Euler, with the acceleration that is there."""
def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advance the state with Runge-Kutta of order `N`, which is 4; `mj_forward` comes before."""
def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Add a contact to those that were detected; returns 0."""
def mj_addM(m: MjModel, d: MjData, dst: _Float64, rownnz: _Int32, rowadr: _Int32, colind: _Int32) -> None:
    """Add the inertia matrix to a sparse matrix: rows with ascending columns, in which new ones find room."""
def mj_angmomMat(m: MjModel, d: MjData, mat: _Float64, body: int) -> None:
    """The matrix that takes velocities to the angular momentum of a subtree."""
def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: int, qfrc_target: _Float64) -> None:
    """Add the generalized force of a force and a torque at a point of a body."""
def mj_camlight(m: MjModel, d: MjData) -> None:
    """Poses of cameras and lights."""
def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Reset the world and compute everything anew if its acceleration is bad, and say so."""
def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Reset the world if its configuration is bad, and say so."""
def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Reset the world if its velocity is bad, and say so."""
def mj_clearCache(cache: Any) -> None:
    """Forget everything in a cache."""
def mj_collision(m: MjModel, d: MjData) -> None:
    """Contacts."""
def mj_comPos(m: MjModel, d: MjData) -> None:
    """Centres of mass, inertias and motion axes."""
def mj_comVel(m: MjModel, d: MjData) -> None:
    """Velocities of bodies."""
def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """Compare forward and inverse dynamics; the norms of the differences are in `solver_fwdinv`."""
def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike, cost: _Float64 | None, flg_coneHessian: int) -> None:
    """Forces and states of constraint rows for `jar = J qacc - aref`, and their cost where asked for."""
def mj_contactForce(m: MjModel, d: MjData, id: int, result: _Float64) -> None:
    """Force and torque of a contact in its own frame, normal first; zero where there is no such contact."""
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copy the state and all results of `src` to `dest`."""
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copy the elements of the state that a union of `mjtState` bits selects."""
def mj_crb(m: MjModel, d: MjData) -> None:
    """Inertia matrix by the composite rigid body algorithm."""
def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Set options for length ranges to their defaults."""
def mj_defaultOption(opt: MjOption) -> None:
    """Set options of the physics to their defaults."""
def mj_defaultSolRefImp(solref: float, solimp: float) -> None:
    """Nothing: the numbers are passed by value, in MuJoCo's package too."""
def mj_defaultVisual(vis: MjVisual) -> None:
    """Set visual settings to their defaults."""
def mj_differentiatePos(m: MjModel, qvel: _Float64, dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None:
    """The velocity that takes `qpos1` to `qpos2` in time `dt`."""
def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Potential energy."""
def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Kinetic energy."""
def mj_extractState(m: MjModel, src: ArrayLike, srcsig: int, dst: _Float64, dstsig: int) -> None:
    """Take a part of a state vector: `dstsig` selects from what `srcsig` selected."""
def mj_factorM(m: MjModel, d: MjData) -> None:
    """Factor of the inertia matrix."""
def mj_flex(m: MjModel, d: MjData) -> None:
    """Vertices, boxes and edges of flexes."""
def mj_forward(m: MjModel, d: MjData) -> None:
    """Compute everything at the current state, without moving it."""
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Forward dynamics after a stage that is done, with sensors unless `skipsensor`."""
def mj_fullM(m: MjModel, dst: _Float64, M: ArrayLike) -> None:
    """Write the inertia matrix `M` (`data.qM`) as a dense matrix."""
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Acceleration without constraints."""
def mj_fwdActuation(m: MjModel, d: MjData) -> None:
    """Actuator forces and rates of activation."""
def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Acceleration with constraints."""
def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """All poses, centres of mass, motion axes and tendons."""
def mj_fwdPosition(m: MjModel, d: MjData) -> None:
    """All that depends on the configuration."""
def mj_fwdVelocity(m: MjModel, d: MjData) -> None:
    """All that depends on configuration and velocity."""
def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: _Float64 | None) -> float:
    """Smallest signed distance between two geoms, at most `distmax`, and the segment between them."""
def mj_getCache() -> Any:
    """The cache of compiled assets, which all models share."""
def mj_getCacheCapacity(cache: Any) -> int:
    """Number of bytes that a cache may hold."""
def mj_getCacheSize(cache: Any) -> int:
    """Number of bytes in a cache."""
def mj_getState(m: MjModel, d: MjData, state: _Float64, sig: int) -> None:
    """Write the state vector for a union of `mjtState` bits."""
def mj_getTotalmass(m: MjModel) -> float:
    """Sum of all masses."""
def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """Name of an object, None when it has none."""
def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advance the state with an integrator that is implicit in velocity, with the forces that are there."""
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike) -> None:
    """Fill the history of an actuator; without `times` those that it has stay."""
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike, phase: float) -> None:
    """Fill the history of a sensor, one row of `values` for each sample; `phase` is the time of the last one."""
def mj_integratePos(m: MjModel, qpos: _Float64, qvel: ArrayLike, dt: float) -> None:
    """Move `qpos` with velocity `qvel` for a time `dt`."""
def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces for the acceleration `qacc`."""
def mj_invPosition(m: MjModel, d: MjData) -> None:
    """What inverse dynamics needs that depends on the configuration."""
def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """What inverse dynamics needs that depends on velocity."""
def mj_inverse(m: MjModel, d: MjData) -> None:
    """Inverse dynamics: `qfrc_inverse` for `qpos`, `qvel` and `qacc`."""
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Inverse dynamics after a stage that is done, with sensors unless `skipsensor`."""
def mj_isDual(m: MjModel) -> int:
    """Does the constraint solver work on the dual problem?"""
def mj_isPyramidal(m: MjModel) -> int:
    """Is the friction cone pyramidal?"""
def mj_isSparse(m: MjModel) -> int:
    """Is the constraint Jacobian sparse?"""
def mj_island(m: MjModel, d: MjData) -> None:
    """Islands of constraints."""
def mj_jac(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, point: ArrayLike, body: int) -> None:
    """Jacobians of a point fixed to a body."""
def mj_jacBody(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, body: int) -> None:
    """Jacobians of the origin of a body."""
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, body: int) -> None:
    """Jacobians of the centre of mass of a body."""
def mj_jacDot(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, point: ArrayLike, body: int) -> None:
    """Time derivatives of the Jacobians of a point fixed to a body."""
def mj_jacGeom(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, geom: int) -> None:
    """Jacobians of the centre of a geom."""
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: _Float64 | None, jacAxis: _Float64 | None, point: ArrayLike, axis: ArrayLike, body: int) -> None:
    """Jacobians of a point and a direction fixed to a body."""
def mj_jacSite(m: MjModel, d: MjData, jacp: _Float64 | None, jacr: _Float64 | None, site: int) -> None:
    """Jacobians of a site."""
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: _Float64 | None, body: int) -> None:
    """Jacobian of the centre of mass of a subtree."""
def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Poses of bodies, joints, geoms and sites."""
def mj_loadAllPluginLibraries(directory: str) -> None:
    """Call ``mj_loadPluginLibrary`` for all libraries in a folder, if it exists."""
def mj_loadPluginLibrary(path: str) -> None:
    """Nothing for a library of MuJoCo, whose plugins are built in; an error for any other.

    Plugins of third parties are programs for MuJoCo's memory layout, which Ferrodyn does not have.
    """
def mj_local2Global(d: MjData, xpos: _Float64, xmat: _Float64, pos: ArrayLike, quat: ArrayLike, body: int, sameframe: int) -> None:
    """Global position and orientation of a frame given in a body, or of the body or its inertia as `sameframe` says."""
def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Constraint rows."""
def mj_makeM(m: MjModel, d: MjData) -> None:
    """Inertia matrix in both storage orders."""
def mj_mulJacTVec(m: MjModel, d: MjData, res: _Float64, vec: ArrayLike) -> None:
    """`res = Jᵀ vec`, with the constraint Jacobian."""
def mj_mulJacVec(m: MjModel, d: MjData, res: _Float64, vec: ArrayLike) -> None:
    """`res = J vec`, with the constraint Jacobian."""
def mj_mulM(m: MjModel, d: MjData, res: _Float64, vec: ArrayLike) -> None:
    """`res = M vec`."""
def mj_mulM2(m: MjModel, d: MjData, res: _Float64, vec: ArrayLike) -> None:
    """`res = √D L vec`, where `M = Lᵀ D L`."""
def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: _Int32, dist: _Float64, normal: _Float64 | None, nray: int, cutoff: float) -> None:
    """Distances along `nray` rays from one point; geoms farther than `cutoff` are ignored."""
def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """Id of a named object, -1 when there is none."""
def mj_normalizeQuat(m: MjModel, qpos: _Float64) -> None:
    """Normalize all quaternions of a configuration."""
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: _Float64, flg_local: int) -> None:
    """Acceleration of an object with a spatial frame, rotation first; `mj_rnePostConstraint` comes before."""
def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: _Float64, flg_local: int) -> None:
    """Velocity of an object with a spatial frame, rotation first."""
def mj_passive(m: MjModel, d: MjData) -> None:
    """Passive forces."""
def mj_printData(m: MjModel, d: MjData, filename: str) -> None:
    """Write the state and all results of a world to a text file."""
def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: str) -> None:
    """Write the state and all results of a world to a text file."""
def mj_printFormattedModel(m: MjModel, filename: str, float_format: str) -> None:
    """Write all sizes, settings and arrays of a model to a text file."""
def mj_printModel(m: MjModel, filename: str) -> None:
    """Write all sizes, settings and arrays of a model to a text file."""
def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """The elements and attributes of the model language, as text or, with `flg_html`, as a table in HTML,
    indented by styles with `flg_pad`.
    """
def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Inverse inertia along constraint rows."""
def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: _Int32 | None, normal: _Float64 | None = None) -> float:
    """Distance along the ray `pnt + x vec` to the nearest visible geom, -1 if there is none."""
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: ArrayLike, vec: ArrayLike, vertid: _Int32 | None = None, normal: _Float64 | None = None) -> float:
    """Distance along a ray to a flex, -1 if it is missed; the nearest vertex goes to `vertid`. The flags say what of the flex can be met."""
def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Float64 | None = None) -> float:
    """Distance along a ray to the height field of a geom, -1 if it is missed."""
def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: _Float64 | None = None) -> float:
    """Distance along a ray to the mesh of a geom, -1 if it is missed."""
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """Control of an actuator at a time, as delayed; a negative `interp` means that of the model."""
def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: _Float64, interp: int) -> _Float64:
    """Value of a sensor at a time, as delayed; a negative `interp` means that of the model.

    Where it is interpolated it is written into `result`, which is returned.
    """
def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """Velocity and reference acceleration of constraint rows."""
def mj_resetCallbacks() -> None:
    """Clear all callbacks; the function for warnings stays."""
def mj_resetData(m: MjModel, d: MjData) -> None:
    """Return to the reference pose; every result becomes zero."""
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """Reset, and fill the memory of all results with a byte."""
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Return to a keyframe; a number without a keyframe is a plain reset."""
def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: _Float64) -> None:
    """Inverse dynamics; without `flg_acc` the inertial term is left out."""
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Accelerations and interaction forces of bodies."""
def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Write the model that was loaded last as MJCF, with the parameters of ``m``."""
def mj_saveModel(m: MjModel, filename: _Path | None = None, buffer: _UInt8 | None = None) -> None:
    """Write a model in Ferrodyn's binary format to a file, or into an array of bytes."""
def mj_sensorAcc(m: MjModel, d: MjData) -> None:
    """Sensors that depend on accelerations and forces."""
def mj_sensorPos(m: MjModel, d: MjData) -> None:
    """Sensors that depend on the configuration."""
def mj_sensorVel(m: MjModel, d: MjData) -> None:
    """Sensors that depend on configuration and velocity."""
def mj_setCacheCapacity(cache: Any, size: int) -> int:
    """Change the number of bytes that a cache may hold; returns it."""
def mj_setConst(m: MjModel, d: MjData) -> None:
    """Derive all dependent constants of the model again; leaves ``d`` at ``qpos_spring``."""
def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Store the current state as keyframe `k` of the model."""
def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None:
    """Find the length range of an actuator by simulation."""
def mj_setState(m: MjModel, d: MjData, state: ArrayLike, sig: int) -> None:
    """Set the state from a vector made by `mj_getState`."""
def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scale all masses and inertias to a total mass; call `mj_setConst` afterwards."""
def mj_sizeModel(m: MjModel) -> int:
    """Number of bytes that ``mj_saveModel`` writes."""
def mj_solveM(m: MjModel, d: MjData, x: _Float64, y: ArrayLike) -> None:
    """`x = M⁻¹ y`, row by row."""
def mj_solveM2(m: MjModel, d: MjData, x: _Float64, y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """`x = D^-½ L⁻ᵀ y`, row by row."""
def mj_stateSize(m: MjModel, sig: int) -> int:
    """Length of the state vector for a union of `mjtState` bits."""
def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advance the world by `nstep` time steps with the same controls."""
def mj_step1(m: MjModel, d: MjData) -> None:
    """First half of a step: all that does not depend on controls and applied forces."""
def mj_step2(m: MjModel, d: MjData) -> None:
    """Second half of a step: forces, acceleration, integration."""
def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Velocity and angular momentum of subtrees."""
def mj_tendon(m: MjModel, d: MjData) -> None:
    """Lengths and Jacobians of tendons."""
def mj_transmission(m: MjModel, d: MjData) -> None:
    """Lengths and moments of actuators."""
def mj_version() -> int:
    """Version of the MuJoCo release whose numbers this engine gives, as a number."""
def mj_versionString() -> str:
    """Version of the MuJoCo release whose numbers this engine gives."""
def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: _Float64 | None, DfDv: _Float64 | None, DfDa: _Float64 | None, DsDq: _Float64 | None, DsDv: _Float64 | None, DsDa: _Float64 | None, DmDq: _Float64 | None) -> None:
    """Finite differences of inverse dynamics; rows of the results are inputs."""
def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: _Float64, Dvel: _Float64, Dscale: _Float64) -> None:
    """Derivatives of `mju_quatIntegrate` by quaternion, scaled velocity and scale."""
def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: _Float64 | None, Db: _Float64 | None) -> None:
    """Derivatives of `mju_subQuat` by both quaternions."""
def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: _Float64 | None, B: _Float64 | None, C: _Float64 | None, D: _Float64 | None) -> None:
    """Finite differences of a step: `A` and `B` of the next state, `C` and `D` of the sensors, by state and controls.

    `D` has the sign that MuJoCo 3.5.0 gives it, which with centred differences is the wrong one.
    """
def mju_Halton(index: int, base: int) -> float:
    """An element of Halton's sequence."""
def mju_L1(vec: ArrayLike) -> float:
    """Sum of the absolute values."""
def mju_add(res: _Float64, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 + vec2`"""
def mju_add3(res: _Float64, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 + vec2`"""
def mju_addScl(res: _Float64, vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """`res = vec1 + vec2 * scl`"""
def mju_addScl3(res: _Float64, vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """`res = vec1 + vec2 * scl`"""
def mju_addTo(res: _Float64, vec: ArrayLike) -> None:
    """`res += vec`"""
def mju_addTo3(res: _Float64, vec: ArrayLike) -> None:
    """`res += vec`"""
def mju_addToScl(res: _Float64, vec: ArrayLike, scl: float) -> None:
    """`res += vec * scl`"""
def mju_addToScl3(res: _Float64, vec: ArrayLike, scl: float) -> None:
    """`res += vec * scl`"""
def mju_axisAngle2Quat(res: _Float64, axis: ArrayLike, angle: float) -> None:
    """The quaternion of a rotation about an axis of unit length."""
def mju_band2Dense(res: _Float64, mat: ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Write a band matrix as a dense one, with `flg_sym` both triangles, else the lower one."""
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Address of the diagonal element of row `i` of a band matrix."""
def mju_bandMulMatVec(res: _Float64, mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """`res = mat vec` for a band matrix, with `flg_sym` both triangles, else the lower one. As `res` is
    a vector, `nvec` can only be 1.
    """
def mju_boxQP(res: _Float64, R: _Float64, index: _Int32 | None, H: ArrayLike, g: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None) -> int:
    """Minimize `½ xᵀ H x + xᵀ g` subject to `lower <= x <= upper`, beginning at `res`; returns the number of
    coordinates that are not at a bound, -1 on failure.

    Those coordinates are written to `index`, and the Cholesky factor of their part of `H` to the first
    elements of `R`, which has `n (n + 7)` elements.
    """
def mju_cholFactor(mat: _Float64, mindiag: float) -> int:
    """Cholesky factorization in place, `mat = L Lᵀ`; returns the rank.

    Pivots smaller than `mindiag` are replaced by it. The upper triangle is left as it is.
    """
def mju_cholFactorBand(mat: _Float64, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Cholesky factorization of a band matrix in place, after `diagadd + diagmul mat_ii` was added to
    its diagonal; returns the smallest pivot, 0 if the matrix is not positive definite.
    """
def mju_cholSolve(res: _Float64, mat: ArrayLike, vec: ArrayLike) -> None:
    """Solve `L Lᵀ res = vec` with a factor made by `mju_cholFactor`."""
def mju_cholSolveBand(res: _Float64, mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Solve `L Lᵀ res = vec` with a factor made by `mju_cholFactorBand`."""
def mju_cholUpdate(mat: _Float64, x: _Float64, flg_plus: int) -> int:
    """Change the factor of `A` to that of `A + x xᵀ`, without `flg_plus` to that of `A - x xᵀ`; `x` is used
    up. Returns the rank.
    """
def mju_clip(x: float, min: float, max: float) -> float:
    """The number of the interval that is nearest to `x`."""
def mju_copy(res: _Float64, vec: ArrayLike) -> None:
    """`res = vec`"""
def mju_copy3(res: _Float64, data: ArrayLike) -> None:
    """`res = data`, for vectors of length 3."""
def mju_copy4(res: _Float64, data: ArrayLike) -> None:
    """`res = data`, for vectors of length 4."""
def mju_cross(res: _Float64, a: ArrayLike, b: ArrayLike) -> None:
    """Cross product."""
def mju_d2n(res: _Float64, vec: ArrayLike) -> None:
    """Copy a vector of double precision."""
def mju_decodePyramid(force: _Float64, pyramid: ArrayLike, mu: ArrayLike) -> None:
    """The force of a contact from the forces of the edges of its pyramidal friction cone.

    As in MuJoCo's package the size of `mu` is taken for the dimension of the contact, which is one
    larger: the last friction coefficient and the last pair of edges are not used.
    """
def mju_dense2Band(res: _Float64, mat: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Take the band and the dense rows from the lower triangle of a dense matrix."""
def mju_dense2sparse(res: _Float64, mat: ArrayLike, rownnz: _Int32, rowadr: _Int32, colind: _Int32) -> int:
    """Write the elements of a matrix that are not zero, row by row; returns 1 if there is too little room."""
def mju_derivQuat(res: _Float64, quat: ArrayLike, vel: ArrayLike) -> None:
    """Time derivative of a quaternion that turns with an angular velocity."""
def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float:
    """Distance between two points."""
def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Dot product."""
def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Dot product of vectors of length 3."""
def mju_eig3(eigval: _Float64, eigvec: _Float64, quat: _Float64, mat: ArrayLike) -> int:
    """Eigenvalues in decreasing order, eigenvectors in the columns of `eigvec` and the same rotation as a
    quaternion, of a symmetric 3×3 matrix; returns the number of Jacobi rotations.
    """
def mju_encodePyramid(pyramid: _Float64, force: ArrayLike, mu: ArrayLike) -> None:
    """Forces of the edges of a pyramidal friction cone from the force of a contact.

    As in MuJoCo's package the size of `mu` is taken for the dimension of the contact, which is one
    larger: the last friction coefficient and the last pair of edges are not used.
    """
def mju_euler2Quat(quat: _Float64, euler: ArrayLike, seq: str) -> None:
    """The quaternion of Euler angles; lower-case letters of `seq` turn about moving axes."""
def mju_eye(mat: _Float64) -> None:
    """Write the identity matrix."""
def mju_f2n(res: _Float64, vec: ArrayLike) -> None:
    """Copy a vector of single precision to one of double precision."""
def mju_fill(res: _Float64, val: float) -> None:
    """Set all elements of a vector to a number."""
def mju_getXMLDependencies(filename: str) -> list[str]:
    """The files that a model needs: itself, what it includes and attaches, meshes, textures, height fields."""
def mju_insertionSort(list: _Float64) -> None:
    """Sort numbers in increasing order."""
def mju_insertionSortInt(list: _Int32) -> None:
    """Sort integers in increasing order."""
def mju_isBad(x: float) -> int:
    """Is the number not finite or too large for a simulation?"""
def mju_isZero(vec: ArrayLike) -> int:
    """Are all elements zero?"""
def mju_mat2Quat(quat: _Float64, mat: ArrayLike) -> None:
    """The quaternion of a rotation matrix."""
def mju_mat2Rot(quat: _Float64, mat: ArrayLike) -> int:
    """Extract the rotation of a 3×3 matrix, starting from `quat`; returns the number of iterations."""
def mju_max(a: float, b: float) -> float:
    """The larger of two numbers."""
def mju_min(a: float, b: float) -> float:
    """The smaller of two numbers."""
def mju_mulMatMat(res: _Float64, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1 mat2`"""
def mju_mulMatMatT(res: _Float64, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1 mat2ᵀ`"""
def mju_mulMatTMat(res: _Float64, mat1: ArrayLike, mat2: ArrayLike) -> None:
    """`res = mat1ᵀ mat2`"""
def mju_mulMatTVec(res: _Float64, mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = matᵀ vec`"""
def mju_mulMatTVec3(res: _Float64, mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = matᵀ vec` for a 3×3 matrix."""
def mju_mulMatVec(res: _Float64, mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat vec`"""
def mju_mulMatVec3(res: _Float64, mat: ArrayLike, vec: ArrayLike) -> None:
    """`res = mat vec` for a 3×3 matrix."""
def mju_mulPose(posres: _Float64, quatres: _Float64, pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None:
    """Product of two poses."""
def mju_mulQuat(res: _Float64, quat1: ArrayLike, quat2: ArrayLike) -> None:
    """Product of two quaternions."""
def mju_mulQuatAxis(res: _Float64, quat: ArrayLike, axis: ArrayLike) -> None:
    """Product of a quaternion and an axis."""
def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """`vec1ᵀ mat vec2`"""
def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Passive force of a muscle.

    The parameters are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
    """
def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float:
    """Rate of the activation of a muscle.

    The parameters are the time constants of activation and deactivation and the width of the change
    between them.
    """
def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Force of a muscle per unit of activation.

    The parameters are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
    """
def mju_n2d(res: _Float64, vec: ArrayLike) -> None:
    """Copy a vector of double precision."""
def mju_n2f(res: _Float32, vec: ArrayLike) -> None:
    """Copy a vector of double precision to one of single precision."""
def mju_negPose(posres: _Float64, quatres: _Float64, pos: ArrayLike, quat: ArrayLike) -> None:
    """The opposite pose."""
def mju_negQuat(res: _Float64, quat: ArrayLike) -> None:
    """The conjugate: the opposite rotation."""
def mju_norm(res: ArrayLike) -> float:
    """Length of a vector."""
def mju_norm3(vec: ArrayLike) -> float:
    """Length of a vector with 3 elements."""
def mju_normalize(res: _Float64) -> float:
    """Normalize a vector in place; returns its length before. A zero vector becomes (1, 0, 0, ...)."""
def mju_normalize3(vec: _Float64) -> float:
    """Normalize a vector of length 3 in place; returns its length before."""
def mju_normalize4(vec: _Float64) -> float:
    """Normalize a quaternion in place; returns its length before."""
def mju_printMat(mat: ArrayLike) -> None:
    """Print a matrix."""
def mju_printMatSparse(mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Print the elements of a sparse matrix, each with its row and column."""
def mju_quat2Mat(res: _Float64, quat: ArrayLike) -> None:
    """The rotation matrix of a quaternion."""
def mju_quat2Vel(res: _Float64, quat: ArrayLike, dt: float) -> None:
    """The angular velocity that makes this rotation in time `dt`."""
def mju_quatIntegrate(quat: _Float64, vel: ArrayLike, scale: float) -> None:
    """Turn a quaternion with an angular velocity for a time `scale`."""
def mju_quatZ2Vec(quat: _Float64, vec: ArrayLike) -> None:
    """The smallest rotation that takes the z axis to a direction."""
def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: int, normal: _Float64 | None = None) -> float:
    """Distance along a ray to a shape that is given by its sizes, -1 if it is missed."""
def mju_raySkin(nface: int, nvert: int, face: ArrayLike, vert: ArrayLike, pnt: ArrayLike, vec: ArrayLike, vertid: _Int32 | None) -> float:
    """Distance along a ray to triangles, -1 if they are missed, and the nearest vertex of the one that it meets. Unlike MuJoCo's,
    it takes all triangles and vertices: ``3*nface`` integers and ``3*nvert`` numbers.
    """
def mju_rotVecQuat(res: _Float64, vec: ArrayLike, quat: ArrayLike) -> None:
    """Rotate a vector by a quaternion."""
def mju_round(x: float) -> int:
    """The nearest integer; halves are rounded up."""
def mju_scl(res: _Float64, vec: ArrayLike, scl: float) -> None:
    """`res = vec * scl`"""
def mju_scl3(res: _Float64, vec: ArrayLike, scl: float) -> None:
    """`res = vec * scl`"""
def mju_sigmoid(x: float) -> float:
    """A smooth step from 0 at 0 to 1 at 1, with two vanishing derivatives at both ends."""
def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
def mju_sparse2dense(res: _Float64, mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Write a sparse matrix as a dense one."""
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position after time `dt` of a spring and damper that begin at `pos0` with velocity `vel0`."""
def mju_sqrMatTD(res: _Float64, mat: ArrayLike, diag: _Float64 | None) -> None:
    """`res = matᵀ diag mat`, without `diag` `res = matᵀ mat`."""
def mju_standardNormal(num2: float | None) -> float:
    """A random number with the standard normal distribution.

    MuJoCo draws from the ``rand`` of C, Ferrodyn from a generator of its own: the distribution is
    the same, the numbers are others. ``num2`` has no effect, in MuJoCo's package neither.
    """
def mju_str2Type(str: str) -> int:
    """The kind of object with a name, 0 for an unknown one."""
def mju_sub(res: _Float64, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 - vec2`"""
def mju_sub3(res: _Float64, vec1: ArrayLike, vec2: ArrayLike) -> None:
    """`res = vec1 - vec2`"""
def mju_subFrom(res: _Float64, vec: ArrayLike) -> None:
    """`res -= vec`"""
def mju_subFrom3(res: _Float64, vec: ArrayLike) -> None:
    """`res -= vec`"""
def mju_subQuat(res: _Float64, qa: ArrayLike, qb: ArrayLike) -> None:
    """The rotation from `qb` to `qa` as a vector in the frame of `qb`."""
def mju_sum(vec: ArrayLike) -> float:
    """Sum of the elements."""
def mju_symmetrize(res: _Float64, mat: ArrayLike) -> None:
    """`res = (mat + matᵀ) / 2`"""
def mju_transformSpatial(res: _Float64, vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike) -> None:
    """Express a spatial motion or force (rotation first) about another point and in other axes."""
def mju_transpose(res: _Float64, mat: ArrayLike) -> None:
    """`res = matᵀ`"""
def mju_trnVecPose(res: _Float64, pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None:
    """Move a point by a pose."""
def mju_type2Str(type: int) -> str | None:
    """Name of a kind of object, None for an unknown one."""
def mju_unit4(res: _Float64) -> None:
    """Write the identity quaternion."""
def mju_warningText(warning: int, info: int) -> str:
    """What a warning says; `info` is the number that it concerns."""
def mju_writeLog(type: str, msg: str) -> None:
    """Append a message with the time to ``MUJOCO_LOG.TXT``, if that can be written."""
def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes in words: `2048` is `2K`."""
def mju_zero(res: _Float64) -> None:
    """Set a vector to zero."""
def mju_zero3(res: _Float64) -> None:
    """Set a vector of length 3 to zero."""
def mju_zero4(res: _Float64) -> None:
    """Set a vector of length 4 to zero."""
def set_gain_model(callback: Callable[..., Any] | None) -> None:
    """Set the law `(id, length, velocity, activation, ctrl)` of user gains that returns the gain and its derivative by velocity, and False after them where it is the force; None clears it. An extension."""
def set_mjcb_act_bias(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d, id)` for user biases of actuators; None clears it."""
def set_mjcb_act_dyn(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d, id)` for user dynamics of actuators; None clears it."""
def set_mjcb_act_gain(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d, id)` for user gains of actuators; None clears it."""
def set_mjcb_contactfilter(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d, geom1, geom2)` that is true for geoms that shall not collide; None clears it."""
def set_mjcb_control(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d)` that sets controls; None clears it."""
def set_mjcb_passive(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d)` that adds to `qfrc_passive`; None clears it."""
def set_mjcb_sensor(callback: Callable[..., Any] | None) -> None:
    """Set the function `(m, d, stage)` that fills in user sensors; None clears it."""
def set_mjcb_time(callback: Callable[..., Any] | None) -> None:
    """Set the function `()` that tells the time. Nothing here measures time, so it is never called."""
def set_mju_user_warning(callback: Callable[..., Any] | None) -> None:
    """Set the function `(text)` that hears of the first warning of each kind of a world; None clears it."""
def from_zip(file: _Path | IO[bytes]) -> MjSpec:
    """Read a specification and its files from a zip archive: a path or an open file."""
def to_zip(spec: MjSpec, file: _Path | IO[bytes]) -> None:
    """Write a specification and its files in memory to a zip archive, or an open file."""
