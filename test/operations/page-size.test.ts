import { describe, expect, it } from 'vitest';
import { aNote } from '../support/conversation.js';
import { aSession } from '../support/mcp.js';
import { aService } from '../support/service.js';

const reads: [path: string, body: object, field: 'top_k' | 'limit'][] = [
  ['/memory/search', { query: 'canoe' }, 'top_k'],
  ['/memory/ask', { question: 'Where is the canoe?' }, 'top_k'],
  ['/memory/facts/search', {}, 'limit'],
  ['/memory/facts/search', { query: 'canoe' }, 'limit'],
  ['/memory/profile/get', {}, 'limit'],
];

describe('a low limits.max_top_k', () => {
  it('caps what a request gets that names no number, and refuses one that names more', async () => {
    const service = await aService({ limits: { max_top_k: 2 } });
    for (const place of ['Bern', 'Chur', 'Thun']) await service.insert(aNote(`I own a canoe in ${place}.`));
    for (const [path, body, field] of reads) {
      const { status, body: answer } = await service.request(path, body);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(((answer.results ?? answer.facts) as unknown[]).length).toBeLessThanOrEqual(2);
      const refused = await service.request(path, { ...body, [field]: 3 });
      expect(refused.body).toMatchObject({ error_code: 'invalid_input', issues: [{ path: field }] });
    }
    expect((await service.search({ query: 'canoe' })).results).toHaveLength(2);
    expect((await service.request('/memory/conversations/list', {})).status).toBe(200);
  });

  it('caps what MCP asks for by itself', async () => {
    const service = await aService({ limits: { max_top_k: 2 } });
    await service.insert(aNote('The canoe lies in Bern.'));
    const session = await aSession(service);
    expect(await session.call('search', { query: 'canoe' })).toMatchObject({ status: 'ok', results: [{}] });
    const { contents } = await session.result('resources/read', { uri: 'memory://search/canoe' });
    expect(JSON.parse((contents as { text: string }[])[0]?.text ?? '')).toMatchObject({ metadata: { top_k: 2 } });
  });

  it('lets a second page name the number that the first one got', async () => {
    const service = await aService({ limits: { max_top_k: 2 } });
    for (const place of ['Bern', 'Chur', 'Thun']) await service.insert(aNote(`The canoe lies in ${place}.`));
    const { cursor } = await service.search({ query: 'canoe' });
    expect((await service.search({ query: 'canoe', top_k: 2, cursor })).results).toHaveLength(1);
  });
});
