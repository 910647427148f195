from __future__ import annotations

from typing import Any, TypedDict


class Issue(TypedDict):
    """One thing wrong with the input: where it is and what is allowed."""

    path: str
    message: str


class MemoryError_(Exception):
    """A failure that the server tells; `code` is the interface's `error_code`. (Python has a MemoryError of its own.)"""

    def __init__(self, code: str, message: str, issues: list[Issue] | None = None, fields: dict[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.issues: list[Issue] = issues or []
        self.fields: dict[str, Any] = fields or {}

    def __repr__(self) -> str:
        return f"MemoryError_({self.code!r}, {str(self)!r})"


class ConnectionFailed(Exception):
    """The server was not reached, or something else answered in its place."""

    def __init__(self, message: str, http_status: int | None = None):
        super().__init__(message)
        self.http_status = http_status


def error_of(body: dict[str, Any]) -> MemoryError_:
    known = ("status", "detail", "error_code", "error_message", "issues")
    rest = {name: value for name, value in body.items() if name not in known}
    return MemoryError_(str(body["error_code"]), str(body.get("error_message", "")), body.get("issues"), rest)
