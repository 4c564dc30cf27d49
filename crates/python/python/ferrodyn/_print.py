"""Models and worlds as text, for reading and for comparing with other programs."""

import numpy as np

from . import _native
from ._settings import MjVisual


def print_model(m, filename, float_format):
    """Write all sizes, settings and arrays of a model."""
    lines = ["SIZES", *(f"  {name:<22}{size}" for name, size in sorted(m._native.sizes().items()))]
    groups = {"OPTION": m.opt, "STATISTIC": m.stat}
    groups |= {f"VISUAL {g.strip('_').upper()}": getattr(m.vis, g) for g in MjVisual.GROUPS}
    for title, settings in groups.items():
        lines += ["", title]
        for name, view in settings._views.items():
            lines.append(f"  {name:<22}{_row(view, float_format)}")
    _write(filename, lines + _arrays(m, _native.model_fields(), float_format))


def print_data(m, d, filename, float_format):
    """Write the state and all results of a world."""
    lines = ["SCALARS"]
    for name in _native.header_fields():
        lines.append(f"  {name:<22}{_row(d._native.array(name), float_format)}")
    fields = _native.data_fields() + _native.work_fields()
    lines += _arrays(d, fields, float_format)
    for i, contact in enumerate(d.contact):
        lines += ["", f"CONTACT {i}", *(f"  {line}" for line in repr(contact).splitlines())]
    _write(filename, lines)


def _arrays(owner, fields, float_format):
    lines = []
    for name, *_ in fields:
        if name == "contact":
            continue
        array = getattr(owner, name)
        if isinstance(array, bytes):
            array = np.frombuffer(array, np.uint8)
        if array.size:
            lines += ["", name.upper()]
            rows = array.reshape(len(array), -1) if array.ndim > 1 else array.reshape(1, -1)
            lines += (f"  {_row(row, float_format)}" for row in rows)
    return lines


def _row(values, float_format):
    values = np.ravel(values)
    if values.dtype.kind == "f":
        return " ".join(float_format % value for value in values)
    return " ".join(str(value) for value in values)


def _write(filename, lines):
    with open(filename, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
