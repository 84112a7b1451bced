"""Where an adapter keeps a paused run of its framework, so that a new process can go on with it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Protocol


class Memory(Protocol):
    """Any store of texts by id: a file, a database, a cache that survives."""

    def load(self, id: str) -> str | None: ...

    def save(self, id: str, state: str) -> None: ...

    def forget(self, id: str) -> None: ...


class FileMemory:
    """A file for each run in one directory; written whole or not at all, readable by its owner alone."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._directory = Path(directory)

    def load(self, id: str) -> str | None:
        try:
            return self._path(id).read_text("utf-8")
        except FileNotFoundError:
            return None

    def save(self, id: str, state: str) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        path = self._path(id)
        draft = path.with_suffix(f".{os.getpid()}.draft")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(state)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)

    def forget(self, id: str) -> None:
        self._path(id).unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        # Ids are the program's own, and may hold what no file name can.
        return self._directory / f"{hashlib.sha256(id.encode()).hexdigest()[:32]}.json"
