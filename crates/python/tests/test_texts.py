"""Functions that print and write, the grammar of models, files that models need, and warnings."""

import time

import mujoco
import numpy as np
import pytest

import ferrodyn

MODULES = (mujoco, ferrodyn)


def test_every_function_is_there():
    # scenes
    missing = "mj_printScene mj_printFormattedScene".split()
    prefixes = ("mj_", "mju_", "mjd_")
    theirs = {name for name in dir(mujoco) if name.startswith(prefixes)}
    assert {name for name in dir(ferrodyn) if name.startswith(prefixes)} == theirs - set(missing)


def grammar(text):
    """The elements of a grammar in their order: path, number of times, attributes."""
    elements, path = [], []
    for line in text.splitlines():
        head, _, rest = line.partition(" (")
        if line.startswith(" " * 30) or not rest:
            elements[-1][2].extend(line.split())
            continue
        level = (len(head) - len(head.lstrip())) // 3
        path = [*path[:level], head.strip()]
        elements.append((tuple(path), rest[0], rest[2:].split()))
    return elements


def test_the_grammar_is_that_of_mujoco():
    theirs, ours = [grammar(mj.mj_printSchema(False, False)) for mj in MODULES]
    assert ours == theirs
    assert len(ours) > 150
    theirs, ours = [mj.mj_printSchema(False, False).splitlines() for mj in MODULES]
    assert ours == theirs


@pytest.mark.parametrize("pad", [False, True])
def test_the_grammar_as_a_table(pad):
    rows = [mj.mj_printSchema(True, pad).split("<tr>") for mj in MODULES]
    assert rows[1][0] == rows[0][0]
    assert len(rows[1]) == 1 + len(grammar(ferrodyn.mj_printSchema(False, pad)))
    # each row is one of MuJoCo's, in their order
    theirs = iter(rows[0])
    assert all(row in theirs for row in rows[1])
    assert ferrodyn.mj_printSchema(0, 1) == ferrodyn.mj_printSchema(False, False)


def test_matrices_are_printed(capfd):
    printed = []
    for mj in MODULES:
        mj.mju_printMat(np.array([[1.5, -2], [1e6, 1e-9]]))
        mj.mju_printMat([1, 2])
        mj.mju_printMatSparse(np.array([1.5, -20, 3e5]), [2, 0, 1], [0, 2, 2], [0, 2, 1])
        if mj is mujoco:
            _flush_c()
        printed.append(capfd.readouterr().out)
    assert printed[1] == printed[0] != ""


def _flush_c():
    import ctypes

    ctypes.CDLL(None).fflush(None)


def test_numbers_of_bytes():
    for n in (0, 1, 1000, 1024, 1025, 1536, 3 << 20, (1 << 30) + 1, 5 << 40, 1 << 50, 1 << 62):
        assert ferrodyn.mju_writeNumBytes(n) == mujoco.mju_writeNumBytes(n)


def test_warnings_in_words():
    for kind in range(9):
        theirs, ours = [mj.mju_warningText(kind, 2048) for mj in MODULES]
        assert ours and all((info in ours) == (info in theirs) for info in ("2048", "2K"))
    assert ferrodyn.mju_warningText(77, 0) == mujoco.mju_warningText(77, 0)


def test_the_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "MUJOCO_LOG.TXT"
    texts = []
    for mj in MODULES:
        mj.mju_writeLog("NOTE", "hello")
        mj.mju_writeLog("NOTE", "again")
        texts.append(log.read_text().splitlines())
        log.unlink()
    assert [line for line in texts[1] if "NOTE" in line] == ["NOTE: hello", "NOTE: again"]
    assert len(texts[0]) == len(texts[1])
    for line in (texts[1][0], texts[0][0]):
        time.strptime(line)


def test_files_that_a_model_needs(tmp_path):
    (tmp_path / "sub").mkdir()
    main = tmp_path / "main.xml"
    main.write_text(
        """<mujoco><compiler meshdir="meshes" assetdir="assets"/>
        <include file="sub/part.xml"/>
        <asset><mesh name="a" file="a.obj"/>
        <texture name="t" type="cube" fileup="up.png" file="t.png"/>
        <hfield name="h" file="../h.png" size="1 1 1 1"/><model name="m" file="other.xml"/>
        <mesh name="b" file="/abs/b.stl"/></asset></mujoco>"""
    )
    (tmp_path / "sub" / "part.xml").write_text(
        '<mujoco><asset><texture name="x" file="x.png"/></asset></mujoco>'
    )
    (tmp_path / "other.xml").write_text(
        '<mujoco><compiler texturedir="tex"/><asset><texture file="y.png"/></asset></mujoco>'
    )
    theirs, ours = [mj.mju_getXMLDependencies(str(main)) for mj in MODULES]
    assert sorted(ours) == sorted(theirs)
    assert ours[0] == str(main) and len(ours) == 10


def test_files_that_cannot_be_read(tmp_path):
    broken, missing = tmp_path / "broken.xml", tmp_path / "missing.xml"
    broken.write_text("<mujoco><")
    missing.write_text('<mujoco><include file="nowhere.xml"/></mujoco>')
    for mj in MODULES:
        for path in (tmp_path / "none.xml", broken, missing):
            with pytest.raises(mj.FatalError, match="Problem reading XML file"):
                mj.mju_getXMLDependencies(str(path))
    # MuJoCo would go round for ever
    round_ = tmp_path / "round.xml"
    round_.write_text('<mujoco><include file="round.xml"/></mujoco>')
    assert ferrodyn.mju_getXMLDependencies(str(round_)) == [str(round_)]


def test_libraries_of_plugins(tmp_path):
    for mj in MODULES:
        mj.mj_loadAllPluginLibraries(str(tmp_path / "none"))
        mj.mj_loadAllPluginLibraries(str(tmp_path))
        with pytest.raises(mj.FatalError):
            mj.mj_loadPluginLibrary(str(tmp_path / "none.so"))
    ferrodyn.mj_loadAllPluginLibraries(mujoco.PLUGINS_DIR)
    (tmp_path / "libother.so").write_text("")
    for mj in MODULES:
        with pytest.raises(mj.FatalError):
            mj.mj_loadAllPluginLibraries(str(tmp_path))
    with pytest.raises(ferrodyn.FatalError, match="built in"):
        ferrodyn.mj_loadPluginLibrary(str(tmp_path / "libother.so"))


def test_archives(tmp_path):
    for mj in MODULES:
        text = '<mujoco model="m"><worldbody><geom size="1"/></worldbody></mujoco>'
        spec = mj.MjSpec.from_string(text)
        path = str(tmp_path / f"{mj.__name__}.zip")
        mj.to_zip(spec, path)
        for reader in MODULES:
            assert reader.from_zip(path).compile().ngeom == 1
    with pytest.raises(TypeError):
        ferrodyn.to_zip(3, path)



DRIVEN = """
<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
<actuator><motor joint="j"/></actuator></mujoco>
"""


@pytest.fixture
def heard():
    """What the functions for warnings of both modules hear."""
    texts = {mj: [] for mj in MODULES}
    for mj in MODULES:
        mj.set_mju_user_warning(texts[mj].append)
    yield texts
    for mj in MODULES:
        mj.set_mju_user_warning(None)


def test_a_function_hears_of_warnings(heard):
    for mj in MODULES:
        model = mj.MjModel.from_xml_string(DRIVEN)
        data = mj.MjData(model)
        mj.mj_step(model, data, 3)
        data.ctrl[0] = np.nan
        mj.mj_step(model, data, 2)
        assert len(heard[mj]) == 1 and "CTRL" in heard[mj][0] and "Time = 0.0060." in heard[mj][0]
        data.ctrl[0] = 0
        data.qvel[0] = np.inf
        mj.mj_step(model, data)
        assert len(heard[mj]) == 2 and "QVEL at DOF 0" in heard[mj][1]
        assert "Time = 0.0100." in heard[mj][1]
        data.qvel[0] = np.inf
        mj.mj_step(model, data)
        mj.mj_forward(model, data)
        assert len(heard[mj]) == 2


def test_the_function_stays_and_can_fail(heard):
    for mj in MODULES:
        assert mj.get_mju_user_warning() == heard[mj].append
        mj.mj_resetCallbacks()
        assert mj.get_mju_user_warning() == heard[mj].append

    def fail(text):
        raise KeyError(text)

    ferrodyn.set_mju_user_warning(fail)
    model = ferrodyn.MjModel.from_xml_string(DRIVEN)
    data = ferrodyn.MjData(model)
    data.qpos[0] = np.nan
    with pytest.raises(KeyError):
        ferrodyn.mj_step(model, data)
    ferrodyn.set_mju_user_warning(None)
    assert ferrodyn.get_mju_user_warning() is None
    data.qpos[0] = np.nan
    with pytest.warns(RuntimeWarning, match="diverged"):
        ferrodyn.mj_step(model, data)
