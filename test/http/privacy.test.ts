import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmbeddingServer, status } from '../embeddings/embedding-server.js';
import { aConversation, turns } from '../support/conversation.js';
import { aServer } from '../support/server.js';
import { aService, type TestService } from '../support/service.js';

const secret = 'sk-sentinelkey4242';
const words = [
  'sentinelword',
  'sentineltitle',
  'sentineltag',
  'sentinelquery',
  'sentinelthread',
  'sentinelnote',
  secret,
];

const talkative = aConversation({
  title: 'sentineltitle',
  messages: turns('My sentinelword is secret.', 'I keep the sentinelword.'),
  metadata: {
    tags: ['sentineltag'],
    upstream_thread_id: 'sentinelthread',
    summary: 'sentinelnote',
    own: { note: 'sentinelnote' },
  },
});

/** Everything a client may do, well and badly. */
async function beBusy(request: TestService['request']): Promise<number[]> {
  const answers = [
    await request('/memory/insert', talkative),
    await request('/memory/insert', talkative),
    await request('/memory/insert', { ...talkative, messages: turns('Another sentinelword', 'entirely') }),
    await request('/memory/insert', { ...talkative, title: 5 }),
    await request('/memory/insert', { ...talkative, sentinelword: 'sentinelword' }),
    await request('/memory/insert', { ...talkative, raw_html: 'sentinelword' }),
    await request('/memory/insert', { messages: [{ role: 'sentinelword', text: 'sentinelword' }] }),
    await request('/memory/insert', { ...talkative, metadata: { save_intent: 'sentinelword' } }),
    await request('/memory/insert', 'sentinelword'),
    await request('/memory/search', { query: 'sentinelquery sentinelword' }),
    await request('/memory/search', {
      query: 'sentinelquery',
      tags: ['sentineltag'],
      thread_id: 'chatgpt:sentinelthread',
    }),
    await request('/memory/search', { query: 'sentinelquery', cursor: 'sentinelquery' }),
    await request('/memory/search', { query: 'sentinelquery', sentinelquery: 1 }),
    await request('/memory/retrieve', { id: 'sentinelword' }),
    await request('/memory/pending/approve', { id: 'sentinelword' }),
    await request('/memory/sentinelword', {}),
  ];
  return answers.map((answer) => answer.status);
}

function expectNoSentinel(log: string): void {
  expect(words.filter((word) => log.includes(word))).toEqual([]);
}

describe('the log', () => {
  it('contains no conversation text, query, title, tag or thread by default', async () => {
    const service = await aService({ storage: { allow_trusted_appends: true } });
    const statuses = await beBusy(service.request);
    expect(new Set(statuses)).toEqual(new Set([200, 400, 404, 409]));
    expect(service.logLines.length).toBeGreaterThanOrEqual(statuses.length);
    expectNoSentinel(service.logLines.join('\n'));
  });

  it('holds none while the embedding service fails and repeats what it was sent', async () => {
    const embeddings = await startEmbeddingServer({ dimension: 8 });
    onTestFinished(embeddings.close);
    const service = await aService({
      providers: { embeddings: 'http', embedding_model: 'm', embedding_dimension: 8 },
      embedding_endpoint: { base_url: embeddings.baseUrl, api_key: secret },
      embeddings: { max_retries: 0 },
    });
    for (const code of [500, 401, 400, 302]) {
      embeddings.always(status(code));
      await beBusy(service.request);
    }
    expect(embeddings.requests.some(({ body }) => JSON.stringify(body).includes('sentinelword'))).toBe(true);
    expect(service.logLines.some((line) => line.includes('indexing_postponed'))).toBe(true);
    expectNoSentinel(service.logLines.join('\n'));
  });

  it('holds none while the vector store fails', async () => {
    const service = await aService({ providers: { vector_db: 'lancedb' } }, { inFolder: true });
    await service.insert(aConversation());
    await service.vectorRows();
    await rm(join(service.folder, 'data', 'vectors'), { recursive: true });
    expect(await beBusy(service.request)).toContain(503);
    expectNoSentinel(service.logLines.join('\n'));
  });

  it('holds none while the metadata store fails', async () => {
    const service = await aService();
    await service.runtime.close();
    expect(await beBusy(service.request)).toContain(503);
    expectNoSentinel(service.logLines.join('\n'));
  });

  it('of the real server holds none, in the file too', async () => {
    const server = await aServer({ observability: { log_level: 'debug', log_format: 'text' } });
    await beBusy(async (path, body) => {
      const response = await server.post(`${path}?token=${secret}`, body);
      return { status: response.status, headers: response.headers, body: {} };
    });
    await server.close();
    const log = await server.logText();
    expect(log).toContain('http_request');
    expectNoSentinel(log);
  });
});

describe('observability.debug_payloads', () => {
  it('logs what was sent, only when it is asked to', async () => {
    const quiet = await aService();
    await quiet.request('/memory/search', { query: 'sentinelquery' });
    expect(quiet.logLines.join('\n')).not.toContain('sentinelquery');
    const talking = await aService({ observability: { debug_payloads: true } });
    await talking.request('/memory/search', { query: 'sentinelquery' });
    expect(talking.logLines.join('\n')).toContain('sentinelquery');
  });
});
