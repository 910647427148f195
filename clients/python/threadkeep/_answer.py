from __future__ import annotations

from html import escape
from typing import Any

# Enough for a page of results; a notebook is read by a person.
_MOST_ROWS = 50
_LONGEST_TEXT = 300


class Answer(dict[str, Any]):
    """The JSON of an answer. A notebook shows its results as a table; everywhere else it is a dictionary."""

    def _repr_html_(self) -> str | None:
        answer, results = self.get("answer"), self.get("results")
        if answer is None and not isinstance(results, list):
            return None
        parts = []
        if isinstance(answer, str):
            parts.append(f"<p><b>{escape(answer)}</b> <i>({escape(str(self.get('confidence', '')))})</i></p>")
        for part in self.get("parts", []):
            parts.append(f"<p>{escape(part['question'])} <b>{escape(part['answer'])}</b></p>")
        rows = [each for each in results or [] if isinstance(each, dict)][:_MOST_ROWS]
        if rows:
            parts.append(f"<table>{''.join(_row_of(each) for each in rows)}</table>")
        return "".join(parts) or "<p>No results</p>"


def _row_of(result: dict[str, Any]) -> str:
    text = next((result[name] for name in ("text", "snippet", "title", "label", "name") if result.get(name)), "")
    shown = str(text) if len(str(text)) <= _LONGEST_TEXT else f"{str(text)[:_LONGEST_TEXT]}…"
    cells = [str(result.get("timestamp", ""))[:10], str(result.get("role", "")), shown]
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
