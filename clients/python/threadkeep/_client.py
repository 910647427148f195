from __future__ import annotations

from types import TracebackType
from typing import Any, AsyncIterator, Iterator
from urllib.parse import quote

import httpx

from . import types
from ._errors import ConnectionFailed
from ._requests import (
    PATHS,
    Conversation,
    Data,
    Json,
    answer_of,
    async_body_of,
    body_of,
    conversation_of,
    fact_path,
    given,
    headers_of,
    project_path,
    query_of,
    unreachable,
)


class Memory:
    """The memory of a server. Keyword arguments are the fields of the HTTP interface; answers are its JSON."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        token: str | None = None,
        source: str | None = None,
        timeout: float | None = 60.0,
        client: httpx.Client | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._source = source
        self._headers = headers_of(token)
        self._own = client is None
        self._client = client or httpx.Client(timeout=timeout)

    def __repr__(self) -> str:
        return f"Memory({self._url!r})"

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, unless the client was handed in."""
        if self._own:
            self._client.close()

    def insert(self, conversation: Conversation) -> types.InsertOutput:
        """Stores one conversation, or a list of turns. The same again changes nothing (`deduplicated`)."""
        return self._post("insert", conversation_of(conversation, self._source))

    def validate(self, conversation: Conversation) -> types.ValidateOutput:
        return self._post("validate", conversation_of(conversation, self._source))

    def search(self, query: str, **fields: Any) -> types.SearchOutput:
        return self._post("search", given(query=query, **fields))

    def search_all(self, query: str, **fields: Any) -> Iterator[Any]:
        """Every result, page after page."""
        return self._pages("search", given(query=query, **fields))

    def retrieve(self, id: str, **fields: Any) -> types.RetrieveOutput:
        return self._post("retrieve", given(id=id, **fields))

    def ask(self, question: str, **fields: Any) -> types.AskOutput:
        return self._post("ask", given(question=question, **fields))

    def profile(self, subject: str = "user", **fields: Any) -> types.ProfileOutput:
        return self._post("profile", given(subject=subject, **fields))

    def timeline(self, day: str, **fields: Any) -> types.TimelineOutput:
        """The conversations of a UTC day such as `2026-11-15`."""
        return self._post("timeline", given(day=day, **fields))

    def context(self, id: str, message_index: int, **fields: Any) -> types.ContextOutput:
        """A message with those around it, to understand a hit."""
        return self._post("context", given(id=id, message_index=message_index, **fields))

    def timeline_all(self, day: str, **fields: Any) -> Iterator[types.TimelineEntry]:
        """Every conversation of a UTC day, page after page."""
        return self._pages("timeline", given(day=day, **fields))

    def people(self, **fields: Any) -> types.PeopleOutput:
        return self._send("GET", "/memory/people", params=query_of(given(**fields)))

    def activity(self, **fields: Any) -> types.ActivityOutput:
        return self._post("activity", given(**fields))

    def conversations_list(self, **fields: Any) -> types.ConversationListOutput:
        return self._post("conversations_list", given(**fields))

    def conversations_all(self, **fields: Any) -> Iterator[types.ListedConversation]:
        return self._pages("conversations_list", given(**fields))

    def conversations_update(self, id: str, **fields: Any) -> types.ConversationUpdateOutput:
        return self._post("conversations_update", given(id=id, **fields))

    def facts_search(self, query: str | None = None, **fields: Any) -> types.FactSearchOutput:
        return self._post("facts_search", given(query=query, **fields))

    def facts_all(self, query: str | None = None, **fields: Any) -> Iterator[types.Fact]:
        return self._pages("facts_search", given(query=query, **fields))

    def facts_supersede(self, fact_id: str, superseded_by: str, **fields: Any) -> types.FactSupersedeOutput:
        return self._post("facts_supersede", given(fact_id=fact_id, superseded_by=superseded_by, **fields))

    def facts_restore(self, fact_id: str, **fields: Any) -> types.FactRestoreOutput:
        return self._post("facts_restore", given(fact_id=fact_id, **fields))

    def facts_add(self, predicate: str, value: str, **fields: Any) -> types.FactAddOutput:
        return self._post("facts_add", given(predicate=predicate, value=value, **fields))

    def facts_correct(self, fact_id: str, value: str, **fields: Any) -> types.FactCorrectOutput:
        return self._send("POST", fact_path(fact_id, "correct"), json=given(value=value, **fields))

    def facts_retract(self, fact_id: str, **fields: Any) -> types.FactRetractOutput:
        return self._send("POST", fact_path(fact_id, "retract"), json=given(**fields))

    def facts_pin(self, fact_id: str, **fields: Any) -> types.FactPinOutput:
        return self._send("POST", fact_path(fact_id, "pin"), json=given(**fields))

    def facts_unpin(self, fact_id: str, **fields: Any) -> types.FactUnpinOutput:
        return self._send("POST", fact_path(fact_id, "unpin"), json=given(**fields))

    def facts_detach(self, fact_id: str, conversation_id: str, **fields: Any) -> types.FactDetachOutput:
        body = given(conversation_id=conversation_id, **fields)
        return self._send("POST", fact_path(fact_id, "detach"), json=body)

    def facts_undo(self, fact_id: str, **fields: Any) -> types.FactUndoOutput:
        return self._send("POST", fact_path(fact_id, "undo"), json=given(**fields))

    def pending_approve(self, id: str, **fields: Any) -> types.PendingApproveOutput:
        return self._post("pending_approve", given(id=id, **fields))

    def pending_reject(self, id: str, **fields: Any) -> types.PendingRejectOutput:
        return self._post("pending_reject", given(id=id, **fields))

    def forget(self, **fields: Any) -> types.ForgetOutput:
        """Counts what would go; with `dry_run=False` it is forgotten for good."""
        return self._post("forget", given(**fields))

    def projects(self) -> types.ProjectListOutput:
        return self._send("GET", "/memory/projects")

    def default_project(self) -> types.ProjectGetOutput:
        return self._send("GET", "/memory/projects/default")

    def project(self, project_id: str) -> types.ProjectGetOutput:
        return self._send("GET", project_path(project_id))

    def project_members(self, project_id: str) -> types.ProjectMembersOutput:
        return self._send("GET", project_path(project_id, "/members"))

    def project_member_set(self, project_id: str, user: str, role: str) -> types.ProjectMemberSetOutput:
        return self._post("project_member_set", given(project_id=project_id, user=user, role=role))

    def project_member_remove(self, project_id: str, user: str) -> types.ProjectMemberRemoveOutput:
        return self._post("project_member_remove", given(project_id=project_id, user=user))

    def health(self) -> Json:
        return self._send("GET", "/health")

    def ready(self) -> Json:
        """Asks the stores; `status` is `unavailable` while one does not answer."""
        return self._send("GET", "/ready")

    def export(self, **fields: Any) -> Iterator[str]:
        """The export in portions of text; together they are the file."""
        request = self._client.build_request(
            "GET", f"{self._url}/memory/export", params=query_of(given(**fields)), headers=self._headers
        )
        try:
            response = self._client.send(request, stream=True)
            try:
                if response.is_error:
                    response.read()
                    answer_of(response)
                    raise ConnectionFailed("The server refused the export", response.status_code)
                for text in response.iter_text():
                    yield text
            finally:
                response.close()
        except httpx.TransportError as error:
            raise unreachable(error) from error

    def import_file(self, data: Data, *, format: str, filename: str | None = None, **fields: Any) -> types.ImportOutput:
        """Stores every conversation of an export: a text, bytes, or a file that is open for reading bytes."""
        params = query_of(given(format=format, filename=filename, **fields))
        content = body_of(data)
        return self._send(
            "POST",
            "/memory/import",
            params=params,
            content=content,
            headers={"content-type": "application/octet-stream"},
            timeout=None,
        )

    def imports_create(
        self, data: Data, *, format: str | None = None, filename: str | None = None, **fields: Any
    ) -> types.ImportsCreateOutput:
        """Hands an export over; the server stores it in the background. Its format is recognised unless it is named."""
        return self._send(
            "POST",
            "/memory/imports",
            params=query_of(given(format=format, filename=filename, **fields)),
            content=body_of(data),
            headers={"content-type": "application/octet-stream"},
            timeout=None,
        )

    def imports_list(self) -> types.ImportsListOutput:
        return self._send("GET", "/memory/imports")

    def imports_get(self, import_id: str) -> types.ImportsGetOutput:
        """The state of an import, with what it did so far."""
        return self._send("GET", f"/memory/imports/{quote(import_id, safe='')}")

    def imports_cancel(self, import_id: str) -> types.ImportsCancelOutput:
        """Ends an import; what it has stored stays."""
        return self._post("imports_cancel", given(import_id=import_id))

    def _pages(self, name: str, fields: Json) -> Iterator[Any]:
        cursor: str | None = fields.get("cursor")
        while True:
            page = self._post(name, {**fields, **given(cursor=cursor)})
            for result in page["results"]:
                yield result
            cursor = page["cursor"]
            if cursor is None:
                return

    def _post(self, name: str, body: Json) -> Any:
        return self._send("POST", PATHS[name], json=body)

    def _send(self, method: str, path: str, **options: Any) -> Any:
        headers = {**self._headers, **options.pop("headers", {})}
        try:
            response = self._client.request(method, f"{self._url}{path}", headers=headers, **options)
        except httpx.TransportError as error:
            raise unreachable(error) from error
        return answer_of(response)


class AsyncMemory:
    """The memory of a server, to be awaited. Keyword arguments are the fields of the HTTP interface; answers are its JSON."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        token: str | None = None,
        source: str | None = None,
        timeout: float | None = 60.0,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._source = source
        self._headers = headers_of(token)
        self._own = client is None
        self._client = client or httpx.AsyncClient(timeout=timeout)

    def __repr__(self) -> str:
        return f"AsyncMemory({self._url!r})"

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, unless the client was handed in."""
        if self._own:
            await self._client.aclose()

    async def insert(self, conversation: Conversation) -> types.InsertOutput:
        """Stores one conversation, or a list of turns. The same again changes nothing (`deduplicated`)."""
        return await self._post("insert", conversation_of(conversation, self._source))

    async def validate(self, conversation: Conversation) -> types.ValidateOutput:
        return await self._post("validate", conversation_of(conversation, self._source))

    async def search(self, query: str, **fields: Any) -> types.SearchOutput:
        return await self._post("search", given(query=query, **fields))

    def search_all(self, query: str, **fields: Any) -> AsyncIterator[Any]:
        """Every result, page after page."""
        return self._pages("search", given(query=query, **fields))

    async def retrieve(self, id: str, **fields: Any) -> types.RetrieveOutput:
        return await self._post("retrieve", given(id=id, **fields))

    async def ask(self, question: str, **fields: Any) -> types.AskOutput:
        return await self._post("ask", given(question=question, **fields))

    async def profile(self, subject: str = "user", **fields: Any) -> types.ProfileOutput:
        return await self._post("profile", given(subject=subject, **fields))

    async def timeline(self, day: str, **fields: Any) -> types.TimelineOutput:
        """The conversations of a UTC day such as `2026-11-15`."""
        return await self._post("timeline", given(day=day, **fields))

    async def context(self, id: str, message_index: int, **fields: Any) -> types.ContextOutput:
        """A message with those around it, to understand a hit."""
        return await self._post("context", given(id=id, message_index=message_index, **fields))

    def timeline_all(self, day: str, **fields: Any) -> AsyncIterator[types.TimelineEntry]:
        """Every conversation of a UTC day, page after page."""
        return self._pages("timeline", given(day=day, **fields))

    async def people(self, **fields: Any) -> types.PeopleOutput:
        return await self._send("GET", "/memory/people", params=query_of(given(**fields)))

    async def activity(self, **fields: Any) -> types.ActivityOutput:
        return await self._post("activity", given(**fields))

    async def conversations_list(self, **fields: Any) -> types.ConversationListOutput:
        return await self._post("conversations_list", given(**fields))

    def conversations_all(self, **fields: Any) -> AsyncIterator[types.ListedConversation]:
        return self._pages("conversations_list", given(**fields))

    async def conversations_update(self, id: str, **fields: Any) -> types.ConversationUpdateOutput:
        return await self._post("conversations_update", given(id=id, **fields))

    async def facts_search(self, query: str | None = None, **fields: Any) -> types.FactSearchOutput:
        return await self._post("facts_search", given(query=query, **fields))

    def facts_all(self, query: str | None = None, **fields: Any) -> AsyncIterator[types.Fact]:
        return self._pages("facts_search", given(query=query, **fields))

    async def facts_supersede(self, fact_id: str, superseded_by: str, **fields: Any) -> types.FactSupersedeOutput:
        return await self._post("facts_supersede", given(fact_id=fact_id, superseded_by=superseded_by, **fields))

    async def facts_restore(self, fact_id: str, **fields: Any) -> types.FactRestoreOutput:
        return await self._post("facts_restore", given(fact_id=fact_id, **fields))

    async def facts_add(self, predicate: str, value: str, **fields: Any) -> types.FactAddOutput:
        return await self._post("facts_add", given(predicate=predicate, value=value, **fields))

    async def facts_correct(self, fact_id: str, value: str, **fields: Any) -> types.FactCorrectOutput:
        return await self._send("POST", fact_path(fact_id, "correct"), json=given(value=value, **fields))

    async def facts_retract(self, fact_id: str, **fields: Any) -> types.FactRetractOutput:
        return await self._send("POST", fact_path(fact_id, "retract"), json=given(**fields))

    async def facts_pin(self, fact_id: str, **fields: Any) -> types.FactPinOutput:
        return await self._send("POST", fact_path(fact_id, "pin"), json=given(**fields))

    async def facts_unpin(self, fact_id: str, **fields: Any) -> types.FactUnpinOutput:
        return await self._send("POST", fact_path(fact_id, "unpin"), json=given(**fields))

    async def facts_detach(self, fact_id: str, conversation_id: str, **fields: Any) -> types.FactDetachOutput:
        body = given(conversation_id=conversation_id, **fields)
        return await self._send("POST", fact_path(fact_id, "detach"), json=body)

    async def facts_undo(self, fact_id: str, **fields: Any) -> types.FactUndoOutput:
        return await self._send("POST", fact_path(fact_id, "undo"), json=given(**fields))

    async def pending_approve(self, id: str, **fields: Any) -> types.PendingApproveOutput:
        return await self._post("pending_approve", given(id=id, **fields))

    async def pending_reject(self, id: str, **fields: Any) -> types.PendingRejectOutput:
        return await self._post("pending_reject", given(id=id, **fields))

    async def forget(self, **fields: Any) -> types.ForgetOutput:
        """Counts what would go; with `dry_run=False` it is forgotten for good."""
        return await self._post("forget", given(**fields))

    async def projects(self) -> types.ProjectListOutput:
        return await self._send("GET", "/memory/projects")

    async def default_project(self) -> types.ProjectGetOutput:
        return await self._send("GET", "/memory/projects/default")

    async def project(self, project_id: str) -> types.ProjectGetOutput:
        return await self._send("GET", project_path(project_id))

    async def project_members(self, project_id: str) -> types.ProjectMembersOutput:
        return await self._send("GET", project_path(project_id, "/members"))

    async def project_member_set(self, project_id: str, user: str, role: str) -> types.ProjectMemberSetOutput:
        return await self._post("project_member_set", given(project_id=project_id, user=user, role=role))

    async def project_member_remove(self, project_id: str, user: str) -> types.ProjectMemberRemoveOutput:
        return await self._post("project_member_remove", given(project_id=project_id, user=user))

    async def health(self) -> Json:
        return await self._send("GET", "/health")

    async def ready(self) -> Json:
        """Asks the stores; `status` is `unavailable` while one does not answer."""
        return await self._send("GET", "/ready")

    async def export(self, **fields: Any) -> AsyncIterator[str]:
        """The export in portions of text; together they are the file."""
        request = self._client.build_request(
            "GET", f"{self._url}/memory/export", params=query_of(given(**fields)), headers=self._headers
        )
        try:
            response = await self._client.send(request, stream=True)
            try:
                if response.is_error:
                    await response.aread()
                    answer_of(response)
                    raise ConnectionFailed("The server refused the export", response.status_code)
                async for text in response.aiter_text():
                    yield text
            finally:
                await response.aclose()
        except httpx.TransportError as error:
            raise unreachable(error) from error

    async def import_file(self, data: Data, *, format: str, filename: str | None = None, **fields: Any) -> types.ImportOutput:
        """Stores every conversation of an export: a text, bytes, or a file that is open for reading bytes."""
        params = query_of(given(format=format, filename=filename, **fields))
        content = async_body_of(data)
        return await self._send(
            "POST",
            "/memory/import",
            params=params,
            content=content,
            headers={"content-type": "application/octet-stream"},
            timeout=None,
        )

    async def imports_create(
        self, data: Data, *, format: str | None = None, filename: str | None = None, **fields: Any
    ) -> types.ImportsCreateOutput:
        """Hands an export over; the server stores it in the background. Its format is recognised unless it is named."""
        return await self._send(
            "POST",
            "/memory/imports",
            params=query_of(given(format=format, filename=filename, **fields)),
            content=async_body_of(data),
            headers={"content-type": "application/octet-stream"},
            timeout=None,
        )

    async def imports_list(self) -> types.ImportsListOutput:
        return await self._send("GET", "/memory/imports")

    async def imports_get(self, import_id: str) -> types.ImportsGetOutput:
        """The state of an import, with what it did so far."""
        return await self._send("GET", f"/memory/imports/{quote(import_id, safe='')}")

    async def imports_cancel(self, import_id: str) -> types.ImportsCancelOutput:
        """Ends an import; what it has stored stays."""
        return await self._post("imports_cancel", given(import_id=import_id))

    async def _pages(self, name: str, fields: Json) -> AsyncIterator[Any]:
        cursor: str | None = fields.get("cursor")
        while True:
            page = await self._post(name, {**fields, **given(cursor=cursor)})
            for result in page["results"]:
                yield result
            cursor = page["cursor"]
            if cursor is None:
                return

    async def _post(self, name: str, body: Json) -> Any:
        return await self._send("POST", PATHS[name], json=body)

    async def _send(self, method: str, path: str, **options: Any) -> Any:
        headers = {**self._headers, **options.pop("headers", {})}
        try:
            response = await self._client.request(method, f"{self._url}{path}", headers=headers, **options)
        except httpx.TransportError as error:
            raise unreachable(error) from error
        return answer_of(response)
