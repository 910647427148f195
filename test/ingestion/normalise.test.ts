import { describe, expect, it } from 'vitest';
import { coerce } from '../../src/ingestion/coerce.js';
import { normalise } from '../../src/ingestion/normalise.js';
import { expectRefusal, refusal } from '../support/failure.js';
import { limits } from '../support/limits.js';

const now = '2026-11-15T08:00:00.000Z';
const newId = () => '00000000-0000-4000-8000-000000000001';

function normalised(payload: Record<string, unknown>, changes = {}) {
  const whole = { messages: [{ role: 'user', text: 'Hello' }], ...payload };
  return normalise(coerce(whole, limits), { limits, defaultSource: 'unknown', now, newId, ...changes });
}

describe('the id', () => {
  it('is assigned when there is none', () => {
    expect(normalised({})).toMatchObject({ id: newId(), explicitId: false });
  });

  // Reference bug 33.
  it('is kept in its canonical form when the client gives one in any case', () => {
    const id = '3F2B8C1A-9D4E-4F6A-8B7C-0D1E2F3A4B5C';
    expect(normalised({ id })).toMatchObject({ id: id.toLowerCase(), explicitId: true });
  });

  it.each(['', 'abc', '{3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c}', 7, [], {}])('fails the insert as %j', (id) => {
    expectRefusal(() => normalised({ id }), 'invalid_input', 'id');
  });
});

describe('the source', () => {
  it('is trimmed, and the door gives one when the client does not', () => {
    expect(normalised({ source: '  claude ' }).source).toBe('claude');
    expect(normalised({}, { defaultSource: 'cli' }).source).toBe('cli');
  });

  it.each(['', '   ', 5, 'x'.repeat(129)])('is refused as %j', (source) => {
    expectRefusal(() => normalised({ source }), 'invalid_input', 'source');
  });

  it('may be as long as the limit, counted in characters', () => {
    expect(normalised({ source: '😀'.repeat(128) }).source).toBe('😀'.repeat(128));
  });
});

describe('the title', () => {
  it('is trimmed, and a blank one is no title', () => {
    expect(normalised({ title: ' Trip ' }).title).toBe('Trip');
    expect(normalised({ title: '  ' })).not.toHaveProperty('title');
  });

  it.each([5, ['x'], 'x'.repeat(1025)])('is refused as %j', (title) => {
    expectRefusal(() => normalised({ title }), 'invalid_input', 'title');
  });
});

describe('the timestamp', () => {
  it('is now when there is none', () => {
    expect(normalised({}).timestamp).toBe(now);
  });

  it.each(['2026-11-15', '2026-11-15T09:30:00+02:00', '2026-11-15T09:30:00.123456Z'])(
    'is kept as sent: %s',
    (timestamp) => {
      expect(normalised({ timestamp }).timestamp).toBe(timestamp);
    },
  );

  it.each(['', 'yesterday', '2026-02-30', 1_700_000_000, {}])('is refused as %j', (timestamp) => {
    expectRefusal(() => normalised({ timestamp }), 'invalid_input', 'timestamp');
  });
});

function messagesOf(...messages: unknown[]) {
  return normalised({ messages }).messages;
}

describe('a role', () => {
  it.each([
    ['user', 'user'],
    ['human', 'user'],
    ['user_message', 'user'],
    [' User ', 'user'],
    ['assistant', 'assistant'],
    ['AI', 'assistant'],
    ['bot', 'assistant'],
    ['model', 'assistant'],
    ['assistant_message', 'assistant'],
  ])('is understood: %j is %s', (role, stored) => {
    expect(messagesOf({ role, text: 'x' })).toEqual([{ role: stored, text: 'x' }]);
  });

  it.each(['system', 'tool', 'developer', '', 'constructor', '__proto__', undefined, 3])(
    'is refused as %j, with its place',
    (role) => {
      expectRefusal(
        () => messagesOf({ role: 'user', text: 'x' }, { role, text: 'y' }),
        'invalid_input',
        'messages[1].role',
      );
    },
  );
});

describe('a text', () => {
  it.each([
    ['\uFEFFHello\r\n', 'Hello'],
    ['\n\nHello\n', 'Hello'],
    ['  Hello\t', '  Hello\t'],
    ['one\r\ntwo', 'one\r\ntwo'],
    ['half \ud83d pair', 'half \ufffd pair'],
    ['whole 😀 pair', 'whole 😀 pair'],
  ])('%j becomes %j', (text, clean) => {
    expect(messagesOf({ role: 'user', text })).toEqual([{ role: 'user', text: clean }]);
  });

  it('may be called content', () => {
    expect(messagesOf({ role: 'user', content: 'x' })).toEqual([{ role: 'user', text: 'x' }]);
    expect(messagesOf({ role: 'user', text: 'x', content: 'x' })).toEqual([{ role: 'user', text: 'x' }]);
    const both = { role: 'user', text: 'x', content: 'y' };
    expectRefusal(() => messagesOf(both), 'invalid_input', 'messages[0].content');
  });

  it('may be missing from a turn as long as another turn has one', () => {
    expect(messagesOf({ role: 'user', text: '' }, { role: 'assistant', text: 'A cat.' })).toEqual([
      { role: 'user', text: '' },
      { role: 'assistant', text: 'A cat.' },
    ]);
  });

  it.each(['', '  ', '\n', '\uFEFF'])('must say something in at least one turn: %j alone is refused', (text) => {
    expectRefusal(
      () => messagesOf({ role: 'user', text }, { role: 'assistant', text }),
      'invalid_input',
      'messages[0].text',
    );
  });

  it('contains no character that a store cannot keep, in any field', () => {
    const { title, messages, metadata } = normalised({
      title: 'a\0b',
      messages: [{ role: 'user', text: 'half \ud800 and \0, whole \u{1f6f6}' }],
      metadata: { tags: ['x\0', 'y'], thread_id: 't\udfff', own: { deep: ['\0'] } },
    });
    expect([title, messages[0]?.text]).toEqual(['a\ufffdb', 'half \ufffd and \ufffd, whole \u{1f6f6}']);
    expect(metadata).toMatchObject({ tags: ['x\ufffd', 'y'], thread_id: 't\ufffd', own: { deep: ['\ufffd'] } });
  });

  it('may be left out, as by an answer that was stopped', () => {
    expect(messagesOf({ role: 'user', text: 'Go on.' }, { role: 'assistant' })).toEqual([
      { role: 'user', text: 'Go on.' },
      { role: 'assistant', text: '' },
    ]);
  });

  it('is refused under the name that was sent', () => {
    const content = [{ type: 'text', text: 'x' }];
    expectRefusal(() => messagesOf({ role: 'user', content }), 'invalid_input', 'messages[0].content');
  });

  it.each([undefined, 5, ['x'], { parts: [] }])('is refused as %j', (text) => {
    expectRefusal(() => messagesOf({ role: 'user', text }), 'invalid_input', 'messages[0].text');
  });

  it('is limited in bytes', () => {
    const small = { ...limits, maxMessageBytes: 4 };
    const cut = (text: string) => () => normalised({ messages: [{ role: 'user', text }] }, { limits: small });
    expect(cut('éé')().messages).toEqual([{ role: 'user', text: 'éé' }]);
    expectRefusal(cut('ééé'), 'invalid_input', 'messages[0].text');
  });
});

describe('a message', () => {
  // Reference bug 20: repeated turns were dropped.
  it('is kept when it repeats another', () => {
    const yes = { role: 'user', text: 'yes' };
    expect(messagesOf(yes, yes, yes)).toEqual([yes, yes, yes]);
  });

  it("loses the client's hash", () => {
    expect(messagesOf({ role: 'user', text: 'x', hash: 'sha256:0' })).toEqual([{ role: 'user', text: 'x' }]);
  });

  it.each([
    [{ role: 'user', text: 'x', id: 1 }, 'messages[0].id'],
    [{ role: 'user', text: null }, 'messages[0].text'],
    [{ role: null, text: 'x' }, 'messages[0].role'],
    ['hello', 'messages[0]'],
    [null, 'messages[0]'],
    [[], 'messages[0]'],
  ])('is refused as %j at %s', (message, path) => {
    expectRefusal(() => messagesOf(message), 'invalid_input', path);
  });

  it('is refused without repeating what it says', () => {
    const failure = refusal(() => messagesOf({ role: 'sentinel-role', text: 'sentinel-text' }));
    expect(JSON.stringify([failure.message, failure.issues])).not.toContain('sentinel');
  });
});

describe('a message of line breaks', () => {
  it('is cleaned quickly', () => {
    const text = `x${'\n'.repeat(200_000)}x`;
    const { user } = process.cpuUsage();
    const { messages } = normalised({ messages: [{ role: 'user', text: `\r\n${text}\n\ufeff\n` }] });
    expect(messages[0]?.text === text).toBe(true);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });
});
