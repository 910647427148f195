import { MemoryError } from '../model/errors.js';

/** What an embedder promises. */
export type EmbeddingDescription = {
  provider: string;
  model: string;
  dimension: number;
  /** Whatever else changes the vectors, without secrets; part of the fingerprint. */
  options: Record<string, string | number | boolean>;
};

export interface Embedder {
  /** One vector per text, in order, each of `describe().dimension` numbers. Rejects whole, never with a partial answer. */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  describe(): EmbeddingDescription;
  /**
   * How far a small distance means a related text: 0 for chance, 1 for the model of word pieces that is shipped, more for
   * a better one. The ranker's weight for it.
   */
  readonly trust: number;
  /** Idempotent. */
  close(): Promise<void>;
}

/** The model is there and does not take these texts, such as one that is too long for it; others it may take. */
export class TextsRefused extends MemoryError {
  constructor(message: string) {
    super('embedding_unavailable', message);
  }
}
