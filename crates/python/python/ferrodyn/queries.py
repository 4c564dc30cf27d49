"""Questions about the geometry of a world, beyond MuJoCo.

Rays and distances are MuJoCo's functions (``mj_ray``, ``mj_multiRay``, ``mj_geomDistance``)::

    from ferrodyn import queries

    for contact in queries.contacts(model, data, model.geom("finger").id, model.geom("cup").id):
        print(contact.dist, contact.pos)
    vertices, normals = queries.skin(model, data, model.skin("sleeve").id)
"""

import numpy as np

from . import _native
from ._lists import CONTACT, _MjContactList

__all__ = ["contacts", "skin"]


def contacts(m, d, geom1, geom2, *, margin=None):
    """The contacts of two geoms at the poses of the last step or ``mj_forward``, as a list like ``d.contact``.

    They are what a step would make of the two if nothing filtered them out: masks, exclusions, bodies and flags do
    not count. ``margin`` replaces the sum of their margins; ``d.contact`` stays as it is.
    """
    array = np.frombuffer(_native.geom_contacts(m, d, geom1, geom2, margin), CONTACT)
    return _MjContactList(lambda: array)


def skin(m, d, skinid):
    """The vertices and unit normals of a skin at the poses of the last step or ``mj_forward``, as arrays of ``float32``.

    They are what MuJoCo's ``mjv_updateSkin`` writes to ``skinvert`` and ``skinnormal`` of a scene.
    """
    surface = _native.skin_surface(m, d, skinid)
    return tuple(np.frombuffer(part, np.float32).reshape(-1, 3) for part in surface)
