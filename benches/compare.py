"""Speed beside MuJoCo: every engine in a process of its own, taking turns on one core, native loops.

Run with ``cargo xtask bench``. Protocol for each model: the first keyframe or the reference pose, fixed
random controls of a tenth of their range, 300 steps; then turns of about 0.15 s, in alternation, each from
that same state of its engine. The figure of an engine is its fastest turn (time of the processor), the ratio MuJoCo's time divided
by Ferrodyn's (above 1: Ferrodyn is faster), and the spread the smallest and largest ratio of single rounds.
"""

import argparse
import json
import math
import pathlib
import statistics

import document
import engines as processes
import instructions

STAGED = 300


def ratio_of(turns, other):
    """Ratio of the fastest turns, and the smallest and largest ratio of turns of one round."""
    single = [b / a for a, b in zip(turns, other)]
    return min(other) / min(turns), min(single), max(single)


def measure(engines, counters, path, args):
    """All figures of one model, engine by engine; None where one refuses it, and nothing where Ferrodyn does."""
    loaded = [engine.load(path) for engine in engines]
    if loaded[0] is None:
        return None
    figures = {"sizes": loaded[0]}
    figures["turns_us"] = turns = processes.turns(engines, loaded, args.rounds)
    figures["ratios"] = [None if other is None else ratio_of(turns[0], other) for other in turns[1:]]
    if args.stages:
        figures["stages_us"] = {name: 1e6 * time for name, time in engines[0].stages(STAGED).items()}
    if counters:
        figures["instructions"] = [None if there is None else counter.count() for there, counter in zip(loaded, counters)]
    return figures


def speed_columns(engines):
    """The head of the table of speeds."""
    versions = [engine.version for engine in engines[1:]]
    head = ["model", "dofs", "contacts", "rows"] + [f"{engine.label}, us" for engine in engines]
    return head + [f"ratio to {version} (spread)" for version in versions]


def speed_row(name, figures):
    """A line of the table of speeds."""
    cells = [name, *figures["sizes"]] + ["-" if turns is None else f"{min(turns):.2f}" for turns in figures["turns_us"]]
    return cells + ["-" if r is None else f"{r[0]:.2f} ({r[1]:.2f} to {r[2]:.2f})" for r in figures["ratios"]]


def means(results, engines):
    """Geometric means of the ratios to each release, and to the faster one of each model."""
    def mean(values):
        return f"{math.exp(statistics.mean(map(math.log, values))):.2f}" if values else "-"

    ratios = [[r and r[0] for r in figures["ratios"]] for figures in results.values()]
    known = [[r for r in row if r is not None] for row in ratios]
    parts = [f"{mean([row[i] for row in ratios if row[i]])} to {e.version}" for i, e in enumerate(engines[1:])]
    return f"Geometric means: {', '.join(parts)}, {mean([min(row) for row in known if row])} to the faster one."


def instruction_table(results, engines):
    """Instructions of a step of every engine."""
    columns = ["model", *[engine.label for engine in engines]] + [f"ratio to {engine.version}" for engine in engines[1:]]
    rows = []
    for name, figures in results.items():
        counts = figures["instructions"]
        ratios = ["-" if None in (count, counts[0]) else f"{count / counts[0]:.2f}" for count in counts[1:]]
        rows.append([name] + ["-" if count is None else f"{count:,.0f}" for count in counts] + ratios)
    return document.table(columns, rows)


def stage_table(results):
    """Microseconds of every stage of a step of Ferrodyn."""
    stages = [list(figures["stages_us"]) for figures in results.values()][0]
    rows = [[name] + [f"{figures['stages_us'][stage]:.2f}" for stage in stages] for name, figures in results.items()]
    return document.table(["model, us", *stages], rows)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="cargo xtask bench", description=__doc__)
    parser.add_argument("names", nargs="*", help="models by name or path (default: all of benches/models.json)")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each engine")
    parser.add_argument("--instructions", action="store_true", help="also instructions of a step, counted by callgrind")
    parser.add_argument("--stages", action="store_true", help="also the time of every stage of Ferrodyn")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    parser.add_argument("--document", action="store_true", help="all of it, written into docs/performance.md")
    args = parser.parse_args()
    if args.document:
        if args.names:
            parser.error("the document has all models")
        args.instructions = args.stages = True
    if args.instructions and not instructions.available():
        print("valgrind is not there: instructions are not counted\n")
        args.instructions = False
    return args


def write_document(tables, args):
    """The tables into the page; one that could not be made leaves what is there."""
    command = "cargo xtask bench --document" + ("" if args.rounds == 7 else f" --rounds {args.rounds}")
    for name, text in tables.items():
        document.write(name, f"{document.circumstances(command)}\n\n{text}")


def main():
    """Print tables, and write them where it is asked for."""
    args = arguments()
    table = processes.models()
    names = args.names or table
    paths = {name: processes.find(*table[name]) if name in table else pathlib.Path(name) for name in names}
    engines = processes.start()
    counters = [instructions.Counter(engine) for engine in engines] if args.instructions else []

    columns = speed_columns(engines)
    print(document.table(columns, []), flush=True)
    results = {}
    for name, path in paths.items():
        figures = measure(engines, counters, path, args) if path and path.exists() else None
        if figures is None:
            why = "Ferrodyn refuses it" if path and path.exists() else "its files are not there"
            print(f"| {name} | {why} |", flush=True)
            continue
        results[name] = figures
        print(document.line(speed_row(name, figures)), flush=True)
    for process in counters + engines:
        process.close()
    if not results:
        raise SystemExit("no model was measured")

    speed = document.table(columns, [speed_row(name, figures) for name, figures in results.items()])
    print("\n" + means(results, engines))
    tables = {"speed": f"{speed}\n\n{means(results, engines)}"}
    if args.instructions:
        tables["instructions"] = instruction_table(results, engines)
        print("\nInstructions of a step:\n\n" + tables["instructions"])
    if args.stages:
        tables["stages"] = stage_table(results)
        print("\nStages of Ferrodyn:\n\n" + tables["stages"])
    if args.json:
        args.json.write_text(json.dumps({"engines": [e.label for e in engines], "models": results}, indent=2) + "\n")
    if args.document:
        write_document(tables, args)


if __name__ == "__main__":
    main()
