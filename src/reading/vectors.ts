import type { Window } from './contract.js';
import { type Encoder, maxTokens } from './encoder.js';
import type { Splitter } from './pieces.js';
import type { Special } from './read-windows.js';

// The layout of `models/train/reader/search.py`; the model knows no other.
const maxBefore = 28;
const charactersBefore = 120;

interface Parts {
  encoder: Encoder;
  split: Splitter;
  special: Special;
}

/** How many numbers stand for a length of one. */
const scale = 127;

export function questionVector(parts: Parts, question: string): Int8Array {
  return vectorOf(parts, '', question);
}

/** Reads the first hundred words or so of a message. */
export function messageVector(parts: Parts, { message, before }: Omit<Window, 'after'>): Int8Array {
  const lead = before === undefined ? '' : `${before.speaker}: ${before.text.slice(-charactersBefore)}`;
  return vectorOf(parts, lead, `${message.speaker}: ${message.text}`);
}

/** How alike two vectors are, -1 to 1. */
export function likeness(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis++) sum += (one[axis] ?? 0) * (other[axis] ?? 0);
  return sum / (scale * scale);
}

/** Whole numbers: a quarter of the room, and nothing that ranks differently. */
function vectorOf({ encoder, split, special }: Parts, first: string, text: string): Int8Array {
  const context = split(first).slice(-maxBefore);
  const pieces = split(text).slice(0, maxTokens - context.length - 3);
  const numbers = (some: readonly { id: number }[]): number[] => some.map(({ id }) => id);
  const ids = [special.begin, ...numbers(context), special.separator, ...numbers(pieces), special.separator];
  return Int8Array.from(encoder.vector(ids, context.length + 2), (value) => Math.round(value * scale));
}
