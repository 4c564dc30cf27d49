"""MuJoCo's own tests of rollouts pass, and would not with another engine."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "rollout_tests.py"


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=300, check=False)


def test_all_tests_that_mujoco_publishes_pass():
    done = run(str(SCRIPT))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("65 of 65 tests passed\n")


def test_a_rollout_that_is_off_fails_them():
    program = f"""
import runpy
from ferrodyn import rollout
def off(*args, original=rollout.Rollout.rollout, **kwargs):
    state, sensordata = original(*args, **kwargs)
    if state is not None and state.shape[1] > 1:
        state[0, 1] += 1e-9
    return state, sensordata
rollout.Rollout.rollout = off
runpy.run_path({str(SCRIPT)!r}, run_name="__main__")
"""
    assert run("-c", program).returncode == 1
