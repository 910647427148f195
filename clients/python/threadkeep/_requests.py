"""What each call sends and what its answer means; shared by both clients, which only differ in waiting."""

from __future__ import annotations

from typing import IO, Any, AsyncIterator, Iterable, Mapping, Sequence, Union
from urllib.parse import quote

import httpx

from ._answer import Answer
from ._errors import ConnectionFailed, error_of

Json = dict[str, Any]
Conversation = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]
# As httpx has it: a list of pairs is not one of narrower pairs to a type checker.
Pairs = list[tuple[str, Union[str, int, float, bool, None]]]
Data = Union[str, bytes, IO[bytes], Iterable[bytes]]

PATHS: dict[str, str] = {
    "insert": "/memory/insert",
    "validate": "/memory/validate",
    "search": "/memory/search",
    "retrieve": "/memory/retrieve",
    "context": "/memory/context",
    "ask": "/memory/ask",
    "conversations_list": "/memory/conversations/list",
    "conversations_update": "/memory/conversations/update",
    "activity": "/memory/activity",
    "timeline": "/memory/timeline",
    "facts_search": "/memory/facts/search",
    "facts_supersede": "/memory/facts/supersede",
    "facts_restore": "/memory/facts/restore",
    "facts_add": "/memory/facts",
    "profile": "/memory/profile/get",
    "pending_approve": "/memory/pending/approve",
    "pending_reject": "/memory/pending/reject",
    "forget": "/memory/forget",
    "imports_cancel": "/memory/imports/cancel",
    "project_member_set": "/memory/projects/members/set",
    "project_member_remove": "/memory/projects/members/remove",
}


def project_path(project_id: str, page: str = "") -> str:
    return f"/memory/projects/{quote(project_id, safe='')}{page}"


def fact_path(fact_id: str, change: str) -> str:
    return f"/memory/facts/{quote(fact_id, safe='')}/{change}"


def given(**fields: Any) -> Json:
    """Without the fields that were not given: the interface has no null."""
    return {name: value for name, value in fields.items() if value is not None}


def headers_of(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


def conversation_of(conversation: Conversation, source: str | None) -> Json:
    whole: Json = dict(conversation) if isinstance(conversation, Mapping) else {"messages": list(conversation)}
    if source is not None:
        whole.setdefault("source", source)
    return whole


def query_of(fields: Json) -> Pairs:
    pairs: Pairs = []
    for name, value in fields.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            pairs.append((name, str(each).lower() if isinstance(each, bool) else str(each)))
    return pairs


def answer_of(response: httpx.Response) -> Json:
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise ConnectionFailed(f"The server is not Threadkeep (HTTP {response.status_code})", response.status_code)
    if body.get("status") == "error" and "error_code" in body:
        raise error_of(body)
    return Answer(body)


def unreachable(error: httpx.TransportError) -> ConnectionFailed:
    return ConnectionFailed(f"No response from the server ({type(error).__name__}); check that it runs and is reachable")


def body_of(data: Data) -> str | bytes | Iterable[bytes]:
    read = getattr(data, "read", None)
    if read is None:
        return data

    def parts() -> Iterable[bytes]:
        while part := read(65_536):
            yield part

    return parts()


def async_body_of(data: Data) -> str | bytes | AsyncIterator[bytes]:
    body = body_of(data)
    if isinstance(body, (str, bytes)):
        return body

    async def parts() -> AsyncIterator[bytes]:
        for part in body:
            yield part

    return parts()
