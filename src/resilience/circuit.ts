/**
 * A circuit breaker as plain data. While a service fails again and again it is not asked at all, so that callers hear at
 * once and the service gets a rest; after a pause one call, the probe, finds out whether it is back.
 */
export type Circuit =
  | { kind: 'closed'; round: number; failures: number }
  | { kind: 'open'; round: number; until: number }
  /** The probe is under way. */
  | { kind: 'half_open'; round: number };

export interface CircuitSettings {
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
