"""MuJoCo's enumerations, one class each."""

from enum import IntEnum

from . import _native

# the members that MuJoCo adds to count the others
_COUNTS = {
    "mjtCamOutBit": ("mjNCAMOUT", 5),
    "mjtConDataField": ("mjNCONDATA", 7),
    "mjtDisableBit": ("mjNDISABLE", 19),
    "mjtEnableBit": ("mjNENABLE", 6),
    "mjtFrame": ("mjNFRAME", 8),
    "mjtGeom": ("mjNGEOMTYPES", 9),
    "mjtItem": ("mjNITEM", 14),
    "mjtLabel": ("mjNLABEL", 17),
    "mjtObj": ("mjNOBJECT", 26),
    "mjtRayDataField": ("mjNRAYDATA", 6),
    "mjtRndFlag": ("mjNRNDFLAG", 11),
    "mjtState": ("mjNSTATE", 14),
    "mjtTextureRole": ("mjNTEXROLE", 10),
    "mjtTimer": ("mjNTIMER", 15),
    "mjtVisFlag": ("mjNVISFLAG", 31),
    "mjtWarning": ("mjNWARNING", 8),
}


class _MjEnum(IntEnum):
    """An integer that prints as ``mjtObj.mjOBJ_BODY``."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec):
        return format(int(self), spec) if spec else str(self)


# enumerations that models do not hold: the prefix of the members and their names, numbered from 0
# where no number is given; first those of the model language
_OTHERS = {
    "mjtGeomInertia": "INERTIA VOLUME SHELL",
    "mjtMeshInertia": "MESH_INERTIA CONVEX EXACT LEGACY SHELL",
    "mjtMeshBuiltin": "MESH_BUILTIN NONE SPHERE HEMISPHERE CONE SUPERSPHERE SUPERTORUS WEDGE PLATE",
    "mjtBuiltin": "BUILTIN NONE GRADIENT CHECKER FLAT",
    "mjtMark": "MARK NONE EDGE CROSS RANDOM",
    "mjtLimited": "LIMITED FALSE TRUE AUTO",
    "mjtAlignFree": "ALIGNFREE FALSE TRUE AUTO",
    "mjtInertiaFromGeom": "INERTIAFROMGEOM FALSE TRUE AUTO",
    "mjtOrientation": "ORIENTATION QUAT AXISANGLE XYAXES ZAXIS EULER",
    "mjtLRMode": "LRMODE NONE MUSCLE MUSCLEUSER ALL",
    "mjtConDataField": "CONDATA FOUND FORCE TORQUE DIST POS NORMAL TANGENT",
    "mjtRayDataField": "RAYDATA DIST DIR ORIGIN POINT NORMAL DEPTH",
    "mjtFlexSelf": "FLEXSELF NONE NARROW BVH SAP AUTO",
    "mjtSDFType": "SDFTYPE SINGLE INTERSECTION MIDSURFACE COLLISION",
    "mjtPluginCapabilityBit": "PLUGIN ACTUATOR=1 SENSOR=2 PASSIVE=4 SDF=8",
    "mjtTaskStatus": "TASK NEW QUEUED COMPLETED",
    "mjtTimer": "TIMER STEP FORWARD INVERSE POSITION VELOCITY ACTUATION CONSTRAINT ADVANCE "
    "POS_KINEMATICS POS_INERTIA POS_COLLISION POS_MAKE POS_PROJECT COL_BROAD COL_NARROW",
    # of programs that draw
    "mjtCatBit": "CAT STATIC=1 DYNAMIC=2 DECOR=4 ALL=7",
    "mjtMouse": "MOUSE NONE ROTATE_V ROTATE_H MOVE_V MOVE_H ZOOM MOVE_V_REL MOVE_H_REL",
    "mjtPertBit": "PERT TRANSLATE=1 ROTATE=2",
    "mjtCamera": "CAMERA FREE TRACKING FIXED USER",
    "mjtLabel": "LABEL NONE BODY JOINT GEOM SITE CAMERA LIGHT TENDON ACTUATOR CONSTRAINT FLEX SKIN "
    "SELECTION SELPNT CONTACTPOINT CONTACTFORCE ISLAND",
    "mjtFrame": "FRAME NONE BODY GEOM SITE CAMERA LIGHT CONTACT WORLD",
    "mjtVisFlag": "VIS CONVEXHULL TEXTURE JOINT CAMERA ACTUATOR ACTIVATION LIGHT TENDON "
    "RANGEFINDER CONSTRAINT INERTIA SCLINERTIA PERTFORCE PERTOBJ CONTACTPOINT ISLAND CONTACTFORCE "
    "CONTACTSPLIT TRANSPARENT AUTOCONNECT COM SELECT STATIC SKIN FLEXVERT FLEXEDGE FLEXFACE FLEXSKIN BODYBVH "
    "MESHBVH SDFITER",
    "mjtRndFlag": "RND SHADOW WIREFRAME REFLECTION ADDITIVE SKYBOX FOG HAZE DEPTH SEGMENT IDCOLOR "
    "CULL_FACE",
    "mjtStereo": "STEREO NONE QUADBUFFERED SIDEBYSIDE",
    "mjtGridPos": "GRID TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT TOP BOTTOM LEFT RIGHT",
    "mjtFramebuffer": "FB WINDOW OFFSCREEN",
    "mjtDepthMap": "DEPTH ZERONEAR ZEROFAR",
    "mjtFontScale": "FONTSCALE 50=50 100=100 150=150 200=200 250=250 300=300",
    "mjtFont": "FONT NORMAL SHADOW BIG",
    "mjtButton": "BUTTON NONE LEFT RIGHT MIDDLE",
    "mjtEvent": "EVENT NONE MOVE PRESS RELEASE SCROLL KEY RESIZE REDRAW FILESDROP",
    "mjtItem": "ITEM END=-2 SECTION SEPARATOR STATIC BUTTON CHECKINT CHECKBYTE RADIO RADIOLINE "
    "SELECT SLIDERINT SLIDERNUM EDITINT EDITNUM EDITFLOAT EDITTXT",
    "mjtSection": "SECT CLOSED OPEN FIXED",
}


def _members_of(text):
    prefix, *items = text.split()
    members, number = {}, 0
    for item in items:
        name, _, value = item.partition("=")
        number = int(value) if value else number
        members[f"mj{prefix}_{name}"] = number
        number += 1
    return members


__all__ = []
_ALL = _native.enums() | {name: _members_of(text) for name, text in _OTHERS.items()}
for _name, _members in _ALL.items():
    if _name in _COUNTS:
        _count, _value = _COUNTS[_name]
        _members[_count] = _value
    globals()[_name] = _MjEnum(_name, _members, module="ferrodyn")
    __all__.append(_name)
