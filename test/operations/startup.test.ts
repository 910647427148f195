import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runReindex } from '../../src/app/reindex.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { tinyModel } from '../embeddings/static/tiny-model.js';
import { aModelFolder, put } from '../embeddings/transformer/model-folder.js';
import { aConversation, aNote } from '../support/conversation.js';
import { aFolder, aService, configIn, idsOf, startService } from '../support/service.js';

const lance = (providers: object = {}): ConfigInput => ({ providers: { vector_db: 'lancedb', ...providers } });
const quiet = { log() {}, count() {}, duration() {} };

async function aStore(): Promise<{ folder: string; id: string }> {
  const folder = await aFolder();
  const service = await startService(lance(), { folder });
  const { id } = await service.insert(aConversation());
  await service.close();
  return { folder, id };
}

describe('another embedding configuration', () => {
  // Reference bug 23: the table was dropped before anybody could refuse.
  it.each([
    ['dimension', lance({ embedding_model: 'local-hash', embedding_dimension: 64 })],
    ['model', lance({ embedding_model: 'local-hash' })],
    ['distance', { ...lance(), storage: { vector: { distance: 'l2' } } } as ConfigInput],
    [
      'provider',
      {
        ...lance({ embeddings: 'http', embedding_model: 'm' }),
        embedding_endpoint: { base_url: 'http://127.0.0.1:9/v1' },
      } as ConfigInput,
    ],
  ])('of %s refuses the start, and the index is still there', async (_, changed) => {
    const { folder, id } = await aStore();
    await expect(startService(changed, { folder })).rejects.toMatchObject({
      code: 'reindex_required',
      hint: expect.stringContaining('reindex'),
    });
    const service = await aService(lance(), { folder });
    expect(await service.vectorRows()).toBe(2);
    expect(idsOf(await service.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
  });

  it('is accepted after a reindex', async () => {
    const { folder, id } = await aStore();
    const config = await configIn(folder, lance({ embedding_model: 'local-hash', embedding_dimension: 64 }));
    expect(await runReindex(config, quiet, { includeInactive: false })).toMatchObject({
      status: 'ok',
      reindexed: 1,
      chunks: 2,
      complete: true,
    });
    const service = await aService(lance({ embedding_model: 'local-hash', embedding_dimension: 64 }), { folder });
    expect(idsOf(await service.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
    await expect(startService(lance(), { folder })).rejects.toMatchObject({ code: 'reindex_required' });
  });
});

describe('a model in a folder', () => {
  it('whose weights change refuses the start until a reindex', async () => {
    const folder = await aFolder();
    const files = (rows: Record<string, number[]>) => {
      const { model, vocabulary } = tinyModel(rows);
      return { 'model.bin': model, 'vocab.txt': vocabulary };
    };
    const place = await aModelFolder(files({ bicycle: [4, 1], the: [0, 1] }));
    const config = lance({ embedding_model: place, embedding_dimension: 2 });
    const service = await startService(config, { folder });
    await service.insert(aConversation());
    await service.close();
    await (await startService(config, { folder })).close();

    await put(place, 'model.bin', files({ bicycle: [4, 2], the: [0, 1] })['model.bin']);
    await expect(startService(config, { folder })).rejects.toMatchObject({ code: 'reindex_required' });
    await runReindex(await configIn(folder, config), quiet, { includeInactive: false });
    await (await startService(config, { folder })).close();
  });
});

describe('a table that learned other languages', () => {
  const english = { bicycle: [4, 1], the: [0, 1] };
  const { model, vocabulary } = tinyModel(english);
  const longer = tinyModel({ ...english, fahrrad: [8, 2] }, { englishRows: 2 });

  async function anEnglishStore() {
    const folder = await aFolder();
    const place = await aModelFolder({ 'model.bin': model, 'vocab.txt': vocabulary });
    const config = lance({ embedding_model: place, embedding_dimension: 2 });
    const service = await startService(config, { folder });
    const { id } = await service.insert(aNote('Fahrrad'));
    await service.close();
    await put(place, 'model.bin', longer.model);
    await put(place, 'vocab.txt', longer.vocabulary);
    return { folder, place, config, id };
  }

  it('embeds what is stored again in the background', async () => {
    const { folder, config, id } = await anEnglishStore();
    const upgraded = await aService(config, { folder });
    expect(idsOf(await upgraded.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
    await upgraded.service.indexer.settled();
    const [vector] = await upgraded.service.embedder.embed(['Fahrrad']);
    expect(await upgraded.runtime.identity.state()).toBe('same');
    expect(await upgraded.service.records.chunks.countInState('pending')).toBe(0);
    const [chunk] = await upgraded.service.records.chunks.inState('indexed', { after: undefined, limit: 1 });
    const where = { scopes: [chunk?.scope ?? ''] };
    const [nearest] = await upgraded.runtime.vectors.store.search(vector ?? new Float32Array(2), { limit: 1, where });
    expect(nearest?.distance).toBeCloseTo(0);
  });

  it('with other English rows refuses the start', async () => {
    const { folder, place, config } = await anEnglishStore();
    const other = tinyModel({ bicycle: [4, 2], the: [0, 1], fahrrad: [8, 2] }, { englishRows: 2 });
    await put(place, 'model.bin', other.model);
    await expect(startService(config, { folder })).rejects.toMatchObject({ code: 'reindex_required' });
  });
});

describe('a vector folder that is gone', () => {
  it('is filled again in the background', async () => {
    const { folder, id } = await aStore();
    await rm(join(folder, 'data', 'vectors'), { recursive: true });
    const service = await aService(lance(), { folder });
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(2);
    expect(idsOf(await service.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
  });
});

describe('vectors in memory', () => {
  it('are filled from what is stored at every start', async () => {
    const { folder, id } = await aStore();
    const service = await aService({}, { folder });
    await service.service.indexer.settled();
    expect(await service.vectorRows()).toBe(2);
    expect(idsOf(await service.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
  });
});

describe('a vector store that cannot be opened', () => {
  it('is replaced by memory, which is reported, and gets its chunks when it is back', async () => {
    const folder = await aFolder();
    const occupied = join(folder, 'occupied');
    await writeFile(occupied, 'not a folder');
    const broken = { ...lance(), storage: { vector_providers: { lancedb: { path: occupied } } } };
    const fallen = await startService(broken, { folder });
    expect(fallen.runtime.health.mode()).toBe('degraded');
    expect(fallen.logLines.some((line) => line.includes('vector_fallback_activated'))).toBe(true);
    expect(fallen.metrics.snapshot().counters).toContainEqual({
      name: 'memory_provider_fallback_total',
      labels: { requested_provider: 'lancedb', effective_provider: 'memory' },
      value: 1,
    });
    const { id } = await fallen.insert(aConversation());
    expect(idsOf(await fallen.search({ query: 'bicycle', top_k: 1 }))).toEqual([id]);
    expect(await fallen.insert(aConversation())).toMatchObject({ deduplicated: true, embedded_chunks: 0 });
    await fallen.close();
    expect(await readFile(occupied, 'utf8')).toBe('not a folder');

    const service = await aService(lance(), { folder });
    await service.service.indexer.settled();
    expect(service.runtime.health.mode()).toBe('ok');
    expect(await service.vectorRows()).toBe(2);
  });

  it('stops the start when that is wished', async () => {
    const overrides = {
      providers: { vector_db: 'qdrant' as const },
      storage: { vector: { allow_fallback: false }, vector_providers: { qdrant: { url: 'http://127.0.0.1:1' } } },
    };
    await expect(aService(overrides)).rejects.toMatchObject({
      code: 'driver_unavailable',
      message: expect.stringContaining('qdrant'),
    });
  });

  it('says where a metadata store was looked for and what happened there, without the password', async () => {
    const overrides: ConfigInput = {
      providers: { metadata_db: 'postgres', vector_db: 'memory' },
      storage: { metadata_providers: { postgres: { url: 'postgres://user:hunter2@127.0.0.1:1/x' } } },
    };
    await expect(aService(overrides)).rejects.toMatchObject({
      code: 'driver_unavailable',
      message: 'The metadata store postgres could not be opened at 127.0.0.1:1: ECONNREFUSED.',
    });
  });

  it('refuses a distance that the store does not support', async () => {
    const overrides = {
      providers: { vector_db: 'typesense' as const },
      storage: { vector: { allow_fallback: false, distance: 'l2' as const } },
    };
    await expect(aService(overrides)).rejects.toMatchObject({
      code: 'driver_unavailable',
      message: 'The vector store typesense does not support the distance l2.',
      hint: expect.stringContaining('cosine or inner_product'),
    });
  });

  it('opens no service in a dry run', async () => {
    const overrides = {
      providers: { vector_db: 'qdrant' as const },
      storage: { dry_run: true, vector_providers: { qdrant: { url: 'http://127.0.0.1:1' } } },
    };
    const service = await aService(overrides);
    expect(service.runtime.health.report()).toMatchObject({ mode: 'dry-run', vector_provider: 'qdrant' });
  });
});

describe('a metadata schema version that is not allowed', () => {
  it('stops the start and leaves the data as it is', async () => {
    const { folder } = await aStore();
    const only2 = { ...lance(), storage: { metadata_schema_versions: [2] } };
    await expect(startService(only2, { folder })).rejects.toMatchObject({ code: 'schema_version_unsupported' });
    const service = await aService(lance(), { folder });
    expect((await service.search({ query: 'bicycle' })).results).toHaveLength(2);
  });
});

describe('schema versions without the one that this build writes', () => {
  it('stop the start before anything is created', async () => {
    const folder = await aFolder();
    const only2 = { ...lance(), storage: { metadata_schema_versions: [2] } };
    const failure = await startService(only2, { folder }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'schema_version_unsupported',
      message: expect.stringContaining('writes schema version 1'),
      hint: expect.stringContaining('Add 1 to storage.metadata_schema_versions'),
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a start that fails', () => {
  it('leaves nothing open: the next one works', async () => {
    const { folder } = await aStore();
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(
        startService(lance({ embedding_model: 'local-hash', embedding_dimension: 64 }), { folder }),
      ).rejects.toThrow();
    }
    const service = await aService(lance(), { folder });
    expect(await service.insert(aNote('Still here'))).toMatchObject({ embedded_chunks: 1 });
    expect(await readdir(join(folder, 'data'))).toContain('vectors');
  });
});
