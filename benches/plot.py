"""Plots with two logarithmic axes, as SVG without other packages; colours are readable on a light and on a dark page."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 560, 360
LEFT, RIGHT, TOP, BOTTOM = 74, 24, 40, 52
GREY = "#7d828a"
COLORS = ["#e0662f", "#3b82d6", "#2fa36b", "#b05fd0"]
DASHES = ["", "6 4", "2 3", "8 3 2 3"]


def decades(values):
    """The powers of ten that enclose positive values, as exponents."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def number(value):
    """A power of ten, or a number, in few characters: 0.1, 10, 1k, 100k, 1M."""
    for unit, name in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


class Axis:
    """A logarithmic axis from one pixel to another."""

    def __init__(self, values, start, end):
        self.low, self.high = decades(values)
        self.start, self.end = start, end

    def at(self, value):
        """The pixel of a value."""
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self):
        """The powers of ten."""
        return [10.0**exponent for exponent in range(self.low, self.high + 1)]


def text(x, y, words, anchor="middle", extra=""):
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def line(x1, y1, x2, y2):
    """A line of the grid."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{GREY}" stroke-opacity="0.3"/>'


def frame(title, x, y, x_label, y_label):
    """The grid with its numbers, and the names of the axes."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield text(WIDTH / 2, 18, title, extra=' font-size="14"')
    for tick in x.ticks():
        yield line(x.at(tick), TOP, x.at(tick), bottom)
        yield text(x.at(tick), bottom + 16, number(tick))
    for tick in y.ticks():
        yield line(LEFT, y.at(tick), right, y.at(tick))
        yield text(LEFT - 6, y.at(tick) + 4, number(tick), "end")
    yield text((LEFT + right) / 2, HEIGHT - 14, x_label)
    middle = (TOP + bottom) / 2
    yield text(16, middle, y_label, extra=f' transform="rotate(-90 16 {middle:.1f})"')


def curve(points, x, y, i):
    """A series: a line with a dot at each point."""
    color, dash = COLORS[i % len(COLORS)], DASHES[i % len(DASHES)]
    places = [(x.at(a), y.at(b)) for a, b in points]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dash or "none"}"/>'
    for a, b in places:
        yield f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{color}"/>'


def legend(labels):
    """Names of the series, in the upper left corner."""
    for i, label in enumerate(labels):
        color, dash, y = COLORS[i % len(COLORS)], DASHES[i % len(DASHES)], TOP + 16 + 17 * i
        yield (f'<line x1="{LEFT + 10}" y1="{y - 4}" x2="{LEFT + 36}" y2="{y - 4}" stroke="{color}" stroke-width="2"'
               f' stroke-dasharray="{dash or "none"}"/>')
        yield text(LEFT + 42, y, label, "start")


def log_log(title, x_label, y_label, series):
    """A plot of series, which are lists of points by their names; all numbers are positive."""
    points = [point for own in series.values() for point in own]
    x = Axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = Axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
             f' font-family="sans-serif" font-size="12" fill="{GREY}">']
    parts += frame(title, x, y, x_label, y_label)
    for i, own in enumerate(series.values()):
        parts += curve(own, x, y, i)
    parts += legend(series)
    return "\n".join([*parts, "</svg>"]) + "\n"
