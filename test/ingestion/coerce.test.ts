import { describe, expect, it } from 'vitest';
import { checkDepth, coerce } from '../../src/ingestion/coerce.js';
import { expectRefusal, refusal } from '../support/failure.js';
import { limits } from '../support/limits.js';

const turn = { role: 'user', text: 'Hello' };

describe('coerce', () => {
  it.each([
    ['an object with messages', { messages: [turn] }],
    ['an object with a conversation', { conversation: [turn] }],
    ['an object whose content is a list', { content: [turn] }],
    ['a bare array of turns', [turn]],
  ])('accepts %s', (_, payload) => {
    expect(coerce(payload, limits)).toEqual({ messages: [turn], metadata: {} });
  });

  it('keeps the fields of the conversation', () => {
    const payload = {
      id: 'x',
      source: 's',
      title: 't',
      timestamp: '2026-11-15',
      messages: [turn],
      metadata: { model: 'm' },
    };
    expect(coerce(payload, limits)).toEqual(payload);
  });

  it('takes a second name for the turns that says the same, and refuses one that does not', () => {
    const payload = { messages: [turn], conversation: [turn], content: [turn] };
    expect(coerce(payload, limits).messages).toEqual([turn]);
    const other = [{ ...turn, text: 'Lost' }];
    expectRefusal(() => coerce({ ...payload, conversation: other }, limits), 'invalid_input', 'conversation');
    expectRefusal(() => coerce({ ...payload, content: other }, limits), 'invalid_input', 'content');
    expectRefusal(() => coerce({ conversation: [turn], content: other }, limits), 'invalid_input', 'content');
  });

  it('moves tags into the metadata, where the same ones may be already', () => {
    expect(coerce({ messages: [turn], tags: ['a'] }, limits).metadata).toEqual({ tags: ['a'] });
    const payload = { messages: [turn], tags: ['a'], metadata: { tags: ['a'] } };
    expect(coerce(payload, limits).metadata).toEqual({ tags: ['a'] });
    expectRefusal(() => coerce({ ...payload, metadata: { tags: ['b'] } }, limits), 'invalid_input', 'tags');
  });

  it('reads the project from either place', () => {
    expect(coerce({ messages: [turn], project_id: 'one' }, limits).projectId).toBe('one');
    expect(coerce({ messages: [turn], metadata: { project_id: 'two' } }, limits).projectId).toBe('two');
    const both = { messages: [turn], project_id: 'one', metadata: { project_id: 'one' } };
    expect(coerce(both, limits).projectId).toBe('one');
    const different = { ...both, metadata: { project_id: 'two' } };
    expectRefusal(() => coerce(different, limits), 'invalid_input', 'metadata.project_id');
  });

  it.each([null, 'User: hello', 42, true])('refuses %j', (payload) => {
    expect(refusal(() => coerce(payload, limits)).code).toBe('invalid_input');
  });

  it.each([
    [{}, 'messages'],
    [{ messages: 'hello' }, 'messages'],
    [{ messages: { item: [turn] } }, 'messages'],
    [{ content: 'hello' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [[], 'messages'],
    [{ messages: [turn], metadata: [] }, 'metadata'],
    [{ messages: [turn], metadata: 'x' }, 'metadata'],
    [{ messages: [turn], url: 'https://example.com' }, 'url'],
    [{ messages: [turn], __proto__x: 1 }, '__proto__x'],
  ])('refuses %j at %s', (payload, path) => {
    expectRefusal(() => coerce(payload, limits), 'invalid_input', path);
  });

  it.each(['id', 'source', 'title', 'timestamp', 'messages', 'metadata', 'tags', 'project_id'])(
    'refuses null for %s',
    (key) => {
      const failure = refusal(() => coerce({ messages: [turn], [key]: null }, limits));
      expect(failure.issues).toEqual([{ path: key, message: 'must be omitted rather than null' }]);
    },
  );

  it.each([
    ['message', 'messages'],
    ['time_stamp', 'timestamp'],
    ['projectId', 'project_id'],
    ['save_intent', 'metadata.save_intent'],
    ['upstreamThreadId', 'metadata.upstream_thread_id'],
  ])('says what %s may mean', (key, meant) => {
    expect(refusal(() => coerce({ messages: [turn], [key]: 'x' }, limits)).message).toBe(
      `${key} is not a field of a conversation (did you mean ${meant}?); put extra data into metadata`,
    );
  });

  it('refuses more turns than the limit allows', () => {
    const small = { ...limits, maxMessages: 2 };
    expect(coerce([turn, turn], small).messages).toHaveLength(2);
    expectRefusal(() => coerce([turn, turn, turn], small), 'invalid_input', 'messages');
  });

  it('is not fooled by keys of the prototype', () => {
    const payload = JSON.parse('{"messages":[{"role":"user","text":"x"}],"metadata":{"__proto__":{"tags":["no"]}}}');
    expect(coerce(payload, limits).metadata.tags).toBeUndefined();
  });
});

const artifacts = ['raw_html', 'html_snapshot', 'dom_snapshot', 'screenshot', 'screenshot_data', 'selector_evidence'];

describe('raw artifacts', () => {
  it.each(artifacts)('are refused as %s at the top', (key) => {
    expectRefusal(() => coerce({ messages: [turn], [key]: '<html>' }, limits), 'invalid_input', `$.${key}`);
  });

  // Reference bug 14: nested ones were stored.
  it.each(artifacts)('are refused as %s deep in the metadata and through arrays', (key) => {
    const metadata = { capture: [{ page: [{ [key]: '<html>' }] }] };
    expectRefusal(
      () => coerce({ messages: [turn], metadata }, limits),
      'invalid_input',
      `$.metadata.capture[0].page[0].${key}`,
    );
  });

  it('are refused inside a message and inside a bare array of turns', () => {
    expectRefusal(
      () => coerce([turn, { ...turn, screenshot: 'x' }], limits),
      'invalid_input',
      '$.messages[1].screenshot',
    );
  });

  it('are all named, and their content is not', () => {
    const failure = refusal(() =>
      coerce({ messages: [turn], raw_html: 'sentinel', metadata: { screenshot: 'sentinel' } }, limits),
    );
    expect(failure.issues?.map(({ path }) => path)).toEqual(['$.metadata.screenshot', '$.raw_html']);
    expect(JSON.stringify([failure.message, failure.issues])).not.toContain('sentinel');
  });

  it('may be talked about: text and values are free', () => {
    const payload = { messages: [{ role: 'user', text: 'What is raw_html?' }], metadata: { topic: 'screenshot' } };
    expect(coerce(payload, limits).messages).toHaveLength(1);
  });
});

describe('checkDepth', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { inner: value } : [value];
    return value;
  };

  it('accepts the deepest allowed nesting and refuses one more', () => {
    expect(checkDepth(nested(64), 64)).toBeUndefined();
    expect(refusal(() => checkDepth(nested(65), 64)).code).toBe('invalid_input');
  });

  it('refuses a nesting that would exhaust the stack', () => {
    expect(refusal(() => checkDepth(nested(200_000), 64)).code).toBe('invalid_input');
  });

  it('does not count long texts or long lists', () => {
    expect(checkDepth({ list: Array.from({ length: 10_000 }, () => 'x'.repeat(10)) }, 2)).toBeUndefined();
  });
});
