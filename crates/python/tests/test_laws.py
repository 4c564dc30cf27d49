"""Laws beyond MuJoCo's: chosen in the text, in the model, in a specification, and as functions of Python."""

import ferrodyn
import numpy as np
import pytest

SHEET = """
<mujoco xmlns:ferrodyn="urn:ferrodyn">
  <option timestep=".001"/>
  <worldbody><body name="pole">
    <flexcomp name="sheet" dim="2" type="grid" count="4 4 1" spacing=".1 .1 .1" radius=".01" {}>
      <contact selfcollide="none"/><elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="both"/>
    </flexcomp>
  </body></worldbody>
</mujoco>"""

BRAKE = """
<mujoco>
  <option gravity="0 0 0" timestep=".01" integrator="implicitfast"/>
  <worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><general joint="j" gaintype="user"/></actuator>
</mujoco>"""


@pytest.fixture(autouse=True)
def no_law():
    yield
    ferrodyn.set_gain_model(None)


def bent(model):
    data = ferrodyn.MjData(model)
    data.qpos[2::3] = 0.02 * np.sin(np.arange(model.nflexvert))
    ferrodyn.mj_step(model, data)
    return data


def test_a_flex_chooses_its_laws():
    law = 'ferrodyn:bending_model="bridson" ferrodyn:bend_stiffness=".01" ferrodyn:elasticity_model="neo_hookean"'
    model = ferrodyn.MjModel.from_xml_string(SHEET.format(law))
    assert model.nflexrest == model.nflexelem and model.nflexhinge == len(model.flexhinge_vert)
    assert model.flex_bending_model[0] == 2 and model.flex_elasticity_model[0] == 2
    assert model.flexrest_volume.sum() == pytest.approx(0.3 * 0.3 * 0.01)
    plain = ferrodyn.MjModel.from_xml_string(SHEET.format(""))
    assert plain.nflexrest == plain.nflexhinge == 0
    assert not np.array_equal(bent(model).qfrc_spring, bent(plain).qfrc_spring)


def test_a_specification_chooses_its_laws():
    spec = ferrodyn.MjSpec.from_string(SHEET.format(""))
    assert spec.compile().nflexrest == 0
    spec.flexes[0].elasticity_model = 2
    assert spec.compile().nflexrest > 0


def test_position_based_contacts_are_an_option():
    model = ferrodyn.MjModel.from_xml_string("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                                             "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>")
    model.opt.solver = 101
    model.opt.xpbd_substeps = 8
    data = ferrodyn.MjData(model)
    for _ in range(200):
        ferrodyn.mj_step(model, data)
    assert abs(data.qpos[2] - 0.1) < 1e-3


def test_a_law_of_gains_has_its_slope():
    model = ferrodyn.MjModel.from_xml_string(BRAKE)
    asked = []

    def brake(actuator, length, velocity, activation, ctrl):
        asked.append(actuator)
        return -1e4 * velocity, -1e4, False

    ferrodyn.set_gain_model(brake)
    assert ferrodyn.get_gain_model() is brake
    data = ferrodyn.MjData(model)
    data.qvel[0] = 1
    for _ in range(3):
        ferrodyn.mj_step(model, data)
    # far too strong for an explicit step
    assert abs(data.qvel[0]) < 1e-5 and set(asked) == {0}
    # nothing to say: the gain is one
    ferrodyn.set_gain_model(lambda *_: None)
    data.ctrl[0] = 3
    ferrodyn.mj_forward(model, data)
    assert data.actuator_force[0] == 3
    ferrodyn.set_gain_model(lambda *_: (2.0, 0.0))
    ferrodyn.mj_forward(model, data)
    assert data.actuator_force[0] == 6


def test_a_law_that_fails_ends_the_step():
    model = ferrodyn.MjModel.from_xml_string(BRAKE)
    data = ferrodyn.MjData(model)
    ferrodyn.set_gain_model(lambda *_: "strong")
    with pytest.raises(TypeError, match="law of gains"):
        ferrodyn.mj_step(model, data)
    assert data.time == 0
    with pytest.raises(TypeError):
        ferrodyn.set_gain_model(3)
