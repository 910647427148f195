"""LlamaIndex: a retriever and a memory block. Install `threadkeep[llamaindex]`."""

from __future__ import annotations

import asyncio
from typing import Any, List, Optional

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import ConfigDict
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._client import Memory
from ._hits import hit_id, metadata_of, recall_note

__all__ = ["ThreadkeepMemoryBlock", "ThreadkeepRetriever"]

# A search takes more; what a person wants lies at the beginning.
_LONGEST_QUERY = 8_000


class ThreadkeepRetriever(BaseRetriever):
    """Messages of the memory as nodes; keyword arguments are fields of a search such as `source` or `top_k`."""

    def __init__(self, memory: Memory, **filter: Any) -> None:
        super().__init__()
        self._memory = memory
        self._filter = filter

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        hits = self._memory.search(query_bundle.query_str, **{**self._filter, "include_messages": False})["results"]
        return [
            NodeWithScore(node=TextNode(id_=hit_id(hit), text=hit["text"], metadata=metadata_of(hit)), score=hit["relevance"])
            for hit in hits
        ]


class ThreadkeepMemoryBlock(BaseMemoryBlock[str]):
    """
    Recalls what the memory holds on the user's last words, and keeps the messages that LlamaIndex hands over once they no
    longer fit into its short-term memory.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str = "threadkeep"
    memory: Memory
    source: str = "llamaindex"
    project_id: Optional[str] = None
    thread_id: Optional[str] = None
    recall: int = 5

    async def _aget(self, messages: Optional[List[ChatMessage]] = None, **block_kwargs: Any) -> str:
        said = next((each.content or "" for each in reversed(messages or []) if each.role == "user"), "")
        query = said[:_LONGEST_QUERY]
        if not query.strip():
            return ""
        found = await asyncio.to_thread(
            self.memory.search,
            query,
            top_k=self.recall,
            match="strong",
            project_id=self.project_id,
            include_messages=False,
        )
        return recall_note(found["results"]) if found["results"] else ""

    async def _aput(self, messages: List[ChatMessage]) -> None:
        said = [
            {"role": each.role.value, "text": each.content}
            for each in messages
            if each.role in ("user", "assistant") and (each.content or "").strip()
        ]
        if not said:
            return
        metadata = {"save_intent": "client_auto_save", "save_intent_source": self.source}
        if self.thread_id is not None:
            metadata["thread_id"] = self.thread_id
        conversation: dict[str, Any] = {"source": self.source, "messages": said, "metadata": metadata}
        if self.project_id is not None:
            conversation["project_id"] = self.project_id
        await asyncio.to_thread(self.memory.insert, conversation)
