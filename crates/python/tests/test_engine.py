"""Both engines of the package give the same bits."""

import os
import subprocess
import sys
from pathlib import Path

import ferrodyn
import pytest
from ferrodyn import _engine

PROGRAM = """
import sys, numpy, ferrodyn
model = ferrodyn.MjModel.from_xml_path(sys.argv[1])
data = ferrodyn.MjData(model)
data.ctrl[:] = 0.1 * numpy.random.default_rng(0).uniform(-1, 1, model.nu)
ferrodyn.mj_step(model, data, 500)
print(ferrodyn._engine.ENGINE, ferrodyn._native.__file__, data._native.state_hash())
"""
# the state after 10,000 steps of a falling humanoid, which WebAssembly and all other builds come to as well: see crates/ferrodyn/tests/determinism.rs
FINGERPRINT = 0xFDB9_031F_9709_98B8
FALL = """
import sys, ferrodyn
model = ferrodyn.MjModel.from_xml_path(sys.argv[1])
model.opt.integrator = 0
data = ferrodyn.MjData(model)
ferrodyn.mj_step(model, data, 10_000)
print(data._native.state_hash())
"""
ROOT = Path(__file__).resolve().parents[3]
MODELS = [
    "benches/models/humanoid.xml",
    "benches/models/soft_gripper.xml",
    "conformance/models/hand.xml",
    "conformance/models/meshes.xml",
    "conformance/models/tendons.xml",
    "conformance/models/integrator_implicit.xml",
]
needs_both = pytest.mark.skipif(
    not (Path(ferrodyn.__file__).parent / "_v3").is_dir() or not _engine._processor_has_v3(),
    reason="this package has one engine, or the processor runs one",
)


def run(engine, model, program=PROGRAM):
    """What a process with an engine prints."""
    env = {**os.environ, "FERRODYN_ENGINE": engine}
    command = [sys.executable, "-c", program, str(ROOT / model)]
    return subprocess.run(command, env=env, capture_output=True, text=True)


@needs_both
@pytest.mark.parametrize("model", MODELS)
def test_engines_agree_to_the_last_bit(model):
    (name, file, state), (name_v3, file_v3, state_v3) = (
        run(engine, model).stdout.split() for engine in ("baseline", "v3")
    )
    assert (name, name_v3) == ("baseline", "v3")
    assert file != file_v3
    assert state == state_v3


@needs_both
@pytest.mark.parametrize("engine", ["baseline", "v3"])
def test_both_engines_come_to_the_state_of_every_other_build(engine):
    assert int(run(engine, MODELS[0], FALL).stdout) == FINGERPRINT


@needs_both
def test_the_faster_engine_is_chosen():
    assert run("", MODELS[0]).stdout.split()[0] == "v3"


def test_an_unknown_engine_is_an_error():
    result = run("fastest", MODELS[0])
    assert result.returncode != 0
    assert "there are 'baseline' and 'v3'" in result.stderr
