import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/ingestion/validate.js';
import type { Conversation } from '../../src/model/conversation.js';
import { StartupError } from '../../src/model/errors.js';
import { refusal } from '../support/failure.js';

type Schema = {
  properties: { metadata: { required: string[]; properties: object }; title: object };
  required: string[];
};
const shipped: Schema = JSON.parse(
  await readFile(new URL('../../schema/conversation.schema.json', import.meta.url), 'utf8'),
);

const hash = `sha256:${'0'.repeat(64)}`;
const time = '2026-11-15T08:00:00Z';

function aStored(parts: Partial<Conversation> = {}, metadata: object = {}): Conversation {
  return {
    id: '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c',
    source: 'claude',
    timestamp: time,
    messages: [{ role: 'user', text: 'Hello', hash }],
    ...parts,
    metadata: { imported_at: time, updated_at: time, conversation_hash: hash, ...metadata },
  };
}

function startupRefusal(schema: unknown): StartupError {
  try {
    compileSchema(schema);
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  throw new Error('expected a StartupError');
}

describe('the shipped schema', () => {
  const check = compileSchema(shipped);

  it('accepts what the service stores', () => {
    expect(check(aStored())).toBeUndefined();
    expect(check(aStored({ timestamp: '2026-11-15', title: 'T' }, { anything: { goes: [null] } }))).toBeUndefined();
  });

  it.each([
    [aStored({ timestamp: 'yesterday' }), 'timestamp'],
    [aStored({ id: 'x' }), 'id'],
    [aStored({ source: '' }), 'source'],
    [aStored({ title: '' }), 'title'],
    [aStored({ messages: [] }), 'messages'],
    [aStored({ messages: [{ role: 'user', text: 'x', hash: 'sha256:1' }] }), 'messages[0].hash'],
    [aStored({}, { summary: 'x'.repeat(2001) }), 'metadata.summary'],
    [aStored({}, { tags: [1] }), 'metadata.tags[0]'],
    [aStored({}, { save_intent: 'x' }), 'metadata.save_intent'],
  ])('refuses a conversation that is wrong (%#) at %s', (conversation, path) => {
    const failure = refusal(() => check(conversation));
    expect(failure.code).toBe('invalid_input');
    expect(failure.issues?.map((issue) => issue.path)).toEqual([path]);
  });

  it('names an unknown field', () => {
    const failure = refusal(() => check({ ...aStored(), extra: 1 } as Conversation));
    expect(failure.issues).toEqual([{ path: 'conversation', message: 'must NOT have additional properties (extra)' }]);
  });
});

describe('a schema of the operator', () => {
  it('may be stricter', () => {
    const strict = structuredClone(shipped);
    strict.required.push('title');
    strict.properties.metadata.required.push('platform');
    const check = compileSchema(strict);
    const failure = refusal(() => check(aStored()));
    expect(failure.issues?.map(({ message }) => message)).toEqual([
      "must have required property 'title'",
      "must have required property 'platform'",
    ]);
    expect(check(aStored({ title: 'T' }, { platform: 'web' }))).toBeUndefined();
  });

  it('must require what the service relies on', () => {
    const loose = structuredClone(shipped);
    loose.required = ['id', 'messages', 'metadata'];
    loose.properties.metadata.required = [];
    const failure = startupRefusal(loose);
    expect(failure.code).toBe('schema_invalid');
    expect(failure.message).toBe(
      'The conversation schema must require source, timestamp, properties.metadata.imported_at, properties.metadata.updated_at, properties.metadata.conversation_hash',
    );
  });

  it.each([null, [], 'x', {}, { ...shipped, properties: { ...shipped.properties, title: { type: 'nonsense' } } }])(
    'stops the start when it is no schema (%#)',
    (schema) => {
      expect(startupRefusal(schema).code).toBe('schema_invalid');
    },
  );
});
