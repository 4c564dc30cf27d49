"""Specifications with their files in one zip archive."""

import os
import posixpath
import zipfile


def write(spec, file):
    """Write the text of a specification and its files in memory to an archive."""
    files = {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}
    if isinstance(file, (str, os.PathLike)):
        directory = os.path.dirname(os.fsdecode(file))
        if directory:
            os.makedirs(directory, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, contents in files.items():
            archive.writestr(zipfile.ZipInfo(name), contents)


def read(file):
    """The text and the files of an archive; their names count from the place of the text."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    texts, assets = {}, {}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                kind = texts if info.filename.endswith(".xml") else assets
                kind[info.filename] = archive.read(info)
    if not texts:
        raise ValueError("No XML file found in zip file.")
    # the last text is the model
    name, text = list(texts.items())[-1]
    directory = posixpath.dirname(name) or "."
    return text.decode(), {posixpath.relpath(n, directory): c for n, c in assets.items()}
