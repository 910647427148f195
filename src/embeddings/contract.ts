import { MemoryError } from '../model/errors.js';

/** The properties of an embedder. */
export type EmbeddingDescription = {
  provider: string;
  model: string;
  dimension: number;
  /** Every other setting that changes the vectors, without secrets; part of the fingerprint. */
  options: Record<string, string | number | boolean>;
};

export interface Embedder {
  /**
   * One vector per text, in order, each of `describe().dimension` numbers. Rejects as a whole, never with a partial
   * result.
   */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  describe(): EmbeddingDescription;
  /**
   * How reliably a small distance means a related text: 0 for chance, 1 for the shipped static model, more for a better
   * one. The ranker uses it as a weight.
   */
  readonly trust: number;
  /** Idempotent. */
  close(): Promise<void>;
}

/** The model is available but rejects these texts, for example because one is too long. It may accept other texts. */
export class TextsRefused extends MemoryError {
  constructor(message: string) {
    super('embedding_unavailable', message);
  }
}
