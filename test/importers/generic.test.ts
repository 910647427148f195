import { describe, expect, it } from 'vitest';
import { conversationsOf, findIn, lines, turnsIn } from './reading.js';

describe('JSON of any tool', () => {
  const chat = (...messages: object[]) => JSON.stringify([{ id: 'c', messages }]);

  it('keeps the text of parts, notes images and files, and leaves tools at work out', async () => {
    const content = chat(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is' }, { type: 'image_url', image_url: {} }, 'this?'] },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'look' }] },
      { role: 'tool', content: 'A heron.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'output_text', text: 'A heron.' },
        ],
      },
      { role: 'user', content: { content_type: 'text', parts: ['Thanks,', 'really.'] } },
      { role: 'assistant', content: [{ type: 'text', text: { value: 'Welcome.', annotations: [] } }] },
      { role: 'user', content: '' },
    );
    expect(await turnsIn('json', 'chats.json', content)).toEqual([
      ['user: What is\n\n[image]\n\nthis?', 'assistant: A heron.', 'user: Thanks,\n\nreally.', 'assistant: Welcome.'],
    ]);
    expect((await findIn('json', 'chats.json', content)).map(({ kind }) => kind)).toEqual(['conversation']);
  });

  it('says so when turns are left out, for their speaker or for their text', async () => {
    const csv = 'role,text\nNora,Where to?\nAssistant,Porto.\nconstructor,Odd.\n';
    expect(await findIn('json', 'rows.csv', csv)).toMatchObject([
      { kind: 'conversation', conversation: { messages: [{ role: 'assistant', text: 'Porto.' }] } },
      {
        kind: 'skipped',
        place: 'rows.csv conversation 1',
        reason: expect.stringContaining('neither user nor assistant'),
      },
    ]);
    const odd = chat({ role: 'user', text: 'Hello.' }, { role: 'assistant', content: [{ body: 'Lost.' }] });
    expect(await findIn('json', 'chats.json', odd)).toMatchObject([
      { kind: 'conversation', conversation: { messages: [{ role: 'user', text: 'Hello.' }] } },
      { kind: 'skipped', place: 'chats.json entry 1', reason: expect.stringContaining('unknown format') },
    ]);
  });

  it('knows conversations of training sets', async () => {
    const conversations = [
      { from: 'system', value: 'Be brief.' },
      { from: 'human', value: 'Which soup?' },
      { from: 'gpt', value: 'Leek.' },
    ];
    const content = JSON.stringify([{ id: 'identity_0', conversations }]);
    expect(await turnsIn('json', 'sharegpt.json', content)).toEqual([['user: Which soup?', 'assistant: Leek.']]);
  });
});

describe('rows', () => {
  it('listed newest first are put into the order they were said', async () => {
    const csv = [
      'Conversation,Time,Author,Message',
      'Trip,2026-03-01T10:00:09Z,Human,Third',
      'Trip,2026-03-01T10:00:05Z,AI,Second',
      'Trip,2026-03-01T10:00:00Z,Human,First',
    ].join('\n');
    expect(await turnsIn('json', 'activity.csv', csv)).toEqual([['user: First', 'assistant: Second', 'user: Third']]);
    const [conversation] = conversationsOf(await findIn('json', 'activity.csv', csv));
    expect(conversation?.timestamp).toBe('2026-03-01T10:00:00.000Z');
  });

  it('with an unclosed quote are read as far as possible and reported', async () => {
    const found = await findIn('json', 'rows.csv', 'role,text\nuser,"Hello ""there"""\nuser,"never closed\nuser,x\n');
    expect(conversationsOf(found).map(({ messages }) => messages)).toEqual([
      [
        { role: 'user', text: 'Hello "there"' },
        { role: 'user', text: 'never closed\nuser,x\n' },
      ],
    ]);
  });
});

describe('our own export', () => {
  it('comes back also where a conversation is as large as the largest that can be imported', async () => {
    const messages = Array.from({ length: 64 }, () => ({ role: 'user', text: '"'.repeat(500_000) }));
    const content = lines({ type: 'conversation', conversation: { source: 'chatgpt', messages, metadata: {} } });
    expect(content.length).toBeGreaterThan(64_000_000);
    expect(conversationsOf(await findIn('threadkeep', 'memory.jsonl', content))).toMatchObject([
      { messages: { length: 64 } },
    ]);
  });
});
