"""Sensors, histories and contact forces, beside MuJoCo's."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import ferrodyn

MODELS = Path(__file__).parents[3] / "conformance" / "models"
DELAYED = MODELS / "sensor_history.xml"


def worlds(path):
    """The same model in both engines, with its data."""
    for engine in (ferrodyn, mujoco):
        model = engine.MjModel.from_xml_path(str(path))
        yield engine, model, engine.MjData(model)


def test_sensors_by_stage():
    results = []
    for engine, model, data in worlds(MODELS / "sensors.xml"):
        data.qvel[:] = np.linspace(0.1, 0.9, model.nv)
        engine.mj_forward(model, data)
        expected = data.sensordata.copy()
        data.sensordata[:] = 0
        engine.mj_sensorPos(model, data)
        engine.mj_sensorVel(model, data)
        engine.mj_sensorAcc(model, data)
        np.testing.assert_array_equal(data.sensordata, expected)
        assert data.sensor("jp").data == data.qpos[model.joint("h").qposadr]
        results.append(expected)
    np.testing.assert_allclose(*results, atol=1e-9)


def test_histories():
    results = []
    for engine, model, data in worlds(DELAYED):
        samples = model.sensor_history[3, 0]
        times = np.linspace(-0.1, -0.005, samples)
        engine.mj_initSensorHistory(model, data, 3, times, np.arange(3.0 * samples).reshape(-1, 3), 0.0)
        engine.mj_initCtrlHistory(model, data, 1, None, np.arange(6.0))
        seen = []
        for step in range(30):
            data.ctrl[:] = np.sin(step + np.arange(3))
            engine.mj_step(model, data)
            value = np.zeros(3)
            seen += [*data.sensordata, *engine.mj_readSensor(model, data, 3, data.time, value, 1).ravel()]
            seen += [engine.mj_readCtrl(model, data, i, data.time, -1) for i in range(3)]
        results.append(seen)
    np.testing.assert_allclose(*results, atol=1e-9)


def test_contact_forces():
    results = []
    for engine, model, data in worlds(MODELS / "touch.xml"):
        engine.mj_step(model, data, nstep=10)
        engine.mj_forward(model, data)
        force = np.zeros(6)
        forces = []
        for contact in range(-1, data.ncon + 1):
            engine.mj_contactForce(model, data, contact, force)
            forces.append(force.copy())
        engine.mj_rnePostConstraint(model, data)
        engine.mj_objectAcceleration(model, data, int(mujoco.mjtObj.mjOBJ_BODY), 1, force, 1)
        results.append(np.array([*forces, force, *data.cfrc_ext, *data.cfrc_int]))
    assert np.abs(results[0][1]).max() > 1
    np.testing.assert_allclose(*results, atol=1e-5)


@pytest.mark.parametrize("wrong", ["sensor", "actuator", "times", "length", "history"])
def test_errors(wrong):
    for engine, model, data in worlds(DELAYED):
        with pytest.raises((engine.FatalError, TypeError)):
            if wrong == "sensor":
                engine.mj_readSensor(model, data, 99, 0.0, np.zeros(1), 0)
            elif wrong == "actuator":
                engine.mj_readCtrl(model, data, -1, 0.0, 0)
            elif wrong == "times":
                engine.mj_initCtrlHistory(model, data, 0, np.zeros(4), np.zeros(4))
            elif wrong == "length":
                engine.mj_initCtrlHistory(model, data, 0, None, np.zeros(3))
            else:
                engine.mj_initSensorHistory(model, data, 8, None, np.zeros((0, 1)), 0.0)
