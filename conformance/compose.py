"""Writes the models that dm_control composes in code (suite, locomotion, soccer, manipulation) out as XML.

Usage: python compose.py FOLDER, in an environment where dm_control is installed; the conformance tool runs it
when it needs this corpus. Each distinct model gets a folder with `model.xml` and the files it refers to.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "disable")

from dm_control import composer, manipulation, suite  # noqa: E402
from dm_control.locomotion import soccer  # noqa: E402
from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020  # noqa: E402
from dm_control.mujoco import engine  # noqa: E402

SEED = 0


class Recorder:
    """Notes the XML and the assets of every model that is loaded."""

    def __init__(self):
        self.last: tuple[str, dict] | None = None
        for name in ("from_xml_string", "reload_from_xml_string"):
            self._wrap(name)

    def _wrap(self, name: str) -> None:
        original = engine.Physics.__dict__[name]
        function = original.__func__ if isinstance(original, classmethod) else original

        def recording(owner, xml_string, assets=None):
            self.last = xml_string, assets or {}
            return function(owner, xml_string, assets)

        setattr(engine.Physics, name, classmethod(recording) if isinstance(original, classmethod) else recording)


def environments() -> Iterator[tuple[str, Callable[[], object]]]:
    """A name and a constructor for everything that dm_control can compose without downloads."""
    for domain, task in suite.ALL_TASKS:
        yield f"suite_{domain}_{task}", lambda d=domain, t=task: suite.load(d, t, task_kwargs={"random": SEED})
    for module in (basic_cmu_2019, basic_rodent_2020):
        for name, function in vars(module).items():
            if name.startswith(("cmu_", "rodent_")) and callable(function):
                yield f"locomotion_{name}", lambda f=function: f(random_state=SEED)
    for walker in (soccer.WalkerType.BOXHEAD, soccer.WalkerType.ANT):
        yield f"soccer_{walker.name.lower()}", lambda w=walker: soccer.load(team_size=2, walker_type=w, random_state=SEED)
    for name in sorted(manipulation.ALL):
        yield f"manipulation_{name}", lambda n=name: manipulation.load(n, seed=SEED)


def write_model(folder: Path, xml: str | bytes, assets: dict) -> None:
    """Writes a model and its assets. An asset without a folder is found wherever the model looks for its name."""
    base = folder.resolve()
    text = xml.decode() if isinstance(xml, bytes) else xml
    places = {""} | set(re.findall(r'(?:mesh|texture|asset)dir="([^"]*)"', text))
    for name, content in {"model.xml": text, **assets}.items():
        for place in places if "/" not in name and name != "model.xml" else [""]:
            path = (base / place / name).resolve()
            if not path.is_relative_to(base):
                raise ValueError(f"asset {name} lies outside the model's folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)


def main(target: Path) -> int:
    """Writes every distinct model."""
    recorder = Recorder()
    seen = set()
    for name, build in environments():
        recorder.last = None
        try:
            environment = build()
            if isinstance(environment, composer.Environment):
                environment.reset()
        except RuntimeError as error:
            # cameras render the model after it has been loaded; it is complete by then
            if "OpenGL" not in str(error):
                raise
        if recorder.last is None:
            raise RuntimeError(f"{name} has loaded no model")
        xml, assets = recorder.last
        digest = hashlib.sha256(xml.encode() if isinstance(xml, str) else xml).hexdigest()
        if digest not in seen:
            seen.add(digest)
            write_model(target / re.sub(r"\W+", "_", name), xml, assets)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
