import { describe, expect, it } from 'vitest';
import { admit, type CallOutcome, type Circuit, newCircuit, settle } from '../../src/resilience/breaker.js';
import fc from '../support/properties.js';

const settings = { failures: 3, pauseMs: 1_000 };

/** A circuit with calls under way, driven step by step. */
function aDrive() {
  let circuit: Circuit = newCircuit;
  let now = 0;
  return {
    circuit: () => circuit,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    enter(): number | undefined {
      const asked = admit(circuit, now);
      circuit = asked.circuit;
      return asked.ticket;
    },
    settle(ticket: number, outcome: CallOutcome): void {
      circuit = settle(circuit, { ticket, outcome, now }, settings);
    },
    call(outcome: CallOutcome): boolean {
      const ticket = this.enter();
      if (ticket !== undefined) this.settle(ticket, outcome);
      return ticket !== undefined;
    },
  };
}

describe('a circuit', () => {
  it('opens after consecutive failures, and a success resets the count', () => {
    const drive = aDrive();
    for (const outcome of ['failed', 'failed', 'answered', 'failed', 'failed'] as const) drive.call(outcome);
    expect(drive.circuit().kind).toBe('closed');
    drive.call('failed');
    expect(drive.circuit()).toMatchObject({ kind: 'open', until: 1_000 });
    expect(drive.call('answered')).toBe(false);
  });

  it('lets one probe through after its pause, closes with its answer and opens again with its failure', () => {
    const drive = aDrive();
    for (let call = 0; call < 3; call++) drive.call('failed');
    drive.pass(1_000);
    const probe = drive.enter();
    expect([probe !== undefined, drive.enter(), drive.circuit().kind]).toEqual([true, undefined, 'half_open']);
    drive.settle(probe ?? -1, 'failed');
    expect([drive.circuit().kind, drive.call('answered')]).toEqual(['open', false]);
    drive.pass(1_000);
    expect(drive.call('answered')).toBe(true);
    expect(drive.circuit()).toMatchObject({ kind: 'closed', failures: 0 });
  });

  it('does not wait for an inconclusive probe', () => {
    const drive = aDrive();
    for (let call = 0; call < 3; call++) drive.call('failed');
    drive.pass(1_000);
    drive.call('unknown');
    expect(drive.call('answered')).toBe(true);
    expect(drive.circuit().kind).toBe('closed');
  });

  it('keeps its guarantees for any sequence of events', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('enter' as const) }),
      fc.record({
        kind: fc.constant('settle' as const),
        which: fc.nat(20),
        outcome: fc.constantFrom<CallOutcome>('answered', 'failed', 'unknown'),
      }),
      fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.nat(700) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let circuit: Circuit = newCircuit;
        let now = 0;
        let openSince = 0;
        let failuresInARow = 0;
        const underWay: { ticket: number; probe: boolean }[] = [];
        for (const each of steps) {
          if (each.kind === 'pass') now += each.milliseconds;
          else if (each.kind === 'enter') {
            const before = circuit.kind;
            const asked = admit(circuit, now);
            circuit = asked.circuit;
            if (asked.ticket === undefined) {
              // Refused only while it is open, or while somebody else is finding out.
              expect(before === 'half_open' || now < openSince + settings.pauseMs).toBe(true);
            } else underWay.push({ ticket: asked.ticket, probe: before === 'open' });
            const probes = underWay.filter(({ ticket, probe }) => probe && ticket === circuit.round);
            expect(probes.length).toBeLessThanOrEqual(1);
          } else {
            const [ended] = underWay.splice(each.which % Math.max(1, underWay.length), 1);
            if (ended === undefined) continue;
            const current = ended.ticket === circuit.round;
            const before = circuit.kind;
            circuit = settle(circuit, { ticket: ended.ticket, outcome: each.outcome, now }, settings);
            if (!current) {
              expect(circuit.kind).toBe(before);
              continue;
            }
            if (each.outcome === 'failed') failuresInARow += 1;
            else if (each.outcome === 'answered') failuresInARow = 0;
            if (circuit.kind === 'open') {
              expect(before === 'half_open' || failuresInARow >= settings.failures).toBe(true);
              openSince = each.outcome === 'failed' ? now : now - settings.pauseMs;
              failuresInARow = 0;
            }
          }
        }
        // However it stands, a service that is back is found to be back.
        for (const { ticket } of underWay) circuit = settle(circuit, { ticket, outcome: 'unknown', now }, settings);
        const asked = admit(circuit, now + settings.pauseMs);
        expect(asked.ticket).toBeDefined();
        const ticket = asked.ticket ?? -1;
        expect(settle(asked.circuit, { ticket, outcome: 'answered', now }, settings)).toMatchObject({
          kind: 'closed',
          failures: 0,
        });
      }),
      { numRuns: 500 },
    );
  });
});
