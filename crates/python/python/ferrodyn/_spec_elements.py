"""The elements of a specification, under the names of MuJoCo's ``mjs`` structs."""

from . import _native
from ._enums import mjtGeom, mjtObj, mjtSensor, mjtWrap
from ._spec_actuator import MjsActuator
from ._spec_base import Classed, Element, MjsDefault, Placed, WithPlugin
from ._spec_fields import fields
from ._spec_sources import DefaultSource, FlexDefaultSource

# mesh shapes that are made from parameters
_BUILTIN = "none sphere hemisphere cone supersphere supertorus wedge plate".split()
# sizes of what a contact sensor and a rangefinder report
_CONTACT_DATA = (1, 3, 3, 1, 3, 3, 3)
_RAY_DATA = (1, 3, 3, 3, 3, 1)

_SENSOR_SIZES = {
    name: size
    for size, names in {
        0: "PLUGIN TACTILE",
        2: "CAMPROJECTION",
        3: "ACCELEROMETER VELOCIMETER GYRO FORCE TORQUE MAGNETOMETER BALLANGVEL FRAMEPOS"
        " FRAMEXAXIS FRAMEYAXIS FRAMEZAXIS FRAMELINVEL FRAMEANGVEL FRAMELINACC FRAMEANGACC"
        " SUBTREECOM SUBTREELINVEL SUBTREEANGMOM GEOMNORMAL",
        4: "BALLQUAT FRAMEQUAT",
        6: "GEOMFROMTO",
    }.items()
    for name in names.split()
}


class MjsFrame(Placed):
    """A frame."""

    __slots__ = ()
    _extra = ("name", "info", "childclass")

    @property
    def childclass(self):
        """The default class of what lies in it."""
        return self._native.childclass(self._kind, self._uid)

    @childclass.setter
    def childclass(self, value):
        self._native.set_class(self._kind, self._uid, value)

    def attach_body(self, body, prefix=None, suffix=None):
        """Attach a body, of this specification or another."""
        return self._spec._attach_part(self._kind, self._uid, body, prefix, suffix)


class MjsJoint(Classed, Placed):
    """A joint."""

    __slots__ = ()


class MjsGeom(Classed, Placed, WithPlugin):
    """A geom."""

    __slots__ = ()
    _extra = ("name", "info", "plugin")


class MjsSite(Classed, Placed):
    """A site."""

    __slots__ = ()

    def attach_body(self, body, prefix=None, suffix=None):
        """Attach a body at the pose of the site."""
        frame = self._native.frame_at_site(self._uid)
        return self._spec._attach_part(mjtObj.mjOBJ_FRAME, frame, body, prefix, suffix)


class MjsCamera(Classed, Placed):
    """A camera."""

    __slots__ = ()


class MjsLight(Classed, Placed):
    """A light."""

    __slots__ = ()


class MjsBody(Classed, Placed, WithPlugin):
    """A body."""

    __slots__ = ()
    _extra = ("name", "info", "plugin", "childclass", "explicitinertial")

    @property
    def childclass(self):
        """The name of the default class of what lies in it."""
        return self._native.class_of(self._kind, self._uid)

    @childclass.setter
    def childclass(self, value):
        self._native.set_class(self._kind, self._uid, value)

    @property
    def explicitinertial(self):
        """Whether the inertia is written to text; it is wherever it is stated."""
        return int(self.ipos[0] == self.ipos[0])

    @explicitinertial.setter
    def explicitinertial(self, value):
        pass

    def add_freejoint(self, **kwargs):
        """Add a joint that lets the body move freely: ``align``, ``group`` and ``name``."""
        for key in kwargs:
            if key not in ("align", "group", "name"):
                raise TypeError(
                    f"Invalid {key} keyword argument. Valid options are: align, group, name."
                )
        joint = self._spec._element("joint", self._native.add_freejoint(self._uid))
        for key, value in kwargs.items():
            try:
                setattr(joint, key, value)
            except TypeError:
                raise ValueError(f"{key} is the wrong type.") from None
        return joint

    def attach_frame(self, frame, prefix=None, suffix=None):
        """Attach a frame, of this specification or another."""
        return self._spec._attach_part(self._kind, self._uid, frame, prefix, suffix)

    def to_frame(self):
        """Turn the body into a frame of its parent."""
        return self._spec._element("frame", self._native.body_to_frame(self._uid))

    def find_all(self, type):
        """All elements of a type in the body and below it: an ``mjtObj``, or its name."""
        supported = "body frame geom site joint light camera".split()
        name = type if isinstance(type, str) else mjtObj(type).name.removeprefix("mjOBJ_").lower()
        if name not in supported:
            raise ValueError(
                "body.find_all supports the types: body, frame, geom, site, joint, light, camera."
            )
        return self._inside(name, True)

    def find_child(self, name):
        """The body with a name below this one."""
        return next((b for b in self._inside("body", True) if b.name == name), None)

    def _inside(self, name, recursive):
        kind = ELEMENTS[name]._kind
        uids = self._native.inside(kind, self._uid, recursive)
        return [self._spec._element(name, uid) for uid in uids]


class MjsMesh(Classed, WithPlugin):
    """A mesh."""

    __slots__ = ()
    _extra = ("name", "info", "plugin")

    def _make(self, shape, *params):
        native, kind, uid = self._native, self._kind, self._uid
        native.set(kind, uid, "builtin", _BUILTIN.index(shape))
        native.set(kind, uid, "params", [float(x) for x in params])

    def make_wedge(self, resolution=(0, 0), fov=(0, 0), gamma=0):
        """Become a part of a sphere, seen from its centre."""
        self._make("wedge", *resolution, *fov, gamma)

    def make_sphere(self, subdivision):
        """Become a subdivided icosahedron."""
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution):
        """Become half a sphere."""
        self._make("hemisphere", resolution)

    def make_cone(self, nedge, radius):
        """Become a cone, or a truncated one."""
        self._make("cone", nedge, radius)

    def make_supersphere(self, resolution, e, n):
        """Become a superquadric ellipsoid."""
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution, radius, s, t):
        """Become a superquadric torus."""
        self._make("supertorus", resolution, radius, s, t)

    def make_plate(self, resolution=(0, 0)):
        """Become a rectangular grid."""
        self._make("plate", *resolution)


class MjsSkin(Element):
    """A skin."""

    __slots__ = ()


class MjsHField(Element):
    """A height field."""

    __slots__ = ()


class MjsTexture(Element):
    """A texture."""

    __slots__ = ()


class MjsMaterial(Classed):
    """A material."""

    __slots__ = ()


class MjsPair(Classed):
    """A contact pair."""

    __slots__ = ()


class MjsExclude(Element):
    """Two bodies without contacts."""

    __slots__ = ()


class MjsFlex(Element):
    """A flex."""

    __slots__ = ()


class MjsEquality(Classed):
    """An equality constraint."""

    __slots__ = ()


class MjsWrap:
    """One part of the path of a tendon."""

    __slots__ = ("_tendon", "_index")

    def __init__(self, tendon, index):
        self._tendon, self._index = tendon, index

    def __eq__(self, other):
        if not isinstance(other, MjsWrap):
            return NotImplemented
        return self._tendon is other._tendon and self._index == other._index

    def __hash__(self):
        return hash((id(self._tendon), self._index))

    def _part(self):
        return _native.spec_path(self._tendon._native, self._tendon._uid)[self._index]

    @property
    def type(self):
        """What the tendon passes: the kind of a geom is found out here."""
        kind = self._part()[0]
        if kind == mjtWrap.mjWRAP_SPHERE:
            geom = self.target
            if geom is not None and geom.type == mjtGeom.mjGEOM_CYLINDER:
                kind = mjtWrap.mjWRAP_CYLINDER
        return mjtWrap(kind)

    @property
    def target(self):
        """The joint, site or geom; None for a pulley."""
        kind, name, _, _ = self._part()
        what = {1: "joint", 3: "site", 4: "geom"}.get(kind)
        return None if what is None else getattr(self._tendon._spec, what)(name)

    @property
    def sidesite(self):
        """The site on the side that the tendon prefers, if there is one."""
        return self._tendon._spec.site(self._part()[2])

    @property
    def divisor(self):
        """What a pulley divides by; None for others."""
        kind, _, _, number = self._part()
        return number if kind == 2 else None

    @property
    def coef(self):
        """The factor of a joint; None for others."""
        kind, _, _, number = self._part()
        return number if kind == 1 else None

    @property
    def info(self):
        """What is told in errors."""
        return ""


class MjsTendonPath:
    """The path of a tendon."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self):
        return len(_native.spec_path(self._tendon._native, self._tendon._uid))

    def __getitem__(self, i):
        if not 0 <= i < len(self):
            raise IndexError("Index out of range.")
        return MjsWrap(self._tendon, i)


class MjsTendon(Element):
    """A tendon."""

    __slots__ = ()

    def default(self):
        """The default class."""
        return MjsDefault(self._spec, self._native.class_of(self._kind, self._uid))

    @property
    def path(self):
        """What the tendon passes."""
        return MjsTendonPath(self)

    def _wrap(self, kind, name="", sidesite="", number=0.0):
        _native.spec_wrap(self._native, self._uid, kind, name, sidesite, number)
        return MjsWrap(self, len(self.path) - 1)

    def wrap_site(self, name):
        """Go on to a site."""
        return self._wrap(3, name)

    def wrap_geom(self, name, sidesite):
        """Wrap around a geom."""
        return self._wrap(4, name, sidesite)

    def wrap_joint(self, name, coef):
        """Add a joint with its factor."""
        return self._wrap(1, name, number=float(coef))

    def wrap_pulley(self, divisor):
        """Go through a pulley."""
        return self._wrap(2, number=float(divisor))


class MjsSensor(Element, WithPlugin):
    """A sensor."""

    __slots__ = ()
    _extra = ("name", "info", "plugin")

    def get_data_size(self):
        """How many numbers the sensor reports; those of meshes are known to the compiler only."""
        kind, (bits, _, count) = self.type, self.intprm.tolist()

        def reported(sizes):
            return sum(size for i, size in enumerate(sizes) if bits & (1 << i))

        if kind == mjtSensor.mjSENS_CONTACT:
            return count * reported(_CONTACT_DATA)
        if kind == mjtSensor.mjSENS_RANGEFINDER:
            rays = 1
            if self.objtype == mjtObj.mjOBJ_CAMERA:
                rays = int(self._spec.camera(self.objname).resolution.prod())
            return rays * reported(_RAY_DATA)
        if kind == mjtSensor.mjSENS_USER:
            return self.dim
        return _SENSOR_SIZES.get(kind.name.removeprefix("mjSENS_"), 1)


class MjsNumeric(Element):
    """Custom numbers."""

    __slots__ = ()


class MjsText(Element):
    """A custom text."""

    __slots__ = ()


class MjsTuple(Element):
    """A tuple of objects."""

    __slots__ = ()


class MjsKey(Element):
    """A keyframe."""

    __slots__ = ()


class MjsPlugin(Element):
    """An instance of a plugin."""

    __slots__ = ()
    _extra = ("name", "info", "active", "config")

    @property
    def active(self):
        """Whether the instance is in use."""
        return self._spec._active.get(self._uid, 0)

    @active.setter
    def active(self, value):
        self._spec._active[self._uid] = int(value)

    @property
    def config(self):
        """The configuration: a copy, which is assigned to change it."""
        return dict(self._source.get("@instance.config"))

    @config.setter
    def config(self, value):
        self._source.set("@instance.config", {str(k): str(v) for k, v in value.items()})


def _default_member(name):
    def get(self):
        element = ELEMENTS[name]
        source = FlexDefaultSource if name == "flex" else DefaultSource
        return element(source(self._spec, self._class, element._kind))

    return property(get, doc=f"What elements of the type ``{name}`` start from.")


# name of the type in functions: class, kind, name of the list
ELEMENTS = {
    "body": MjsBody,
    "frame": MjsFrame,
    "joint": MjsJoint,
    "geom": MjsGeom,
    "site": MjsSite,
    "camera": MjsCamera,
    "light": MjsLight,
    "flex": MjsFlex,
    "mesh": MjsMesh,
    "skin": MjsSkin,
    "hfield": MjsHField,
    "texture": MjsTexture,
    "material": MjsMaterial,
    "pair": MjsPair,
    "exclude": MjsExclude,
    "equality": MjsEquality,
    "tendon": MjsTendon,
    "actuator": MjsActuator,
    "sensor": MjsSensor,
    "numeric": MjsNumeric,
    "text": MjsText,
    "tuple": MjsTuple,
    "key": MjsKey,
    "plugin": MjsPlugin,
}
TREE = ("body", "site", "geom", "joint", "camera", "frame", "light")


def _set_up():
    for name, element in ELEMENTS.items():
        element._kind = mjtObj[f"mjOBJ_{name.upper()}"]
        element._spec_name = name
        element._fields = fields(name)
        for field in element._fields.values():
            setattr(element, field.name, field)
    with_default = "joint geom site camera light flex mesh material pair equality tendon actuator"
    for name in with_default.split():
        setattr(MjsDefault, name, _default_member(name))


_set_up()
