import { describe, expect, it } from 'vitest';
import { createExporter } from '../../src/observability/otlp/exporter.js';
import { currentRequestId, withRequestId } from '../../src/observability/request-context.js';
import { aNote } from '../support/conversation.js';
import { createFaults } from '../support/faults/faults.mjs';
import { aService, type Body } from '../support/service.js';

/** Work that a request started and did not wait for is told of under nobody's request id. */
describe('the log of background work', () => {
  it.each([
    ['background_indexing_delayed', { on: 'embedder.embed', fault: 'error' }, 'memory'],
    ['vector_write_delayed', { on: 'vectors.upsert', fault: 'error' }, 'lancedb'],
  ] as const)('does not name the request before: %s', async (event, fault, vector_db) => {
    const faults = createFaults();
    const service = await aService({ providers: { vector_db } }, { around: faults.around });
    faults.set(fault);
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };
    const body = JSON.stringify(aNote('The heron stands still.'));
    const { status } = await service.send('/memory/insert', { method: 'POST', headers, body });
    expect(status).toBe(200);
    const told = (name: string) =>
      service.logLines.map((line) => JSON.parse(line) as Body).filter((line) => line.event === name);
    await expect.poll(() => told(event).length).toBeGreaterThan(0);
    faults.clear();
    expect(told(event)[0]).not.toHaveProperty('request_id');
    expect(told('http_request')[0]).toMatchObject({ request_id: 'r-1' });
  });

  it('does not name the request whose span could not be sent', async () => {
    const told: (string | undefined)[] = [];
    const exporter = createExporter<number>({
      send: async () => {
        throw new Error('nobody there');
      },
      encode: () => new Uint8Array(),
      onFailure: () => told.push(currentRequestId()),
      pauseMs: 1,
    });
    withRequestId('r-1', () => exporter.add(1));
    await expect.poll(() => told).toEqual([undefined]);
    await exporter.close();
  });
});
