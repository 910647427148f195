/** The user's own language model behind a chat endpoint. Nothing is sent before the first call. */

export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

/** How an answer ended: by itself, or truncated at the configured number of tokens. */
export type Ending = 'stop' | 'length';

export interface LanguageModel {
  /**
   * Passes on the answer as it arrives, and waits for `onText` before reading on. Throws a `ModelFailure`, including
   * for a stream that ends early; the text passed on until then is not an answer.
   */
  stream(
    messages: readonly ChatMessage[],
    options: { onText: (text: string) => Promise<void>; signal?: AbortSignal | undefined },
  ): Promise<Ending>;
  /** Requests a complete answer as JSON of this schema; the caller validates it. Throws a `ModelFailure`. */
  complete(
    messages: readonly ChatMessage[],
    options: { name: string; schema: object; signal?: AbortSignal | undefined },
  ): Promise<string>;
  /** Safe to show: the model's name and its host, never the key. */
  describe(): { model: string; host: string };
  /** Aborts pending requests. Idempotent. */
  close(): Promise<void>;
}

export const failureReasons = [
  'timeout',
  'unreachable',
  'failed',
  'malformed',
  'refused',
  'left_alone',
  'cancelled',
] as const;

export type FailureReason = (typeof failureReasons)[number];

/** Why the model gave no usable answer. Contains neither the request nor the response. */
export class ModelFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(`The language model gave no usable answer (${reason})`);
    this.name = 'ModelFailure';
    this.reason = reason;
  }
}
