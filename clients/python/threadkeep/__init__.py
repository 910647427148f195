"""Client of Threadkeep, a local-first memory for AI conversations."""

from ._client import AsyncMemory, Memory
from ._errors import ConnectionFailed, Issue, MemoryError_

__all__ = ["AsyncMemory", "ConnectionFailed", "Issue", "Memory", "MemoryError_"]
