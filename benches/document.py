"""Tables in Markdown, and where they stand in ``docs/performance.md``: between two comments that name them."""

import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"


def line(cells):
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def table(columns, rows):
    """A table whose first column is text and whose others are numbers."""
    rule = "|---|" + "---:|" * (len(columns) - 1)
    return "\n".join([line(columns), rule, *map(line, rows)])


def replace(page, name, text):
    """A page with another text between the comments of a name."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise SystemExit(f"the page has no place for '{name}', or more than one")
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page)


def write(name, text):
    """Put a text into its place on the page."""
    PAGE.write_text(replace(PAGE.read_text(), name, text))


def circumstances(command):
    """The command, the commit and the kind of processor that figures belong to."""
    # documents aside, which the benches write
    changes = "with changes" if _git("status", "--porcelain", "--", ".", ":!docs") else ""
    commit = f"{_git('rev-parse', '--short', 'HEAD') or 'unknown'} {changes}".strip()
    return f"`{command}`, commit {commit}, {platform.machine()}{_widest()}, one core:"


def _git(*arguments):
    """What git answers; nothing where there is none."""
    try:
        return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def _widest():
    """The widest vector instructions that the processor has, where that can be read."""
    info = pathlib.Path("/proc/cpuinfo")
    flags = set(info.read_text().split()) if info.exists() else set()
    names = {"avx512f": "AVX-512", "avx2": "AVX2", "avx": "AVX"}
    return next((f" with {name}" for flag, name in names.items() if flag in flags), "")
