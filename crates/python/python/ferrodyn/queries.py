"""Questions about the geometry of a world, beyond MuJoCo.

Rays and distances are MuJoCo's functions (``mj_ray``, ``mj_multiRay``, ``mj_geomDistance``)::

    from ferrodyn import queries

    for contact in queries.contacts(model, data, model.geom("finger").id, model.geom("cup").id):
        print(contact.dist, contact.pos)
"""

import numpy as np

from . import _native
from ._lists import CONTACT, _MjContactList

__all__ = ["contacts"]


def contacts(m, d, geom1, geom2, *, margin=None):
    """The contacts of two geoms at the poses of the last step or ``mj_forward``, as a list like ``d.contact``.

    They are what a step would make of the two if nothing filtered them out: masks, exclusions, bodies and flags do
    not count. ``margin`` replaces the sum of their margins; ``d.contact`` stays as it is.
    """
    array = np.frombuffer(_native.geom_contacts(m, d, geom1, geom2, margin), CONTACT)
    return _MjContactList(lambda: array)
