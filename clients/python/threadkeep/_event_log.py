"""The items of a session, kept as the adapters of the TypeScript library keep them: every change is a conversation."""

from __future__ import annotations

import datetime
import threading
from typing import Any, Sequence

from ._client import Memory
from ._requests import Json, given


class EventLog:
    """Nothing said is lost: clearing empties the session, the memory keeps what was said until it is forgotten."""

    def __init__(self, memory: Memory, *, source: str, session: str, project_id: str | None = None) -> None:
        self._memory = memory
        self._source = source
        self._session = session
        self._project_id = project_id
        self._thread_id = f"{source}:{session}"
        self._lock = threading.Lock()

    def read(self) -> list[Any]:
        with self._lock:
            return self._replay()[0]

    def add(self, items: Sequence[Any], said: Sequence[Json]) -> None:
        """`said` is what people and the model said in these items; the rest is kept without being searched."""
        with self._lock:
            self._store({"kind": "add", "items": list(items)}, said)

    def clear(self) -> None:
        with self._lock:
            if self._replay()[0]:
                self._store({"kind": "clear"}, [])

    def _replay(self) -> tuple[list[Any], int, str]:
        items: list[Any] = []
        step, at = 0, ""
        listed = self._memory.conversations_all(
            source=self._source, thread_id=self._thread_id, project_id=self._project_id, order="oldest", limit=100
        )
        for conversation in listed:
            change: Any = conversation["metadata"].get("session_change", {})
            kind = change.get("kind")
            if kind == "add":
                items.extend(change["items"])
            elif kind == "pop":
                items = items[:-1]
            elif kind == "clear":
                items = []
            step, at = step + 1, conversation["timestamp"]
        return items, step, at

    def _store(self, change: Json, said: Sequence[Json]) -> None:
        _, step, at = self._replay()
        conversation = given(
            source=self._source,
            project_id=self._project_id,
            timestamp=_later_than(at),
            metadata={
                "thread_id": self._thread_id,
                "session_change": change,
                "save_intent": "client_auto_save",
                "save_intent_source": self._source,
            },
        )
        marker = {"role": "user", "text": f"Session {self._session}, step {step + 1}: {change['kind']}"}
        if said and not self._memory.insert({**conversation, "messages": list(said)})["deduplicated"]:
            return
        # Nothing was said, or the same as somewhere before, which would be taken for that: then the step is named.
        self._memory.insert({**conversation, "messages": [marker, *said]})


def _later_than(at: str) -> str:
    """Newer than the step before, whatever the clock says: the order of time is the order of steps."""
    now = datetime.datetime.now(datetime.timezone.utc)
    if at:
        before = datetime.datetime.fromisoformat(at.replace("Z", "+00:00"))
        now = max(now, before + datetime.timedelta(milliseconds=1))
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
