import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import type { Found, ImportedConversation } from '../../src/importers/contract.js';
import { cursor } from '../../src/importers/formats/cursor.js';
import { withPromptTimes } from '../../src/importers/reading/chats.js';
import { aFolder } from '../support/service.js';
import { conversationsOf, findIn, lines, turnsIn } from './reading.js';

describe('ChatGPT', () => {
  const chat = (messages: object[]) =>
    JSON.stringify([
      {
        conversation_id: 'c1',
        current_node: `m${messages.length - 1}`,
        mapping: Object.fromEntries(
          messages.map((message, index) => [
            `m${index}`,
            { id: `m${index}`, parent: `m${index - 1}`, children: [`m${index + 1}`], message },
          ]),
        ),
      },
    ]);
  const says = (role: string, content: object, more: object = {}) => ({
    author: { role },
    content,
    recipient: 'all',
    metadata: {},
    ...more,
  });

  it('keeps what was said and shown, and leaves out thinking, instructions and tools at work', async () => {
    const content = chat([
      says('user', { content_type: 'user_editable_context', user_profile: 'hidden', user_instructions: 'hidden' }),
      says(
        'user',
        { content_type: 'text', parts: ['What is in it?'] },
        {
          metadata: { attachments: [{ name: 'plan.pdf', mime_type: 'application/pdf' }] },
        },
      ),
      says('assistant', { content_type: 'thoughts', thoughts: [{ summary: 'hidden', content: 'hidden' }] }),
      says('assistant', { content_type: 'code', language: 'python', text: 'hidden()' }, { recipient: 'python' }),
      says('tool', { content_type: 'execution_output', text: 'hidden' }),
      says('tool', { content_type: 'tether_quote', text: 'hidden', url: 'x' }),
      says('assistant', { content_type: 'code', text: 'hidden()' }, { channel: 'commentary' }),
      says('assistant', { content_type: 'text', parts: ['hidden'] }, { channel: 'analysis' }),
      says('assistant', { content_type: 'reasoning_recap', content: 'hidden' }),
      says('assistant', { content_type: 'text', parts: ['A garden plan.'] }, { channel: 'final' }),
      says(
        'user',
        {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'And here?'],
        },
        { metadata: { attachments: [{ name: 'a.png', mime_type: 'image/png' }] } },
      ),
      says('user', {
        content_type: 'multimodal_text',
        parts: [
          { content_type: 'audio_transcription', text: 'Spoken words.' },
          { content_type: 'real_time_user_audio_video_asset_pointer' },
        ],
      }),
    ]);
    expect(await turnsIn('chatgpt', 'conversations-003.json', content)).toEqual([
      [
        'user: What is in it?\n\n[file: plan.pdf]',
        'assistant: A garden plan.',
        'user: [image]\n\nAnd here?',
        'user: Spoken words.\n\n[audio]',
      ],
    ]);
    const [found] = conversationsOf(await findIn('chatgpt', 'conversations.json', content));
    expect(found?.metadata.tools).toEqual(['python', 'tool']);
  });

  it('keeps what a person reads of links and sources', async () => {
    const marked =
      'Go to \uE200entity\uE202["city","Porto","a city"]\uE201 \uE200cite\uE202turn0search1\uE201\nby \uE200url\uE202train\uE202https://x\uE201.';
    const content = chat([says('assistant', { content_type: 'text', parts: [marked] })]);
    expect(await turnsIn('chatgpt', 'conversations.json', content)).toEqual([['assistant: Go to Porto\nby train.']]);
  });
});

describe('Claude', () => {
  const message = (uuid: string, parent: string, sender: string, content: object[], more: object = {}) => ({
    uuid,
    parent_message_uuid: parent,
    sender,
    text: 'flat',
    content,
    ...more,
  });
  const root = '00000000-0000-4000-8000-000000000000';

  it('keeps blocks of text, names files with what was read from them, and parts branches', async () => {
    const chat = {
      uuid: 'c',
      name: 'Trip',
      created_at: '2026-01-01T00:00:00Z',
      chat_messages: [
        message('1', root, 'human', [{ type: 'text', text: 'Where to?' }], {
          attachments: [{ file_name: 'notes.txt', extracted_content: 'Lisbon, Porto' }],
          files: [{ file_name: 'map.png' }],
          files_v2: [{ file_name: 'map.png' }],
        }),
        message('2', '1', 'assistant', [
          { type: 'thinking', thinking: 'hidden' },
          { type: 'tool_use', name: 'web_search', input: {} },
          { type: 'tool_result', content: [{ type: 'text', text: 'hidden' }] },
          { type: 'text', text: 'Lisbon.' },
        ]),
        message('3', '1', 'assistant', [{ type: 'text', text: 'Porto.' }]),
        message('4', '3', 'human', [{ type: 'text', text: 'Good.' }]),
      ],
    };
    const found = conversationsOf(await findIn('claude', 'conversations.json', JSON.stringify([chat])));
    const first = 'Where to?\n\n[file: notes.txt]\n\nLisbon, Porto\n\n[file: map.png]';
    expect(found.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
      [first, 'Porto.', 'Good.'],
      [first, 'Lisbon.'],
    ]);
    expect(found.map(({ metadata }) => metadata)).toMatchObject([
      { upstream_thread_id: 'c', thread_id: 'claude:c', tools: ['web_search'] },
      { upstream_thread_id: 'c#2', thread_id: 'claude:c', branch: '2' },
    ]);
  });

  it('reads a list whose messages lead nowhere as one conversation', async () => {
    const chat = {
      uuid: 'c',
      chat_messages: [
        message('1', 'lost', 'human', [{ type: 'text', text: 'One' }]),
        message('2', 'gone', 'assistant', [{ type: 'text', text: 'Two' }]),
      ],
    };
    expect(await turnsIn('claude', 'conversations.json', JSON.stringify([chat]))).toEqual([
      ['user: One', 'assistant: Two'],
    ]);
  });
});

describe('Claude Code', () => {
  const said = (type: 'user' | 'assistant', content: unknown, more: object = {}) => ({
    type,
    uuid: JSON.stringify([content, more]),
    sessionId: 's',
    timestamp: '2026-03-01T00:00:00Z',
    message: { role: type, content, model: 'm' },
    ...more,
  });

  it('keeps prompts and answers, and leaves out what the program and other agents say', async () => {
    const content = lines(
      { type: 'summary', summary: 'Old title', leafUuid: 'x' },
      said('user', '<local-command-caveat>hidden</local-command-caveat>', { isMeta: true }),
      said(
        'user',
        '<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>',
      ),
      said(
        'user',
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the parser</command-args>',
      ),
      said('user', 'Rename it.\n<system-reminder>hidden</system-reminder>'),
      said('assistant', [
        { type: 'thinking', thinking: 'hidden' },
        { type: 'text', text: 'Renamed.' },
      ]),
      said('assistant', [{ type: 'tool_use', name: 'Bash', input: {} }]),
      said('user', [{ type: 'tool_result', content: 'hidden' }], { toolUseResult: {} }),
      said('user', [{ type: 'text', text: '[Request interrupted by user]' }]),
      said('user', 'hidden', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
      said('user', 'hidden', { isSidechain: true }),
      said('user', 'hidden', { origin: { kind: 'task-notification' } }),
      said('assistant', [{ type: 'text', text: 'hidden' }], { isApiErrorMessage: true }),
      { type: 'ai-title', aiTitle: 'Renaming', sessionId: 's' },
      said(
        'user',
        [
          { type: 'image', source: {} },
          { type: 'text', text: 'Like this?' },
        ],
        { origin: { kind: 'human' } },
      ),
    );
    expect(await turnsIn('claude-code', 's.jsonl', content)).toEqual([
      ['user: /review the parser', 'user: Rename it.', 'assistant: Renamed.', 'user: [image]\n\nLike this?'],
    ]);
    const [found] = conversationsOf(await findIn('claude-code', 's.jsonl', content));
    expect(found).toMatchObject({ title: 'Renaming', metadata: { upstream_thread_id: 's', model: 'm' } });
  });
});

describe('Codex', () => {
  const meta = (payload: object) => ({ type: 'session_meta', timestamp: '2026-03-01T00:00:00Z', payload });
  const item = (role: string, ...texts: string[]) => ({
    type: 'response_item',
    payload: {
      type: 'message',
      role,
      content: texts.map((text) => ({ type: role === 'user' ? 'input_text' : 'output_text', text })),
    },
  });
  const event = (type: string, message: string) => ({ type: 'event_msg', payload: { type, message } });

  it('yields a message once, without what the program puts before a prompt', async () => {
    const content = lines(
      meta({ id: 'own', cwd: '/w', cli_version: '1', source: 'cli' }),
      meta({ id: 'parent', cwd: '/w' }),
      item('developer', 'hidden'),
      item(
        'user',
        '<environment_context>hidden</environment_context>',
        '# AGENTS.md instructions for /w\n\nhidden',
        'Why Postgres?',
      ),
      event('user_message', 'Why Postgres?'),
      { type: 'turn_context', payload: { model: 'gpt-x' } },
      event('agent_reasoning', 'hidden'),
      item('assistant', 'One transaction.'),
      event('agent_message', 'One transaction.'),
      { type: 'compacted', payload: { message: 'hidden', replacement_history: [] } },
      item('user', '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nRename it.'),
      item('user', '<turn_aborted>\nhidden</turn_aborted>'),
    );
    expect(await turnsIn('codex', 'rollout-1.jsonl', content)).toEqual([
      ['user: Why Postgres?', 'assistant: One transaction.', 'user: Rename it.'],
    ]);
    const [found] = conversationsOf(await findIn('codex', 'rollout-1.jsonl', content));
    expect(found?.metadata).toMatchObject({ upstream_thread_id: 'own', model: 'gpt-x', capture_client_version: '1' });
  });

  it('takes the last form of a prompt, and every prompt of a turn', async () => {
    const prompt = (turn_id: string, text: string) => {
      const { type, payload } = item('user', text);
      return { type, payload: { ...payload, internal_chat_message_metadata_passthrough: { turn_id } } };
    };
    const content = lines(
      meta({ id: 's' }),
      prompt('t1', 'The open files are a.ts.\n\nRename it.'),
      prompt('t1', 'Rename it.'),
      prompt('t1', 'And its tests.'),
      item('assistant', 'Done.'),
      prompt('t2', 'Thanks.'),
    );
    expect(await turnsIn('codex', 'rollout-1.jsonl', content)).toEqual([
      ['user: Rename it.', 'user: And its tests.', 'assistant: Done.', 'user: Thanks.'],
    ]);
  });

  it('takes the time of each line, also of a log that has only what was shown', async () => {
    const at = (record: object, timestamp: string) => ({ ...record, timestamp });
    const [first, second] = ['2026-05-03T10:00:00.000Z', '2026-05-03T10:00:09.000Z'];
    const logs = [
      lines(meta({ id: 's' }), at(item('user', 'Hello'), first), at(item('assistant', 'Hi'), second)),
      lines(meta({ id: 's' }), at(event('user_message', 'Hello'), first), at(event('agent_message', 'Hi'), second)),
    ];
    for (const log of logs) {
      const [found] = conversationsOf(await findIn('codex', 'rollout-1.jsonl', log));
      expect(found?.messages.map(({ timestamp }) => timestamp)).toEqual([first, second]);
    }
  });

  it('takes a log that has only what was shown, and leaves out the talk of other agents', async () => {
    const shown = lines(meta({ id: 's' }), event('user_message', 'Hello'), event('agent_message', 'Hi'));
    expect(await turnsIn('codex', 'rollout-1.jsonl', shown)).toEqual([['user: Hello', 'assistant: Hi']]);
    const other = lines(meta({ id: 's', source: { subagent: 'review' } }), item('user', 'Review this.'));
    expect(await findIn('codex', 'rollout-2.jsonl', other)).toMatchObject([
      { kind: 'skipped', reason: 'it is a session between agents' },
    ]);
  });
});

/** What Cursor's importer finds in a database with this one composer. */
async function cursorChats(composer: object): Promise<ImportedConversation[]> {
  const onDisk = join(await aFolder(), 'state.vscdb');
  const database = new DatabaseSync(onDisk);
  database.exec('CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB)');
  database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run('composerData:c', JSON.stringify(composer));
  database.close();
  const found: Found[] = [];
  for await (const each of cursor.read({ path: 'state.vscdb', onDisk, async *read() {} })) found.push(each);
  return conversationsOf(found);
}

describe('Cursor (issue 22)', () => {
  it('keeps a prompt that is only in the tree of its editor', async () => {
    const children = [
      { type: 'paragraph', children: [{ text: 'Rename ' }, { type: 'mention', mentionName: '@soup.ts' }] },
      { type: 'paragraph', children: [{ text: 'and its test.' }] },
    ];
    const bubbles = [
      { type: 1, text: '', richText: JSON.stringify({ root: { children } }) },
      { type: 2, text: 'Done.' },
    ];
    const [found] = await cursorChats({ composerId: 'c', conversation: bubbles });
    expect(found?.messages.map(({ text }) => text)).toEqual(['Rename @soup.ts\nand its test.', 'Done.']);
  });
});

describe('times', () => {
  it('are those of the answer where a prompt has none, and never counted from the start of a program', () => {
    const answer = { role: 'assistant' as const, text: 'Hi', timestamp: '2026-05-03T10:00:00.000Z' };
    const prompt = { role: 'user' as const, text: 'Hello' };
    expect(withPromptTimes([prompt, answer, prompt])).toEqual([{ ...answer, ...prompt }, answer, prompt]);
  });

  it('of older bubbles of Cursor are those of the request', async () => {
    const bubbles = [
      { type: 1, text: 'Hello' },
      { type: 2, text: 'Hi', timingInfo: { clientStartTime: 98_813.1, clientRpcSendTime: 1_754_779_537_731 } },
    ];
    const [found] = await cursorChats({ composerId: 'c', conversation: bubbles });
    expect(found?.messages.map(({ timestamp }) => timestamp)).toEqual(Array(2).fill('2025-08-09T22:45:37.731Z'));
  });
});

describe('Google Takeout', () => {
  it('keeps what was asked of Gemini, and nothing of the other products', async () => {
    const entry = (title: string, more: object) => ({ title, safeHtmlItem: [{ html: '<p>Sure.</p>' }], ...more });
    const content = JSON.stringify([
      entry('Prompted Which soup?', { header: 'Gemini Apps', products: ['Gemini Apps'] }),
      entry('Said turn on the light', { header: 'Assistant', products: ['Assistant'] }),
      entry('Prompted And now?', { header: 'Bard' }),
      entry('Asked plainly', {}),
    ]);
    const found = await findIn('gemini-takeout', 'MyActivity.json', content);
    expect(conversationsOf(found).map(({ messages }) => messages[0]?.text)).toEqual([
      'Which soup?',
      'And now?',
      'plainly',
    ]);
    expect(found.filter(({ kind }) => kind === 'skipped')).toMatchObject([{ place: 'MyActivity.json entry 2' }]);
  });
});

describe('Gemini CLI', () => {
  it('replays the log of a session: messages written again, steps back, and compaction', async () => {
    const content = lines(
      { sessionId: 's', projectHash: 'h', startTime: '2026-03-01T00:00:00Z', kind: 'main' },
      { id: 'a', type: 'user', content: [{ text: 'First, with a file' }], displayContent: 'First' },
      { id: 'b', type: 'gemini', content: '', toolCalls: [{}], model: 'gemini-x' },
      { id: 'b', type: 'gemini', content: 'Answer', thoughts: ['hidden'], model: 'gemini-x' },
      { id: 'i', type: 'info', content: 'hidden' },
      { id: 'c', type: 'user', content: 'Taken back' },
      { $rewindTo: 'c' },
      { $set: { summary: 'A title', messages: [{ id: 'z', type: 'user', content: '<state_snapshot>hidden' }] } },
      { id: 'd', type: 'user', content: [{ text: 'Second' }, { inlineData: { mimeType: 'image/png' } }] },
    );
    expect(await turnsIn('gemini-cli', 'h/chats/session-1.jsonl', content)).toEqual([
      ['user: First', 'assistant: Answer', 'user: Second\n\n[image]'],
    ]);
    const [found] = conversationsOf(await findIn('gemini-cli', 'session-1.jsonl', content));
    expect(found).toMatchObject({ title: 'A title', metadata: { upstream_thread_id: 's', model: 'gemini-x' } });
  });

  it('takes nothing back for a step to a message that is not there', async () => {
    const content = lines(
      { sessionId: 's', projectHash: 'h' },
      { id: 'a', type: 'user', content: 'First' },
      { $rewindTo: 'elsewhere' },
      { id: 'b', type: 'gemini', content: 'Answer' },
    );
    expect(await turnsIn('gemini-cli', 'h/chats/session-1.jsonl', content)).toEqual([
      ['user: First', 'assistant: Answer'],
    ]);
  });

  it('leaves out sessions of agents that others sent', async () => {
    const content = lines(
      { sessionId: 's', projectHash: 'h', kind: 'subagent' },
      { id: 'a', type: 'user', content: 'x' },
    );
    expect(await findIn('gemini-cli', 'h/chats/p/s.jsonl', content)).toMatchObject([{ kind: 'skipped' }]);
  });
});

describe('Copilot Chat', () => {
  it('replays the log of changes to a session', async () => {
    const asked = (text: string) => ({ requestId: text, message: { text }, response: [], modelState: { value: 1 } });
    const content = lines(
      { kind: 0, v: { version: 3, sessionId: 's', creationDate: 1_772_000_000_000, requests: [] } },
      { kind: 2, k: ['requests'], v: [asked('Where is it?')] },
      {
        kind: 2,
        k: ['requests', 0, 'response'],
        v: [
          { kind: 'thinking', value: 'hidden' },
          { value: 'It is in ' },
          { kind: 'inlineReference', inlineReference: { path: '/w/src/shed.ts' } },
          { value: ', at the top.' },
          { kind: 'toolInvocationSerialized', invocationMessage: 'hidden' },
          { kind: 'markdownContent', content: { value: 'Look there.' } },
        ],
      },
      { kind: 2, k: ['requests'], v: [asked('Taken back')] },
      {
        kind: 2,
        k: ['requests'],
        i: 1,
        v: [{ ...asked('And this?'), response: [{ value: 'half an ans' }], modelState: { value: 0 } }],
      },
      { kind: 1, k: ['customTitle'], v: 'Sheds' },
      { kind: 1, k: ['__proto__', 'polluted'], v: 'yes' },
      { kind: 3, k: ['creationDate'] },
    );
    expect(await turnsIn('copilot-chat', 'ws/chatSessions/s.jsonl', content)).toEqual([
      ['user: Where is it?', 'assistant: It is in `shed.ts`, at the top.\n\nLook there.', 'user: And this?'],
    ]);
    const [found] = conversationsOf(await findIn('copilot-chat', 's.jsonl', content));
    expect(found).toMatchObject({ title: 'Sheds', metadata: { upstream_thread_id: 's' } });
    expect('polluted' in {}).toBe(false);
  });
});

describe('Open WebUI', () => {
  it('keeps the answer without what is folded into it', async () => {
    const answer =
      '<details type="reasoning" done="true">hidden</details>\n<details type="tool_calls">hidden</details>\nLeek soup.';
    const chat = {
      id: 'c',
      title: 'Soup',
      messages: [
        { role: 'user', content: 'Soup?' },
        { role: 'assistant', content: answer },
      ],
    };
    for (const content of [[{ id: 'c', chat }], chat]) {
      expect(await turnsIn('open-webui', 'chat.json', JSON.stringify(content))).toEqual([
        ['user: Soup?', 'assistant: Leek soup.'],
      ]);
    }
  });
});
