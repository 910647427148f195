"""The calls that the library passes in every other way too: python tests/suite.py sync|async http://127.0.0.1:8000

The server's memory must be empty. `test/sdk/shared-suite.json` lists the calls with what each must answer; its fields are
explained in `shared-suite.test.ts` beside it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import pathlib
import re
import sys
from typing import Any

here = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(here.parent.parent))

from threadkeep import AsyncMemory, Memory, MemoryError_  # noqa: E402

STEPS = json.loads((here.parents[3] / "test" / "sdk" / "shared-suite.json").read_text(encoding="utf-8"))

# Calls that have another name in Python.
NAMES = {
    "profile_get": "profile",
    "people_list": "people",
    "project_list": "projects",
    "project_default_get": "default_project",
    "project_get": "project",
    "import": "import_file",
}


def filled(value: Any, kept: dict[str, Any]) -> Any:
    """Texts of the form `{name.field}` replaced with what an earlier answer holds there."""
    if isinstance(value, str) and (match := re.fullmatch(r"\{([\w.]+)\}", value)):
        found: Any = kept
        for name in match[1].split("."):
            found = found[int(name)] if isinstance(found, list) else found[name]
        return found
    if isinstance(value, list):
        return [filled(each, kept) for each in value]
    if isinstance(value, dict):
        return {name: filled(each, kept) for name, each in value.items()}
    return value


def differs(expected: Any, actual: Any, path: str = "answer") -> str | None:
    """Where the answer lacks what is expected: fields may be more, lists are whole."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return f"{path} is no object"
        for name, each in expected.items():
            if name not in actual:
                return f"{path}.{name} is missing"
            if (found := differs(each, actual[name], f"{path}.{name}")) is not None:
                return found
        return None
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return f"{path} is not a list of {len(expected)}"
        each_of = enumerate(zip(expected, actual))
        return next((found for at, pair in each_of if (found := differs(*pair, f"{path}[{at}]")) is not None), None)
    return None if expected == actual and type(expected) is type(actual) else f"{path} is {actual!r}, not {expected!r}"


async def outcome(memory: Memory | AsyncMemory, call: str, given: dict[str, Any]) -> Any:
    method = getattr(memory, NAMES.get(call, call))
    result = method(given) if call in ("insert", "validate") else method(**given)
    if inspect.isawaitable(result):
        result = await result
    if call == "export" or call.endswith("_all"):
        pieces = [each async for each in result] if hasattr(result, "__aiter__") else list(result)
        if call != "export":
            return {"results": pieces}
        text = "".join(pieces)
        return {"text": text, "types": [json.loads(line)["type"] for line in text.splitlines()]}
    return result


async def run(memory: Memory | AsyncMemory) -> int:
    kept: dict[str, Any] = {}
    for at, step in enumerate(STEPS, start=1):
        title = f"call {at}, {step['call']}"
        try:
            answer = await outcome(memory, step["call"], filled(step["input"], kept))
        except MemoryError_ as error:
            assert error.code == step.get("error"), f"{title}: {error.code}"
            continue
        assert "error" not in step, f"{title}: {step.get('error')} was expected"
        found = differs(filled(step["answer"], kept), answer)
        assert found is None, f"{title}: {found}"
        kept[step.get("as", "")] = answer
    return len(STEPS)


async def main(kind: str, url: str) -> None:
    if kind == "sync":
        with Memory(url) as memory:
            passed = await run(memory)
    else:
        async with AsyncMemory(url) as memory:
            passed = await run(memory)
    print(f"python {sys.version.split()[0]}, {kind}: {passed} of {len(STEPS)} calls of the shared suite passed")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
