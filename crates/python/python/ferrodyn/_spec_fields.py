"""Attributes of the elements of a specification: MuJoCo's name, its type, and where it is kept.

A line of a table reads ``name type [field]``. The type is a letter, with a length for arrays:
``i`` integer, ``d`` number, ``s`` text, ``b`` bytes, ``d3`` ``f4`` ``i2`` arrays, ``D`` ``F``
``I`` ``S`` ``C`` lists of numbers, integers, texts and characters, ``FF`` ``II`` lists of lists,
``o`` an orientation, or the name of an enumeration. The field is the name in the model language, where that is another one; names with
``@`` belong to a group of attributes that are written together, and ``#`` is an array that nothing
but the program reads.
"""

from operator import index

import numpy as np

from . import _enums
from ._spec_arrays import MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

_DTYPES = {"d": np.float64, "f": np.float32, "i": np.int32}
_VECTORS = {
    "D": (MjDoubleVec, float),
    "F": (MjFloatVec, float),
    "I": (MjIntVec, index),
    "S": (MjStringVec, str),
    "C": (MjCharVec, str),
}

# texts of fixed length
_CHARACTERS = {"gridlayout": 12, "eulerseq": 3}

_POSE = "pos d3|quat d4|alt o"

TABLES = {
    "body": f"""{_POSE}|mass d inertial.mass|ipos d3 inertial.pos|iquat d4 inertial.quat
        inertia d3 inertial.diaginertia|ialt o inertial.alt|fullinertia d6 inertial.fullinertia
        mocap i|gravcomp d|sleep mjtSleepPolicy|userdata D user""",
    "frame": _POSE,
    "joint": """type mjtJoint kind|pos d3|axis d3|ref d reference|align i|stiffness d|springref d
        springdamper d2|limited i|range d2|margin d|solref_limit d2 solreflimit
        solimp_limit d5 solimplimit|actfrclimited i actuatorfrclimited
        actfrcrange d2 actuatorfrcrange|armature d|damping d|frictionloss d
        solref_friction d2 solreffriction|solimp_friction d5 solimpfriction|group i
        actgravcomp i actuatorgravcomp|userdata D user""",
    "geom": f"""type mjtGeom kind|{_POSE}|fromto d6|size d3|contype i|conaffinity i|condim i
        priority i|friction d3|solmix d|solref d2|solimp d5|margin d|gap d|mass d|density d
        typeinertia mjtGeomInertia shellinertia|fluid_ellipsoid n fluidshape
        fluid_coefs d5 fluidcoef|material s|rgba f4|group i|hfieldname s hfield|meshname s mesh
        fitscale d|userdata D user""",
    "site": f"""{_POSE}|fromto d6|size d3|type mjtGeom kind|material s|group i|rgba f4
        userdata D user""",
    "camera": f"""{_POSE}|mode mjtCamLight|targetbody s target|proj mjtProjection projection
        resolution i2|output i|fovy d|ipd d|sensor_size f2 sensorsize|focal_length f2 focal
        focal_pixel f2 focalpixel|principal_length f2 principal|principal_pixel f2 principalpixel
        intrinsic f4 #|userdata D user""",
    "light": """pos d3|dir d3|mode mjtCamLight|targetbody s target|active i|type mjtLightType kind
        texture s|castshadow i|bulbradius d|intensity d|range d|attenuation f3|cutoff d|exponent d
        ambient f3|diffuse f3|specular f3""",
    "flex": """contype i|conaffinity i|condim i|priority i|friction d3|solmix d|solref d2|solimp d5
        margin d|gap d|dim i|radius d|size d3 #|internal i|flatskin i|selfcollide i|vertcollide i
        passive i|activelayers i|group i|edgestiffness d|edgedamping d|rgba f4|material s|young d
        poisson d|damping d|thickness d|elastic2d i|nodebody S node|vertbody S body|node D nodepos
        vert D vertex|elem I element|texcoord F|elemtexcoord I
        bending_model i|bend_stiffness d|bend_damping d|elasticity_model i""",
    "mesh": """content_type s|file s|refpos d3|refquat d4|scale d3|inertia mjtMeshInertia
        smoothnormal i|maxhullvert i|uservert F vertex|usernormal F normal|usertexcoord F texcoord
        userface I face|userfacenormal I facenormal|userfacetexcoord I facetexcoord|needsdf i
        material s""",
    "skin": """file s|material s|rgba f4|inflate d|group i|vert F vertex|texcoord F|face I
        bodyname S|bindpos F|bindquat F|vertid II|vertweight FF""",
    "hfield": """content_type s|file s|size d4|nrow i @hfield.nrow|ncol i @hfield.ncol
        userdata F @hfield.userdata""",
    "texture": """type mjtTexture kind|colorspace mjtColorSpace|builtin i|mark i|rgb1 d3|rgb2 d3
        markrgb d3|random d|height i|width i|nchannel i|content_type s|file s|gridsize i2
        gridlayout C|cubefiles S @cube.files|data b|hflip i|vflip i""",
    "material": """textures S @textures.names|texuniform i|texrepeat f2|emission d|specular d
        shininess d|reflectance d|metallic d|roughness d|rgba f4""",
    "pair": """geomname1 s geom1|geomname2 s geom2|condim i|solref d2|solreffriction d2|solimp d5
        margin d|gap d|friction d5""",
    "exclude": "bodyname1 s body1|bodyname2 s body2",
    "equality": """type mjtEq @equality.type|data d11 @equality.data|active i
        name1 s @equality.name1|name2 s @equality.name2|objtype mjtObj @equality.objtype
        solref d2|solimp d5""",
    "tendon": """stiffness d|springlength d2|damping d|frictionloss d
        solref_friction d2 solreffriction|solimp_friction d5 solimpfriction|armature d|limited i
        actfrclimited i actuatorfrclimited|range d2|actfrcrange d2 actuatorfrcrange|margin d
        solref_limit d2 solreflimit|solimp_limit d5 solimplimit|material s|width d|rgba f4|group i
        userdata D user""",
    "actuator": """gaintype mjtGain|gainprm d10|biastype mjtBias|biasprm d10|dyntype mjtDyn
        dynprm d10|actdim i|actearly i|trntype mjtTrn @trn.type|gear d6|target s @trn.target
        refsite s @trn.refsite|slidersite s @trn.slidersite|cranklength d|lengthrange d2
        inheritrange d|ctrllimited i|ctrlrange d2|forcelimited i|forcerange d2|actlimited i
        actrange d2|group i|nsample i|interp i|delay d|userdata D user""",
    "sensor": """type mjtSensor @sensor.type|objtype mjtObj @sensor.objtype
        objname s @sensor.objname|reftype mjtObj @sensor.reftype|refname s @sensor.refname
        intprm i3 @sensor.intprm|datatype mjtDataType|needstage mjtStage|dim i|cutoff d|noise d
        nsample i|interp i|delay d|interval d2|userdata D user""",
    "numeric": "data D|size i",
    "text": "data s",
    "tuple": "objtype I @tuple.objtype|objname S @tuple.objname|objprm D @tuple.objprm",
    "key": "time d|qpos D|qvel D|act D|mpos D|mquat D|ctrl D",
    "plugin": "plugin_name s @instance.plugin_name",
    "compiler": """autolimits i|boundmass d|boundinertia d|settotalmass d|balanceinertia i|fitaabb i
        degree i angle|eulerseq C|discardvisual i|usethread i|fusestatic i|inertiafromgeom i
        inertiagrouprange i2|saveinertial i|alignfree i|meshdir s|texturedir s""",
    "lengthrange": """mode i|useexisting i|uselimit i|accel d|maxforce d|timeconst d|timestep d
        inttotal d|interval d|tolrange d""",
    "statistic": "meaninertia d|meanmass d|meansize d|extent d|center d3",
}


class Field:
    """An attribute: reads and writes through the source of its owner."""

    def __init__(self, name, kind, field):
        self.name, self.kind, self.field = name, kind, field
        self.__doc__ = f"The attribute ``{name}``."

    def wrong(self, value):
        return TypeError(f"{self.name} cannot be {value!r}")

    def __get__(self, owner, _cls=None):
        return self if owner is None else self.read(owner)

    def __set__(self, owner, value):
        self.write(owner, value)

    def read(self, owner):
        return owner._source.get(self.field)

    def write(self, owner, value):
        owner._source.set(self.field, self.convert(value))

    def start(self, owner, value):
        """Write the value of a keyword argument."""
        self.write(owner, value)

    def convert(self, value):
        return value


class IntField(Field):
    """An integer."""

    def convert(self, value):
        if isinstance(value, np.bool_):
            value = bool(value)
        return index(value)


class RealField(Field):
    """A number."""

    def convert(self, value):
        number = hasattr(value, "__float__") or hasattr(value, "__index__")
        if not number or isinstance(value, str):
            raise self.wrong(value)
        return float(value)


class FlagField(RealField):
    """A number that is a switch."""

    def read(self, owner):
        return float(super().read(owner))

    def convert(self, value):
        return int(super().convert(value) > 0)


class TextField(Field):
    """A text."""

    def convert(self, value):
        if not isinstance(value, (str, bytes)):
            raise self.wrong(value)
        return value if isinstance(value, str) else value.decode()


class BytesField(Field):
    """Bytes."""

    def read(self, owner):
        return owner._source.get(self.field) or owner._spec._textures.get(owner._uid, b"")

    def convert(self, value):
        if not isinstance(value, (bytes, bytearray)):
            raise self.wrong(value)
        return bytes(value)

    def start(self, owner, value):
        self.write(owner, bytes(value))


class EnumField(IntField):
    """A member of an enumeration."""

    def read(self, owner):
        return getattr(_enums, self.kind)(super().read(owner))

    def convert(self, value):
        return int(getattr(_enums, self.kind)(super().convert(value)))


class ArrayField(Field):
    """An array of fixed length."""

    def read(self, owner):
        source, dtype, size = owner._source, _DTYPES[self.kind[0]], int(self.kind[1:])

        def contents():
            values = list(source.get(self.field))
            return values + [0] * (size - len(values))

        return source.arrays.get(
            (source.key, self.name), contents, lambda values: source.set(self.field, values), dtype
        )

    def _values(self, value):
        try:
            return np.asarray(value, _DTYPES[self.kind[0]]).ravel()
        except (TypeError, ValueError):
            raise self.wrong(value) from None

    def write(self, owner, value):
        values, size = self._values(value), int(self.kind[1:])
        if values.size != size:
            raise TypeError(f"{self.name} should have {size} elements, not {values.size}")
        self._assign(owner, values)

    def start(self, owner, value):
        values, size = self._values(value), int(self.kind[1:])
        if self.name == "size" and 0 < values.size < size:
            values = np.concatenate([values, np.zeros(size - values.size)])
        if values.size != size:
            sizes = "1, 2, or 3" if self.name == "size" and size == 3 else size
            raise ValueError(f"{self.name} should be a list/array of size {sizes}.")
        self._assign(owner, values)

    def _assign(self, owner, values):
        source = owner._source
        source.set(self.field, values.tolist())
        source.arrays.assign((source.key, self.name), values)


class FreeArrayField(ArrayField):
    """An array that nothing but the program reads."""

    def read(self, owner):
        source = owner._source
        key = (source.key, self.name)
        size = int(self.kind[1:])
        return source.raw.setdefault(key, np.zeros(size, _DTYPES[self.kind[0]]))

    def _assign(self, owner, values):
        self.read(owner)[:] = values


class VectorField(Field):
    """A list of any length."""

    def read(self, owner):
        vector, kind = _VECTORS[self.kind]
        source = owner._source
        return vector(source.get(self.field), lambda values: self._store(source, values), kind)

    def _store(self, source, values):
        source.set(self.field, "".join(values) if self.kind == "C" else list(values))

    def write(self, owner, value):
        kind = _VECTORS[self.kind][1]
        if self.kind in "SC":
            values = [str(x) for x in value]
            size = _CHARACTERS.get(self.name)
            if size is not None and any(len(x) != 1 for x in values):
                raise ValueError(f"{self.name}: list elements must be single characters")
            if size is not None and len(values) != size:
                raise ValueError(f"{self.name} should have length {size}, not {len(values)}")
        else:
            try:
                values = [kind(x) for x in np.asarray(value).ravel().tolist()]
            except (TypeError, ValueError):
                raise self.wrong(value) from None
        self._store(owner._source, values)


class NestedField(Field):
    """A list of lists, which is a copy."""

    def convert(self, value):
        kind = _VECTORS[self.kind[0]][1]
        try:
            return [[kind(x) for x in part] for part in value]
        except (TypeError, ValueError):
            raise self.wrong(value) from None


_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")
_LENGTHS = (4, 6, 3, 3)


class MjsOrientation:
    """An orientation in another form than a quaternion (``body.alt``).

    Each form keeps its numbers; ``type`` says which of them is in effect.
    """

    __slots__ = ("_source", "_field")

    def __init__(self, source, field):
        self._source, self._field = source, field

    def _numbers(self, kind):
        current, values = self._source.orientation(self._field) or (0, [])
        if current == kind:
            return list(values)
        size = _LENGTHS[kind - 1]
        return self._source.raw.get((self._source.key, self._field, kind), [0.0] * size)

    def _write(self, kind, values):
        self._source.raw[self._source.key, self._field, kind] = values
        if self.type == kind:
            self._source.set(self._field, (kind, values))

    @property
    def type(self):
        """Which form is in effect."""
        return _enums.mjtOrientation((self._source.orientation(self._field) or (0, []))[0])

    @type.setter
    def type(self, value):
        kind = int(_enums.mjtOrientation(index(value)))
        self._source.arrays.flush()
        self._source.set(self._field, (kind, self._numbers(kind)) if kind else None)


def _form(kind, name, size):
    def read(self):
        key = (self._source.key, f"{self._field}.{name}")
        return self._source.arrays.get(
            key, lambda: self._numbers(kind), lambda values: self._write(kind, values), np.float64
        )

    def write(self, value):
        values = np.asarray(value, np.float64).ravel()
        if values.size != size:
            raise TypeError(f"{name} should have {size} elements, not {values.size}")
        self._write(kind, values.tolist())
        self._source.arrays.assign((self._source.key, f"{self._field}.{name}"), values)

    return property(read, write, doc=f"The orientation as ``{name}``.")


for _i, (_name, _size) in enumerate(zip(_ORIENTATIONS, _LENGTHS)):
    setattr(MjsOrientation, _name, _form(_i + 1, _name, _size))


class OrientationField(Field):
    """An orientation in another form."""

    def read(self, owner):
        return MjsOrientation(owner._source, self.field)

    def write(self, owner, value):
        if not isinstance(value, MjsOrientation):
            raise self.wrong(value)
        kind = int(value.type)
        owner._source.set(self.field, (kind, value._numbers(kind)) if kind else None)


def _field(line):
    name, kind, *rest = line.split()
    field = rest[0] if rest else name
    if kind.startswith("mjt"):
        return EnumField(name, kind, field)
    if field == "#":
        return FreeArrayField(name, kind, field)
    if kind in ("FF", "II"):
        return NestedField(name, kind, field)
    if len(kind) > 1:
        return ArrayField(name, kind, field)
    if kind in _VECTORS:
        return VectorField(name, kind, field)
    simple = {
        "i": IntField,
        "d": RealField,
        "n": FlagField,
        "s": TextField,
        "b": BytesField,
        "o": OrientationField,
    }
    return simple[kind](name, kind, field)


def fields(table):
    """The attributes of a table, by name."""
    lines = (part.strip() for line in TABLES[table].splitlines() for part in line.split("|"))
    return {field.name: field for field in map(_field, filter(None, lines))}
