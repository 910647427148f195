import type { Around } from '../../../src/app/dependencies.js';

type MetadataCall = 'open' | 'write' | 'find' | 'count' | 'searchText' | 'scrub' | 'check' | 'snapshot' | 'close';
type VectorCall = 'open' | 'upsert' | 'search' | 'remove' | 'count' | 'reset' | 'maintain' | 'scrub' | 'close';
export type FaultyCall =
  | `metadata.${MetadataCall | '*'}`
  | `vectors.${VectorCall | '*'}`
  | 'embedder.embed'
  | `tokenizer.${'count' | 'windows' | '*'}`;

export interface FaultRule {
  on: FaultyCall | readonly FaultyCall[];
  /**
   * `error`: it is not done. `lost`: it is done, and the answer lost. `delay`: `ms` later. `hang`: until the faults are
   * cleared. `partial`: half of it. `wrong_count`: an answer with too many things.
   */
  fault: 'error' | 'lost' | 'delay' | 'hang' | 'partial' | 'wrong_count';
  ms?: number;
  /** How likely, from 0 to 1; default always. */
  chance?: number;
  /** Only these calls, counted from 1 since the beginning. */
  at?: readonly number[];
}

export interface Faults {
  around: Required<Around>;
  set(...rules: FaultRule[]): void;
  clear(): void;
  calls(call: FaultyCall): number;
  hanging(): number;
}

export function createFaults(options?: { seed?: number }): Faults;
export function seeded(seed: number): () => number;
