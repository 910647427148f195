import { admit, type CallOutcome, type Circuit, type CircuitSettings, newCircuit, settle } from './circuit.js';

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
