"""What is told about a specification that does not compile: the problem, and its element."""

import re

# `<element> attribute="value": 'name': problem`, with the place in a file where there is one
_PROBLEM = re.compile(
    r"(?P<place>\S*:(?P<line>\d+):\d+: )?<(?P<tag>\w+)>.*?: '(?P<name>.*?)': (?P<rest>.*)"
)


def _element_line(element, line=None):
    info = element.info or (f"line {line}" if line else "")
    number = element._spec._places(element._kind).get(element._uid, -1)
    return f"Element name '{element.name}', id {number}" + (f", {info}" if info else "")


def about(message, element):
    """A problem of an element."""
    return f"Error: {message}\n{_element_line(element)}"


def described(spec, text, kinds):
    """The problems that the compiler lists, each with its element where that has a name.

    ``kinds`` are the names of the types of elements.
    """
    lines = []
    for problem in text.splitlines():
        found = _PROBLEM.fullmatch(problem)
        if found is None:
            lines.append(f"Error: {problem}")
            continue
        # what came from a file keeps its place
        lines.append(f"Error: {problem if found['place'] else found['rest']}")
        if found["tag"] in kinds:
            element = getattr(spec, found["tag"])(found["name"])
            if element is not None:
                lines.append(_element_line(element, found["line"]))
    return "\n".join(lines)
