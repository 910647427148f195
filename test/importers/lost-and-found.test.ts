import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import type { Found, Importer } from '../../src/importers/contract.js';
import { filesAt, foundIn } from '../../src/importers/reading/files.js';
import { formatsAt, importers } from '../../src/importers/table.js';
import { importConversations } from '../../src/operations/import-conversations.js';
import { aFolder, aService } from '../support/service.js';
import { aZip, aZipOf } from '../support/zip.js';
import { conversationsOf, findIn, lines, turnsIn } from './reading.js';

async function written(files: Record<string, string>): Promise<string> {
  const folder = await aFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

function importerOf(format: string): Importer {
  const found = importers.find(({ name }) => name === format);
  if (found === undefined) throw new Error(`no importer ${format}`);
  return found;
}

async function* readAll(format: string, path: string): AsyncGenerator<Found> {
  const importer = importerOf(format);
  for await (const file of filesAt(path, importer)) yield* foundIn(importer, file);
}

async function all(format: string, path: string): Promise<Found[]> {
  const found: Found[] = [];
  for await (const each of readAll(format, path)) found.push(each);
  return found;
}

describe('Claude Code (issue 22)', () => {
  const record = (sessionId: string, uuid: string, text: string, type = 'user') => ({
    type,
    uuid,
    sessionId,
    timestamp: '2026-03-01T00:00:00Z',
    message: { role: type, content: text },
  });

  it('keeps what was typed while it worked, and no notices of tasks', async () => {
    const queued = (prompt: unknown, more: object = {}) => ({
      type: 'attachment',
      uuid: JSON.stringify(prompt),
      sessionId: 's',
      timestamp: '2026-03-01T00:00:05Z',
      attachment: { type: 'queued_command', prompt, commandMode: 'prompt', ...more },
    });
    const log = lines(
      record('s', '1', 'Rename it.'),
      queued('And its tests.', { origin: { kind: 'human' } }),
      queued([
        { type: 'image', source: {} },
        { type: 'text', text: 'Like this.' },
      ]),
      queued('<task-notification>hidden</task-notification>', { commandMode: 'task-notification' }),
      { type: 'attachment', uuid: 'x', attachment: { type: 'file', content: 'hidden' } },
    );
    expect(await turnsIn('claude-code', 's.jsonl', log)).toEqual([
      ['user: Rename it.', 'user: And its tests.', 'user: [image]\n\nLike this.'],
    ]);
    expect(await findIn('claude-code', 's.jsonl', log)).toMatchObject([
      { leftOut: { 'they are instructions or notes from the program': 1 } },
    ]);
  });

  it('continues a session with what its resumed copy adds, in whatever order they are read', async () => {
    const first = [record('zz', '1', 'One.'), record('zz', '2', 'Two.', 'assistant')];
    const copy = [record('aa', '1', 'One.'), record('aa', '2', 'Two.', 'assistant'), record('aa', '3', 'Three.')];
    const folder = await written({ 'p/zz.jsonl': lines(...first) });
    await utimes(join(folder, 'p/zz.jsonl'), new Date('2026-01-01'), new Date('2026-01-01'));
    await writeFile(join(folder, 'p/aa.jsonl'), lines(...copy));
    const found = conversationsOf(await all('claude-code', folder));
    expect(new Set(found.map(({ metadata }) => metadata.upstream_thread_id)).size).toBe(1);
    const service = await aService();
    const call = { principal: localPrincipal, defaultSource: 'cli' };
    const report = await importConversations(service.service, call, readAll('claude-code', folder));
    expect(report.imported).toBe(1);
    expect(report.messages).toBe(3);
  });
});

describe('a copy of a Claude Code session (issue 22)', () => {
  it('is recognised when its first prompt holds a picture', async () => {
    const picture = { type: 'image', source: { type: 'base64', data: 'A'.repeat(200_000) } };
    const record = (sessionId: string, uuid: string, content: unknown) => ({
      type: 'user',
      uuid,
      sessionId,
      timestamp: '2026-03-01T00:00:00Z',
      message: { role: 'user', content },
    });
    const first = (id: string) => record(id, '1', [picture, { type: 'text', text: 'What is this?' }]);
    const folder = await written({
      'p/one.jsonl': lines(first('one')),
      'p/two.jsonl': lines(first('two'), record('two', '2', 'And this?')),
    });
    const found = conversationsOf(await all('claude-code', folder));
    expect(new Set(found.map(({ metadata }) => metadata.upstream_thread_id)).size).toBe(1);
  });
});

describe('documents beside a chat (issue 22)', () => {
  it('of ChatGPT are kept in their last version, in the thread of the chat', async () => {
    const node = (id: string, parent: string | null, message: object, children: string[] = []) => [
      id,
      { id, parent, children, message },
    ];
    const call = (recipient: string, value: object, at: number) => ({
      author: { role: 'assistant' },
      recipient,
      create_time: at,
      content: { content_type: 'code', text: JSON.stringify(value) },
    });
    const answer = (at: number) => ({
      author: { role: 'tool', name: 'canmore.create_textdoc' },
      recipient: 'all',
      create_time: at,
      content: { content_type: 'text', parts: ['done'] },
      metadata: { canvas: { textdoc_id: 'd1' } },
    });
    const chat = {
      conversation_id: 'c',
      current_node: 'u',
      mapping: Object.fromEntries([
        node(
          'u',
          null,
          { author: { role: 'user' }, create_time: 1, content: { content_type: 'text', parts: ['A poem.'] } },
          ['m'],
        ),
        node(
          'm',
          'u',
          call('canmore.create_textdoc', { name: 'Poem', type: 'document', content: 'Roses are red.' }, 2),
          ['t'],
        ),
        node('t', 'm', answer(3), ['e']),
        node('e', 't', call('canmore.update_textdoc', { updates: [{ pattern: 'red\\.', replacement: 'blue.' }] }, 4), [
          'f',
        ]),
        node('f', 'e', answer(5)),
      ]),
    };
    const found = await findIn('chatgpt', 'conversations.json', JSON.stringify([chat]));
    expect(conversationsOf(found)).toMatchObject([
      { messages: [{ role: 'user', text: 'A poem.' }] },
      {
        title: 'Poem',
        messages: [{ role: 'assistant', text: '[document: Poem]\n\nRoses are blue.' }],
        metadata: { thread_id: 'chatgpt:c', upstream_thread_id: 'c#document:d1', made_by_message: 'm' },
      },
    ]);
  });

  it('of Claude are kept in their last version', async () => {
    const use = (input: object) => ({ type: 'tool_use', name: 'artifacts', input });
    const chat = {
      uuid: 'c',
      chat_messages: [
        { uuid: '1', sender: 'human', content: [{ type: 'text', text: 'A page.' }] },
        {
          uuid: '2',
          sender: 'assistant',
          content: [
            use({ command: 'create', id: 'page', title: 'Page', content: '<h1>One</h1>' }),
            use({ command: 'update', id: 'page', old_str: 'One', new_str: 'Two' }),
            { type: 'text', text: 'Here it is.' },
          ],
        },
      ],
    };
    expect(await turnsIn('claude', 'conversations.json', JSON.stringify([chat]))).toEqual([
      ['user: A page.', 'assistant: Here it is.'],
      ['assistant: [document: Page]\n\n<h1>Two</h1>'],
    ]);
  });
});

describe('what lay beside the conversations of an export (issue 22)', () => {
  it('is read: projects of Claude and what it remembers', async () => {
    const project = {
      uuid: 'p',
      name: 'Garden',
      prompt_template: 'Be brief.',
      docs: [{ filename: 'plan.md', content: 'Beans in May.' }],
    };
    expect(await turnsIn('claude', 'projects.json', JSON.stringify([project]))).toEqual([
      ['user: Be brief.', 'user: [file: plan.md]\n\nBeans in May.'],
    ]);
    const memories = [
      { conversations_memory: 'Likes beans.', project_memories: { p: 'Grows them.' }, account_uuid: 'a' },
    ];
    expect(await turnsIn('claude', 'memories.json', JSON.stringify(memories))).toEqual([
      ['assistant: Likes beans.'],
      ['assistant: Grows them.'],
    ]);
  });

  it('is read: parts of text, reports and chats without a time of ChatGPT', async () => {
    const message = (role: string, content: object, more: object = {}) => ({
      author: { role },
      content,
      recipient: 'all',
      ...more,
    });
    const mapping = {
      a: {
        id: 'a',
        children: ['b'],
        message: message(
          'user',
          { content_type: 'multimodal_text', parts: [{ content_type: 'text', text: 'Find out.' }] },
          { create_time: 1_772_000_000 },
        ),
      },
      b: {
        id: 'b',
        parent: 'a',
        children: [],
        message: message(
          'tool',
          { content_type: 'text', parts: ['The report.'] },
          { metadata: { is_async_task_result_message: true } },
        ),
      },
    };
    const [found] = conversationsOf(
      await findIn('chatgpt', 'conversations.json', JSON.stringify([{ id: 'c', mapping }])),
    );
    expect(found).toMatchObject({
      timestamp: '2026-02-25T06:13:20.000Z',
      messages: [
        { role: 'user', text: 'Find out.' },
        { role: 'assistant', text: 'The report.' },
      ],
    });
  });
});

describe('Google Takeout as HTML (issue 22)', () => {
  const card = (body: string, details = '') =>
    `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">Gemini Apps<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${body}</div><div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;Gemini Apps<br>${details}</div></div></div>`;
  const link =
    '<b>Details:</b><br>&emsp;<a href="https://gemini.google.com/app/abc123">https://gemini.google.com/app/abc123</a>';

  it('is read as its JSON is: prompts of one chat in order, and no lines about a canvas', async () => {
    const html = `<html><body>${[
      card('Prompted&nbsp;And now?<br>Apr 12, 2026, 3:34:31\u202fPM EDT<br><p>Stir.</p>', link),
      card('Created Gemini Canvas titled&nbsp;Soup<br>Apr 12, 2026, 3:33:00\u202fPM EDT<br>'),
      card('Prompted&nbsp;Which soup &amp; bread?<br>12 Apr 2026, 15:30:00 EDT<br><p>Leek.</p>', link),
      card('Prompted&nbsp;Alone<br>12.04.2026, 21:00:00 MESZ<br>'),
    ].join('')}</body></html>`;
    const found = await findIn('gemini-takeout', 'Takeout/My Activity/Gemini Apps/MyActivity.html', html);
    expect(conversationsOf(found)).toMatchObject([
      { messages: [{ text: 'Alone', timestamp: '2026-04-12T19:00:00.000Z' }] },
      {
        timestamp: '2026-04-12T19:30:00.000Z',
        metadata: { upstream_thread_id: 'abc123' },
        messages: [
          { role: 'user', text: 'Which soup & bread?' },
          { role: 'assistant', text: 'Leek.' },
          { role: 'user', text: 'And now?', timestamp: '2026-04-12T19:34:31.000Z' },
          { role: 'assistant', text: 'Stir.' },
        ],
      },
    ]);
    expect(found.filter(({ kind }) => kind === 'skipped')).toMatchObject([{ reason: 'it is not a prompt' }]);
  });
});

describe('dates of Google Takeout as HTML (issue 22)', () => {
  it.each([
    ['English (US)', 'Apr 12, 2026, 3:34:31\u202fPM UTC'],
    ['English (UK)', '12 Apr 2026, 15:34:31 GMT'],
    ['German', '12.04.2026, 17:34:31 MESZ'],
    ['Spanish (Mexico)', '12 abr 2026, 9:34:31 a.m. CST'],
    ['Portuguese (Brazil)', '12 de abr. de 2026, 12:34:31 BRT'],
    ['Danish', '12. apr. 2026 17.34.31 CEST'],
    ['Finnish', '12.4.2026 klo 18.34.31 EEST'],
    ['Polish', '12 kwi 2026, 17:34:31 CEST'],
    ['Russian', '12 апр. 2026 г., 18:34:31 MSK'],
    ['Turkish', '12 Nis 2026 18:34:31 GMT+03:00'],
    ['Japanese', '2026/04/13 0:34:31 JST'],
    ['Chinese', '2026年4月12日 23:34:31 CST'],
    ['Chinese (Taiwan)', '2026年4月12日 下午3:34:31 UTC'],
    ['Korean', '2026. 4. 13. 오전 12:34:31 KST'],
    ['Dutch', '12 apr 2026 17:34:31 CEST'],
  ])('are read in %s', async (_, date) => {
    const body = `Prompted&nbsp;Hello<br>${date}<br><p>Hi!</p>`;
    const html = `<div class="outer-cell mdl-cell"><p class="mdl-typography--title">Gemini Apps<br></p><div class="content-cell mdl-cell">${body}</div></div>`;
    expect(conversationsOf(await findIn('gemini-takeout', 'MyActivity.html', html))).toMatchObject([
      {
        timestamp: '2026-04-12T15:34:31.000Z',
        messages: [
          { role: 'user', text: 'Hello' },
          { role: 'assistant', text: 'Hi!' },
        ],
      },
    ]);
  });

  it('tell July from June in French', async () => {
    const html = (date: string) =>
      `<div class="outer-cell mdl-cell"><div class="content-cell mdl-cell">Prompted&nbsp;Hello<br>${date}<br><p>Hi!</p></div></div>`;
    const page = ['1 juin 2026, 12:00:00 UTC', '1 juil. 2026, 12:00:00 UTC'].map(html).join('');
    const found = conversationsOf(await findIn('gemini-takeout', 'MyActivity.html', page));
    expect(found.map(({ timestamp }) => timestamp)).toEqual(['2026-06-01T12:00:00.000Z', '2026-07-01T12:00:00.000Z']);
  });
});

describe('older forms (issue 22)', () => {
  it('of opencode: a file each for session, messages and parts', async () => {
    const folder = await written({
      'storage/session/p/ses_1.json': JSON.stringify({
        id: 'ses_1',
        title: 'Old',
        directory: '/w',
        time: { created: 1_772_000_000_000 },
      }),
      'storage/message/ses_1/msg_1.json': JSON.stringify({
        id: 'msg_1',
        role: 'user',
        time: { created: 1_772_000_000_000 },
      }),
      'storage/message/ses_1/msg_2.json': JSON.stringify({
        id: 'msg_2',
        role: 'assistant',
        providerID: 'p',
        modelID: 'm',
      }),
      'storage/part/msg_1/prt_1.json': JSON.stringify({ id: 'prt_1', type: 'text', text: 'Hello.' }),
      'storage/part/msg_2/prt_2.json': JSON.stringify({ id: 'prt_2', type: 'text', text: 'Hi.' }),
      'storage/project/p.json': '{"id":"p"}',
    });
    for (const path of [folder, join(folder, 'storage'), join(folder, 'storage/session/p/ses_1.json')]) {
      const found = await all('opencode', path);
      expect(found).toMatchObject([
        {
          conversation: {
            title: 'Old',
            messages: [
              { role: 'user', text: 'Hello.' },
              { role: 'assistant', text: 'Hi.' },
            ],
          },
        },
      ]);
    }
  });

  it('of opencode: messages with their parts inside', async () => {
    const time = { created: 1_772_000_000_000 };
    const folder = await written({
      'project/w/storage/session/info/ses_1.json': JSON.stringify({ id: 'ses_1', title: 'Oldest', time }),
      'project/w/storage/session/message/ses_1/msg_1.json': JSON.stringify({
        id: 'msg_1',
        role: 'user',
        parts: [{ type: 'text', text: 'Hello.' }],
        metadata: { sessionID: 'ses_1', time, tool: {} },
      }),
      'project/w/storage/session/message/ses_1/msg_2.json': JSON.stringify({
        id: 'msg_2',
        role: 'assistant',
        parts: [{ type: 'step-start' }, { type: 'text', text: 'Hi.' }],
        metadata: { sessionID: 'ses_1', time: { ...time, completed: 1_772_000_001_000 }, tool: {} },
      }),
    });
    expect(await all('opencode', folder)).toMatchObject([
      {
        conversation: {
          title: 'Oldest',
          messages: [
            { role: 'user', text: 'Hello.', timestamp: '2026-02-25T06:13:20.000Z' },
            { role: 'assistant', text: 'Hi.' },
          ],
        },
      },
    ]);
  });

  it('of Codex: one JSON value', async () => {
    const rollout = {
      session: { timestamp: '2025-04-17T10:00:00.000Z', id: 's', instructions: '' },
      items: [
        { role: 'user', type: 'message', content: [{ type: 'input_text', text: 'Rename it.' }] },
        { type: 'function_call', name: 'shell' },
        { role: 'assistant', type: 'message', content: [{ type: 'output_text', text: 'Renamed.' }] },
      ],
    };
    expect(await turnsIn('codex', 'rollout-2025-04-17-s.json', JSON.stringify(rollout))).toEqual([
      ['user: Rename it.', 'assistant: Renamed.'],
    ]);
  });

  it('of JSON: answers inside of what they answer, and messages in odd places are named', async () => {
    const nested = { role: 'user', text: 'One', children: [{ role: 'assistant', text: 'Two', children: [] }] };
    expect(await turnsIn('json', 'x.json', JSON.stringify([{ id: 'c', messages: [nested] }]))).toEqual([
      ['user: One', 'assistant: Two'],
    ]);
    const odd = [
      { id: 'c', messages: [{ role: 'user', text: 'One' }], extra: { more: [{ role: 'user', text: 'Lost' }] } },
    ];
    const found = await findIn('json', 'x.json', JSON.stringify(odd));
    expect(found).toMatchObject([
      { kind: 'conversation', leftOut: { 'they belong to no conversation in the export': 1 } },
      { kind: 'skipped' },
    ]);
  });
});

describe('Claude (issue 22)', () => {
  it('keeps what was dictated', async () => {
    const message = (uuid: string, sender: string, block: object) => ({ uuid, sender, text: '', content: [block] });
    const chat = {
      uuid: 'c',
      name: 'Voice',
      chat_messages: [
        message('1', 'human', { type: 'voice_note', title: 'Note', text: 'What is the weather?' }),
        message('2', 'assistant', { type: 'text', text: 'It rains.' }),
      ],
    };
    expect(await turnsIn('claude', 'conversations.json', JSON.stringify([chat]))).toEqual([
      ['user: What is the weather?', 'assistant: It rains.'],
    ]);
  });
});

describe('Aider (issue 22)', () => {
  it('keeps headings and quotations of an answer as parts of it', async () => {
    const history = [
      '# aider chat started at 2026-03-01 10:00:00',
      '',
      '> Aider v0.86  ',
      '',
      '#### explain the parser  ',
      '#### and its tests  ',
      '',
      'It reads lines.',
      '#### Details',
      '> A quotation.',
      'The end.',
      '',
      '> Tokens: 1k sent  ',
      '',
      '#### thanks  ',
    ].join('\n');
    expect(await turnsIn('aider', '.aider.chat.history.md', history)).toEqual([
      [
        'user: explain the parser\nand its tests',
        'assistant: It reads lines.\n#### Details\n> A quotation.\nThe end.',
        'user: thanks',
      ],
    ]);
  });
});

describe('tags that are opened many times and never closed', () => {
  const log = (content: string) =>
    lines({ type: 'user', uuid: '1', sessionId: 's', message: { role: 'user', content } });
  it.each([
    ['claude-code', 'x.jsonl', '<system-reminder>', log],
    ['claude-code', 'x.jsonl', '<command-name>', log],
    ['claude-code', 'x.jsonl', '<command-name></command-name><command-args>', log],
    [
      'cursor-agent',
      'agent-transcripts/x.jsonl',
      '<user_query>',
      (text: string) => lines({ role: 'user', message: { content: [{ type: 'text', text }] } }),
    ],
    [
      'open-webui',
      'x.json',
      '<details type="reasoning" ',
      (content: string) =>
        JSON.stringify([{ chat: { history: { messages: { a: { role: 'assistant', content } }, currentId: 'a' } } }]),
    ],
  ])('are read by %s in %s in linear time: %s', async (format, path, tag, write) => {
    const content = write(tag.repeat(1_000_000 / tag.length));
    const { user } = process.cpuUsage();
    const found = await findIn(format, path, content);
    expect(process.cpuUsage().user - user).toBeLessThan(3_000_000);
    expect(found).toHaveLength(1);
  });
});

describe('a folder', () => {
  it.each(['.', './exports', 'exports/', './exports/../exports', 'exports//'])(
    'is read when it is written %s',
    async (shown) => {
      const folder = await written({ 'exports/result.json': JSON.stringify({ name: 'Ben', id: 1, messages: [said] }) });
      const before = process.cwd();
      onTestFinished(() => process.chdir(before));
      process.chdir(shown === '.' ? join(folder, 'exports') : folder);
      expect((await formatsAt(shown)).map(({ name }) => name)).toEqual(['telegram']);
      expect(await all('telegram', shown)).toMatchObject([{ place: 'result.json', conversation: { title: 'Ben' } }]);
    },
  );
  const said = { id: 1, type: 'message', date_unixtime: '1773309600', from: 'Ben', from_id: 'user1', text: 'Hello.' };
});

describe('the format of a zip', () => {
  it('is detected by its content, not by file names that formats share', async () => {
    const folder = await aFolder();
    const chats = {
      claude: [{ uuid: 'c', chat_messages: [{ uuid: '1', sender: 'human', text: 'Hello.' }] }],
      deepseek: [
        {
          id: 'd',
          inserted_at: '2026-01-01T00:00:00Z',
          mapping: { 1: { message: { fragments: [{ type: 'REQUEST', content: 'Hi' }] } } },
        },
      ],
    };
    for (const [name, value] of Object.entries(chats)) {
      const path = join(folder, `${name}.zip`);
      await writeFile(path, aZip('conversations.json', JSON.stringify(value)));
      expect((await formatsAt(path)).map((importer) => importer.name)).toEqual([name]);
    }
  });
});

describe('Continue (issue 22)', () => {
  const session = {
    sessionId: 'one',
    title: 'Rename',
    workspaceDirectory: 'file:///home/me',
    history: [{ message: { role: 'user', content: 'Rename it.' }, contextItems: [] }],
  };
  const list = [{ sessionId: 'one', title: 'Rename', dateCreated: '1773309600000', workspaceDirectory: '' }];

  it('takes the time of a session from the list beside it', async () => {
    const folder = await written({
      'sessions/one.json': JSON.stringify(session),
      'sessions/sessions.json': JSON.stringify(list),
    });
    const dated = { conversation: { title: 'Rename', timestamp: '2026-03-12T10:00:00.000Z' } };
    expect(await all('continue', folder)).toMatchObject([dated]);
    const path = join(folder, 'continue.zip');
    await writeFile(path, aZipOf({ 'c/one.json': JSON.stringify(session), 'c/sessions.json': JSON.stringify(list) }));
    expect(await all('continue', path)).toMatchObject([dated]);
  });

  it('needs no such list', async () => {
    const folder = await written({ 'one.json': JSON.stringify(session), 'sessions.json': '{ damaged' });
    expect(await all('continue', folder)).toMatchObject([{ conversation: { title: 'Rename' } }]);
  });
});
