"""Compares an engine with MuJoCo 3.5.0 over the corpus. `cargo xtask conform` runs this; see --help."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import mujoco

from ferrodyn_conform import corpus, fault_table, floor, index, report, single
from ferrodyn_conform.check import LEVELS, REFUSAL_LOST, Result, Task, check, load_engine
from ferrodyn_conform.compare import Miss
from ferrodyn_conform.fields import DATA_FIELDS
from ferrodyn_conform.outcome import ACTS
from ferrodyn_conform.pool import run_all

HERE = Path(__file__).resolve().parent
ORACLE = "3.5.0"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="cargo xtask conform", description=__doc__)
    parser.add_argument("--corpus", action="append", metavar="NAME", help="only this corpus (may be repeated)")
    parser.add_argument("--level", choices=LEVELS, default="L4", help="highest level to run")
    parser.add_argument("--model", metavar="PATH", help="check one file and print what is off, in pipeline order")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds a model may take")
    parser.add_argument("--strip", action="store_true", help="remove what unsupported.json lists before loading")
    parser.add_argument("--disable-constraints", action="store_true", help="set the CONSTRAINT disable flag in both engines")
    parser.add_argument("--until", choices=[name for name, _, _ in DATA_FIELDS], metavar="FIELD",
                        help="L2 only up to this field of the pipeline (contact.exclude: collision)")
    parser.add_argument("--integrators", action="store_true", help="repeat L3 with each of the four integrators")
    parser.add_argument("--quick", action="store_true", help="the fast subset of quick.json")
    parser.add_argument("--write-floor", action="store_true", help="store what every model reaches in this run as its floor")
    parser.add_argument("--faults", action="store_true", help="hold engines that are wrong on purpose against the oracle")
    parser.add_argument("--single", action="store_true", help="report the errors of a build in single precision; judges nothing")
    parser.add_argument("--engine", default="ferrodyn", help="module under test; mujoco compares the oracle with itself")
    return parser.parse_args()


def main() -> int:
    """Runs what the command line asks for; 0 when nothing is worse than it must be."""
    args = arguments()
    if mujoco.__version__ != ORACLE:
        print(f"the oracle is mujoco {ORACLE}, found {mujoco.__version__}", file=sys.stderr)
        return 2
    try:
        load_engine(args.engine)
    except ImportError as error:
        print(f"the engine cannot be imported: {error}", file=sys.stderr)
        return 2
    rules = json.loads((HERE / "unsupported.json").read_text()) if args.strip else None
    level = min(LEVELS.index(args.level), LEVELS.index("L2")) if args.until else LEVELS.index(args.level)
    options = dict(engine=args.engine, level=level, rules=rules, disable_constraints=args.disable_constraints, until=args.until,
                   integrators=args.integrators)
    if args.model:
        return show_model(Path(args.model).resolve(), options, args.timeout)
    unknown = sorted(set(args.corpus or ()) - set(corpus.names()))
    if unknown:
        print(f"no corpus is called {', '.join(unknown)}; there are {', '.join(corpus.names())}", file=sys.stderr)
        return 2
    return run_corpora(args, options)


def show_model(path: Path, options: dict, timeout: float) -> int:
    """Checks one file and prints, per level, the first field that is off and a summary of the others."""
    root, name = corpus.owner(path)
    task = Task("model", name, str(root), **options)
    (_, result, failure), = run_all(check, [task], 1, timeout)
    if failure:
        print(f"failed: {failure}")
        return 1
    if result.note:
        print(result.note)
    if result.stripped:
        print("a stripped copy was compared")
    for level, outcome in result.levels.items():
        judged = f" ({result.run[0]} of {result.run[1]} steps judged)" if level == "L4" and result.run else ""
        states = f" in {result.shadowed[level]} states" if level in result.shadowed and level < "L4" else ""
        needed = f", needed the shadow{states} for {', '.join(result.excused[level])}" if level in result.shadowed else ""
        print(f"{level} {outcome}{judged}{needed}" + (f": {result.reasons[level]}" if level in result.reasons else ""))
        print_misses([Miss(**miss) for miss in result.misses.get(level, [])])
    if result.replaced:
        print(f"{result.replaced} states were edges and were replaced")
    for integrator, outcome in result.integrators.items():
        print(f"L3 with {integrator}: {outcome}")
    return 0 if result.levels and set(result.levels.values()) == {"pass"} else 1


def print_misses(misses: list[Miss]) -> None:
    """The first miss in full, then the worst of every other field on a line."""
    if not misses:
        return
    first, others = misses[0], {}
    print("  first: " + first.line())
    for miss in misses[1:]:
        number, worst = others.get(miss.field, (0, miss))
        others[miss.field] = (number + 1, max(worst, miss, key=lambda m: m.error))
    for number, miss in others.values():
        print(f"  {number:4d} x " + miss.line())


def run_corpora(args: argparse.Namespace, options: dict) -> int:
    """Checks whole corpora and writes the report."""
    quick = json.loads((HERE / "quick.json").read_text()) if args.quick else None
    chosen = args.corpus or (["small", *quick] if quick else corpus.names())
    mode = {
        "engine": args.engine, "commit": commit(), "oracle": mujoco.__version__, "level": options["level"], "strip": args.strip,
        "disable_constraints": args.disable_constraints, "until": args.until,
        "selection": "quick" if quick else "whole corpus" if not args.corpus else "corpus " + ", ".join(args.corpus),
    }
    run = report.Run(mode, [], set())
    tasks: list[Task] = []
    for name in chosen:
        try:
            source = corpus.get(name)
        except corpus.CorpusError as why:
            run.skipped[name] = str(why)
            continue
        known = index.entries(source, args.jobs, progress)
        names = [n for n in known if not quick or name == "small" or n in quick[name]]
        missing = sorted(set(quick[name]) - set(known)) if quick and name in quick else []
        if missing:
            run.skipped[f"{name}: {', '.join(missing)}"] = "not in the package"
        kept = [n for n in names if known[n]["loads"] or source.keeps_refused]
        run.oracle_refuses[name] = len(names) - len(kept)
        run.mesh_free |= {(name, n) for n in kept if known[n].get("mesh_free")}
        tasks += [Task(name, n, str(source.root), oracle_loads=known[n]["loads"], **options) for n in kept]
    if args.faults:
        return try_faults([task for task in tasks if task.oracle_loads], args)
    if args.single:
        return report_single([task for task in tasks if task.oracle_loads], args, mode["selection"])
    run.results = run_tasks(tasks, args.jobs, args.timeout, options["level"])
    folder = HERE if mode["selection"] == "whole corpus" else HERE / "out"
    data = report.write(run, folder)
    print(report.as_markdown(data).split("## Largest errors")[0])
    return judge(args, run)


def run_tasks(tasks: list[Task], jobs: int, timeout: float, level: int) -> list[Result]:
    """Results in the order of the tasks; a worker that dies or is late fails all levels of its model."""
    results: dict[int, Result] = {}
    begin = shown = time.monotonic()
    for number, result, failure in run_all(check, tasks, jobs, timeout):
        if failure:
            result = Result(tasks[number].corpus, tasks[number].name)
            for name in LEVELS[: level + 1]:
                result.fail(name, failure)
        results[number] = result
        if time.monotonic() - shown > 10:
            shown = time.monotonic()
            progress(f"{len(results)} of {len(tasks)} models, {shown - begin:.0f} s")
    # a model that the oracle refuses until it is stripped has nothing left to compare
    return [results[number] for number in sorted(results) if results[number].note != REFUSAL_LOST]


def judge(args: argparse.Namespace, run: report.Run) -> int:
    """Prints by name what fell below its floor and what rose above it, or stores what was reached; 1 on any fall."""
    now, file = floor.reached(run.results), HERE / "floor.json"
    if args.write_floor:
        floor.write(file, run.mode, now)
        return 0
    fallen, risen = floor.changes(floor.read(file, run.mode), now)
    for line in risen:
        print("above the floor: " + line)
    for line in fallen:
        print("below the floor: " + line, file=sys.stderr)
    return 1 if fallen else 0


def try_faults(tasks: list[Task], args: argparse.Namespace) -> int:
    """Holds faulty engines against the oracle on the models of a selection; 1 unless L2 and L3 catch all that act."""
    results = []
    for number, result, failure in run_all(fault_table.try_faults, tasks, args.jobs, args.timeout):
        if failure:
            print(f"{tasks[number].name}: {failure}", file=sys.stderr)
            return 1
        results.append(result)
    counted = fault_table.table(results)
    text = "\n".join(["# Faulty engines", "", f"Generated by `cargo xtask conform --quick --faults` from commit {commit()}; do not edit.", "",
                      "The oracle with one fault each, on the models of the quick set. A fault acts where it changes a compared value by more "
                      f"than {ACTS:.0f} times the tolerance of the level, before any excuse; it is caught where the comparison fails.", "",
                      *fault_table.as_markdown(counted)]) + "\n"
    print(text)
    if args.level == LEVELS[-1]:
        (HERE / "FAULTS.md").write_text(text)
    return int(any(row[level]["missed"] for row in counted.values() for level in ("L2", "L3") if level in row))


def report_single(tasks: list[Task], args: argparse.Namespace, selection: str) -> int:
    """Writes the errors of an engine in single precision; 1 only when it is not one."""
    if not single.is_single(load_engine(args.engine)):
        print(f"{args.engine} is not built in single precision", file=sys.stderr)
        return 1
    results = []
    for number, result, failure in run_all(single.measure, tasks, args.jobs, args.timeout):
        results.append(result or single.Measured(tasks[number].name, failure=failure))
    text = "\n".join(["# Single precision", "", f"Generated by `cargo xtask conform --quick --single` from commit {commit()}; do not edit.", "",
                      *single.as_markdown(results)]) + "\n"
    print(text)
    (HERE / "SINGLE.md" if selection == "quick" else HERE / "out" / "SINGLE.md").write_text(text)
    return 0


def commit() -> str:
    """The commit of the working tree, with a word when files differ from it."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=False).stdout.strip()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "..", ":!*.md", ":!report.json", ":!floor.json")
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if changed else "")


def progress(text: str) -> None:
    """A line for whoever waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
