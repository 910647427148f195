import type { Reading, TaggedFact, Window } from './contract.js';

export type Request =
  | { kind: 'read'; question: string; windows: readonly Window[] }
  | { kind: 'rank'; question: string; windows: readonly Window[] }
  /** Reads some of the windows that the request before this one ranked. */
  | { kind: 'finish'; places: readonly number[] }
  | { kind: 'tag'; message: string; before: string };

export type Reply =
  | { kind: 'read'; readings: Reading[] }
  | { kind: 'rank'; scores: number[] }
  | { kind: 'tag'; facts: TaggedFact[] }
  | { kind: 'failed'; message: string };
