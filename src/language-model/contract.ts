/** The user's own language model behind a chat endpoint. Nothing is sent before the first call. */

export interface ChatMessage {
  role: 'system' | 'user';
  content: string;
}

/** How an answer ended: by itself, or cut at the configured number of tokens. */
export type Ending = 'stop' | 'length';

export interface LanguageModel {
  /**
   * Hands over the answer as it arrives and waits for `onText` before it reads on. Throws a `ModelFailure`, also for an answer
   * that breaks off; what was handed over until then is not an answer.
   */
  stream(
    messages: readonly ChatMessage[],
    options: { onText: (text: string) => Promise<void>; signal?: AbortSignal | undefined },
  ): Promise<Ending>;
  /** A whole answer that should be JSON of this schema; the caller checks that it is. Throws a `ModelFailure`. */
  complete(
    messages: readonly ChatMessage[],
    options: { name: string; schema: object; signal?: AbortSignal | undefined },
  ): Promise<string>;
  /** What may be shown: the model's name and the host it is asked at, never the key. */
  describe(): { model: string; host: string };
  /** Gives up what is under way. Idempotent. */
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

/** Why the model gave no usable answer. Neither what was sent nor what came back is part of it. */
export class ModelFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(`The language model gave no usable answer (${reason})`);
    this.name = 'ModelFailure';
    this.reason = reason;
  }
}
