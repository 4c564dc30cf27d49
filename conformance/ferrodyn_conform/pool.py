"""Worker processes that may time out or die without taking the run with them."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait


def _serve(connection: Connection, work: Callable, scratch: str) -> None:
    """Answers tasks until the parent hangs up; messages of the engines go nowhere, files to the scratch folder."""
    os.chdir(scratch)
    tempfile.tempdir = scratch
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            connection.send((True, work(task)))
        except Exception as error:  # reported to the parent, which records it
            connection.send((False, f"{type(error).__name__}: {error}"))


class _Worker:
    def __init__(self, context, work: Callable, scratch: str):
        self.connection, child = context.Pipe()
        self.process = context.Process(target=_serve, args=(child, work, scratch), daemon=True)
        self.process.start()
        child.close()
        self.number: int | None = None
        self.deadline = 0.0

    def assign(self, number: int, task: object, timeout: float) -> None:
        self.number, self.deadline = number, time.monotonic() + timeout
        self.connection.send(task)

    def stop(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def run_all(work: Callable, tasks: list, jobs: int, timeout: float) -> Iterator[tuple[int, object, str]]:
    """Yields (task number, result, failure) in order of completion; failure is empty when there is a result."""
    context = multiprocessing.get_context("spawn")
    queue = list(enumerate(tasks))[::-1]
    workers: list[_Worker] = []
    scratch = tempfile.mkdtemp(prefix="conform-")
    try:
        while queue or workers:
            while queue and len(workers) < jobs:
                worker = _Worker(context, work, scratch)
                worker.assign(*queue.pop(), timeout)
                workers.append(worker)
            wait([w.connection for w in workers], timeout=1.0)
            for worker in list(workers):
                answer = _answer(worker, timeout)
                if answer is None:
                    continue
                yield (worker.number, *answer[:2])
                if answer[2] and queue:
                    worker.assign(*queue.pop(), timeout)
                else:
                    worker.stop()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.stop()
        shutil.rmtree(scratch, ignore_errors=True)


def _answer(worker: _Worker, timeout: float) -> tuple[object, str, bool] | None:
    """(result, failure, worker is usable), or None while it is busy."""
    if worker.connection.poll():
        try:
            good, value = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            return None, f"crash (exit code {worker.process.exitcode})", False
        return (value, "", True) if good else (None, value, True)
    if time.monotonic() > worker.deadline:
        return None, f"timeout after {timeout:.0f} s", False
    return None
