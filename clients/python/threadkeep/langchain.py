"""LangChain: a retriever and a chat message history. Install `threadkeep[langchain]`."""

from __future__ import annotations

from typing import Any, Sequence

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, messages_from_dict, messages_to_dict
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from ._client import Memory
from ._event_log import EventLog
from ._requests import Json
from ._hits import hit_id, metadata_of

__all__ = ["ThreadkeepChatMessageHistory", "ThreadkeepRetriever"]


class ThreadkeepRetriever(BaseRetriever):
    """Messages of the memory as documents; `filter` holds fields of a search such as `source` or `top_k`."""

    memory: Memory
    filter: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        hits = self.memory.search(query, **{**self.filter, "include_messages": False})["results"]
        return [Document(id=hit_id(hit), page_content=hit["text"], metadata=metadata_of(hit)) for hit in hits]


class ThreadkeepChatMessageHistory(BaseChatMessageHistory):
    """The messages of a session. Clearing empties the session; what was said stays in the memory until it is forgotten."""

    def __init__(
        self, memory: Memory, session_id: str, *, source: str = "langchain", project_id: str | None = None
    ) -> None:
        self._log = EventLog(memory, source=source, session=session_id, project_id=project_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        return messages_from_dict(self._log.read())

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        if messages:
            self._log.add(messages_to_dict(messages), [turn for each in messages for turn in _said_in(each)])

    def clear(self) -> None:
        self._log.clear()


_ROLES = {"human": "user", "ai": "assistant"}


def _said_in(message: BaseMessage) -> list[Json]:
    role = _ROLES.get(message.type)
    text = str(message.text)
    return [{"role": role, "text": text}] if role is not None and text.strip() else []
