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
    for number, found, failure in run_all(inspect_model, paths, jobs, INSPECT_TIMEOUT):
        models[corpus.models[number]] = {"loads": False, "error": f"oracle: {failure}"} if failure else found
    file.parent.mkdir(parents=True, exist_ok=True)
    models = dict(sorted(models.items()))
    file.write_text(json.dumps({"fingerprint": corpus.fingerprint, "models": models}, indent=1))
    return models
