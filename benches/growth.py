"""What a step costs as a model grows, beside MuJoCo: every engine in a process of its own, taking turns on one core.

Run with ``cargo xtask bench-growth``. Each curve is a model of one kind in several sizes, written by this script. Every engine
lets it settle and then advances it from there, in turns; the figure is the fastest turn. ``--document`` writes the plots into
``docs/performance`` and the figures into the page beside it.
"""

import argparse
import json
import math
import pathlib
import tempfile

import document
import engines as processes
import plot
from stages import fine_meshes, sleeping_stacks

TURN = 0.05
ALL = 10**9


def chain(count):
    """A chain that hangs down and swings, three hinges from link to link: XML is nested less than 500 deep."""
    axes = ["1 0 0", "0 1 0", "0 0 1"]
    links = [range(first, min(first + 3, count)) for first in range(0, count, 3)]
    joint = '<joint axis="{}" damping="0.02" armature="0.002"/>'
    bodies = "".join(
        f'<body pos="0 0 -0.05">{"".join(joint.format(axes[i % 3]) for i in link)}'
        '<geom type="capsule" fromto="0 0 0 0 0 -0.05" size="0.01"/>'
        for link in links
    )
    return ('<mujoco><option><flag contact="disable"/></option><worldbody><body euler="0 20 0">'
            f'<geom size="0.01"/>{bodies}{"</body>" * len(links)}</body></worldbody></mujoco>')


def heap(count):
    """Boxes in layers between four walls, every second layer shifted by half a box, so that each one rests on several others."""
    side = max(2, round((count / 2) ** (1 / 3)))
    size, gap = 0.05, 0.104
    bodies = []
    for i in range(count):
        layer, place = divmod(i, side * side)
        row, column = divmod(place, side)
        shift = 0.4 * gap * (layer % 2)
        x, y, z = column * gap + shift, row * gap + shift, size + layer * 0.0999
        bodies.append(f'<body pos="{x:.4f} {y:.4f} {z:.4f}"><freejoint/><geom type="box" size="{size} {size} {size}"/></body>')
    width, middle = 0.5 * (side + 0.5) * gap, 0.5 * (side - 1) * gap + 0.2 * gap
    tall = math.ceil(count / side**2) * size + 0.1
    walls = "".join(
        f'<geom type="box" size="0.05 {width + 0.1:.3f} {tall:.3f}" pos="{middle + s * (width + 0.05):.3f} {middle:.3f} {tall:.3f}"/>'
        f'<geom type="box" size="{width + 0.1:.3f} 0.05 {tall:.3f}" pos="{middle:.3f} {middle + s * (width + 0.05):.3f} {tall:.3f}"/>'
        for s in (-1, 1)
    )
    return (f'<mujoco><size memory="4G"/><worldbody><geom type="plane" size="9 9 .1"/>{walls}'
            f'{"".join(bodies)}</worldbody></mujoco>')


def asleep(count):
    """Stacks of two boxes, all asleep."""
    return sleeping_stacks(count // 2, 2)


def strip(elements):
    """A row of thirty hinged links with a site at each end and a cylinder around the hinge, and tendons."""
    links = "".join(
        f'<body pos="{0.2 * i:.1f} 0 0"><joint name="j{i}" axis="0 1 0" stiffness="2" damping="0.2" armature="0.01"/>'
        f'<geom type="capsule" fromto="0 0 0 0 0 -0.1" size="0.01"/><site name="s{i}" pos="0.02 0 -0.05"/>'
        f'<geom name="g{i}" type="cylinder" size="0.02 0.05" zaxis="0 1 0" mass="0"/></body><site name="w{i}" pos="{0.2 * i + 0.03:.2f} 0 0.05"/>'
        for i in range(30)
    )
    return ('<mujoco><option><flag contact="disable"/></option>'
            f'<worldbody>{links}</worldbody><tendon>{elements}</tendon></mujoco>')


def fixed_tendons(count):
    """Fixed tendons of two joints each."""
    pairs = [(i % 30, (i + 1 + i // 30 % 29) % 30) for i in range(count)]
    return strip("".join(
        f'<fixed stiffness="0.001" damping="0.001"><joint joint="j{a}" coef="1"/><joint joint="j{b}" coef="-0.5"/></fixed>'
        for a, b in pairs
    ))


def spatial_tendons(count):
    """Spatial tendons, each around a cylinder."""
    return strip("".join(
        f'<spatial stiffness="0.001" damping="0.001"><site site="w{i % 30}"/><geom geom="g{i % 30}"/><site site="s{i % 30}"/></spatial>'
        for i in range(count)
    ))


# name, title, axis, model of a size, sizes, steps to settle
CURVES = [
    ("dofs", "Chains of hinges", "degrees of freedom", chain, [10, 30, 100, 300, 1000], 300),
    ("contacts", "Heaps of boxes", "boxes", heap, [10, 30, 100, 300, 1000, 2000], 40),
    ("asleep", "Stacks asleep", "bodies asleep", asleep, [10, 100, 1000, 3000], 50),
    ("fixed_tendons", "Fixed tendons of two joints", "tendons", fixed_tendons, [1, 10, 100, 1000], 300),
    ("spatial_tendons", "Spatial tendons around cylinders", "tendons", spatial_tendons, [1, 10, 100, 1000], 300),
    ("mesh_faces", "Two convex meshes in contact", "faces of a mesh", fine_meshes, [100, 1000, 10_000, 100_000], 300),
]


def measure(engines, make, size, settle, rounds, folder):
    """Degrees of freedom, contacts and rows, and the fastest turn in microseconds, of every engine; None where it refuses the model."""
    path = folder / "model.xml"
    path.write_text(make(size))
    loaded = [engine.load(path, settle) for engine in engines]
    if loaded[0] is None:
        raise SystemExit(f"Ferrodyn refuses {make.__name__} of {size}")
    times = processes.turns(engines, loaded, rounds, TURN)
    return loaded, [None if turns is None else min(turns) for turns in times]


def alike(numbers):
    """A number that is the same in all engines, or that of each."""
    return f"{numbers[0]:,}" if len(set(numbers)) == 1 else " / ".join(f"{number:,}" for number in numbers)


def row_of(size, figures):
    """A line of a table: sizes, times, and ratios of MuJoCo's times to Ferrodyn's."""
    loaded, best = figures
    sizes = [alike(numbers) for numbers in zip(*[sizes for sizes in loaded if sizes is not None])]
    times = ["-" if time is None else f"{time:.1f}" for time in best]
    return [f"{size:,}", *sizes, *times] + ["-" if time is None else f"{time / best[0]:.2f}" for time in best[1:]]


def draw(title, axis, figures, engines):
    """The plot of a curve."""
    series = {
        engine.label: [(size, best[i]) for size, (_, best) in figures.items() if best[i] is not None]
        for i, engine in enumerate(engines)
    }
    return plot.log_log(title, axis, "us a step", {label: points for label, points in series.items() if points})


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="cargo xtask bench-growth", description=__doc__)
    names = [curve[0] for curve in CURVES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"curves: {', '.join(names)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each engine; the fastest counts")
    parser.add_argument("--largest", type=int, default=ALL, help="leave out larger sizes")
    parser.add_argument("--svg", type=pathlib.Path, help="write the plots into this folder")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file")
    parser.add_argument("--document", action="store_true", help="plots and figures of all curves into docs")
    args = parser.parse_args()
    if args.document and args.names:
        parser.error("the document has all curves")
    if unknown := set(args.names) - set(names):
        parser.error(f"no curve is called {', '.join(sorted(unknown))}")
    return args


def measure_curve(engines, title, axis, make, sizes, settle, args):
    """Figures by size, and their table; printed line by line."""
    columns = [axis, "dofs", "contacts", "rows"] + [f"{engine.label}, us" for engine in engines]
    columns += [f"ratio to {engine.version}" for engine in engines[1:]]
    print(f"\n{title}\n\n{document.table(columns, [])}", flush=True)
    figures, rows = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for size in [size for size in sizes if size <= args.largest]:
            figures[size] = measure(engines, make, size, settle, args.rounds, pathlib.Path(folder))
            rows.append(row_of(size, figures[size]))
            print(document.line(rows[-1]), flush=True)
    return figures, document.table(columns, rows)


def main():
    """Print a table for each curve, and draw them where it is asked for."""
    args = arguments()
    svg = document.PAGE.parent / "performance" if args.document else args.svg
    engines = processes.start()
    sections, results = [], {}
    for name, title, axis, make, sizes, settle in CURVES:
        if args.names and name not in args.names:
            continue
        results[name], rows = measure_curve(engines, title, axis, make, sizes, settle, args)
        sections.append(f"### {title}\n\n![{title}](performance/{name}.svg)\n\n{rows}")
        if svg and results[name]:
            svg.mkdir(parents=True, exist_ok=True)
            (svg / f"{name}.svg").write_text(draw(title, axis, results[name], engines))
    if args.json:
        args.json.write_text(json.dumps({"engines": [e.label for e in engines], "curves": results}, indent=2) + "\n")
    if args.document:
        command = f"cargo xtask bench-growth --document --rounds {args.rounds}"
        command += f" --largest {args.largest}" if args.largest < ALL else ""
        document.write("growth", "\n\n".join([document.circumstances(command), *sections]))


if __name__ == "__main__":
    main()
