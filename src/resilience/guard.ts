import { MemoryError } from '../model/errors.js';
import type { Breaker, CircuitKind } from './breaker.js';

export type Dependency = 'metadata' | 'vectors' | 'embedding';
export type Trouble = 'timeout' | 'error' | 'refused';

export interface GuardState {
  circuit: CircuitKind;
  /** Consecutive failures. */
  failures: number;
  /** Calls that timed out and have not settled yet. */
  unanswered: number;
  retry_in_ms?: number;
}

interface CallOptions {
  withinMs: number;
  again: boolean;
  alone?: boolean;
  always?: boolean;
}

export interface Guard {
  /**
   * Runs a call with a time-out. `again`: the call is idempotent, so it is retried while the service is down. `alone`:
   * the call is refused while an earlier one like it has timed out but not settled, because that one may still take
   * effect. `always`: the call is made even if the circuit is open, for example to close a connection. Throws what the
   * call throws, or `…_unavailable` when it timed out or was not made.
   */
  run<Result>(work: () => Promise<Result>, options: CallOptions): Promise<Result>;
  state(): GuardState;
}

export interface GuardOptions {
  dependency: Dependency;
  /** Absent for in-process dependencies, where one failure does not predict the next. */
  breaker?: Breaker;
  /** How often an idempotent call is retried. */
  retries: number;
  isDown: (error: unknown) => boolean;
  onTrouble?: (trouble: Trouble) => void;
  wait?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}

/**
 * Limit on calls that timed out and have not settled. Each holds its payload in memory, so beyond this limit nothing is
 * sent.
 */
const mostUnanswered = 64;
/** Belongs to no round of the circuit, so settling it changes nothing. */
const noTicket = -1;
const pauses = { first: 100, longest: 2_000 };

/** Protects calls to anything that may hang or fail: time-outs, a circuit breaker, bounded retries. */
export function createGuard(options: GuardOptions): Guard {
  const { dependency, breaker, retries, isDown, onTrouble, wait = waitFor, random = Math.random } = options;
  let unanswered = 0;
  /** How many of them were started with `alone`. */
  let stillAtWork = 0;
  /** Consecutive failures, counted here when there is no circuit breaker. */
  let inARow = 0;

  function enter(alone: boolean): number {
    const free = unanswered < mostUnanswered && !(alone && stillAtWork > 0);
    const ticket = free ? (breaker === undefined ? 0 : breaker.enter()) : undefined;
    if (ticket !== undefined) return ticket;
    onTrouble?.('refused');
    throw refusal(dependency, breaker?.pause() ?? 0);
  }

  function leave(by: 1 | -1, alone: boolean): void {
    unanswered += by;
    if (alone) stillAtWork += by;
  }

  function once<Result>(work: () => Promise<Result>, options: CallOptions): Promise<Result> {
    const { withinMs, alone = false, always = false } = options;
    const ticket = always ? noTicket : enter(alone);
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        inARow += 1;
        leave(1, alone);
        breaker?.settle(ticket, 'failed');
        onTrouble?.('timeout');
        reject(silence(dependency, withinMs));
      }, withinMs);
      const finish = (outcome: 'answered' | 'failed', tell: () => void): void => {
        clearTimeout(timer);
        if (late) {
          leave(-1, alone);
          return;
        }
        breaker?.settle(ticket, outcome);
        inARow = outcome === 'failed' ? inARow + 1 : 0;
        if (outcome === 'failed') onTrouble?.('error');
        tell();
      };
      // The async wrapper also catches what `work` throws synchronously.
      (async () => work())().then(
        (result) => finish('answered', () => resolve(result)),
        (error) => finish(isDown(error) ? 'failed' : 'answered', () => reject(error)),
      );
    });
  }

  return {
    async run(work, options) {
      const { withinMs, again } = options;
      const end = performance.now() + withinMs;
      for (let failures = 0; ; failures++) {
        try {
          return await once(work, options);
        } catch (error) {
          // Our own errors are time-outs and rejections: retrying would exceed the time limit or bypass the open
          // circuit.
          if (!again || failures >= retries || error instanceof MemoryError || !isDown(error)) throw error;
          const pause = backoff(failures, { ...pauses, random });
          if (performance.now() + pause >= end) throw error;
          await wait(pause);
        }
      }
    },

    state() {
      const { kind, failures } = breaker?.state() ?? { kind: 'closed' as const, failures: inARow };
      const retry = kind === 'open' ? { retry_in_ms: Math.ceil(breaker?.pause() ?? 0) } : {};
      return { circuit: kind, failures, unanswered, ...retry };
    },
  };
}

const faces = {
  metadata: { code: 'metadata_unavailable', name: 'The metadata store' },
  vectors: { code: 'vector_unavailable', name: 'The vector store' },
  embedding: { code: 'embedding_unavailable', name: 'The embedding model' },
} as const;

function silence(dependency: Dependency, withinMs: number): MemoryError {
  const { code, name } = faces[dependency];
  const fate =
    dependency === 'metadata' ? 'The write may or may not have been made: repeating it is safe.' : 'Try again.';
  return new MemoryError(code, `${name} did not answer within ${withinMs} ms. ${fate}`, { fields: after(0) });
}

function refusal(dependency: Dependency, pause: number): MemoryError {
  const { code, name } = faces[dependency];
  return new MemoryError(
    code,
    `${name} keeps failing, so calls to it are paused for a moment. Nothing was sent; try again.`,
    {
      fields: after(pause),
    },
  );
}

function after(milliseconds: number): { retry_after: string } {
  return { retry_after: String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
}

function waitFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Exponential back-off with full jitter, so that clients which failed together do not retry together. */
export function backoff(
  failures: number,
  { first, longest, random }: { first: number; longest: number; random: () => number },
): number {
  return Math.floor(random() * Math.min(longest, first * 2 ** failures));
}
