"""A cache of what the oracle says about every model of a corpus, so that a rerun need not load them all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from .check import inspect_model
from .corpus import CACHE, Corpus
from .pool import run_all

INSPECT_TIMEOUT = 300.0


def entries(corpus: Corpus, jobs: int, progress: Callable[[str], None]) -> dict[str, dict]:
    """For each model: whether the oracle loads it (else its error) and whether it is free of meshes."""
    file = CACHE / "index" / f"{corpus.name}.json"
    if file.is_file():
        stored = json.loads(file.read_text())
        if stored["fingerprint"] == corpus.fingerprint and sorted(stored["models"]) == corpus.models:
            return stored["models"]
    progress(f"indexing {corpus.name}: {len(corpus.models)} files")
    models: dict[str, dict] = {}
    paths = [Path(corpus.root) / name for name in corpus.models]
    failures = 0
    for number, found, failure in run_all(inspect_model, paths, jobs, INSPECT_TIMEOUT):
        if failure:
            progress(f"{corpus.name}/{corpus.models[number]}: the oracle ended with {failure}")
            failures += 1
        models[corpus.models[number]] = {"loads": False, "error": f"oracle: {failure}"} if failure else found
    models = dict(sorted(models.items()))
    if not failures:  # a worker that died says nothing lasting about its model
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"fingerprint": corpus.fingerprint, "models": models}, indent=1))
    return models
