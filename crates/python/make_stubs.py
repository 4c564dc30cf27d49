"""Write the type stubs of the package, `python/ferrodyn/__init__.pyi`, from its own tables.

Run it after a change of the tables or functions, with the package installed:

    python make_stubs.py
"""

import inspect
from pathlib import Path

import ferrodyn
from ferrodyn import _constants, _data, _enums, _functions, _lists, _model, _native, _settings
from ferrodyn import _spec_arrays, _spec_elements, _spec_fields

STUBS = Path(__file__).parent / "python" / "ferrodyn" / "__init__.pyi"

HEADER = '''"""Type stubs, written by make_stubs.py."""

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
'''

ARRAY_TYPES = {
    "float64": "_Float64",
    "float32": "_Float32",
    "int64": "_Int64",
    "uint64": "_UInt64",
    "int32": "_Int32",
    "uint8": "_UInt8",
}

# types of the parameters of functions by name, and where a function uses a name otherwise
PARAMETERS = {
    name: kind
    for kind, names in {
        "MjModel": "m",
        "MjData": "d dest src",
        "MjContact": "con",
        "MjVisual": "vis",
        "Any": "cache",
        "Callable[..., Any] | None": "callback",
        "int": "nstep key k sig srcsig dstsig type id body geom site objtype objid flg_acc "
        "flex_layer flg_vert flg_edge flg_face flg_skin flexid "
        "flg_local flg_force flg_static bodyexclude geomtype nray geom1 geom2 interp skipstage "
        "skipsensor flg_coneHessian flg_centered flg_actuation debug_value sameframe index N "
        "i ntotal nband ndense nvec flg_sym flg_plus base warning info nbytes",
        "float": "dt angle scale scl val newmass mindiag x min max a b "
        "cutoff distmax time phase eps solref solimp "
        "diagadd diagmul len acc0 ctrl act pos0 vel0 Kp Kv",
        "float | None": "num2",
        "bool": "flg_html flg_pad",
        "MjSpec": "spec",
        "_Path | IO[bytes]": "file",
        "str": "name seq str filename float_format path directory msg",
        "_Float64": "res result dst qfrc_target posres quatres dist xpos xmat Dquat Dvel Dscale "
        "R eigval eigvec list",
        "_Float64 | None": "jacp jacr jacPoint jacAxis normal fromto cost A B C D diag DfDq DfDv "
        "DfDa DsDq DsDv DsDa DmDq Da Db",
        "_Int32": "rownnz rowadr colind",
        "ArrayLike | None": "geomgroup times lower upper",
        "ArrayLike": "M vec vec1 vec2 mat mat1 mat2 quat quat1 quat2 qa qb qpos qpos1 qpos2 qvel "
        "pos pos1 pos2 newpos oldpos rotnew2old point axis force torque state euler vel data y "
        "pnt size values jar sqrtInvD lengthrange prm pyramid mu H g",
    }.items()
    for name in names.split()
}
SPECIAL_PARAMETERS = {
    "mj_getState": {"state": "_Float64"},
    "mj_extractState": {"src": "ArrayLike"},
    "mj_copyState": {"dst": "MjData"},
    "mj_integratePos": {"qpos": "_Float64"},
    "mj_normalizeQuat": {"qpos": "_Float64"},
    "mj_differentiatePos": {"qvel": "_Float64"},
    "mj_solveM": {"x": "_Float64"},
    "mj_solveM2": {"x": "_Float64"},
    "mj_angmomMat": {"mat": "_Float64"},
    "mj_defaultLROpt": {"opt": "MjLROpt"},
    "mj_defaultOption": {"opt": "MjOption"},
    "mj_setLengthRange": {"opt": "MjLROpt"},
    "mj_setCacheCapacity": {"size": "int"},
    "mj_ray": {"geomid": "_Int32 | None"},
    "mj_multiRay": {"geomid": "_Int32"},
    "mj_rayFlex": {"vertid": "_Int32 | None"},
    "mj_rayMesh": {"geomid": "int"},
    "mj_rayHfield": {"geomid": "int"},
    "mj_saveModel": {"filename": "_Path | None", "buffer": "_UInt8 | None"},
    "mju_mat2Quat": {"quat": "_Float64"},
    "mju_mat2Rot": {"quat": "_Float64"},
    "mju_quatIntegrate": {"quat": "_Float64"},
    "mju_quatZ2Vec": {"quat": "_Float64"},
    "mju_euler2Quat": {"quat": "_Float64"},
    "mju_normalize3": {"vec": "_Float64"},
    "mju_normalize4": {"vec": "_Float64"},
    "mju_eye": {"mat": "_Float64"},
    "mju_cholFactor": {"mat": "_Float64"},
    "mju_cross": {"a": "ArrayLike", "b": "ArrayLike"},
    "mju_norm": {"res": "ArrayLike"},
    "mju_cholFactorBand": {"mat": "_Float64"},
    "mju_cholUpdate": {"mat": "_Float64", "x": "_Float64"},
    "mju_boxQP": {"index": "_Int32 | None"},
    "mju_eig3": {"quat": "_Float64"},
    "mju_sparse2dense": {name: "ArrayLike" for name in ("rownnz", "rowadr", "colind")},
    "mju_printMatSparse": {name: "ArrayLike" for name in ("rownnz", "rowadr", "colind")},
    "mju_raySkin": {
        **{name: "int" for name in ("nface", "nvert")},
        **{name: "ArrayLike" for name in ("face", "vert")},
        "vertid": "_Int32 | None",
    },
    "mju_n2f": {"res": "_Float32"},
    "mju_insertionSortInt": {"list": "_Int32"},
    "mju_muscleGain": {"vel": "float"},
    "mju_encodePyramid": {"pyramid": "_Float64"},
    "mju_decodePyramid": {"force": "_Float64"},
    "mju_writeLog": {"type": "str"},
}
# functions that return something
RETURNS = {
    name: kind
    for kind, names in {
        "int": "mj_name2id mj_stateSize mj_sizeModel mj_version mj_isPyramidal mj_isSparse "
        "mj_isDual mj_addContact mj_getCacheSize mj_getCacheCapacity mj_setCacheCapacity "
        "mju_str2Type mju_mat2Rot mju_cholFactor mju_isZero mju_isBad mju_round "
        "mju_bandDiag mju_cholUpdate mju_boxQP mju_eig3 mju_dense2sparse",
        "float": "mj_getTotalmass mju_normalize mju_normalize3 mju_normalize4 mju_sum mju_L1 "
        "mju_dot mju_dot3 mju_norm mju_norm3 mju_dist3 mju_min mju_max mju_clip mju_sign "
        "mju_sigmoid mju_mulVecMatVec mj_ray mj_rayFlex mj_rayMesh mj_rayHfield mju_rayGeom mju_raySkin "
        "mj_geomDistance "
        "mj_readCtrl mju_Halton mju_cholFactorBand mju_muscleGain mju_muscleBias "
        "mju_muscleDynamics mju_springDamper mju_standardNormal",
        "_Float64": "mj_readSensor",
        "str": "mj_versionString mj_printSchema mju_warningText mju_writeNumBytes",
        "list[str]": "mju_getXMLDependencies",
        "MjSpec": "from_zip",
        "Any": "mj_getCache",
        "str | None": "mj_id2name mju_type2Str",
        "Callable[..., Any] | None": " ".join(
            name for name in _functions.__all__ if name.startswith("get_mj")
        ),
    }.items()
    for name in names.split()
}


BIND = f'''    def bind(self, specs: Any) -> Any:
        """{inspect.getdoc(ferrodyn.MjModel.bind)}"""
'''


def attribute(name, kind, doc, indent="    "):
    return f'{indent}{name}: {kind}\n{indent}"""{doc}"""\n'


def sentence(doc):
    return doc[:1].upper() + doc[1:].rstrip(".") + "."


def array_doc(rows, cols, doc):
    shape = f"({rows}, {cols})" if cols else f"({rows},)"
    return f"{sentence(doc)} Shape {shape}."


def array_attributes(table):
    for name, dtype, rows, cols, doc in table:
        kind = ARRAY_TYPES[dtype]
        if name in _model.BYTE_ARRAYS:
            kind = "bytes"
        elif name in _model.CHAR_ARRAYS:
            kind = "_Int8"
        yield attribute(name, kind, array_doc(rows, cols, doc))


def settings_class(name, fields, doc):
    yield f'class {name}:\n    """{doc}"""\n\n'
    for field, dtype, size, text in fields:
        scalar = "float" if dtype.startswith("float") else "int"
        kind = scalar if size == 1 else ARRAY_TYPES[dtype]
        yield attribute(field, kind, sentence(text))
    yield "\n"


def visual_name(group):
    return f"_MjVisual{group.strip('_').title()}"


def settings():
    tables = _native.settings()
    yield from settings_class("MjOption", tables["opt"], _settings.MjOption.__doc__)
    yield from settings_class("MjStatistic", tables["stat"], _settings.MjStatistic.__doc__)
    for group in _settings.MjVisual.GROUPS:
        doc = "One group of visual settings."
        yield from settings_class(visual_name(group), tables[group], doc)
    yield f'class MjVisual:\n    """{_settings.MjVisual.__doc__}"""\n\n'
    for group in _settings.MjVisual.GROUPS:
        yield f"    @property\n    def {group}(self) -> {visual_name(group)}: ...\n"
    yield "\n"
    yield f'class MjLROpt:\n    """{_settings.MjLROpt.__doc__}"""\n\n'
    for name, value in _settings.MjLROpt.DEFAULTS.items():
        yield f"    {name}: {type(value).__name__}\n"
    yield "    def __init__(self) -> None: ...\n\n"


def struct_type(dtype, scalar):
    base, shape = dtype.subdtype or (dtype, ())
    if scalar and not shape:
        return "float" if base.kind == "f" else "int"
    return ARRAY_TYPES[base.name]


def structs():
    for element, list_, dtype in (
        (_lists.MjContact, _lists._MjContactList, _lists.CONTACT),
        (_lists.MjWarningStat, _lists._MjWarningStatList, _lists.WARNING),
        (_lists.MjSolverStat, _lists._MjSolverStatList, _lists.SOLVER),
    ):
        fields = _lists.public(dtype)
        yield f'class {element.__name__}:\n    """{element.__doc__}"""\n\n'
        yield from (f"    {f}: {struct_type(dtype[f], True)}\n" for f in fields)
        if element is _lists.MjContact:
            yield "    def __init__(self) -> None: ...\n"
        yield f'\nclass {list_.__name__}:\n    """{list_.__doc__}"""\n\n'
        yield from (f"    {f}: {struct_type(dtype[f], False)}\n" for f in fields)
        yield "    def __len__(self) -> int: ...\n"
        yield f"    def __getitem__(self, i: int) -> {element.__name__}: ...\n"
        yield f"    def __iter__(self) -> Iterator[{element.__name__}]: ...\n\n"


def views(views, tables):
    docs = {name: (dtype, doc) for name, dtype, _, _, doc in tables}
    for view in dict.fromkeys(views.values()):
        yield f'class {view.__name__}:\n    """The rows that belong to one object."""\n\n'
        yield "    @property\n    def id(self) -> int: ...\n"
        yield "    @property\n    def name(self) -> str: ...\n"
        for name, (array, _) in sorted(view._fields.items()):
            dtype, doc = docs[array]
            yield attribute(name, ARRAY_TYPES[dtype], sentence(doc))
        yield "\n"


def accessors(views):
    for method, view in views.items():
        yield f"    def {method}(self, name: str | int = ...) -> {view.__name__}:\n"
        yield f'        """The {method} with this name or id."""\n'


def properties(kinds):
    for name, kind in kinds.items():
        yield f"    @property\n    def {name}(self) -> {kind}: ...\n"


def model():
    yield 'class MjModel:\n    """A compiled model."""\n\n'
    for constructor, source in {
        "from_xml_path": "filename: _Path",
        "from_xml_string": "xml: str | bytes",
        "from_binary_path": "filename: _Path",
    }.items():
        doc = inspect.getdoc(getattr(ferrodyn.MjModel, constructor))
        yield "    @classmethod\n"
        yield f"    def {constructor}(cls, {source}, assets: _Assets = None) -> MjModel:\n"
        yield f'        """{doc}"""\n'
    kinds = {"opt": "MjOption", "stat": "MjStatistic", "vis": "MjVisual", "signature": "int"}
    yield from properties(kinds | {"njmax": "int", "nconmax": "int"})
    for name, doc in _native.sizes():
        yield f'    @property\n    def {name}(self) -> int:\n        """{sentence(doc)}"""\n'
    yield from array_attributes(_native.model_fields())
    yield from accessors(_model.MODEL_VIEWS)
    yield BIND
    yield "\n"


def data():
    yield 'class MjData:\n    """State and results of one world."""\n\n'
    yield "    def __init__(self, model: MjModel) -> None: ...\n"
    yield from properties(
        {
            "model": "MjModel",
            "signature": "int",
            "nplugin": "int",
            "contact": "_MjContactList",
            "warning": "_MjWarningStatList",
            "solver": "_MjSolverStatList",
        }
    )
    for name in _data.SCALARS:
        yield f"    {name}: {'float' if name == 'time' else 'int'}\n"
    for name in _data.SMALL_ARRAYS:
        yield f"    {name}: {'_Int32' if name in ('solver_niter', 'solver_nnz') else '_Float64'}\n"
    yield from array_attributes(_native.data_fields())
    for name, dtype, rows, cols, doc in _native.work_fields():
        yield f"    @property\n    def {name}(self) -> {ARRAY_TYPES[dtype]}:\n"
        yield f'        """{array_doc(rows, cols, doc)}"""\n'
    for name in ("soft_xpos", "soft_xvel"):
        yield f"    @property\n    def {name}(self) -> _Float64:\n"
        yield f'        """{inspect.getdoc(getattr(_data.MjData, name))}"""\n'
    yield from accessors(_data.DATA_VIEWS)
    yield BIND
    yield "\n"


# types of the attributes of specifications, by the class that reads and writes them
SPEC_FIELDS = {
    _spec_fields.IntField: "int",
    _spec_fields.RealField: "float",
    _spec_fields.FlagField: "float",
    _spec_fields.TextField: "str",
    _spec_fields.BytesField: "bytes",
    _spec_fields.VectorField: "Any",
    _spec_fields.NestedField: "list[Any]",
    _spec_fields.OrientationField: "MjsOrientation",
}
# properties that are not attributes
SPEC_PROPERTIES = {
    "parent": "Any",
    "frame": "MjsFrame | None",
    "classname": "MjsDefault",
    "default": "MjsDefault",
    "worldbody": "MjsBody",
    "compiler": "MjsCompiler",
    "option": "MjOption",
    "stat": "MjStatistic",
    "visual": "MjVisual",
    "path": "MjsTendonPath",
    "assets": "dict[str, bytes]",
    "name": "str",
    "info": "str",
    "childclass": "str",
    "id": "int",
    "signature": "int",
    "type": "Any",
    "modelname": "str",
    "modelfiledir": "str",
    "meshdir": "str",
    "texturedir": "str",
    "override_assets": "bool",
    "comment": "str",
    "nemax": "int",
    "hasImplicitPluginElem": "int",
}
SPEC_CLASSES = [
    ferrodyn.MjSpec,
    ferrodyn.MjsCompiler,
    ferrodyn.MjsDefault,
    ferrodyn.MjsOrientation,
    ferrodyn.MjsTendonPath,
    ferrodyn.MjsWrap,
    ferrodyn.MjVisualHeadlight,
    ferrodyn.MjVisualRgba,
    *_spec_elements.ELEMENTS.values(),
]


def spec_result(name):
    """What a method of a specification or an element returns."""
    elements = _spec_elements.ELEMENTS
    verb, _, noun = name.partition("_")
    if name in elements or verb in ("first", "next"):
        return f"{elements[noun or name].__name__} | None"
    if verb == "add" and noun in elements:
        return elements[noun].__name__
    return {
        "compile": "MjModel",
        "recompile": "tuple[MjModel, MjData]",
        "copy": "MjSpec",
        "from_string": "MjSpec",
        "from_file": "MjSpec",
        "from_zip": "MjSpec",
        "to_xml": "str",
        "attach": "MjsFrame",
        "attach_body": "MjsBody",
        "attach_frame": "MjsFrame",
        "to_frame": "MjsFrame",
        "add_freejoint": "MjsJoint",
        "add_default": "MjsDefault | None",
        "find_default": "MjsDefault | None",
        "default": "MjsDefault",
        "find_child": "MjsBody | None",
        "find_all": "list[Any]",
        "get_data_size": "int",
        "resolve_orientation": "list[float]",
    }.get(name, "MjsWrap" if verb == "wrap" else "None")


def spec_member(name, member):
    if isinstance(member, _spec_fields.EnumField):
        return f"    {name}: {member.kind}\n"
    if isinstance(member, _spec_fields.ArrayField):
        kinds = {"d": "_Float64", "f": "_Float32", "i": "_Int32"}
        return f"    {name}: {kinds[member.kind[0]]}\n"
    if isinstance(member, _spec_fields.Field):
        return f"    {name}: {SPEC_FIELDS[type(member)]}\n"
    if isinstance(member, property):
        plural = SPEC_PROPERTIES.get(name, "Any")
        return attribute(name, plural, sentence(member.__doc__))
    static = isinstance(member, staticmethod)
    parameters = []
    for parameter in inspect.signature(member).parameters.values():
        if parameter.name == "self":
            parameters.append("self")
        elif parameter.kind is parameter.VAR_KEYWORD:
            parameters.append(f"**{parameter.name}: Any")
        else:
            empty = parameter.default is parameter.empty
            default = "" if empty else f" = {parameter.default!r}"
            parameters.append(f"{parameter.name}: Any{default}")
    doc = inspect.getdoc(member)
    head = "    @staticmethod\n" if static else ""
    call = ", ".join(parameters)
    return f'{head}    def {name}({call}) -> {spec_result(name)}:\n        """{doc}"""\n'


def vectors():
    for cls in _spec_arrays.Vec.__subclasses__():
        yield f'class {cls.__name__}:\n    """{cls.__doc__}"""\n\n'
        yield "    def __len__(self) -> int: ...\n"
        yield "    def __getitem__(self, i: int) -> Any: ...\n"
        yield "    def __setitem__(self, i: int, value: Any) -> None: ...\n"
        yield "    def __iter__(self) -> Iterator[Any]: ...\n\n"


def spec():
    for cls in SPEC_CLASSES:
        yield f'class {cls.__name__}:\n    """{inspect.getdoc(cls).splitlines()[0]}"""\n\n'
        if cls is ferrodyn.MjSpec:
            yield "    def __init__(self) -> None: ...\n"
        if cls is ferrodyn.MjsTendonPath:
            yield "    def __len__(self) -> int: ...\n"
            yield "    def __getitem__(self, i: int) -> MjsWrap: ...\n"
        members = {n: inspect.getattr_static(cls, n) for n in dir(cls) if not n.startswith("_")}
        # methods last: some have the names of types
        for name, member in sorted(members.items(), key=lambda m: (callable(m[1]), m[0])):
            yield spec_member(name, member)
        yield "\n"


def function(name):
    target = getattr(ferrodyn, name)
    special = SPECIAL_PARAMETERS.get(name, {})
    parameters = []
    for parameter in inspect.signature(target).parameters.values():
        kind = special.get(parameter.name) or PARAMETERS[parameter.name]
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{parameter.name}: {kind}{default}")
    doc = inspect.getdoc(target).replace("\n", "\n    ").replace("\n    \n", "\n\n")
    end = "\n    " if "\n" in doc else ""
    return f'def {name}({", ".join(parameters)}) -> {RETURNS.get(name)}:\n    """{doc}{end}"""\n'


def constant_type(value):
    if not isinstance(value, tuple):
        return type(value).__name__
    element = value[0]
    inner = "str" if isinstance(element, str) else f"tuple[{', '.join(['str'] * len(element))}]"
    return f"tuple[{inner}, ...]"


def stubs():
    """The text of the stubs."""
    parts = [HEADER]
    for name in _constants.__all__:
        parts.append(f"{name}: {constant_type(getattr(ferrodyn, name))}\n")
    for error in (ferrodyn.FatalError, ferrodyn.UnexpectedError):
        parts.append(f'\nclass {error.__name__}(Exception):\n    """{error.__doc__}"""\n')
    parts.append("\n")
    for name in _enums.__all__:
        members = getattr(ferrodyn, name).__members__.items()
        lines = "".join(f"    {member} = {value.value}\n" for member, value in members)
        parts.append(f"class {name}(IntEnum):\n{lines}\n")
    parts += settings()
    parts += structs()
    parts += views(_model.MODEL_VIEWS, _native.model_fields())
    parts += views(_data.DATA_VIEWS, _native.data_fields())
    parts += model()
    parts += data()
    parts += vectors()
    parts += spec()
    elements = " | ".join(cls.__name__ for cls in _spec_elements.ELEMENTS.values())
    parts.append(f"MjStruct: TypeAlias = {elements}\n\n")
    parts += (function(name) for name in _functions.__all__)
    return "".join(parts)


if __name__ == "__main__":
    STUBS.write_text(stubs(), encoding="utf-8")
