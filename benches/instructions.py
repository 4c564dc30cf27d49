"""Instructions of a step of every engine, counted by callgrind.

An engine that has settled a model writes the model and the state; the same engine under valgrind reads them and takes one
step, and then, from the same state, one and ``STEPS`` more: the difference, divided by ``STEPS``, is the figure, without what
the calls take. Counts do not depend on what else the machine does. An engine that uses an instruction which valgrind does not
know has no figure.
"""

import pathlib
import re
import shutil
import tempfile

from engines import Engine, EngineEnded

STEPS = 20


def available():
    """Whether there is a valgrind."""
    return shutil.which("valgrind") is not None


class Counter:
    """An engine under callgrind."""

    def __init__(self, engine):
        self.engine = engine
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.start()

    def start(self):
        """Start the process; counts are written, and begin anew, at every mark."""
        callgrind = ["valgrind", "--quiet", "--tool=callgrind", "--dump-after=getsid*"]
        callgrind += [f"--callgrind-out-file={self.folder / 'counts'}", f"--log-file={self.folder / 'log'}"]
        self.slow = Engine(self.engine.python, self.engine.module, callgrind)

    def count(self):
        """Instructions of a step of the model that the engine has loaded; None where valgrind does not know one of them."""
        saved = self.folder / "model"
        self.engine.ask(f"save {saved}")
        self.remove_parts()
        try:
            self.slow.ask(f"restore {saved}")
            self.slow.ask(f"count {STEPS}")
        except EngineEnded:
            self.start()
            return None
        # four marks: before and after each call
        parts = sorted(self.folder.glob("counts.*"), key=lambda path: int(path.suffix[1:]))
        if len(parts) != 4:
            raise SystemExit(f"callgrind wrote {len(parts)} counts instead of 4")
        _, one, _, more = (total(path.read_text()) for path in parts)
        return (more - one) / STEPS

    def remove_parts(self):
        """Forget what was counted."""
        for old in self.folder.glob("counts.*"):
            old.unlink()

    def close(self):
        """End the process and remove its files."""
        self.slow.close()
        shutil.rmtree(self.folder)


def total(text):
    """Instructions in a part that callgrind has written."""
    return int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[1])
