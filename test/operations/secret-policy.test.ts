import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aNote } from '../support/conversation.js';
import { aService } from '../support/service.js';

const secret = ['sk-', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('');
const note = aNote(`The zebra key is ${secret}, keep it.`, {
  title: `About ${secret}`,
  metadata: { tags: [secret], own: { deep: [secret] } },
});

describe('memory.secret_policy: redact', () => {
  it('replaces secrets before anything is stored', async () => {
    const service = await aService({ memory: { secret_policy: 'redact' } });
    const { body } = await service.request('/memory/insert', note);
    expect(body).toMatchObject({ status: 'ok', memory_status: 'active', redacted_secrets: 4 });
    expect((await service.request('/memory/insert', note)).body).toMatchObject({ deduplicated: true, id: body.id });
    const { results } = await service.search({ query: 'zebra key' });
    expect(results[0]).toMatchObject({ text: 'The zebra key is [redacted:api_key], keep it.' });
    const folder = join(service.folder, 'data');
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      expect((await readFile(join(file.parentPath, file.name))).includes(secret), file.name).toBe(false);
    }
  });
});

describe('memory.secret_policy: quarantine', () => {
  it('keeps the memory for review, found by nothing until it is approved', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { body } = await service.request('/memory/insert', note);
    expect(body).toMatchObject({
      status: 'pending_review',
      memory_status: 'pending_review',
      review_reason: 'secret_detected',
      embedded_chunks: 0,
    });
    const pending = { query: 'zebra', memory_status: 'pending_review' };
    expect((await service.request('/memory/search', pending)).body.results).toEqual([]);
    const held = await service.request('/memory/retrieve', { id: body.id, memory_status: 'all' });
    expect(held.body.memory).toMatchObject({
      metadata: { review_reason: 'secret_detected', secret_kinds: ['api_key'] },
    });
    await service.request('/memory/pending/approve', { id: body.id });
    expect((await service.search({ query: 'zebra' })).results).toHaveLength(1);
  });

  it('lets through what holds no secret', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } });
    const { body } = await service.request('/memory/insert', aNote('The zebra is striped.'));
    expect(body).toMatchObject({ status: 'ok', memory_status: 'active' });
    expect(body).not.toHaveProperty('review_reason');
  });
});
