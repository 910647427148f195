import { describe, expect, it } from 'vitest';
import type { Found } from '../../../src/importers/contract.js';
import { readAhead } from '../../../src/operations/imports/read-ahead.js';
import { soon } from '../../support/patience.js';

function aChat(number: number, text = 'Hello.'): Found {
  const messages = [{ role: 'user' as const, text }];
  return { kind: 'conversation', place: `chat ${number}`, conversation: { source: 'x', messages, metadata: {} } };
}

/** An export, and what was read of it. */
function anExport(entries: readonly Found[], { fault }: { fault?: Error } = {}) {
  const seen = { read: 0, closed: false };
  async function* read(): AsyncGenerator<Found> {
    try {
      for (const each of entries) {
        seen.read += 1;
        yield each;
      }
      if (fault !== undefined) throw fault;
    } finally {
      seen.closed = true;
    }
  }
  return { seen, found: read() };
}

function totals() {
  const told: number[] = [];
  return { told, onTotal: async (total: number) => void told.push(total) };
}

const skipped: Found = { kind: 'skipped', place: 'chat 2', reason: 'it has no messages' };

describe('reading ahead', () => {
  it('passes everything on in order, and counts the conversations before the second one is asked for', async () => {
    const entries = [aChat(1), skipped, aChat(3)];
    const { found, seen } = anExport(entries);
    const { told, onTotal } = totals();
    const ahead = readAhead(found, { onTotal });
    expect((await ahead.next()).value).toBe(entries[0]);
    await expect.poll(() => told, soon).toEqual([2]);
    expect(seen).toEqual({ read: 3, closed: true });
    const rest: Found[] = [];
    for await (const each of ahead) rest.push(each);
    expect(rest).toEqual(entries.slice(1));
    expect(told).toEqual([2]);
  });

  it('lets no more wait than it may, and a single large one alone', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => aChat(index, 'x'.repeat(index === 10 ? 5_000 : 99)));
    const { found, seen } = anExport(entries);
    const { told, onTotal } = totals();
    let taken = 0;
    for await (const each of readAhead(found, { characters: 500, onTotal })) {
      expect(each).toBe(entries[taken]);
      taken += 1;
      // One is in the hand of the reader, and one in that of the consumer.
      expect(seen.read).toBeLessThanOrEqual(taken + 6);
      if (taken < 20) expect(told).toEqual([]);
    }
    expect({ taken, told }).toEqual({ taken: 30, told: [30] });
  });

  it('throws a fault after what came before it, without a count', async () => {
    const { found } = anExport([aChat(1), aChat(2)], { fault: new Error('damaged') });
    const { told, onTotal } = totals();
    const places: string[] = [];
    const reading = (async () => {
      for await (const { place } of readAhead(found, { onTotal })) places.push(place);
    })();
    await expect(reading).rejects.toThrow('damaged');
    expect({ places, told }).toEqual({ places: ['chat 1', 'chat 2'], told: [] });
  });

  it('ends with the failure to keep the count', async () => {
    const onTotal = async () => Promise.reject(new Error('disk full'));
    const reading = (async () => {
      for await (const _ of readAhead(anExport([aChat(1)]).found, { onTotal }));
    })();
    await expect(reading).rejects.toThrow('disk full');
  });

  it('closes the export when the consumer stops early', async () => {
    const { found, seen } = anExport(Array.from({ length: 30 }, (_, index) => aChat(index, 'x'.repeat(99))));
    const { told, onTotal } = totals();
    for await (const _ of readAhead(found, { characters: 300, onTotal })) break;
    expect(seen).toMatchObject({ closed: true });
    expect(seen.read).toBeLessThan(10);
    expect(told).toEqual([]);
  });
});
