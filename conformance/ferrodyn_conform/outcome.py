"""What a level found out about one model."""

from __future__ import annotations

from dataclasses import dataclass, field

from .compare import Miss, Verdict

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
ACTS = 100.0  # a fault acts when it moves a value by this many tolerances


@dataclass
class Outcome:
    """Misses and errors of a level, and how they were judged."""

    misses: list[Miss] = field(default_factory=list)
    errors: dict[str, float] = field(default_factory=dict)
    excess: float = 0.0  # the largest error in units of its tolerance, before any excuse
    shadowed: int = 0  # states in which the shadow was needed
    excused: set[str] = field(default_factory=set)  # fields that passed only because of it
    undecided: str = ""  # why nothing could be decided, when nothing failed
    solved: int = 0  # steps in which the oracle solved constraints
    same_iterations: int = 0  # of these, steps with the same number of iterations in every island
    run: tuple[int, int] | None = None  # of a run: steps that were judged, and its length
    ended: str = ""  # why a run of the oracle ended early

    @property
    def status(self) -> str:
        """Pass, fail or undecided."""
        return FAIL if self.misses else UNDECIDED if self.undecided else PASS

    @property
    def settled(self) -> bool:
        """Whether comparing more cannot change what is known of a faulty engine: it acts, and it is caught."""
        return bool(self.misses) and self.excess > ACTS

    def add(self, name: str, verdict: Verdict, where: str = "") -> None:
        """Notes the comparison of one array."""
        self.excess = max(self.excess, verdict.excess)
        self.errors[name] = max(self.errors.get(name, 0.0), verdict.error)
        if verdict.excused:
            self.excused.add(name)
        if verdict.miss:
            verdict.miss.where = where
            self.misses.append(verdict.miss)
