"""Client of Threadkeep, a local-first memory for AI conversations."""

from ._answer import Answer
from ._client import AsyncMemory, Memory
from ._errors import ConnectionFailed, Issue, MemoryError_

__all__ = ["Answer", "AsyncMemory", "ConnectionFailed", "Issue", "Memory", "MemoryError_"]
