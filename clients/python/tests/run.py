"""Runs against a real server with an empty memory: python tests/run.py http://127.0.0.1:8000"""

from __future__ import annotations

import asyncio
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from threadkeep import Answer, AsyncMemory, ConnectionFailed, Memory, MemoryError_  # noqa: E402

UNKNOWN = "00000000-0000-4000-8000-000000000000"
counts = {"sync": 0, "async": 0}


def raises(code: str, run):
    try:
        run()
    except MemoryError_ as error:
        assert error.code == code, error.code
        return error
    raise AssertionError(f"{code} was expected")


def synchronous(url: str) -> None:
    with Memory(url, source="python") as memory:
        assert repr(memory) == f"Memory({url!r})"
        stored = memory.insert({"messages": [{"role": "user", "text": "My bicycle is blue."}], "title": "Cycling"})
        assert stored["status"] == "ok" and not stored["deduplicated"]
        assert memory.insert([{"role": "user", "text": "My bicycle is blue."}])["deduplicated"]
        assert [hit["text"] for hit in memory.search("bicycle", top_k=1)["results"]] == ["My bicycle is blue."]
        assert memory.retrieve(stored["id"])["memory"]["source"] == "python"
        answer = memory.ask("What colour is my bicycle?")
        assert "blue" in answer["answer"] and "blue" in answer._repr_html_()
        assert "<script>" not in Answer({"results": [{"text": "<script>"}]})._repr_html_()
        assert memory.health()._repr_html_() is None
        around = memory.context(stored["id"], 0)
        assert [each["text"] for each in around["results"]] == ["My bicycle is blue."]
        counts["sync"] += 1

        # A question with two parts is answered part by part.
        memory.insert({"source": "parts", "messages": [{"role": "user", "text": "Our new school is called Hillview. Alfie joined the chess club."}]})
        both = memory.ask("What is the new school called, and which club did Alfie join?")
        assert [set(part) for part in both["parts"]] == [{"question", "answer", "answer_basis", "confidence"}] * 2, both
        counts["sync"] += 1

        for day in range(1, 6):
            text = f"Lighthouse note number {day}"
            memory.insert({"source": "pages", "timestamp": f"2026-03-0{day}", "messages": [{"role": "user", "text": text}]})
        assert len({hit["id"] for hit in memory.search_all("lighthouse", source="pages", limit=2)}) == 5
        listed = [each["timestamp"] for each in memory.conversations_all(source="pages", order="oldest", limit=2)]
        assert listed == [f"2026-03-0{day}" for day in range(1, 6)]
        assert len(memory.timeline("2026-03-02")["results"]) == 1
        assert [each["source"] for each in memory.timeline_all("2026-03-02")] == ["pages"]
        assert memory.activity(source="pages")["days"][0]["day"] == "2026-03-01"
        counts["sync"] += 1

        memory.insert({"source": "facts", "messages": [{"role": "user", "text": "I live in Lisbon. My name is Nora."}]})
        facts = list(memory.facts_all(source="facts", limit=1))
        assert sorted(fact["object_normalized"] for fact in facts) == ["Lisbon", "Nora"]
        memory.facts_supersede(facts[0]["id"], facts[1]["id"])
        assert memory.facts_restore(facts[0]["id"])["fact"]["status"] == "active"
        car = memory.facts_add("owns_car", "a Fiat")["id"]
        assert memory.facts_pin(car)["fact"]["pinned_at"] and "pinned_at" not in memory.facts_unpin(car)["fact"]
        assert memory.facts_correct(car, "a Saab")["superseded"]["id"] == car
        assert memory.facts_undo(car)["undone"] == "corrected"
        assert memory.facts_retract(car)["fact"]["status"] == "superseded"
        assert memory.profile()["subject"] == "user"
        memory.insert({"source": "people", "messages": [{"role": "user", "text": "My sister Fiona lives abroad."}]})
        assert memory.people()["results"][0]["relations"] == ["sister"]
        assert memory.conversations_update(stored["id"], add_tags=["blue"])["memory"]["metadata"]["tags"] == ["blue"]
        project = memory.default_project()["project"]
        assert memory.projects()["results"] == [project] and memory.project(project["id"])["project"] == project
        assert memory.project_members(project["id"])["results"] == []
        assert memory.health()["status"] == "ok" and memory.ready()["status"] == "ok"
        assert memory.validate([{"role": "user", "text": "Hello"}])["valid"]
        counts["sync"] += 1

        exported = "".join(memory.export(source="pages"))
        assert exported.startswith('{"type":"threadkeep-export"') and exported.count("\n") == 7
        assert memory.forget(source="pages")["conversations"] == 5
        memory.forget(source="pages", dry_run=False, allow_return=True)
        report = memory.import_file(io.BytesIO(exported.encode()), format="threadkeep", filename="memory.jsonl")
        assert report["imported"] == 5
        again = memory.import_file(exported, format="threadkeep", dry_run=True)
        assert again["duplicates"] == 5 and again["dry_run"] is True
        job = memory.imports_create(exported, filename="memory.jsonl")["job"]
        assert job["id"] in [each["id"] for each in memory.imports_list()["results"]]
        assert memory.imports_get(job["id"])["job"]["id"] == job["id"]
        raises("not_found", lambda: memory.imports_cancel(UNKNOWN))
        counts["sync"] += 1

        raises("not_found", lambda: memory.retrieve(UNKNOWN))
        error = raises("invalid_input", lambda: memory.search("  "))
        assert error.issues == [{"path": "query", "message": "must not be blank"}]
        assert "request_id" in error.fields
        raises("permission_denied", lambda: memory.project("nobodys"))
        raises("permission_denied", lambda: list(memory.export(project_id="nobodys")))
        raises("not_found", lambda: memory.pending_approve(UNKNOWN))
        raises("not_found", lambda: memory.pending_reject(UNKNOWN))
        counts["sync"] += 1

    try:
        Memory("http://127.0.0.1:9").health()
    except ConnectionFailed:
        counts["sync"] += 1
    else:
        raise AssertionError("nobody listens there")


async def asynchronous(url: str) -> None:
    async with AsyncMemory(url) as memory:
        stored = await memory.insert([{"role": "user", "text": "The otter sleeps."}])
        answers = await asyncio.gather(*(memory.search("otter", top_k=1) for _ in range(5)))
        assert all(answer["results"][0]["id"] == stored["id"] for answer in answers)
        hits = [hit["id"] async for hit in memory.search_all("lighthouse", source="pages", limit=2)]
        assert len(set(hits)) == 5
        counts["async"] += 1
        exported = "".join([text async for text in memory.export(source="pages")])
        report = await memory.import_file(io.BytesIO(exported.encode()), format="threadkeep", dry_run=True)
        assert report["duplicates"] == 5
        counts["async"] += 1
        try:
            await memory.retrieve(UNKNOWN)
        except MemoryError_ as error:
            assert error.code == "not_found"
            counts["async"] += 1


if __name__ == "__main__":
    synchronous(sys.argv[1])
    asyncio.run(asynchronous(sys.argv[1]))
    assert counts == {"sync": 7, "async": 3}, counts
    print(f"python {sys.version.split()[0]}: {sum(counts.values())} groups of checks passed")
