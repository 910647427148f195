import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aService, startService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function idFor(sent?: string, path = '/health'): Promise<string | null> {
  const { headers } = await service.send(path, sent === undefined ? {} : { headers: { 'x-request-id': sent } });
  return headers.get('x-request-id');
}

describe('the request id', () => {
  it.each(['r-1', 'a', 'x'.repeat(128), 'trace/42:7', 'two words'])('is the one that came in: %s', async (id) => {
    expect(await idFor(id)).toBe(id);
  });

  it('loses the blanks around it', async () => {
    expect(await idFor('  r-1 ')).toBe('r-1');
  });

  it.each([undefined, '', '   ', 'x'.repeat(129), 'caf\u00e9', 'a\tb'])(
    'is made when what came in is no id: %j',
    async (id) => {
      expect(await idFor(id)).toMatch(uuid);
    },
  );

  it('is another one each time', async () => {
    expect(await idFor()).not.toBe(await idFor());
  });

  it('is on errors too, and in their body', async () => {
    const { headers, body } = await service.send('/nowhere', { headers: { 'x-request-id': 'r-404' } });
    expect([headers.get('x-request-id'), body.request_id]).toEqual(['r-404', 'r-404']);
  });

  it('is on preflights', async () => {
    const { headers } = await service.send('/health', { method: 'OPTIONS', headers: { 'x-request-id': 'r-pre' } });
    expect(headers.get('x-request-id')).toBe('r-pre');
  });

  it('is in the log line of the request', async () => {
    await idFor('r-logged', '/nowhere');
    const line = service.logLines.map((text) => JSON.parse(text)).find(({ request_id }) => request_id === 'r-logged');
    expect(line).toMatchObject({ event: 'http_request', method: 'GET', route: 'other', status: 404 });
  });

  it('travels in the header that is configured', async () => {
    const other = await aService({ observability: { request_id_header: 'x-trace' } });
    const { headers } = await other.send('/health', { headers: { 'x-trace': 't-1' } });
    expect([headers.get('x-trace'), headers.get('x-request-id')]).toEqual(['t-1', null]);
  });
});

describe('the access log', () => {
  it('names the route, never the path that was made up', async () => {
    await service.send('/sentinel-path?token=sentinel');
    await service.send('/health/?sentinel');
    expect(service.logLines.join('\n')).not.toContain('sentinel');
    expect(service.metrics.snapshot().counters.map(({ labels }) => labels.route)).not.toContain('/sentinel-path');
  });

  it('counts a route with a slash at the end as that route', async () => {
    const slashed = await aService();
    await slashed.send('/health/');
    await slashed.request('/memory/search/', { query: 'x' });
    const requests = slashed.metrics.snapshot().counters.filter(({ name }) => name === 'memory_api_requests_total');
    expect(requests.map(({ labels }) => labels)).toEqual([
      { route: '/health', status_code: '200' },
      { route: '/memory/search', status_code: '200' },
    ]);
  });

  it('can be switched off', async () => {
    const quiet = await aService({ observability: { access_logs: false } });
    await quiet.send('/health');
    expect(quiet.logLines).toEqual([]);
  });
});
