"""Mesh arrays whose order comes from the convex hull, compared as sets of hull vertices and planar faces."""

from __future__ import annotations

import numpy as np

from .compare import Miss, absolute_difference
from .fields import MESH_RELATIVE

Face = frozenset[int]


class Hulls:
    """Hull graphs and planar faces of the meshes of a model."""

    def __init__(self, model):
        self._graph = np.asarray(model.mesh_graph)
        self._graph_adr = np.asarray(model.mesh_graphadr).tolist()
        adr, num = np.asarray(model.mesh_polyvertadr).tolist(), np.asarray(model.mesh_polyvertnum).tolist()
        vertices = np.asarray(model.mesh_polyvert).tolist()
        self._faces: list[Face] = [frozenset(vertices[a:a + n]) for a, n in zip(adr, num, strict=True)]
        self._normals = np.asarray(model.mesh_polynormal)
        self._poly = list(zip(np.asarray(model.mesh_polyadr).tolist(), np.asarray(model.mesh_polynum).tolist(), strict=True))
        self._vert = list(zip(np.asarray(model.mesh_vertadr).tolist(), np.asarray(model.mesh_vertnum).tolist(), strict=True))
        self._map_adr = np.asarray(model.mesh_polymapadr).tolist()
        self._map_num = np.asarray(model.mesh_polymapnum).tolist()
        self._map = np.asarray(model.mesh_polymap).tolist()

    def graph(self, mesh: int) -> tuple[frozenset[int], int] | None:
        """Vertices of a mesh's hull graph and its number of triangles; None without a graph."""
        adr = self._graph_adr[mesh]
        if adr < 0:
            return None
        count, triangles = self._graph[adr:adr + 2].tolist()
        return frozenset(self._graph[adr + 2 + count: adr + 2 + 2 * count].tolist()), triangles

    def normals(self, mesh: int) -> dict[Face, np.ndarray]:
        """Normal of every planar face of a mesh, by its set of vertices."""
        adr, num = self._poly[mesh]
        return {self._faces[poly]: self._normals[poly] for poly in range(adr, adr + num)}

    def faces_of_vertices(self, mesh: int) -> list[frozenset[Face]]:
        """For every vertex of a mesh, the faces that the polygon map says it belongs to."""
        first = self._poly[mesh][0]
        adr, num = self._vert[mesh]
        return [
            frozenset(self._faces[first + poly] for poly in self._map[self._map_adr[v]: self._map_adr[v] + self._map_num[v]])
            for v in range(adr, adr + num)
        ]


def compare_hulls(oracle, engine) -> list[Miss]:
    """Compares the hull-ordered arrays of two models whose mesh arrays have equal sizes."""
    misses = []
    theirs, ours = Hulls(oracle), Hulls(engine)
    for mesh in range(oracle.nmesh):
        if ours.graph(mesh) != theirs.graph(mesh):
            misses.append(Miss("mesh_graph", (mesh,), _text(theirs.graph(mesh)), _text(ours.graph(mesh)), np.inf, 0.0))
        expected, found = theirs.normals(mesh), ours.normals(mesh)
        if found.keys() != expected.keys():
            lost = len(expected.keys() - found.keys())
            misses.append(Miss("mesh_polyvert", (mesh,), f"{len(expected)} faces", f"{lost} of them not found", np.inf, 0.0))
            continue
        for face, normal in expected.items():
            error = float(absolute_difference(normal, found[face]).max())
            if not error <= MESH_RELATIVE:
                misses.append(Miss("mesh_polynormal", (mesh,), str(normal), str(found[face]), error, MESH_RELATIVE))
                break
        if theirs.faces_of_vertices(mesh) != ours.faces_of_vertices(mesh):
            misses.append(Miss("mesh_polymap", (mesh,), "faces of each vertex", "differ", np.inf, 0.0))
    return misses


def _text(hull: tuple[frozenset[int], int] | None) -> str:
    return "no hull" if hull is None else f"{len(hull[0])} vertices, {hull[1]} triangles"
