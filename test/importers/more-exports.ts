import { createHash } from 'node:crypto';
import { databaseOf, type Files, type Known, type Turn } from './exports.js';

const milliseconds = (time: string): number => new Date(time).getTime();
const seconds = (time: string): number => milliseconds(time) / 1_000;
const lines = (records: readonly unknown[]): string =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
const speaker = (role: Turn['role']): string => (role === 'user' ? 'Nora Lind' : 'Ben');
const each = (conversations: readonly Known[], write: (known: Known) => [string, unknown]): Files =>
  Object.fromEntries(
    conversations.map((known) => {
      const [name, value] = write(known);
      return [name, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );

/** What a person sees of each in a chat between people. */
export const betweenPeople = new Set(['slack', 'whatsapp', 'telegram', 'discord']);

/** Formats of people's own chats and of further assistants, in the shape of their real files, with what is left out. */
export const moreExports: Record<string, (conversations: readonly Known[]) => Files> = {
  librechat: (conversations) =>
    each(conversations, ({ id, title, time, turns, left }) => [
      `${title}.json`,
      {
        conversationId: id,
        endpoint: 'openAI',
        title,
        exportAt: time,
        branches: true,
        recursive: false,
        options: { model: 'gpt-x' },
        messages: [...turns.slice(0, 1), ...(left ? [left] : []), ...turns.slice(1)].map((turn) => {
          const index = turns.indexOf(turn);
          const before = turn === left ? 0 : index - 1;
          return {
            messageId: turn === left ? `${id}-left` : `${id}-${index}`,
            parentMessageId: before < 0 ? '00000000-0000-0000-0000-000000000000' : `${id}-${before}`,
            conversationId: id,
            sender: turn.role === 'user' ? 'User' : 'GPT',
            isCreatedByUser: turn.role === 'user',
            text: turn.text,
            createdAt: turn.time ?? time,
          };
        }),
      },
    ]),

  'librechat/recursive': (conversations) =>
    each(conversations, ({ id, title, time, turns }) => {
      const nest = (index: number): object[] => {
        const turn = turns[index];
        if (turn === undefined) return [];
        return [
          {
            messageId: `${id}-${index}`,
            parentMessageId: index === 0 ? null : `${id}-${index - 1}`,
            isCreatedByUser: turn.role === 'user',
            text: '',
            content: [
              { type: 'think', think: 'hidden' },
              { type: 'text', text: turn.text },
            ],
            createdAt: turn.time ?? time,
            children: nest(index + 1),
          },
        ];
      };
      return [`${title}.json`, { conversationId: id, title, exportAt: time, recursive: true, messagesTree: nest(0) }];
    }),

  cline: (conversations) =>
    each(conversations, ({ id, time, turns }) => [
      `tasks/${id}/ui_messages.json`,
      [
        ...turns.map(({ role, text, time: said = time }, index) => ({
          ts: milliseconds(said),
          type: 'say',
          say: role === 'user' ? (index === 0 ? 'task' : 'user_feedback') : 'text',
          text,
        })),
        { ts: milliseconds(time), type: 'say', say: 'api_req_started', text: '{"request":"hidden"}' },
        { ts: milliseconds(time), type: 'say', say: 'reasoning', text: 'hidden' },
        { ts: milliseconds(time), type: 'ask', ask: 'command', text: 'hidden' },
      ],
    ]),

  continue: (conversations) =>
    each(conversations, ({ id, title, time, turns }) => [
      `sessions/${id}.json`,
      {
        sessionId: id,
        title,
        workspaceDirectory: 'file:///w',
        dateCreated: String(milliseconds(time)),
        history: [
          ...turns.map(({ role, text, time: said = time }) => ({
            message: {
              role,
              content: role === 'user' ? [{ type: 'text', text }] : text,
              timestamp: milliseconds(said),
            },
            contextItems: [],
          })),
          { message: { role: 'assistant', content: '', toolCalls: [{ id: 't' }] }, contextItems: [] },
          { message: { role: 'tool', content: 'hidden', toolCallId: 't' }, contextItems: [] },
        ],
      },
    ]),

  aider: (conversations) => ({
    '.aider.chat.history.md': conversations
      .map(({ time, turns }) => {
        const began = `\n# aider chat started at ${time.slice(0, 19).replace('T', ' ')}\n\n> Aider v0.80\n> Model: hidden\n\n`;
        const said = turns.map(({ role, text }) =>
          role === 'user' ? `#### ${text}\n\n` : `${text}\n\n> Tokens: hidden\n\n`,
        );
        return began + said.join('');
      })
      .join(''),
  }),

  jetbrains: (conversations) => ({
    'workspace/2QYoJ9UvZwAbMvy50zVXfkUNIlG.xml': workspaceOf(
      conversations.map(({ id, title, time, turns }) => {
        const messages = turns.map(
          ({ role, text }) => `<SerializedChatMessage>
                ${role === 'user' ? '<option name="markupLanguageID" value="ChatInput" />' : '<option name="author" value="Assistant" />'}
                <option name="displayContent" value="${inXml(text)}" />
                <option name="internalContent" value="${inXml(`Answer briefly. ${text}`)}" />
                <option name="uid" value="UUID(uuid=${id})" />
              </SerializedChatMessage>`,
        );
        const unanswered =
          '<SerializedChatMessage>\n<option name="author" value="Assistant" />\n</SerializedChatMessage>';
        return chatInXml({ id, title, time, model: 'openai-gpt-4o', messages: [...messages, unanswered] });
      }),
    ),
  }),

  'jetbrains/agents': (conversations) => ({
    'workspace/2QYoJ9UvZwAbMvy50zVXfkUNIlG.xml': workspaceOf(
      conversations.map(({ id, title, time, turns }) => {
        const prompts = turns.filter(({ role }) => role === 'user');
        const messages = prompts.map(
          ({ text }) =>
            `<SerializedChatMessage>\n<option name="displayContent" value="${inXml(text)}" />\n</SerializedChatMessage>`,
        );
        return chatInXml({ id, title, time, model: 'agent_acp.registry.junie', messages });
      }),
    ),
    ...Object.fromEntries(
      conversations.map(({ id, turns }) => {
        const records = turns.flatMap(({ role, text }, index) =>
          role === 'user'
            ? [{ type: `${chatEvents}ChatSessionUserPromptEvent`, prompt: text, attachments: [] }]
            : [
                agentBlock('AgentThoughtBlockUpdatedEvent', { stepId: `t${index}`, text: 'hidden' }),
                agentBlock('TerminalBlockUpdatedEvent', { stepId: `c${index}`, command: 'ls', output: 'hidden' }),
                agentBlock('MarkdownBlockUpdatedEvent', { stepId: `m${index}`, text: text.slice(0, 3) }),
                agentBlock('MarkdownBlockUpdatedEvent', { stepId: `m${index}`, text }),
              ],
        );
        const lines = records.map((record) => Buffer.from(JSON.stringify(record)).toString('base64'));
        return [`aia-task-history/${id}.events`, ['AUI_EVENTS_V1', ...lines, ''].join('\n')];
      }),
    ),
  }),

  zed: (conversations) => ({
    'threads.db': databaseOf((database) => {
      database.exec(
        'CREATE TABLE threads (id TEXT PRIMARY KEY, parent_id TEXT, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)',
      );
      for (const { id, title, time, turns } of conversations) {
        const messages = [
          ...turns.map(({ role, text }) =>
            role === 'user'
              ? { User: { id, content: [{ Text: text }] } }
              : { Agent: { content: [{ Thinking: { text: 'hidden' } }, { Text: text }], tool_results: {} } },
          ),
          { Agent: { content: [{ ToolUse: { id: 't', name: 'grep' } }], tool_results: {} } },
        ];
        const data = Buffer.from(JSON.stringify({ version: '0.3.0', title, messages, updated_at: time }));
        database.prepare('INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?)').run(id, null, title, time, 'json', data);
      }
    }),
  }),

  'zed/text': (conversations) =>
    each(conversations, ({ id, title, turns }) => {
      let at = 0;
      const messages = turns.map(({ role, text }, index) => {
        const start = at;
        at += Buffer.byteLength(text) + 1;
        return {
          id: { replica_id: 1, value: index },
          start,
          metadata: { role, status: 'Done', timestamp: { value: 1 } },
        };
      });
      const text = turns.map((turn) => turn.text).join('\n');
      return [`${title} - 1.zed.json`, { id, zed: 'context', version: '0.4.0', text, messages, summary: title }];
    }),

  windsurf: (conversations) =>
    each(conversations, ({ title, turns }) => [
      `${title}.md`,
      `# Cascade Chat Conversation\n\nNote: _This is purely the output of the chat conversation._\n\n${turns
        .map(({ role, text }) =>
          role === 'user'
            ? `### User Input\n\n${text}\n\n`
            : `### Planner Response\n\n${text}\n\n*Viewed [a.ts](file:///w/a.ts) *\n\n`,
        )
        .join('')}### Planner Response\n\n*Grep searched codebase*\n`,
    ]),

  goose: (conversations) =>
    each(conversations, ({ id, title, time, turns }) => [
      `${id}.jsonl`,
      lines([
        { working_dir: '/w', description: title, message_count: turns.length },
        ...turns.map(({ role, text, time: said = time }) => ({
          role,
          created: seconds(said),
          content: [{ type: 'text', text }],
        })),
        { role: 'assistant', created: seconds(time), content: [{ type: 'toolRequest', id: 't', toolCall: {} }] },
        { role: 'user', created: seconds(time), content: [{ type: 'toolResponse', id: 't', toolResult: {} }] },
      ]),
    ]),

  'goose/database': (conversations) => ({
    'sessions.db': databaseOf((database) => {
      database.exec(
        `CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT, created_at TIMESTAMP);
         CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)`,
      );
      for (const { id, title, time, turns } of conversations) {
        database.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)').run(id, title, '/w', time);
        const put = database.prepare(
          'INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?)',
        );
        for (const { role, text, time: said = time } of turns) {
          put.run(id, role, JSON.stringify([{ type: 'text', text }]), seconds(said));
        }
        put.run(id, 'assistant', JSON.stringify([{ type: 'toolRequest', id: 't' }]), seconds(time));
      }
    }),
  }),

  amp: (conversations) =>
    each(conversations, ({ id, title, time, turns }) => [
      `T-${id}.json`,
      {
        v: 3,
        id: `T-${id}`,
        created: milliseconds(time),
        title,
        env: { initial: { trees: [{ uri: 'file:///w', displayName: 'w' }] } },
        messages: [
          ...turns.map(({ role, text, time: said = time }, messageId) => ({
            role,
            messageId,
            content: [{ type: 'text', text }],
            ...(role === 'user'
              ? { meta: { sentAt: milliseconds(said) } }
              : { usage: { model: 'm', timestamp: said } }),
            state: { type: 'complete' },
          })),
          { role: 'user', messageId: 8, content: [{ type: 'tool_result', toolUseID: 't', run: {} }] },
        ],
      },
    ]),

  grok: (conversations) => ({
    'ttl/30d/export_data/x/prod-grok-backend.json': JSON.stringify({
      conversations: conversations.map(({ id, title, time, turns, left }) => ({
        conversation: { id, title, create_time: time, leaf_response_id: `${id}-${turns.length - 1}` },
        responses: [...turns.slice(0, 1), ...(left ? [left] : []), ...turns.slice(1)].map((turn) => {
          const index = turns.indexOf(turn);
          return {
            response: {
              _id: turn === left ? `${id}-left` : `${id}-${index}`,
              conversation_id: id,
              message: turn.text,
              sender: turn.role === 'user' ? 'human' : 'ASSISTANT',
              create_time: { $date: { $numberLong: String(milliseconds(turn.time ?? time)) } },
              ...(index === 0 ? {} : { parent_response_id: turn === left ? `${id}-0` : `${id}-${index - 1}` }),
              model: 'grok-x',
            },
          };
        }),
      })),
      projects: [{ name: '[not a chat]' }],
      tasks: [],
    }),
  }),

  deepseek: (conversations) => ({
    'conversations.json': JSON.stringify(
      conversations.map(({ id, title, time, turns }) => ({
        id,
        title,
        inserted_at: time,
        updated_at: time,
        mapping: {
          root: { id: 'root', parent: null, children: ['1'], message: null },
          ...Object.fromEntries(
            turns.map(({ role, text, time: said = time }, index) => [
              String(index + 1),
              {
                id: String(index + 1),
                parent: index === 0 ? 'root' : String(index),
                children: index + 1 < turns.length ? [String(index + 2)] : [],
                message: {
                  files: [],
                  model: 'deepseek-x',
                  inserted_at: said,
                  fragments:
                    role === 'user'
                      ? [{ type: 'REQUEST', content: text }]
                      : [
                          { type: 'THINK', content: 'hidden' },
                          { type: 'RESPONSE', content: text },
                        ],
                },
              },
            ]),
          ),
        },
      })),
    ),
    'user.json': '{"user_id":"x"}',
  }),

  perplexity: (conversations) =>
    each(conversations, ({ title, turns }) => [
      `${title}.md`,
      `<img src="https://r2cdn.perplexity.ai/pplx-full-logo-primary-dark%402x.png" class="logo" width="120"/>\n\n${turns
        .map(({ role, text }) =>
          role === 'user' ? `# ${text}\n\n` : `${text}\n\n<div align="center">⁂</div>\n\n---\n\n`,
        )
        .join('')}`,
    ]),

  'microsoft-copilot': (conversations) => ({
    'copilot-activity-history.csv': `Conversation,Time,Author,Message\n${conversations
      .flatMap(({ title, time, turns }) =>
        turns.map(({ role, text, time: said = time }) =>
          [title, said, role === 'user' ? 'Human' : 'AI', text]
            .map((cell) => `"${cell.replaceAll('"', '""')}"`)
            .join(','),
        ),
      )
      .join('\n')}\n`,
  }),

  'le-chat': (conversations) =>
    each(conversations, ({ id, time, turns }) => [
      `chat-${id}.json`,
      [...turns].reverse().map(({ role, text, time: said = time }, index) => ({
        id: `${id}-${index}`,
        chatId: id,
        version: 0,
        role,
        content: text,
        contentChunks: [{ type: 'text', text }],
        createdAt: said,
        files: [],
      })),
    ]),

  'cursor-agent': (conversations) =>
    Object.fromEntries(
      conversations.map(({ id, title, time, turns }) => [
        `hash/${id}/store.db`,
        databaseOf((database) => {
          database.exec(
            'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
          );
          const put = (data: Buffer): Buffer => {
            const hash = createHash('sha256').update(data).digest();
            database.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)').run(hash.toString('hex'), data);
            return hash;
          };
          const messages = [
            { role: 'system', content: 'hidden' },
            { role: 'user', content: '<user_info>\nhidden\n</user_info>' },
            ...turns.map(({ role, text }) => ({
              role,
              content: [{ type: 'text', text: role === 'user' ? `<user_query>\n${text}\n</user_query>` : text }],
            })),
            { role: 'tool', content: [{ type: 'tool-result', toolName: 'Shell', result: 'hidden' }] },
          ];
          const hashes = messages.map((message) => put(Buffer.from(JSON.stringify(message))));
          const root = put(
            Buffer.concat([
              ...hashes.flatMap((hash) => [Buffer.from([0x0a, 32]), hash]),
              Buffer.from([0x4a, 2, 0x2f, 0x77]),
            ]),
          );
          const about = {
            agentId: id,
            name: title,
            createdAt: milliseconds(time),
            latestRootBlobId: root.toString('hex'),
          };
          database
            .prepare('INSERT INTO meta VALUES (?, ?)')
            .run('0', Buffer.from(JSON.stringify(about)).toString('hex'));
        }),
      ]),
    ),

  slack: (conversations) => ({
    'users.json': JSON.stringify([
      { id: 'U1', name: 'nora', profile: { real_name: 'Nora Lind' } },
      { id: 'U2', name: 'ben' },
    ]),
    ...each(conversations, ({ time, turns }) => [
      `garden/${time.slice(0, 10)}.json`,
      [
        { type: 'message', subtype: 'channel_join', user: 'U1', text: 'hidden', ts: `${seconds(time)}.000100` },
        ...turns.map(({ role, text, time: said = time }) => ({
          type: 'message',
          user: role === 'user' ? 'U1' : 'U2',
          text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
          ts: `${seconds(said)}.000200`,
        })),
      ],
    ]),
  }),

  whatsapp: (conversations) =>
    each(conversations, ({ title, time, turns }) => [
      `WhatsApp Chat with ${title}.txt`,
      [
        '31/12/2025, 23:59 - Messages and calls are end-to-end encrypted.',
        ...turns.map(({ role, text, time: said = time }) => {
          const [year, month, day] = said.slice(0, 10).split('-');
          return `${day}/${month}/${year}, ${said.slice(11, 16)} - ${speaker(role)}: ${text}`;
        }),
      ].join('\n'),
    ]),

  telegram: (conversations) => ({
    'result.json': JSON.stringify({
      about: 'Here is the data you requested.',
      personal_information: { user_id: 1, first_name: 'Nora' },
      contacts: { about: 'x', list: [{ user_id: 2, first_name: 'Ben' }] },
      chats: {
        about: 'This page lists all chats from this export.',
        list: conversations.map(({ title, time, turns }, index) => ({
          name: title,
          type: 'personal_chat',
          id: index + 1,
          messages: [
            { id: 0, type: 'service', date: time.slice(0, 19), action: 'phone_call', text: '' },
            ...turns.map(({ role, text, time: said = time }, number) => ({
              id: number + 1,
              type: 'message',
              date: said.slice(0, 19),
              date_unixtime: String(seconds(said)),
              from: speaker(role),
              from_id: role === 'user' ? 'user1' : 'user2',
              text: number === 0 ? [{ type: 'bold', text: text.slice(0, 3) }, text.slice(3)] : text,
            })),
          ],
        })),
      },
    }),
  }),

  'telegram/chat': (conversations) =>
    each(conversations, ({ title, time, turns }) => [
      `${title}/result.json`,
      {
        name: title,
        type: 'personal_chat',
        id: 7,
        messages: turns.map(({ role, text, time: said = time }, id) => ({
          id,
          type: 'message',
          date_unixtime: String(seconds(said)),
          from: speaker(role),
          from_id: 'user1',
          text,
        })),
      },
    ]),

  discord: (conversations) =>
    each(conversations, ({ title, time, turns }) => [
      `Garden - talk [${milliseconds(time)}].json`,
      {
        guild: { id: '1', name: 'Garden' },
        channel: { id: String(milliseconds(time)), type: 'GuildTextChat', name: title },
        messages: [
          { id: '0', type: 'GuildMemberJoin', timestamp: time, content: 'hidden', author: { name: 'ben' } },
          ...turns.map(({ role, text, time: said = time }, id) => ({
            id: String(id + 1),
            type: 'Default',
            timestamp: said,
            content: text,
            author: { id: '5', name: 'x', nickname: speaker(role) },
            attachments: [],
            embeds: [],
          })),
        ],
      },
    ]),

  'discord/package': (conversations) =>
    each(conversations, ({ time, turns }) => [
      `messages/c${milliseconds(time)}/messages.json`,
      [...turns].reverse().map(({ text, time: said = time }, index) => ({
        ID: index,
        Timestamp: said.slice(0, 19).replace('T', ' '),
        Contents: text,
        Attachments: '',
      })),
    ]),
};

const chatEvents = 'com.intellij.ml.llm.chat.shared.';

function agentBlock(kind: string, event: object): object {
  const inside = { kind: `com.intellij.ml.llm.aui.events.api.${kind}`, ...event };
  return { type: `${chatEvents}ChatSessionMessageBlockEvent`, agentId: { id: 'acp.registry.junie' }, event: inside };
}

interface ChatInXml {
  id: string;
  title: string;
  time: string;
  model: string;
  messages: readonly string[];
}

function chatInXml({ id, title, time, model, messages }: ChatInXml): string {
  return `<SerializedChat>
          <option name="chatContext">
            <SerializedChatContext />
          </option>
          <option name="chatModelId" value="${model}" />
          <option name="messages">
            <list>
              ${messages.join('\n')}
            </list>
          </option>
          <option name="modifiedAt" value="${Date.parse(time) + 60_000}" />
          <option name="statisticInformation">
            <ChatStatisticInformation>
              <option name="sourceActionType" value="NEW_CHAT" />
              <option name="timestamp" value="${Date.parse(time)}" />
            </ChatStatisticInformation>
          </option>
          <option name="title">
            <SerializedChatTitle>
              <option name="custom" value="true" />
              <option name="text" value="${inXml(title)}" />
            </SerializedChatTitle>
          </option>
          <option name="uid" value="${id}" />
        </SerializedChat>`;
}

function workspaceOf(chats: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="AutoImportSettings">
    <option name="autoReloadType" value="SELECTIVE" />
  </component>
  <component name="ChatSessionStateTemp">
    <option name="chats">
      <list>
        ${chats.join('\n')}
      </list>
    </option>
  </component>
  <component name="ProjectId" id="2QYoJ9UvZwAbMvy50zVXfkUNIlG" />
</project>
`;
}

function inXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '&#10;');
}
