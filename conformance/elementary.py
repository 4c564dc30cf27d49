"""Writes the tables of the elementary functions, and arguments with their correctly rounded results.

    pip install mpmath
    python conformance/elementary.py
    cargo fmt --all

Makes crates/math/src/elementary/tables.rs and crates/math/tests/elementary.txt, with 200 binary digits of working precision.
"""

import pathlib
import random
import struct

import mpmath

mpmath.mp.prec = 200
MATH = pathlib.Path(__file__).resolve().parent.parent / "crates/math"


def nearest(x) -> float:
    """The double nearest to a long number."""
    return float(mpmath.mpf(x))


def rust(x: float) -> str:
    """A literal that reads back as the same double."""
    text = repr(x)
    return text if any(c in text for c in ".e") else text + ".0"


def twofold(x) -> str:
    high = nearest(x)
    return f"Twofold::new({rust(high)}, {rust(nearest(x - high))})"


def parts(x, bits: list[int]) -> list[float]:
    """Doubles of so many bits each, and a last one, whose sum is x."""
    out = []
    for count in bits:
        unit = mpmath.mpf(2) ** (mpmath.floor(mpmath.log(abs(x), 2)) + 1 - count)
        part = mpmath.nint(x / unit) * unit
        out.append(nearest(part))
        x -= part
    return [*out, nearest(x)]


def array(name: str, kind: str, rows: list[str], doc: str) -> str:
    body = "".join(f"    {row},\n" for row in rows)
    return f"/// {doc}\npub(super) static {name}: [{kind}; {len(rows)}] = [\n{body}];\n"


HEADER = """//! Made by `conformance/elementary.py`.
#![allow(clippy::approx_constant, reason = "some entries are known constants")]

use super::twofold::Twofold;
"""


def tables() -> str:
    pi, ln = mpmath.pi, mpmath.log
    inverses = []
    for i in range(90, 183):
        inverse = nearest(mpmath.mpf(128) / i)
        high = nearest(ln(mpmath.mpf(inverse)))
        low = nearest(ln(mpmath.mpf(inverse)) - high)
        inverses.append(f"[{rust(inverse)}, {rust(high)}, {rust(low)}]")
    return "\n".join(
        [
            HEADER,
            array("SINE", "Twofold", [twofold(mpmath.sin(i * pi / 256)) for i in range(129)], "Sines of multiples of π/256, up to a quarter of the circle."),
            array("STEP", "f64", [rust(x) for x in parts(pi / 256, [26, 26])], "π/256 in parts; the first two have 26 bits."),
            array("ARC", "Twofold", [twofold(mpmath.atan(mpmath.mpf(i) / 64)) for i in range(65)], "Arc tangents of multiples of 1/64."),
            array("POWER_OF_TWO", "Twofold", [twofold(mpmath.mpf(2) ** (mpmath.mpf(i) / 128)) for i in range(128)], "Two to the power of multiples of 1/128."),
            array("TWO_STEP", "f64", [rust(x) for x in parts(ln(2) / 128, [35, 35])], "ln 2 / 128 in parts; the first two have 35 bits."),
            array("LN_2", "f64", [rust(x) for x in parts(ln(2), [42])], "ln 2 in parts; the first has 42 bits."),
            "/// The first of the numbers, in units of 1/128, that [`INVERSE`] has.\npub(super) const FIRST_INVERSE: usize = 90;\n",
            array("INVERSE", "[f64; 3]", inverses, "Inverses of multiples of 1/128, and their logarithms in two parts."),
        ]
    )


def arguments(rng: random.Random, name: str) -> list[float]:
    """Arguments as a simulation has them: most of moderate size, some near zero, some large."""
    size = rng.choice([1.0, 1.0, 1.0, 1e-3, 1e-6])
    if name in ("asin", "acos"):
        return [rng.choice([rng.uniform(-1, 1), 1 - size * rng.random() ** 2, rng.uniform(-size, size)])]
    if name == "atan2":
        return [rng.gauss(0, size), rng.gauss(0, 1)]
    if name == "exp":
        return [rng.uniform(-30, 10) * size]
    if name == "pow":
        return [rng.uniform(0, 1) ** 2 * rng.choice([1, 1, 100]), rng.uniform(-1, 6)]
    return [rng.choice([rng.uniform(-10, 10), rng.gauss(0, size), rng.gauss(0, 1e4)])]


EXACT = {"sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos, "atan2": mpmath.atan2, "exp": mpmath.exp, "pow": mpmath.power}


def results(count: int) -> str:
    rng = random.Random(1)
    lines = ["# function, arguments, nearest double of the exact result; bits in hexadecimal. Made by conformance/elementary.py\n"]
    for name, function in EXACT.items():
        for _ in range(count):
            given = arguments(rng, name)
            exact = nearest(function(*map(mpmath.mpf, given)))
            bits = [struct.pack(">d", x).hex() for x in (*given, exact)]
            lines.append(" ".join([name, *bits]) + "\n")
    return "".join(lines)


if __name__ == "__main__":
    (MATH / "src/elementary/tables.rs").write_text(tables())
    (MATH / "tests").mkdir(exist_ok=True)
    (MATH / "tests/elementary.txt").write_text(results(250))
