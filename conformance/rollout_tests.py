"""MuJoCo's own tests of rollouts, run against Ferrodyn.

They are those of the release that decides, and lie in its package: ``mujoco/rollout_test.py``. Every name ``mujoco`` in them is Ferrodyn. All of them
have to run and to pass.
"""

import importlib.util
import pathlib
import sys
import unittest
import warnings

RELEASE = "3.5.0"
TESTS = 65
# the one that MuJoCo itself leaves out: its arrays have 16 GiB
SKIPPED = {"test_large_state"}


def published_tests():
    """Path of the tests in the package of MuJoCo."""
    import mujoco

    if mujoco.__version__ != RELEASE:
        raise SystemExit(f"MuJoCo {mujoco.__version__} is installed, not {RELEASE}")
    return pathlib.Path(mujoco.__file__).with_name("rollout_test.py")


def load(path):
    """The tests as a module that sees Ferrodyn under MuJoCo's name."""
    for name in [name for name in sys.modules if name.split(".")[0] == "mujoco"]:
        del sys.modules[name]
    import ferrodyn
    from ferrodyn import rollout

    sys.modules["mujoco"], sys.modules["mujoco.rollout"] = ferrodyn, rollout
    spec = importlib.util.spec_from_file_location("published_rollout_tests", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.mujoco is not ferrodyn or module.rollout is not rollout:
        raise SystemExit("the tests do not see Ferrodyn")
    return module


def main():
    module = load(published_tests())
    # one of them lets worlds diverge
    warnings.filterwarnings("ignore", message=".* rollouts diverged", category=RuntimeWarning)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    skipped = {test.id().rpartition(".")[2] for test, _ in result.skipped}
    passed = result.testsRun - len(result.skipped) - len(result.failures) - len(result.errors)
    print(f"{passed} of {TESTS} tests passed")
    if not result.wasSuccessful() or skipped != SKIPPED or passed != TESTS:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
