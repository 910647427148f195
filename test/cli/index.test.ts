import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRuntime } from '../../src/app/open-runtime.js';
import { loadConfig } from '../../src/config/load.js';
import { operations } from '../../src/operations/table.js';
import { lancedb } from '../../src/stores/vector/drivers/lancedb/lancedb.js';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

const note = JSON.stringify([{ role: 'user', text: 'The lighthouse keeper paints seagulls.' }]);

describe('reindex', () => {
  it('rebuilds in place', async () => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const { code, json } = await threadkeepJson(folder, ['reindex']);
    expect(code).toBe(0);
    expect(json).toEqual({
      status: 'ok',
      total: 1,
      reindexed: 1,
      chunks: 1,
      skipped: 0,
      failed: 0,
      failures: [],
      complete: true,
    });
    const { stdout, stderr } = await threadkeep(folder, ['reindex', '--limit', '5']);
    expect(stdout).toMatch(/^The index is rebuilt\nreindexed +1 of 1 conversation\nchunks +1\n$/);
    expect(stderr).toBe('');
  });

  it('refuses an unknown project, and has nothing to do in an empty one', async () => {
    const folder = await aFolder();
    expect(await threadkeepJson(folder, ['reindex', '--project-id', 'nowhere'])).toMatchObject({
      code: 1,
      json: { status: 'error', error_code: 'not_found', error_message: expect.stringContaining('project') },
    });
    const own = await threadkeepJson(folder, ['reindex', '--project-id', 'local-default']);
    expect(own).toMatchObject({ code: 0, json: { status: 'ok', total: 0 } });
  });

  it('is asked for when the model changed, and makes the memory searchable again', async () => {
    const folder = await aFolder();
    const { json: stored } = await threadkeepJson(folder, ['ingest', '-'], { stdin: note });
    const environment = {
      THREADKEEP_PROVIDERS__EMBEDDING_MODEL: 'local-hash',
      THREADKEEP_PROVIDERS__EMBEDDING_DIMENSION: '64',
    };
    for (const args of [
      ['search', 'lighthouse'],
      ['serve', '--port', '0'],
    ]) {
      const refused = await threadkeepJson(folder, args, { environment });
      expect(refused.code).toBe(78);
      expect(refused.json).toMatchObject({
        error_code: 'reindex_required',
        hint: expect.stringContaining('threadkeep reindex'),
      });
    }
    const checked = await threadkeepJson(folder, ['storage-check'], { environment });
    expect(checked).toMatchObject({ code: 3, json: { vectors: { index: 'changed' } } });
    expect(checked.json.advice).toEqual([expect.stringContaining('threadkeep reindex')]);

    expect((await threadkeepJson(folder, ['reindex'], { environment })).json).toMatchObject({
      status: 'ok',
      chunks: 1,
    });
    const found = await threadkeepJson(folder, ['search', 'lighthouse'], { environment });
    expect(found.json).toMatchObject({ status: 'ok', results: [{ id: stored.id, chunk_index: 0 }] });
  });

  it('stops after the current page on Ctrl+C and continues from there', async () => {
    const folder = await aFolder();
    await storeNotes(folder, 60);
    const model = await anEmbeddingModel();
    const environment = {
      THREADKEEP_PROVIDERS__EMBEDDINGS: 'http',
      THREADKEEP_PROVIDERS__EMBEDDING_DIMENSION: '32',
      THREADKEEP_EMBEDDING_ENDPOINT__BASE_URL: model.url,
      THREADKEEP_EMBEDDINGS__BATCH_SIZE: '100',
    };
    const running = start(folder, ['reindex', '--json'], { environment });
    const { answer } = await model.nextRequest();
    running.child.kill('SIGINT');
    answer();
    const stopped = await running.ended;
    expect(stopped.code).toBe(130);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ reindexed: 50, complete: false, interrupted: true });

    const refused = await threadkeepJson(folder, ['search', 'note'], { environment });
    expect(refused).toMatchObject({ code: 78, json: { error_code: 'reindex_required' } });

    const resumed = start(folder, ['reindex'], { environment });
    (await model.nextRequest()).answer();
    const ended = await resumed.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^The index is rebuilt\nreindexed +10 of 60 conversations\n/);
    expect(model.embedded()).toBe(60);
  });
});

describe('health and storage-check', () => {
  it('say what is used, what is stored and what the drivers need', async () => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    const health = await threadkeepJson(folder, ['health']);
    expect(health.code).toBe(0);
    expect(health.json).toMatchObject({
      status: 'ok',
      mode: 'ok',
      metadata_provider: 'sqlite',
      vector_provider: 'lancedb',
      health: { checks: { metadata: 'ok', vectors: 'ok', tokenizer: 'ok', embedding: 'ok' } },
    });

    const { json } = await threadkeepJson(folder, ['storage-check']);
    expect(json).toMatchObject({
      metadata: { provider: 'sqlite', allowed_schema_versions: [1] },
      vectors: { provider: 'lancedb', index: 'same' },
      counts: { conversations: 1, chunks: { pending: 0, indexed: 1, held: 0 }, vector_rows: 1 },
      advice: [],
    });
    const names = ['package', 'authenticate', 'collection', 'dimension', 'write', 'read back', 'filter', 'delete'];
    expect(json.steps).toMatchObject([
      { step: 'reach', outcome: 'skipped' },
      ...names.map((step) => ({ step, outcome: 'ok' })),
    ]);
    expect((await threadkeepJson(folder, ['storage-check'])).json).toMatchObject({ counts: { vector_rows: 1 } });
    expect(json.packages).toContainEqual(
      expect.objectContaining({ driver: 'lancedb', package: '@lancedb/lancedb', installed: true }),
    );
  });

  it('notice vectors that are gone', async () => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: note });
    await rm(join(folder, 'data', 'vectors'), { recursive: true });
    const { code, stdout } = await threadkeep(folder, ['storage-check']);
    expect(code).toBe(0);
    expect(stdout).toContain('run `threadkeep reindex`');
    await threadkeep(folder, ['reindex']);
    expect((await threadkeepJson(folder, ['storage-check'])).json).toMatchObject({
      advice: [],
      counts: { vector_rows: 1 },
    });
  });

  it('--repair mends both ways: lost vectors are made again, those of nothing removed', async () => {
    const folder = await aFolder();
    await storeNotes(folder, 3);
    const { config } = await loadConfig({ cwd: folder, environment: {} });
    const store = lancedb.create({ settings: {}, path: join(folder, 'data', 'vectors') });
    await store.open({ dimension: config.providers.embeddingDimension, distance: 'cosine' });
    const vector = new Float32Array(config.providers.embeddingDimension).fill(0.1);
    const [lost] = await store.search(vector, { limit: 1, where: { scopes: ['project:local-default'] } });
    await store.remove([lost?.id ?? '']);
    const strays = [1, 2].map(() => ({
      id: randomUUID(),
      vector,
      scope: 'project:gone',
      conversationId: randomUUID(),
    }));
    await store.upsert(strays);
    await store.close();

    const before = await threadkeepJson(folder, ['storage-check']);
    expect(before.json).toMatchObject({
      counts: { points: 3, vector_rows: 4 },
      advice: ['The vector index holds more than it should: run `threadkeep storage-check --repair`.'],
      dependencies: { metadata: { circuit: 'closed' }, vectors: { circuit: 'closed', unanswered: 0 } },
    });
    const repaired = await threadkeepJson(folder, ['storage-check', '--repair']);
    expect(repaired).toMatchObject({
      code: 0,
      json: {
        repair: { reindexed_chunks: 1, removed_chunks: 0, removed_vectors: 2, stray_vectors: 0 },
        counts: { points: 3, vector_rows: 3 },
        advice: [],
      },
    });
    const { stdout } = await threadkeep(folder, ['storage-check', '--repair']);
    expect(stdout).toContain('0 chunks indexed again, 0 taken out of the index, 0 vectors without a chunk removed.');
  });

  it('say why another vector store is used', async () => {
    const folder = await aFolder();
    const environment = {
      THREADKEEP_PROVIDERS__VECTOR_DB: 'qdrant',
      THREADKEEP_STORAGE__VECTOR_PROVIDERS__QDRANT__URL: 'http://127.0.0.1:1',
    };
    const { code, stdout, stderr } = await threadkeep(folder, ['storage-check'], { environment });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^fallback +.*qdrant/m);
    expect(stdout).toMatch(/^reach +failed [\d.]+ ms: It failed with Error ECONNREFUSED/m);
    expect(stderr).toMatch(/^\S+ WARN +vector_fallback_activated [^\n]*\n$/);
    expect(stderr).not.toContain('stack=');
    const quiet = await threadkeep(folder, ['health', '--quiet'], { environment });
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('say the same where no fallback is allowed, and that nothing starts without the store', async () => {
    const folder = await aFolder();
    const environment = {
      THREADKEEP_PROVIDERS__VECTOR_DB: 'qdrant',
      THREADKEEP_STORAGE__VECTOR_PROVIDERS__QDRANT__URL: 'http://127.0.0.1:1',
      THREADKEEP_STORAGE__VECTOR__ALLOW_FALLBACK: 'false',
    };
    const { code, json } = await threadkeepJson(folder, ['storage-check'], { environment });
    expect(code).toBe(3);
    expect(json).toMatchObject({
      status: 'failed',
      vectors: {
        provider: 'qdrant',
        requested_provider: 'qdrant',
        allow_fallback: false,
        problem: 'qdrant could not be opened at 127.0.0.1:1',
      },
      counts: { conversations: 0 },
      advice: [expect.stringContaining('storage.vector.allow_fallback')],
    });
    expect(json.vectors).not.toHaveProperty('fallback_reason');
    expect(json.counts).not.toHaveProperty('vector_rows');
    expect(json.steps).toMatchObject([
      { step: 'reach', outcome: 'failed', problem: expect.stringContaining('ECONNREFUSED at 127.0.0.1:1') },
      ...Array.from({ length: 8 }, () => ({ outcome: 'skipped' })),
    ]);
    // There is nothing to put into a store that stands in.
    const repair = await threadkeepJson(folder, ['storage-check', '--repair'], { environment });
    expect(repair).toMatchObject({ code: 78, json: { error_code: 'driver_unavailable' } });
    // Every other command still refuses, and says where it looked.
    const refused = await threadkeepJson(folder, ['health'], { environment });
    expect(refused).toMatchObject({
      code: 78,
      json: {
        error_code: 'driver_unavailable',
        error_message: 'The vector store qdrant could not be opened at 127.0.0.1:1.',
        hint: expect.stringContaining('threadkeep storage-check'),
      },
    });
  });
});

/** Conversations of one message each, by the same code in this process: a process for each would take a minute. */
async function storeNotes(folder: string, count: number): Promise<void> {
  const { config } = await loadConfig({ cwd: folder, environment: {} });
  const observer = { log() {}, count() {}, duration() {} };
  const { service, close } = await openRuntime({ config, observer, purpose: 'command' });
  const principal = {
    userId: 'local',
    scopes: ['memory:read', 'memory:write'] as const,
    defaultProjectId: 'local-default',
  };
  const texts = Array.from({ length: count }, (_, number) => `note number ${number}`);
  await Promise.all(
    texts.map((text) =>
      operations.insert.execute(service, { principal, defaultSource: 'test' }, [{ role: 'user', text }]),
    ),
  );
  await close();
}

/** An embeddings API that answers a request when the test says so. */
async function anEmbeddingModel() {
  const waiting: { answer(): void }[] = [];
  const askers: ((request: { answer(): void }) => void)[] = [];
  let embedded = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { input } = JSON.parse(body) as { input: string[] };
    const data = input.map((text, index) => ({
      index,
      embedding: Array.from({ length: 32 }, (_, at) => text.length + at),
    }));
    const held = {
      answer() {
        embedded += input.length;
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
      },
    };
    const asker = askers.shift();
    if (asker === undefined) waiting.push(held);
    else asker(held);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    embedded: () => embedded,
    nextRequest(): Promise<{ answer(): void }> {
      const held = waiting.shift();
      return held === undefined ? new Promise((resolve) => askers.push(resolve)) : Promise.resolve(held);
    },
  };
}
