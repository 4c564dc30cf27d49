"""Where models come from: pinned packages, checkouts named by the environment, and the small models beside this tool."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
CACHE = HERE.parent / ".corpus"
_ROOT_TAG = re.compile(rb"<\s*(mujoco|robot)[\s>/]")
_ANY_TAG = re.compile(rb"<\s*([A-Za-z_][\w.:-]*)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


class CorpusError(Exception):
    """A corpus cannot be had; the text says why."""


@dataclass
class Corpus:
    """A named folder of models."""

    name: str
    root: Path
    models: list[str]  # relative paths
    fingerprint: str
    keeps_refused: bool = False


def configuration() -> dict:
    """The list of corpora."""
    return json.loads((HERE / "corpus.json").read_text())


def names() -> list[str]:
    """Names of all corpora, in order."""
    config = configuration()
    return ["small", *config["packages"], *config["checkouts"]]


def get(name: str) -> Corpus:
    """Finds a corpus, downloading its package when needed."""
    config = configuration()
    if name == "small":
        root, folders = HERE / "models", ["."]
    elif name in config["packages"]:
        root, folders = _package(name, config["packages"][name]), ["."]
    elif name in config["checkouts"]:
        entry = config["checkouts"][name]
        value = os.environ.get(entry["variable"])
        if not value:
            raise CorpusError(f"{entry['variable']} is not set")
        root, folders = Path(value).resolve(), entry["folders"]
        if not root.is_dir():
            raise CorpusError(f"{entry['variable']} does not name a folder")
    else:
        raise CorpusError(f"no corpus is called {name}; there are {', '.join(names())}")
    models = sorted(path for folder in folders for path in _models(root, folder))
    return Corpus(name, root, models, _fingerprint(root, folders), name in config["refused_models_count_in"])


def _package(name: str, version: str) -> Path:
    """Folder with the unpacked files of a pinned package."""
    target = CACHE / f"{name}-{version}"
    if target.is_dir():
        return target
    downloads = CACHE / "downloads" / f"{name}-{version}"
    downloads.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(downloads), f"{name}=={version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = sorted(downloads.iterdir())
    if done.returncode or not archives:
        last = done.stderr.strip().splitlines()[-1:] or ["no file"]
        raise CorpusError(f"pip download {name}=={version} failed: {last[0]}")
    partial = CACHE / f"{name}-{version}.partial"
    _unpack(archives[0], partial)
    partial.rename(target)
    return target


def _unpack(archive: Path, target: Path) -> None:
    """Unpacks a wheel or a source archive; members that would leave the target are refused."""
    target.mkdir(parents=True, exist_ok=True)
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as file:
            base = target.resolve()
            for member in file.namelist():
                if not (base / member).resolve().is_relative_to(base):
                    raise CorpusError(f"{archive.name} contains {member}")
            file.extractall(target)
    else:
        with tarfile.open(archive) as file:
            file.extractall(target, filter="data")


def _models(root: Path, folder: str) -> list[str]:
    """Relative paths of the files below a folder whose root element is that of a model."""
    found = []
    for path in (root / folder).rglob("*"):
        if path.suffix.lower() in (".xml", ".urdf") and path.is_file() and is_model(path):
            found.append(path.relative_to(root).as_posix())
    return found


def is_model(path: Path) -> bool:
    """Whether the root element of an XML file is `mujoco` or `robot`."""
    head = _COMMENT.sub(b"", path.read_bytes())
    first = _ANY_TAG.search(head)
    return bool(first and _ROOT_TAG.match(head, first.start()))


def _fingerprint(root: Path, folders: list[str]) -> str:
    """Changes when a file of the corpus changes."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and ".git" not in path.parts:
                stat = path.stat()
                digest.update(f"{path.relative_to(root).as_posix()} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]
