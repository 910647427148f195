import { describe, expect, it } from 'vitest';
import { normaliseMetadata } from '../../src/ingestion/normalise.js';
import { expectRefusal } from '../support/failure.js';
import { limits } from '../support/limits.js';

const now = '2026-11-15T08:00:00.000Z';
const id = '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c';
const times = { imported_at: now, updated_at: now };

function normalised(metadata: Record<string, unknown>, changes = {}) {
  return normaliseMetadata(metadata, { limits, now, source: 'claude', ...changes });
}

function refused(metadata: Record<string, unknown>, key: string): void {
  expectRefusal(() => normalised(metadata), 'invalid_input', `metadata.${key}`);
}

describe('server-owned metadata', () => {
  // Reference bug 16: a client could set memory_status and hide its own memory.
  it('is dropped or replaced, never trusted', () => {
    const sent = {
      conversation_hash: 'sha256:0',
      message_hashes: [],
      updated_at: '1999-01-01',
      auto_tags: ['x'],
      tag_sources: { x: ['me'] },
      owner_id: 'someone',
      project_id: 'elsewhere',
      memory_status: 'rejected',
      index_chunks: [],
      approved_at: '1999-01-01',
      rejected_at: '1999-01-01',
      generated_summary: 'mine',
      generated_anything: 1,
    };
    expect(normalised(sent)).toEqual(times);
  });

  it('keeps the import time of the client when it is one', () => {
    expect(normalised({ imported_at: '2020-01-02T03:04:05+01:00' }).imported_at).toBe('2020-01-02T03:04:05+01:00');
    expect(normalised({ imported_at: 'long ago' }).imported_at).toBe(now);
    expect(normalised({ imported_at: 5 }).imported_at).toBe(now);
  });
});

describe('other metadata', () => {
  it('is kept untouched, nulls included', () => {
    const own = { url: 'https://example.com', nested: { deep: [1, null, { a: true }] }, nothing: null };
    expect(normalised(own)).toEqual({ ...own, ...times });
  });

  it.each([
    'save_intent',
    'save_intent_source',
    'platform',
    'capture_client',
    'capture_client_version',
    'model',
    'timezone',
  ])('must be text where the interface says so: %s', (key) => {
    expect(normalised({ [key]: 'x' })).toEqual({ [key]: 'x', ...times });
    refused({ [key]: 5 }, key);
    refused({ [key]: null }, key);
  });

  it('is limited in bytes', () => {
    const small = { ...limits, maxMetadataBytes: 20 };
    expectRefusal(() => normalised({ note: 'x'.repeat(20) }, { limits: small }), 'invalid_input', 'metadata');
  });
});

describe('the summary', () => {
  it('has its white space collapsed', () => {
    expect(normalised({ summary: '  two\n\n lines ' }).summary).toBe('two lines');
    expect(normalised({ summary: ' \n' })).not.toHaveProperty('summary');
  });

  it('may have 2000 characters as it is sent, and no more', () => {
    expect(normalised({ summary: ` ${'x'.repeat(1998)} ` }).summary).toHaveLength(1998);
    expect(normalised({ summary: '😀'.repeat(2000) }).summary).toBe('😀'.repeat(2000));
    refused({ summary: 'x'.repeat(2001) }, 'summary');
    refused({ summary: `${'x'.repeat(1999)}  ` }, 'summary');
  });

  it.each([5, null, ['x']])('is refused as %j', (summary) => refused({ summary }, 'summary'));
});

describe('tags and topics', () => {
  it('are kept as they are', () => {
    expect(normalised({ tags: ['B', 'a', 'B'], topics: ['t'] })).toMatchObject({
      tags: ['B', 'a', 'B'],
      topics: ['t'],
    });
  });

  it.each(['tags', 'topics', 'related_conversation_ids'])('%s must be a list of texts', (key) => {
    refused({ [key]: 'x' }, key);
    refused({ [key]: [1] }, key);
    refused({ [key]: null }, key);
  });
});

describe('the thread', () => {
  it('is derived from the source and the thread of the client, which is kept as sent', () => {
    expect(normalised({ upstream_thread_id: ' t1 ' })).toMatchObject({
      upstream_thread_id: ' t1 ',
      thread_id: 'claude:t1',
    });
  });

  it('is the one that was sent, when one was', () => {
    expect(normalised({ upstream_thread_id: 't1', thread_id: ' mine ' })).toMatchObject({ thread_id: 'mine' });
  });

  it('is absent when nothing but blanks was sent', () => {
    expect(normalised({ upstream_thread_id: ' ', thread_id: '' })).toEqual(times);
  });

  it.each([
    ['thread_id', 512],
    ['upstream_thread_id', 256],
  ])('%s has at most %d characters', (key, most) => {
    expect(normalised({ [key]: 'x'.repeat(most) })[key]).toHaveLength(most);
    refused({ [key]: 'x'.repeat(most + 1) }, key);
    refused({ [key]: 7 }, key);
    refused({ [key]: null }, key);
  });
});

describe('references to other conversations', () => {
  it('become canonical, each once, in order', () => {
    const other = id.replace('3f', '4f');
    const related = [id.toUpperCase(), other, id];
    const { parent_conversation_id, related_conversation_ids } = normalised({
      parent_conversation_id: id.toUpperCase(),
      related_conversation_ids: related,
    });
    expect({ parent_conversation_id, related_conversation_ids }).toEqual({
      parent_conversation_id: id,
      related_conversation_ids: [id, other],
    });
  });

  it('are absent when there are none', () => {
    expect(normalised({ related_conversation_ids: [] })).toEqual(times);
  });

  it('are refused when they are no UUIDs', () => {
    refused({ parent_conversation_id: 'x' }, 'parent_conversation_id');
    refused({ parent_conversation_id: '' }, 'parent_conversation_id');
    refused({ parent_conversation_id: ' ' }, 'parent_conversation_id');
    refused({ parent_conversation_id: null }, 'parent_conversation_id');
    refused({ related_conversation_ids: [''] }, 'related_conversation_ids');
    refused({ related_conversation_ids: [id, 'x'] }, 'related_conversation_ids');
  });
});
