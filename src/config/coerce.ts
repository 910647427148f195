import type { Wording } from './formats.js';

const truths: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/**
 * Reads a plain text as the kind of value that is expected there. A text that is no such value comes back unchanged,
 * so that the schema refuses it with the words of its key.
 */
export function coerceText(text: string, wording: Wording): unknown {
  const trimmed = text.trim();
  switch (wording.kind) {
    case 'text':
      return text;
    case 'boolean':
      return truths[trimmed.toLowerCase()] ?? text;
    case 'integer':
    case 'number':
      return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
    case 'list':
      return readList(trimmed, wording.item ?? { kind: 'text', allowed: '' }) ?? text;
    default:
      return wording.kind satisfies never;
  }
}

/** A JSON array, or items between commas. */
function readList(text: string, item: Wording): unknown[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('[')) return text.split(',').map((part) => coerceText(part.trim(), item));
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    // Not JSON after all: the caller hands the text to the schema, which says what is allowed.
    return undefined;
  }
}
