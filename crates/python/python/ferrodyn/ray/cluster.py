"""What all workers on a cluster have in common."""

import ray as _ray

__all__ = ["TRIES", "free_workers"]

# work that so many workers were lost with is taken for the reason of it
TRIES = 4


def free_workers(workers: int | None, threads: int) -> int:
    """How many workers of so many cores each to start: as many as asked for, or as there is room for now.

    Ray is started on this machine where it does not run yet.
    """
    if threads < 1:
        raise ValueError(f"a worker needs a thread, not {threads}")
    if workers is not None and workers < 1:
        raise ValueError(f"there has to be a worker, not {workers}")
    if not _ray.is_initialized():
        _ray.init()
    if workers is None:
        workers = max(1, int(_ray.available_resources().get("CPU", 1)) // threads)
    return workers
