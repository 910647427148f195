export type CircuitKind = Circuit['kind'];

export interface Breaker {
  /** A ticket for one call, to be settled whatever becomes of it; undefined while the service is not asked. */
  enter(): number | undefined;
  settle(ticket: number, outcome: CallOutcome): void;
  state(): { kind: CircuitKind; failures: number };
  /** Milliseconds until the service may be asked again. */
  pause(): number;
}

interface BreakerOptions extends CircuitSettings {
  /** Called when it opens, tries again or closes. */
  onChange?: (kind: CircuitKind) => void;
  /** A clock that never goes back. */
  now?: () => number;
}

/** The circuit of one service, shared by all who call it. */
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
 * A circuit breaker as plain data. While a service fails again and again it is not asked at all, so that callers hear at
 * once and the service gets a rest; after a pause one call, the probe, finds out whether it is back.
 */
export type Circuit =
  | { kind: 'closed'; round: number; failures: number }
  | { kind: 'open'; round: number; until: number }
  /** The probe is under way. */
  | { kind: 'half_open'; round: number };

interface CircuitSettings {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it then stays open, in milliseconds. */
  pauseMs: number;
}

/**
 * How a call ended: `answered` (also when the answer was a refusal), `failed`, or `unknown` when its caller gave up for
 * reasons of its own.
 */
export type CallOutcome = 'answered' | 'failed' | 'unknown';

export const newCircuit: Circuit = { kind: 'closed', round: 0, failures: 0 };

/** Asks to call the service now. Without a ticket the call must not go out; with one, `settle` must follow. */
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

/** What a finished call tells. One from an earlier round says nothing about the service of now. */
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
      // A probe that found out nothing makes room for the next one at once.
      return { kind: 'open', round, until: outcome === 'failed' ? now + settings.pauseMs : now };
    case 'open':
      return circuit;
    default:
      return circuit satisfies never;
  }
}

/** Codes of Node and of undici for a connection that does not come about or breaks. */
const network = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOST|ENET|UND_ERR)/;
/** PostgreSQL's classes for connections, resources, an operator's hand, the system and its own bugs. */
const sqlStateDown = /^(08|53|57|58|XX)/;
const sqlState = /^[0-9A-Z]{5}$/;
/** gRPC: deadline exceeded, resource exhausted, internal, unavailable. */
const grpcDown = new Set([4, 8, 13, 14]);
const mongoDown = /^Mongo(Network|ServerSelection|PoolCleared|TopologyClosed|NotConnected|WaitQueue)/;

/**
 * Whether an error of a client library says that the service is down or overloaded. False: it answered, and refused what
 * it was asked, which says nothing against asking it something else. What cannot be told counts as down.
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
