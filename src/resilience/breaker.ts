import { MemoryError } from '../model/errors.js';

export type CircuitKind = Circuit['kind'];

export interface Breaker {
  /**
   * Returns a ticket for one call, which the caller must settle however the call ends; undefined while the circuit is
   * open.
   */
  enter(): number | undefined;
  settle(ticket: number, outcome: CallOutcome): void;
  state(): { kind: CircuitKind; failures: number };
  /** Milliseconds until the next call is admitted. */
  pause(): number;
}

interface BreakerOptions extends CircuitSettings {
  /** Called when the circuit opens, half-opens or closes. */
  onChange?: (kind: CircuitKind) => void;
  /** A monotonic clock. */
  now?: () => number;
}

/** The circuit breaker of one service, shared by all its callers. */
export function createBreaker({ onChange, now = () => performance.now(), ...settings }: BreakerOptions): Breaker {
  let circuit = newCircuit;

  function become(next: Circuit): void {
    const changed = next.kind !== circuit.kind;
    circuit = next;
    if (changed) onChange?.(next.kind);
  }

  return {
    enter() {
      const { circuit: next, ticket } = admit(circuit, now());
      become(next);
      return ticket;
    },
    settle: (ticket, outcome) => become(settle(circuit, { ticket, outcome, now: now() }, settings)),
    state() {
      const failures = circuit.kind === 'closed' ? circuit.failures : settings.failures;
      return { kind: circuit.kind, failures };
    },
    pause: () => (circuit.kind === 'open' ? Math.max(0, circuit.until - now()) : 0),
  };
}

/**
 * A circuit breaker as plain data. While a service keeps failing, calls are rejected at once and the service can
 * recover; after a pause one call, the probe, checks whether it is back.
 */
export type Circuit =
  | { kind: 'closed'; round: number; failures: number }
  | { kind: 'open'; round: number; until: number }
  /** The probe is in flight. */
  | { kind: 'half_open'; round: number };

interface CircuitSettings {
  /** Consecutive failures that open the circuit. */
  failures: number;
  /** How long it then stays open, in milliseconds. */
  pauseMs: number;
}

/**
 * How a call ended: `answered` (even if the service rejected the request), `failed`, or `unknown` when the caller
 * cancelled it.
 */
export type CallOutcome = 'answered' | 'failed' | 'unknown';

export const newCircuit: Circuit = { kind: 'closed', round: 0, failures: 0 };

/**
 * Asks for permission to call the service. Without a ticket the call must not be made; with one, `settle` must follow.
 */
export function admit(circuit: Circuit, now: number): { circuit: Circuit; ticket?: number } {
  switch (circuit.kind) {
    case 'closed':
      return { circuit, ticket: circuit.round };
    case 'open': {
      if (now < circuit.until) return { circuit };
      const round = circuit.round + 1;
      return { circuit: { kind: 'half_open', round }, ticket: round };
    }
    case 'half_open':
      return { circuit };
    default:
      return circuit satisfies never;
  }
}

/**
 * Updates the circuit with a finished call. A call from an earlier round is ignored: it says nothing about the service
 * now.
 */
export function settle(
  circuit: Circuit,
  { ticket, outcome, now }: { ticket: number; outcome: CallOutcome; now: number },
  settings: CircuitSettings,
): Circuit {
  if (ticket !== circuit.round) return circuit;
  const round = circuit.round + 1;
  switch (circuit.kind) {
    case 'closed': {
      if (outcome === 'unknown') return circuit;
      const failures = outcome === 'failed' ? circuit.failures + 1 : 0;
      if (failures < settings.failures) return { ...circuit, failures };
      return { kind: 'open', round, until: now + settings.pauseMs };
    }
    case 'half_open':
      if (outcome === 'answered') return { kind: 'closed', round, failures: 0 };
      // An inconclusive probe lets the next probe through at once.
      return { kind: 'open', round, until: outcome === 'failed' ? now + settings.pauseMs : now };
    case 'open':
      return circuit;
    default:
      return circuit satisfies never;
  }
}

/** Error codes of Node and undici for connections that fail or break. */
const network = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOST|ENET|UND_ERR)/;
/** PostgreSQL error classes: connection, resources, operator intervention, system error, internal error. */
const sqlStateDown = /^(08|53|57|58|XX)/;
const sqlState = /^[0-9A-Z]{5}$/;
/** gRPC: deadline exceeded, resource exhausted, internal, unavailable. */
const grpcDown = new Set([4, 8, 13, 14]);
const mongoDown = /^Mongo(Network|ServerSelection|PoolCleared|TopologyClosed|NotConnected|WaitQueue)/;

/**
 * Whether a client library's error means that the service is down or overloaded. False when the service answered and
 * rejected the request: other requests may still succeed. Unknown errors count as down.
 */
export function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { code, status, statusCode, httpStatus, meta } = error as Error & Record<string, unknown>;
  if (error.name.startsWith('Mongo')) return mongoDown.test(error.name);
  const answered = [status, statusCode, httpStatus, (meta as { statusCode?: unknown } | undefined)?.statusCode].find(
    (each): each is number => typeof each === 'number' && each >= 100,
  );
  if (answered !== undefined) return answered >= 500 || answered === 429 || answered === 408;
  if (typeof code === 'string') {
    if (network.test(code)) return true;
    if (sqlState.test(code)) return sqlStateDown.test(code);
  }
  if (typeof code === 'number' && code > 0 && code <= 16) return grpcDown.has(code);
  return error.cause === undefined || isDown(error.cause);
}

/** True when the model or the vector store is down or too slow: work that can wait or do without it may continue. */
export function isOutage(error: unknown): boolean {
  if (error instanceof MemoryError)
    return error.code === 'embedding_unavailable' || error.code === 'vector_unavailable';
  return error instanceof Error && error.name === 'TimeoutError';
}
