import type { Reading, TaggedFact, Window } from './contract.js';

export type Request =
  | { kind: 'read'; question: string; windows: readonly Window[] }
  | { kind: 'rank'; question: string; windows: readonly Window[] }
  /** Reads some of the windows that the request before this one ranked. */
  | { kind: 'finish'; places: readonly number[] }
  | { kind: 'tag'; message: string; before: string }
  | { kind: 'question'; question: string }
  | { kind: 'messages'; messages: readonly Omit<Window, 'after'>[] };

export type Reply =
  | { kind: 'read'; readings: Reading[] }
  | { kind: 'rank'; scores: number[] }
  | { kind: 'tag'; facts: TaggedFact[] }
  | { kind: 'vectors'; vectors: Int8Array[] }
  | { kind: 'failed'; message: string };
