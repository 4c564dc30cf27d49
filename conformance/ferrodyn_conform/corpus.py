"""Where models come from: pinned packages, checkouts named by the environment, and the small models beside this tool."""

from __future__ import annotations

import hashlib
import importlib.util
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
    return ["small", *config["packages"], *config["composed"], *config["checkouts"]]


def location(name: str) -> tuple[Path, list[str]]:
    """Root folder of a corpus, whether it is there yet or not, and the folders below it that hold models."""
    config = configuration()
    if name == "small":
        return HERE / "models", ["."]
    if name in config["packages"]:
        return CACHE / f"{name}-{config['packages'][name]}", ["."]
    if name in config["composed"]:
        return CACHE / f"{name}-{config['packages'][config['composed'][name]]}", ["."]
    if name not in config["checkouts"]:
        raise CorpusError(f"no corpus is called {name}; there are {', '.join(names())}")
    entry = config["checkouts"][name]
    value = os.environ.get(entry["variable"])
    if not value:
        raise CorpusError(f"{entry['variable']} is not set")
    if not Path(value).is_dir():
        raise CorpusError(f"{entry['variable']} does not name a folder")
    return Path(value).resolve(), entry["folders"]


def folder(name: str) -> Path:
    """Root folder of a corpus, whose package is downloaded when needed."""
    packages = configuration()["packages"]
    root, _ = location(name)
    if name in packages and not root.is_dir():
        _download(name, packages[name], root)
    return root


def get(name: str) -> Corpus:
    """Finds a corpus, downloading its package when needed."""
    config = configuration()
    root, folders = folder(name), location(name)[1]
    if name in config["composed"] and not root.is_dir():
        _compose(config["composed"][name], root)
    models = sorted(path for folder in folders for path in _models(root, folder))
    if name in config["composed"]:
        models = [path for path in models if path.endswith("/model.xml")]
    return Corpus(name, root, models, _fingerprint(root, folders), name in config["refused_models_count_in"])


def owner(path: Path) -> tuple[Path, str]:
    """Root of the corpus that a file belongs to, and its name there; its own folder when it belongs to none."""
    for name in names():
        try:
            root, _ = location(name)
        except CorpusError:
            continue
        if path.is_relative_to(root):
            return root, path.relative_to(root).as_posix()
    return path.parent, path.name


def _download(name: str, version: str, target: Path) -> None:
    """Fetches a pinned package and unpacks it."""
    downloads = CACHE / "downloads" / f"{name}-{version}"
    downloads.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(downloads), f"{name}=={version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = sorted(downloads.iterdir())
    if done.returncode or not archives:
        last = done.stderr.strip().splitlines()[-1:] or ["no file"]
        raise CorpusError(f"pip download {name}=={version} failed: {last[0]}")
    partial = target.with_name(target.name + ".partial")
    _unpack(archives[0], partial)
    partial.rename(target)


def _compose(package: str, target: Path) -> None:
    """Has the models written that a package makes in code."""
    if importlib.util.find_spec(package) is None:
        raise CorpusError(f"{package} is not installed")
    partial = target.with_name(target.name + ".partial")
    done = subprocess.run([sys.executable, str(HERE / "compose.py"), str(partial)], capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise CorpusError(f"composing failed: {last[0]}")
    partial.rename(target)


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
