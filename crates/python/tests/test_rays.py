"""Rays and distances between geoms: the same results as MuJoCo's."""

import itertools

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import queries
from helpers import Pair, assert_close

HEIGHTS = " ".join(f"{h:.4f}" for h in np.random.default_rng(3).uniform(0, 1, 42))
CLOUD = " ".join(f"{x:.4f}" for x in np.random.default_rng(4).normal(size=90) * 0.3)

# every kind of geom, groups, invisible geoms, fixed and moving bodies
SCENE = f"""
<mujoco>
  <extension>
    <plugin plugin="mujoco.sdf.torus"><instance name="torus"><config key="radius2" value="0.2"/></instance></plugin>
    <plugin plugin="mujoco.sdf.bowl"><instance name="bowl"/></plugin>
  </extension>
  <asset>
    <mesh name="cloud" vertex="{CLOUD}"/>
    <mesh name="corner" vertex="0 0 0 .5 0 0 0 .6 0 0 0 .7"/>
    <mesh name="torus"><plugin instance="torus"/></mesh>
    <mesh name="bowl"><plugin instance="bowl"/></mesh>
    <hfield name="field" nrow="6" ncol="7" size="1 .8 .4 .2" elevation="{HEIGHTS}"/>
    <material name="glass" rgba="1 1 1 0"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="4 0 .1" pos="0 0 -2" euler="3 5 0"/>
    <geom name="field" type="hfield" hfield="field" pos="0 2 -1" euler="10 -20 30" group="1"/>
    <geom name="wall" type="box" size=".1 1 1" pos="-3 0 0" group="2"/>
    <geom name="ghost" size="3" rgba="1 1 1 0"/>
    <geom name="window" size="3" material="glass"/>
    <body name="a" pos="1 0 0"><freejoint/>
      <geom name="capsule" type="capsule" size=".2 .3"/>
      <geom name="box" type="box" size=".2 .3 .1" pos="0 .8 0" euler="20 30 40" group="1"/>
      <body name="b" pos="0 0 .8"><joint/>
        <geom name="cylinder" type="cylinder" size=".3 .2" euler="50 0 10" group="3"/>
        <geom name="ellipsoid" type="ellipsoid" size=".1 .2 .4" pos="-.7 0 .3"/>
      </body>
    </body>
    <body name="c" pos="-1 0 0"><freejoint/><geom name="cloud" type="mesh" mesh="cloud"/></body>
    <body name="d" pos="0 -1 .5"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/><geom name="corner" type="mesh" mesh="corner" group="7"/></body>
    <body name="e" pos="0 -2 0"><freejoint/>
      <geom name="torus" type="sdf" mesh="torus"><plugin instance="torus"/></geom>
    </body>
    <body name="f" pos="0 0 2"><freejoint/>
      <geom name="bowl" type="sdf" mesh="bowl"><plugin instance="bowl"/></geom>
    </body>
    <body name="ball" pos="0 1 1"><joint type="slide"/><geom name="ball" size=".25"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def scene():
    pair = Pair(SCENE, seed=5)
    rng = np.random.default_rng(6)
    turn = rng.normal(size=pair.models[0].nv) * 0.2
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        data.qpos[:] = model.qpos0
        module.mj_integratePos(model, data.qpos, turn, 1)
        module.mj_forward(model, data)
    return pair


def rays(count, seed):
    """Points around the scene, and directions of any length that mostly go towards it."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 3)) * rng.choice([0.5, 2, 4], size=(count, 1))
    target = rng.normal(size=(count, 3))
    return points, (target - points) * rng.choice([0.1, 1, 3], size=(count, 1))


FILTERS = [
    (None, 1, -1),
    (None, 0, -1),
    (np.array([1, 0, 1, 0, 0, 0], np.uint8), 1, -1),
    (np.array([0, 1, 0, 1, 0, 1], np.uint8), 1, 2),
    (None, 1, 3),
    (None, 0, 1),
]


@pytest.mark.parametrize("groups, static, exclude", FILTERS)
def test_ray(scene, groups, static, exclude):
    seen = set()
    wrong = 0
    points, directions = rays(1500, 1)
    for p, v in zip(points, directions):
        geom, normal = [np.full(1, 9, np.int32) for _ in range(2)], [np.ones(3) for _ in range(2)]
        theirs, ours = (
            module.mj_ray(model, data, p, v, groups, static, exclude, geom[i], normal[i])
            for i, (module, model, data) in enumerate(zip((mujoco, ferrodyn), scene.models, scene.datas))
        )
        seen.add(int(geom[0][0]))
        # tracing a distance field stops after 40 steps: a ray along its surface may just arrive
        same = geom[0] == geom[1] and abs(theirs - ours) <= 1e-9 * (1 + abs(theirs))
        if same and np.abs(normal[0] - normal[1]).max() <= 1e-6:
            continue
        assert {int(g[0]) for g in geom} & {scene.models[0].geom(n).id for n in ("torus", "bowl")}
        wrong += 1
    assert wrong == 0
    assert len(seen) >= 4


def test_every_geom_is_met(scene):
    model, data = scene.models[1], scene.datas[1]
    points, directions = rays(3000, 2)
    geom = np.zeros(1, np.int32)
    seen = set()
    for p, v in zip(points, directions):
        ferrodyn.mj_ray(model, data, p, v, None, 1, -1, geom)
        seen.add(int(geom[0]))
    invisible = {model.geom("ghost").id, model.geom("window").id}
    assert seen == set(range(-1, model.ngeom)) - invisible


@pytest.mark.parametrize("groups, static, exclude", FILTERS)
@pytest.mark.parametrize("cutoff", [1.5, 1e10])
def test_multi_ray(scene, groups, static, exclude, cutoff):
    rng = np.random.default_rng(7)
    n = 400
    wrong = 0
    for point in rng.normal(size=(6, 3)) * 2:
        vec = rng.normal(size=(n, 3))
        vec[17] = 0
        results = []
        for module, model, data in zip((mujoco, ferrodyn), scene.models, scene.datas):
            geom, dist, normal = np.full(n, 9, np.int32), np.full(n, 9.0), np.full(3 * n, 9.0)
            module.mj_multiRay(
                model, data, point, vec.ravel(), groups, static, exclude, geom, dist, normal, n, cutoff
            )
            results.append((geom, dist, normal.reshape(n, 3)))
        (g1, d1, n1), (g2, d2, n2) = results
        differ = (g1 != g2) | (np.abs(d1 - d2) > 1e-9 * (1 + np.abs(d1))) | (np.abs(n1 - n2).max(axis=1) > 1e-6)
        wrong += differ.sum()
        assert (d2[17], g2[17]) == (-1, 9)
    assert wrong == 0


def test_single_geoms(scene):
    points, directions = rays(500, 8)
    for name, geoms in (("mj_rayMesh", ("cloud", "corner")), ("mj_rayHfield", ("field",))):
        for geom in geoms:
            g = scene.models[0].geom(geom).id
            hits = 0
            for p, v in zip(points, directions):
                v = scene.datas[0].geom_xpos[g] - p + v * 0.1
                normals = np.ones(3), np.ones(3)
                theirs, ours = (
                    getattr(module, name)(model, data, g, p, v, normal)
                    for module, model, data, normal in zip(
                        (mujoco, ferrodyn), scene.models, scene.datas, normals
                    )
                )
                assert_close(ours, theirs, 1e-10)
                assert_close(normals[1], normals[0], 1e-10)
                hits += theirs >= 0
            assert hits > 100


@pytest.mark.parametrize("kind", [0, 2, 3, 4, 5, 6])
def test_ray_geom(kind):
    rng = np.random.default_rng(kind)
    hits = 0
    for _ in range(500):
        pos, vec = rng.normal(size=3), rng.normal(size=3)
        size = rng.uniform(0.1, 1, 3)
        pnt = pos - vec * rng.uniform(-0.5, 2) + rng.normal(size=3) * 0.3
        quat, mat = rng.normal(size=4), np.zeros(9)
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
        normals = np.ones(3), np.ones(3)
        theirs = mujoco.mju_rayGeom(pos, mat, size, pnt, vec, kind, normals[0])
        ours = ferrodyn.mju_rayGeom(pos, mat, size, pnt, vec, kind, normals[1])
        assert_close(ours, theirs, 1e-11)
        assert_close(normals[1], normals[0], 1e-11)
        hits += theirs >= 0
    assert hits > 50


def test_geom_distance(scene):
    # iterative pairs differ by their tolerance
    n = scene.models[0].ngeom
    near = 0
    for g1, g2 in itertools.product(range(n), range(n)):
        if g1 == g2:
            continue
        for limit in (0.5, 10.0):
            segments = np.ones((2, 3)), np.ones(6)
            theirs, ours = (
                module.mj_geomDistance(model, data, g1, g2, limit, segment)
                for module, model, data, segment in zip(
                    (mujoco, ferrodyn), scene.models, scene.datas, segments
                )
            )
            names = scene.models[0].geom(g1).name, scene.models[0].geom(g2).name
            assert_close(ours, theirs, 1e-5, names)
            # where faces are parallel, the nearest points are not unique
            length = [np.linalg.norm(s.ravel()[3:] - s.ravel()[:3]) for s in segments]
            assert_close(length[1], length[0], 1e-4, names)
            near += abs(theirs) < limit
    assert near > 100


def test_wrong_arguments(scene):
    m, d = scene.models[1], scene.datas[1]
    p, v = np.zeros(3), np.array([0.0, 0, 1])
    out = np.zeros(1, np.int32)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_ray(m, d, p, np.zeros(3), None, 1, -1, out)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_ray(m, d, p, np.array([np.nan, 0, 1]), None, 1, -1, out)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_rayMesh(m, d, 0, p, v)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_rayHfield(m, d, 0, p, v)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mju_rayGeom(p, np.eye(3).ravel(), p, p, v, 7)
    with pytest.raises(IndexError):
        ferrodyn.mj_rayMesh(m, d, 99, p, v)
    with pytest.raises(IndexError):
        ferrodyn.mj_geomDistance(m, d, 0, m.ngeom, 1.0, None)
    bad = [
        lambda: ferrodyn.mj_ray(m, d, np.zeros(2), v, None, 1, -1, out),
        lambda: ferrodyn.mj_ray(m, d, p, v, np.ones(5, np.uint8), 1, -1, out),
        lambda: ferrodyn.mj_ray(m, d, p, v, None, 1, -1, np.zeros(1)),
        lambda: ferrodyn.mj_ray(m, d, p, v, None, 1, -1, np.zeros(2, np.int32)),
        lambda: ferrodyn.mj_ray(m, d, p, v, None, 1, -1, out, np.zeros(4)),
        lambda: ferrodyn.mj_geomDistance(m, d, 0, 1, 1.0, np.zeros(5)),
        lambda: ferrodyn.mj_multiRay(m, d, p, np.ones(6), None, 1, -1, out, np.zeros(1), None, 1, 1.0),
        lambda: ferrodyn.mj_multiRay(m, d, p, np.ones(3), None, 1, -1, out, np.zeros(2), None, 1, 1.0),
        lambda: ferrodyn.mj_multiRay(m, d, p, np.ones(3), None, 1, -1, out, np.zeros(1), np.zeros(2), 1, 1.0),
    ]
    for call in bad:
        with pytest.raises(TypeError):
            call()


def test_contacts_of_chosen_geoms(scene):
    """Beside an oracle in which all geoms collide, as explicit pairs."""
    m, d = scene.models[1], scene.datas[1]
    kept = [(c.geom1, c.geom2, c.dist) for c in d.contact]
    spec = mujoco.MjSpec.from_string(SCENE)
    for a, b in itertools.combinations(range(m.ngeom), 2):
        spec.add_pair(geomname1=m.geom(a).name, geomname2=m.geom(b).name)
    model = spec.compile()
    world = mujoco.MjData(model)
    world.qpos[:] = d.qpos
    # no further: a step has no rows for contacts of two fixed bodies
    mujoco.mj_kinematics(model, world)
    mujoco.mj_comPos(model, world)
    mujoco.mj_collision(model, world)
    for a, b in itertools.combinations(range(m.ngeom), 2):
        ours = queries.contacts(m, d, a, b)
        theirs = [c for c in world.contact if {*c.geom} == {a, b}]
        assert len(ours) == len(queries.contacts(m, d, b, a)) == len(theirs)
        for mine, their in zip(ours, theirs):
            assert_close(mine.geom, their.geom, 0)
            assert_close(mine.dist, their.dist, 1e-8)
            assert_close(mine.pos, their.pos, 1e-5)
            assert_close(mine.frame, their.frame, 1e-5)
    assert world.ncon > 50
    assert [(c.geom1, c.geom2, c.dist) for c in d.contact] == kept


def test_the_margin_of_a_query(scene):
    m, d = scene.models[1], scene.datas[1]
    a, b = m.geom("wall").id, m.geom("ball").id
    gap = ferrodyn.mj_geomDistance(m, d, a, b, 10, None)
    assert gap > 0 and len(queries.contacts(m, d, a, b)) == 0
    (contact, *_) = queries.contacts(m, d, a, b, margin=gap + 0.1)
    assert contact.dist == pytest.approx(gap, abs=1e-9)
    assert len(queries.contacts(m, d, a, a)) == 0
    with pytest.raises(Exception, match="geom"):
        queries.contacts(m, d, a, m.ngeom)
