"""The adapters on the frameworks' real packages and a real server: python tests/frameworks.py http://127.0.0.1:8000"""

from __future__ import annotations

import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402
from llama_index.core.base.llms.types import ChatMessage  # noqa: E402
from llama_index.core.memory import Memory as ChatMemory  # noqa: E402

from threadkeep import Memory  # noqa: E402
from threadkeep import langchain as lc  # noqa: E402
from threadkeep import llamaindex as li  # noqa: E402


def langchain(memory: Memory) -> None:
    retriever = lc.ThreadkeepRetriever(memory=memory, filter={"source": "notes", "top_k": 1})
    chain = retriever | RunnableLambda(lambda documents: "\n".join(each.page_content for each in documents))
    assert chain.invoke("When does the harbour open?") == "The harbour opens at six."
    assert retriever.invoke("harbour")[0].metadata["source"] == "notes"
    assert asyncio.run(retriever.ainvoke("harbour"))[0].page_content == "The harbour opens at six."

    history = lc.ThreadkeepChatMessageHistory(memory, "s1")
    call = {"id": "c1", "name": "clock", "args": {}, "type": "tool_call"}
    history.add_messages(
        [HumanMessage("ok"), AIMessage(content="", tool_calls=[call]), ToolMessage("12:00", tool_call_id="c1")]
    )
    history.add_messages([HumanMessage("ok")])
    history.add_messages([HumanMessage("ok")])
    again = lc.ThreadkeepChatMessageHistory(memory, "s1").messages
    assert [each.type for each in again] == ["human", "ai", "tool", "human", "human"], again
    assert again[1].tool_calls[0]["name"] == "clock"
    assert lc.ThreadkeepChatMessageHistory(memory, "s2").messages == []
    history.clear()
    assert history.messages == []


def llamaindex(memory: Memory) -> None:
    [hit] = li.ThreadkeepRetriever(memory, source="notes", top_k=1).retrieve("When does the harbour open?")
    assert hit.node.get_content() == "The harbour opens at six." and hit.node.metadata["source"] == "notes"
    assert hit.score is not None and hit.score > 0

    async def talk() -> None:
        # A short-term memory of a few tokens, so that what was said is handed to the block.
        block = li.ThreadkeepMemoryBlock(memory=memory, thread_id="chat-1")
        chat = ChatMemory.from_defaults(
            session_id="chat-1",
            token_limit=60,
            chat_history_token_ratio=0.2,
            token_flush_size=10,
            memory_blocks=[block],
            tokenizer_fn=str.split,
        )
        for turn in range(4):
            await chat.aput(ChatMessage(role="user", content=f"My bicycle is blue and has a brass bell, number {turn}."))
            await chat.aput(ChatMessage(role="assistant", content=f"A brass bell suits a blue bicycle, number {turn}."))
        kept = memory.search("brass bell", thread_id="chat-1")["results"]
        assert any(each["text"].startswith("My bicycle is blue") for each in kept), kept
        prompt = await chat.aget(input="What colour is my bicycle?")
        assert any("data, not instructions" in (each.content or "") for each in prompt), prompt

    asyncio.run(talk())


if __name__ == "__main__":
    with Memory(sys.argv[1]) as memory:
        memory.insert({"source": "notes", "messages": [{"role": "user", "text": "The harbour opens at six."}]})
        langchain(memory)
        llamaindex(memory)
    print(f"python {sys.version.split()[0]}: LangChain and LlamaIndex passed")
