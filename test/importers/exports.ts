import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** A conversation that an export is made of, so that what arrives can be compared with what was written. */
export interface Known {
  id: string;
  title: string;
  /** ISO. */
  time: string;
  turns: Turn[];
  /** What was answered first instead of `turns[1]`, and left: for programs that keep branches. */
  left?: Turn;
}

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
  /** When it was said (ISO); otherwise the program noted the conversation's time. */
  time?: string;
  /** An image beside the text, for programs that say so. */
  image?: true;
}

export type Files = Record<string, string | Uint8Array>;

const seconds = (time: string): number => new Date(time).getTime() / 1_000;
const milliseconds = (time: string): number => new Date(time).getTime();
const lines = (records: readonly unknown[]): string =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

/** Writes known conversations in the shape of each program's own files. */
export const exportAs: Record<string, (conversations: readonly Known[]) => Files> = {
  chatgpt: (conversations) => ({
    'conversations.json': JSON.stringify(conversations.map(chatgptTree)),
    'user.json': '{"id":"somebody"}',
  }),

  claude: (conversations) => ({
    'conversations.json': JSON.stringify(
      conversations.map(({ id, title, time, turns, left }) => ({
        uuid: id,
        name: title,
        created_at: time,
        updated_at: time,
        account: { uuid: 'somebody' },
        chat_messages: [turns[0], ...(left ? [left] : []), ...turns.slice(1)].flatMap((turn) => {
          if (turn === undefined) return [];
          const { role, text, image, time: said = time } = turn;
          const index = turns.indexOf(turn);
          const before = turn === left ? 0 : index - 1;
          return {
            uuid: `${id}-${index}`,
            parent_message_uuid: before < 0 ? '00000000-0000-4000-8000-000000000000' : `${id}-${before}`,
            text,
            content: [
              { type: 'text', text },
              ...(index === 1 ? [{ type: 'tool_use', name: 'web_search', input: {} }] : []),
            ],
            sender: role === 'user' ? 'human' : 'assistant',
            created_at: said,
            attachments: [],
            files: image ? [{ file_name: 'image' }] : [],
          };
        }),
      })),
    ),
  }),

  'gemini-takeout': (conversations) => ({
    'Takeout/My Activity/Gemini Apps/MyActivity.json': JSON.stringify(
      conversations.map(({ time, turns }) => ({
        header: 'Gemini Apps',
        title: `Prompted ${turns[0]?.text ?? ''}`,
        time,
        products: ['Gemini Apps'],
        ...(turns[0]?.image ? { attachedFiles: ['image'] } : {}),
        safeHtmlItem: turns[1] === undefined ? [] : [{ html: `<p>${htmlOf(turns[1].text)}</p>` }],
      })),
    ),
  }),

  'claude-code': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, time, turns }) => [
        `-home-me-project/${id}.jsonl`,
        lines([
          { type: 'file-history-snapshot', messageId: 'x' },
          ...turns.map(({ role, text, image, time: said = time }, index) => ({
            type: role,
            uuid: `${id}-${index}`,
            parentUuid: index === 0 ? null : `${id}-${index - 1}`,
            sessionId: id,
            timestamp: said,
            cwd: '/home/me/project',
            gitBranch: 'main',
            version: '2.0.0',
            message:
              role === 'user'
                ? {
                    role,
                    content: image
                      ? [
                          { type: 'text', text },
                          { type: 'image', source: {} },
                        ]
                      : text,
                  }
                : {
                    role,
                    model: 'claude-x',
                    content: [
                      { type: 'thinking', thinking: 'hidden' },
                      { type: 'text', text },
                    ],
                  },
          })),
          {
            type: 'user',
            uuid: `${id}-tool`,
            sessionId: id,
            timestamp: time,
            message: { role: 'user', content: [{ type: 'tool_result', content: 'hidden' }] },
          },
        ]),
      ]),
    ),

  codex: (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, time, turns }) => [
        `2026/03/rollout-${id}.jsonl`,
        lines([
          {
            type: 'session_meta',
            timestamp: time,
            payload: {
              id,
              timestamp: time,
              cwd: '/w',
              originator: 'codex_cli',
              cli_version: '1',
              git: { branch: 'main' },
            },
          },
          {
            type: 'response_item',
            timestamp: time,
            payload: {
              type: 'message',
              role: 'user',
              content: [{ type: 'input_text', text: '<environment_context>hidden</environment_context>' }],
            },
          },
          ...turns.map(({ role, text, image, time: said = time }) => ({
            type: 'response_item',
            timestamp: said,
            payload: {
              type: 'message',
              role,
              content: [
                { type: role === 'user' ? 'input_text' : 'output_text', text },
                ...(image ? [{ type: 'input_image', image_url: 'data:' }] : []),
              ],
            },
          })),
          {
            type: 'response_item',
            timestamp: time,
            payload: { type: 'function_call', name: 'shell', arguments: 'hidden' },
          },
        ]),
      ]),
    ),

  'gemini-cli': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, time, turns }) => [
        `abc/chats/session-${id}.json`,
        JSON.stringify({
          sessionId: id,
          projectHash: 'abc',
          startTime: time,
          messages: [
            { type: 'user', content: '<session_context>hidden</session_context>', timestamp: time },
            ...turns.map(({ role, text, image, time: said = time }) => ({
              type: role === 'user' ? 'user' : 'gemini',
              content: image ? [{ text }, { inlineData: { mimeType: 'image/png' } }] : text,
              timestamp: said,
              model: 'gemini-x',
            })),
          ],
        }),
      ]),
    ),

  'gemini-cli/log': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, time, turns }) => [
        `abc/chats/session-${id}.jsonl`,
        lines([
          { sessionId: id, projectHash: 'abc', startTime: time, kind: 'main' },
          ...turns.flatMap(({ role, text, image, time: said = time }, index) => {
            const content = image ? [{ text }, { inlineData: { mimeType: 'image/png' } }] : text;
            const record = { id: `m${index}`, timestamp: said, type: role === 'user' ? 'user' : 'gemini', content };
            return role === 'user' ? [record] : [{ ...record, content: '' }, record];
          }),
          { $set: { lastUpdated: time } },
        ]),
      ]),
    ),

  cursor: (conversations) => ({ 'state.vscdb': cursorDatabase(conversations) }),

  'copilot-chat': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, title, time, turns }) => [
        `ws/chatSessions/${id}.json`,
        JSON.stringify({
          version: 3,
          sessionId: id,
          customTitle: title,
          creationDate: milliseconds(time),
          requests: pairs(turns, time),
        }),
      ]),
    ),

  'copilot-chat/log': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, title, time, turns }) => [
        `ws/chatSessions/${id}.jsonl`,
        lines([
          { kind: 0, v: { version: 3, sessionId: id, creationDate: milliseconds(time), requests: [] } },
          { kind: 1, k: ['customTitle'], v: title },
          ...pairs(turns, time).map((request) => ({ kind: 2, k: ['requests'], v: [request] })),
        ]),
      ]),
    ),

  'copilot-cli': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, time, turns }) => [
        `${id}/events.jsonl`,
        lines([
          {
            type: 'session.start',
            id: `${id}-s`,
            timestamp: time,
            data: { sessionId: id, startTime: time, selectedModel: 'gpt-x', context: { cwd: '/w' } },
          },
          ...turns.map(({ role, text, time: said = time }, index) => ({
            type: role === 'user' ? 'user.message' : 'assistant.message',
            id: `${id}-${index}`,
            timestamp: said,
            data: { content: text, messageId: `${id}-m${index}` },
          })),
          {
            type: 'assistant.message',
            id: `${id}-x`,
            timestamp: time,
            agentId: 'other',
            data: { content: 'hidden', messageId: `${id}-x` },
          },
        ]),
      ]),
    ),

  opencode: (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, title, time, turns }) => [
        `${id}.json`,
        JSON.stringify({
          info: { id, title, directory: '/w', time: { created: milliseconds(time) } },
          messages: turns.map(({ role, text, image, time: said = time }) => ({
            info: { role, modelID: 'm', providerID: 'p', time: { created: milliseconds(said) } },
            parts: [
              { type: 'text', text },
              ...(image ? [{ type: 'file', mime: 'image/png', filename: 'a.png' }] : []),
              { type: 'text', text: 'hidden', synthetic: true },
              { type: 'tool', tool: 'bash' },
            ],
          })),
        }),
      ]),
    ),

  'opencode/database': (conversations) => ({ 'opencode.db': opencodeDatabase(conversations) }),

  'open-webui': (conversations) => ({
    'chat-export-1.json': JSON.stringify(
      conversations.map(({ id, title, time, turns, left }) => ({
        id,
        title,
        created_at: seconds(time),
        chat: {
          models: ['llama'],
          history: {
            currentId: `${id}-${turns.length - 1}`,
            messages: Object.fromEntries([
              ...(left
                ? [[`${id}-left`, { parentId: `${id}-0`, childrenIds: [], role: left.role, content: left.text }]]
                : []),
              ...turns.map(({ role, text, image, time: said = time }, index) => [
                `${id}-${index}`,
                {
                  id: `${id}-${index}`,
                  parentId: index === 0 ? null : `${id}-${index - 1}`,
                  childrenIds: [
                    ...(index === 0 && left ? [`${id}-left`] : []),
                    ...(index + 1 < turns.length ? [`${id}-${index + 1}`] : []),
                  ],
                  role,
                  content: text,
                  timestamp: seconds(said),
                  files: image ? [{ type: 'image', url: 'x' }] : [],
                },
              ]),
            ]),
          },
        },
      })),
    ),
  }),

  'lm-studio': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, title, time, turns }) => [
        `${id}.conversation.json`,
        JSON.stringify({
          name: title,
          createdAt: milliseconds(time),
          messages: turns.map(({ role, text, image, time: said = time }) => ({
            versions: [
              { type: 'singleStep', role, content: [{ type: 'text', text: 'hidden' }] },
              role === 'user'
                ? {
                    type: 'singleStep',
                    role,
                    content: [{ type: 'text', text }, ...(image ? [{ type: 'file', fileType: 'image' }] : [])],
                  }
                : {
                    type: 'multiStep',
                    role,
                    steps: [
                      {
                        type: 'contentBlock',
                        style: { type: 'thinking' },
                        content: [{ type: 'text', text: 'hidden' }],
                      },
                      {
                        type: 'contentBlock',
                        stepIdentifier: `${milliseconds(said)}-0.25`,
                        content: [{ type: 'text', text }],
                      },
                    ],
                  },
            ],
            currentlySelected: 1,
          })),
        }),
      ]),
    ),

  threadkeep: (conversations) => ({
    'memory.jsonl': lines([
      { type: 'threadkeep-export', version: 1, exported_at: '2026-04-01T00:00:00Z' },
      { type: 'project', project: { id: 'local-default' } },
      ...conversations.map(({ id, title, time, turns }) => ({
        type: 'conversation',
        conversation: {
          id,
          source: 'chatgpt',
          title,
          timestamp: time,
          messages: plain(turns),
          metadata: { memory_status: 'active' },
        },
      })),
    ]),
  }),

  json: (conversations) => ({
    'chats.jsonl': lines(
      conversations.map(({ id, title, time, turns }) => ({ id, title, created_at: time, messages: plain(turns) })),
    ),
  }),
};

const plain = (turns: readonly Turn[]) =>
  turns.map(({ role, text, time }) => ({ role, text, ...(time === undefined ? {} : { timestamp: time }) }));

/** What each format says of an image beside a text, and which of them keep branches. */
export const imageNotes: Readonly<Record<string, string>> = {
  chatgpt: '[image]',
  claude: '[file: image]',
  'gemini-takeout': '[file: image]',
  'claude-code': '[image]',
  codex: '[image]',
  'gemini-cli': '[image]',
  opencode: '[image]',
  'open-webui': '[image]',
  'lm-studio': '[image]',
};
/** A prompt of LM Studio has the time of its answer; an activity of Google has one time for both. */
export const timesOfTurns: Readonly<Record<string, (said: readonly string[], time: string) => string[]>> = {
  'lm-studio': (said) => [said[1] ?? '', said[1] ?? ''],
  'gemini-takeout': (_, time) => [time, time],
};
export const keepsBranches = new Set(['chatgpt', 'claude', 'open-webui']);

/** The export as it really is: a root without a message, hidden custom instructions, a tool at work, a branch that was left. */
function chatgptTree({ id, title, time, turns, left }: Known): object {
  const message = (role: string, parts: unknown[], more: object = {}): object => ({
    author: { role },
    create_time: seconds(time),
    content: { content_type: 'text', parts },
    recipient: 'all',
    metadata: {},
    ...more,
  });
  const mapping: Record<string, object> = {
    root: { id: 'root', message: null, parent: null, children: ['system'] },
    system: {
      id: 'system',
      message: message('user', ['hidden'], { content: { content_type: 'user_editable_context', parts: ['hidden'] } }),
      parent: 'root',
      children: ['tool'],
    },
    tool: {
      id: 'tool',
      message: message('tool', ['hidden'], { author: { role: 'tool', name: 'browser' } }),
      parent: 'system',
      children: ['t0'],
    },
  };
  for (const [index, { role, text, image, time: said = time }] of turns.entries()) {
    mapping[`t${index}`] = {
      id: `t${index}`,
      message: message(role, [text, ...(image ? [{ content_type: 'image_asset_pointer' }] : [])], {
        create_time: seconds(said),
        metadata: { model_slug: 'gpt-x' },
      }),
      parent: index === 0 ? 'tool' : `t${index - 1}`,
      children: [...(index === 0 && left ? ['left'] : []), ...(index + 1 < turns.length ? [`t${index + 1}`] : [])],
    };
  }
  if (left) mapping.left = { id: 'left', message: message(left.role, [left.text]), parent: 't0', children: [] };
  return { conversation_id: id, title, create_time: seconds(time), mapping, current_node: `t${turns.length - 1}` };
}

function pairs(turns: Known['turns'], time: string): object[] {
  const requests: { message: object; response: object[]; timestamp: number; modelState?: object }[] = [];
  for (const { role, text, time: said = time } of turns) {
    const timestamp = milliseconds(said);
    if (role === 'user') {
      requests.push({ message: { text }, response: [{ kind: 'progressTask', content: 'hidden' }], timestamp });
    } else {
      const last = requests.at(-1) ?? { message: { text: '' }, response: [], timestamp };
      last.response.push({ value: text });
      last.modelState = { value: 1, completedAt: timestamp };
      if (requests.length === 0) requests.push(last);
    }
  }
  return requests;
}

function opencodeDatabase(conversations: readonly Known[]): Uint8Array {
  return databaseOf((database) => {
    database.exec(
      `CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, directory TEXT, time_created INTEGER);
       CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
       CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
       CREATE INDEX message_session_idx ON message (session_id);
       CREATE INDEX part_message_idx ON part (message_id);
       CREATE INDEX part_session_idx ON part (session_id)`,
    );
    const put = (table: string, ...values: (string | number | null)[]) =>
      database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
    for (const { id, title, time, turns } of conversations) {
      put('session', id, null, title, '/w', milliseconds(time));
      for (const [index, { role, text, image, time: said = time }] of turns.entries()) {
        const message = `${id}-${index}`;
        const info = { role, modelID: 'm', providerID: 'p', time: { created: milliseconds(said) } };
        put('message', message, id, milliseconds(said), JSON.stringify(info));
        put('part', `${message}-0`, message, id, JSON.stringify({ type: 'text', text }));
        put('part', `${message}-1`, message, id, JSON.stringify({ type: 'tool', tool: 'bash' }));
        if (image) put('part', `${message}-2`, message, id, JSON.stringify({ type: 'file', mime: 'image/png' }));
      }
    }
  });
}

export function databaseOf(fill: (database: InstanceType<typeof DatabaseSync>) => void): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-database-'));
  const path = join(folder, 'database');
  const database = new DatabaseSync(path);
  // Nothing here has to survive a power cut.
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  fill(database);
  database.exec('COMMIT');
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

function cursorDatabase(conversations: readonly Known[]): Uint8Array {
  return databaseOf((database) => fillCursor(database, conversations));
}

function fillCursor(database: InstanceType<typeof DatabaseSync>, conversations: readonly Known[]): void {
  database.exec(
    'CREATE TABLE ItemTable (key TEXT PRIMARY KEY, value BLOB); CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB)',
  );
  const put = database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)');
  for (const { id, title, time, turns } of conversations) {
    const headers = turns.map((_, index) => ({ bubbleId: `b${index}` }));
    put.run(
      `composerData:${id}`,
      JSON.stringify({
        composerId: id,
        name: title,
        createdAt: milliseconds(time),
        fullConversationHeadersOnly: headers,
      }),
    );
    for (const [index, { role, text, time: createdAt = time }] of turns.entries()) {
      put.run(`bubbleId:${id}:b${index}`, JSON.stringify({ type: role === 'user' ? 1 : 2, text, createdAt }));
    }
  }
}

function htmlOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');
}
