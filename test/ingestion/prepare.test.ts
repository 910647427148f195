import { describe, expect, it } from 'vitest';
import { coerce } from '../../src/ingestion/coerce.js';
import { normalise } from '../../src/ingestion/normalise.js';
import { type PrepareSettings, preparing } from '../../src/ingestion/prepare.js';
import { finished } from '../../src/model/steps.js';
import { aConversation, turns } from '../support/conversation.js';
import { expectRefusal } from '../support/failure.js';
import { limits } from '../support/limits.js';
import fc from '../support/properties.js';

const now = '2026-11-15T08:00:00.000Z';

function settingsWith(changes: Partial<PrepareSettings> = {}): PrepareSettings {
  return {
    limits,
    policy: 'permissive',
    secretPolicy: 'off',
    defaultSource: 'unknown',
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
    resolveProject: (projectId) => projectId ?? 'local-default',
    validateSchema: () => {},
    stage: (_, run) => run(),
    stageInSteps: (_, work) => work,
    ...changes,
  };
}

function prepare(payload: unknown, settings: PrepareSettings) {
  return finished(preparing(payload, settings));
}

describe('preparing', () => {
  it('makes the stored conversation', () => {
    const payload = aConversation({
      source: 'claude',
      title: 'Python help',
      timestamp: '2026-11-14',
      messages: turns('hello', 'hi there'),
      metadata: { upstream_thread_id: 't1', tags: ['mine'] },
    });
    expect(prepare(payload, settingsWith())).toEqual({
      explicitId: false,
      projectId: 'local-default',
      statusByPolicy: 'active',
      quarantined: false,
      secretTurns: [],
      redacted: 0,
      statements: [],
      status: 'active',
      conversation: {
        id: '00000000-0000-4000-8000-000000000001',
        source: 'claude',
        title: 'Python help',
        timestamp: '2026-11-14',
        messages: [
          {
            role: 'user',
            text: 'hello',
            hash: 'sha256:fa82b1cf60263d970c98f29e8420cbd61e8c07e59e05008002d374235fa8abf3',
          },
          {
            role: 'assistant',
            text: 'hi there',
            hash: 'sha256:498d6677b3a32d0b904f154a66dbdce0e70d549ddd88ed94fefd97ee26c645d5',
          },
        ],
        metadata: {
          tags: ['mine'],
          upstream_thread_id: 't1',
          thread_id: 'claude:t1',
          imported_at: now,
          updated_at: now,
          conversation_hash: 'sha256:2d48c23e37ea344385b5d27dc018d670724bcafdae5a04e899c73c5d91b95196',
          auto_tags: ['source:claude'],
          tag_sources: { 'source:claude': ['source'] },
          generated_summary: 'Python help: user: hello; assistant: hi there',
        },
      },
    });
  });

  it('runs the stages in the order of the interface', () => {
    const names: string[] = [];
    const settings = settingsWith({
      stage(name, run) {
        names.push(name);
        return run();
      },
      stageInSteps(name, work) {
        names.push(name);
        return work;
      },
    });
    prepare(aConversation(), settings);
    expect(names).toEqual(['coerce', 'normalise', 'secrets', 'hash', 'policy', 'validate_schema', 'facts', 'enrich']);
  });

  it.each([5, null, ['local-default'], { toString: 1, valueOf: 1 }])('refuses the project %j', (project) => {
    const payload = { ...aConversation(), metadata: { project_id: project } };
    expectRefusal(() => prepare(payload, settingsWith()), 'invalid_input', 'project_id');
  });

  it('hashes content alone: ids, times, titles, sources and metadata take no part', () => {
    const hashOf = (parts: object) =>
      prepare(aConversation(parts), settingsWith()).conversation.metadata.conversation_hash;
    const other = {
      id: '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c',
      title: 'x',
      source: 'y',
      timestamp: '2020-01-01',
      tags: ['z'],
    };
    expect(hashOf(other)).toBe(hashOf({}));
    expect(hashOf({ messages: turns('Other words') })).not.toBe(hashOf({}));
  });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((value) => /[^\s\uFEFF]/.test(value));
const payload = fc.record(
  {
    source: text,
    title: text,
    timestamp: fc.constantFrom('2026-11-15', ' 2026-11-15T09:30:00+02:00 '),
    messages: fc.array(fc.record({ role: fc.constantFrom('User', 'ai', 'bot', 'human'), text }), {
      minLength: 1,
      maxLength: 5,
    }),
    metadata: fc.record(
      {
        summary: text,
        tags: fc.array(text, { maxLength: 3 }),
        upstream_thread_id: text,
        thread_id: text,
        related_conversation_ids: fc.array(fc.uuid(), { maxLength: 3 }),
        memory_status: fc.constantFrom('active', 'rejected'),
        generated_summary: text,
        own: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['messages'] },
);

function normalised(value: unknown) {
  const { explicitId: _, ...conversation } = normalise(coerce(value, limits), settingsWith());
  return conversation;
}

describe('normalisation', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(payload, (sent) => {
        const once = normalised(sent);
        expect(normalised(once)).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  it('gives equal content equal hashes, and different content different ones', () => {
    const hashOf = (messages: object[]) =>
      prepare({ messages }, settingsWith()).conversation.metadata.conversation_hash;
    const messages = fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant'), text: fc.constantFrom('a', 'b', 'c') }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(messages, messages, (one, other) => {
        expect(hashOf(one) === hashOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 200 },
    );
  });
});
