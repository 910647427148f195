import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorFaces, invalidInput } from '../../src/model/errors.js';
import { parseInput } from '../../src/model/parse.js';
import { refusal } from '../support/failure.js';

const schema = z.strictObject({
  query: z.string().max(5),
  mode: z.enum(['one', 'two']).optional(),
  tags: z.array(z.string()).max(2).optional(),
  size: z.int().min(1).max(9).default(3),
  day: z
    .string()
    .refine((text) => text.startsWith('2'), 'must be a date')
    .optional(),
});

function issuesOf(value: unknown) {
  return refusal(() => parseInput(schema, value)).issues;
}

describe('parseInput', () => {
  it('returns the parsed value with its defaults', () => {
    expect(parseInput(schema, { query: 'abc' })).toEqual({ query: 'abc', size: 3 });
  });

  it.each([
    [{}, 'query', 'is required'],
    [{ query: 1 }, 'query', 'must be a string'],
    [{ query: 'abcdef' }, 'query', 'must be at most 5 characters long'],
    [{ query: 'a', mode: 'three' }, 'mode', 'must be one of: one, two'],
    [{ query: 'a', tags: 'x' }, 'tags', 'must be an array'],
    [{ query: 'a', tags: ['x', 1] }, 'tags.1', 'must be a string'],
    [{ query: 'a', tags: ['x', 'y', 'z'] }, 'tags', 'must be at most 2 entries long'],
    [{ query: 'a', size: 0 }, 'size', 'must be at least 1'],
    [{ query: 'a', size: 10 }, 'size', 'must be at most 9'],
    [{ query: 'a', size: 1.5 }, 'size', 'must be an integer'],
    [{ query: 'a', size: '3' }, 'size', 'must be a number'],
    [{ query: 'a', day: 'x' }, 'day', 'must be a date'],
    [{ query: 'a', mode: null }, 'mode', 'must not be null; leave optional fields out'],
    [{ query: null }, 'query', 'must not be null; leave optional fields out'],
    [{ query: 'a', other: 1 }, 'other', 'is not a known field'],
    [null, '', 'must not be null; leave optional fields out'],
    [[], '', 'must be an object'],
  ])('refuses %j at %j: %s', (value, path, message) => {
    expect(issuesOf(value)).toEqual([{ path, message }]);
  });

  // Issue 20: a misspelled required field was reported as missing, and its name only among the issues.
  it('begins with an unknown field, because a misspelled one is missing too', () => {
    const { message, issues } = refusal(() => parseInput(schema, { querry: 'a' }));
    expect(message).toBe('querry is not a known field (did you mean query?) (and 1 more)');
    expect(issues).toEqual([
      { path: 'query', message: 'is required' },
      { path: 'querry', message: 'is not a known field (did you mean query?)' },
    ]);
  });

  it.each([
    ['querry', 'query'],
    ['Query', 'query'],
    ['tag', 'tags'],
    ['dateFrom', 'date_from'],
    ['date-from', 'date_from'],
    ['date_form', 'date_from'],
    ['threadId', 'thread_id'],
    ['thread', 'thread_id'],
  ])('names the known field that %s is nearest to', (given, meant) => {
    const fields = z.strictObject({ ...schema.shape, date_from: z.string(), thread_id: z.string() }).partial();
    const { issues, message } = refusal(() => parseInput(fields, { [given]: 'x' }));
    expect(issues).toEqual([{ path: given, message: `is not a known field (did you mean ${meant}?)` }]);
    expect(message).toBe(`${given} is not a known field (did you mean ${meant}?)`);
  });

  it('names the nearest field inside lists and optional parts, in their own place', () => {
    const inner = z.strictObject({ role: z.string().optional(), text: z.string().optional() });
    const nested = z.strictObject({ turns: z.array(inner).default([]), role_of: inner.optional() });
    expect(refusal(() => parseInput(nested, { turns: [{}, { txt: 1 }] })).issues).toEqual([
      { path: 'turns.1.txt', message: 'is not a known field (did you mean text?)' },
    ]);
    expect(refusal(() => parseInput(nested, { role_of: { rol: 1 } })).issues).toEqual([
      { path: 'role_of.rol', message: 'is not a known field (did you mean role?)' },
    ]);
  });

  it('finds the nearest field for a name of any length quickly', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`${'q'.repeat(at % 90)}uery${at}`, 1]));
    const started = performance.now();
    refusal(() => parseInput(schema, { ...many, ['query'.repeat(1_000_000)]: 1 }));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('lists every problem and sums them up in one sentence', () => {
    const failure = refusal(() => parseInput(schema, { query: 1, other: 2, more: 3 }));
    expect(failure.code).toBe('invalid_input');
    expect(failure.issues).toHaveLength(3);
    expect(failure.message).toMatch(/ \(and 2 more\)$/);
  });

  // Reference bug 32: the answer repeated what was sent.
  it('never repeats a value that was sent', () => {
    const failure = refusal(() =>
      parseInput(schema, { query: 'sentinel-value', mode: 'sentinel-value', day: 'sentinel-value' }),
    );
    expect(JSON.stringify([failure.message, failure.issues])).not.toContain('sentinel');
  });
});

describe('invalidInput', () => {
  it('reads well alone and names the place', () => {
    const failure = invalidInput('title', 'must be a string');
    expect(failure.message).toBe('title must be a string');
    expect(failure.issues).toEqual([{ path: 'title', message: 'must be a string' }]);
  });
});

describe('a request with a great deal wrong', () => {
  it('reports the first ones and the total', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`field-${number}`, 1]));
    const error = refusal(() => parseInput(z.strictObject({}), { ...many }));
    expect(error.issues).toHaveLength(50);
    expect(error.message).toBe('field-0 is not a known field (and 999 more)');
    const named = refusal(() => parseInput(z.strictObject({}), { ['x'.repeat(100_000)]: 1 }));
    expect(named.message.length).toBeLessThan(300);
  });
});

describe('errorFaces', () => {
  it('gives every code the status that the decisions name', () => {
    const statuses = Object.fromEntries(Object.entries(errorFaces).map(([code, { http }]) => [code, http]));
    expect(statuses).toEqual({
      invalid_input: 400,
      save_intent_required: 400,
      invalid_save_intent: 400,
      unauthenticated: 401,
      insufficient_scope: 403,
      permission_denied: 403,
      not_found: 404,
      method_not_allowed: 405,
      duplicate_conflict: 409,
      unauthorized_update: 409,
      memory_not_pending_review: 409,
      conflict: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      rate_limited: 429,
      embedding_unavailable: 503,
      vector_unavailable: 503,
      metadata_unavailable: 503,
      internal_error: 500,
    });
  });
});
