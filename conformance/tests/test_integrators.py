"""Steps with an integrator that the model does not ask for."""

import mujoco
import pytest

from ferrodyn_conform.check import BOTH_REFUSE, Result, _check_integrator
from ferrodyn_conform.report import integrators
from ferrodyn_conform.states import States

# four slides in three dimensions: no inertia tells their accelerations apart
SINGULAR = """
<mujoco><worldbody><body>
  <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 1 0"/>
  <geom type="box" size=".05 .05 .05" mass="1"/>
</body></worldbody></mujoco>
"""


class Stepping:
    """An engine that makes every step."""

    MjData, mj_resetData = mujoco.MjData, mujoco.mj_resetData

    @staticmethod
    def mj_step(model, data):
        """No step of the oracle's, and no refusal either."""


@pytest.mark.parametrize("engine, refuses", [(mujoco, True), (Stepping, False)])
def test_a_refused_step_counts_only_where_both_refuse(engine, refuses):
    model = mujoco.MjModel.from_xml_string(SINGULAR)
    states = States(mujoco.MjModel.from_xml_string(SINGULAR), 1)
    outcome = _check_integrator("implicit", engine, model, mujoco.MjModel.from_xml_string(SINGULAR), states)
    assert outcome.startswith(BOTH_REFUSE) == refuses
    assert "mju_factorLUSparse" in outcome


def test_models_that_do_not_pass_are_named():
    outcomes = {"a.xml": "pass", "b.xml": "qpos differs"}
    results = [Result("small", name, integrators={"implicit": outcome}) for name, outcome in outcomes.items()]
    assert integrators(results) == {"implicit": {"models": 2, "pass": 1, "others": {"small/b.xml": "qpos differs"}}}
