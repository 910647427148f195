// Exports of other programs, made up and as long as asked for, piece by piece: what is being read never lies in memory.
import { corpus } from './corpus.mjs';

const time = (number) => new Date(1_700_000_000_000 + number * 60_000).toISOString();

/** One conversation in the shape of each format: a text, with what stands around it in the file. */
const shapes = {
  chatgpt: { file: 'conversations.json', list: true, one: chatgpt },
  claude: { file: 'conversations.json', list: true, one: claude },
  'open-webui': { file: 'chat-export.json', list: true, one: openWebui },
  'claude-code': { file: 'session.jsonl', one: claudeCode },
  codex: { file: 'rollout-1.jsonl', one: codex },
  'copilot-cli': { file: 'events.jsonl', one: copilotCli },
  json: {
    file: 'chats.jsonl',
    one: (conversation, number) => `${JSON.stringify({ id: `c${number}`, ...conversation })}\n`,
  },
  csv: { file: 'rows.csv', importer: 'json', head: 'conversation,role,created_at,text\n', one: csv },
  threadkeep: { file: 'memory.jsonl', one: threadkeep },
};

export const exportFormats = Object.keys(shapes);

/**
 * The bytes of an export of about this many megabytes, a megabyte at a time. `words` makes turns longer; `made` is how
 * many conversations are made up, after which they come again with another number in them.
 */
export function exportOf(format, megabytes, { words = 1, made = Number.POSITIVE_INFINITY } = {}) {
  const { file, importer = format, list = false, head = list ? '[' : '', one } = shapes[format];
  const source = corpus(7);
  /** Only those that come again are kept. */
  const known = [];
  const conversation = (number) => {
    if (number < made) {
      const fresh = source.conversation(10, words);
      if (Number.isFinite(made)) known.push(fresh);
      return fresh;
    }
    const { messages, ...rest } = known[number % made];
    const [first, ...others] = messages;
    return { ...rest, messages: [{ ...first, text: `${first.text} again ${number}` }, ...others] };
  };
  let conversations = 0;
  async function* read() {
    const most = megabytes * 1e6;
    let size = 0;
    let waiting = [Buffer.from(head)];
    let length = 0;
    for (conversations = 0; size < most; conversations++) {
      const text = one(conversation(conversations), conversations);
      const piece = Buffer.from(list && conversations > 0 ? `,${text}` : text);
      size += piece.length;
      length += piece.length;
      waiting.push(piece);
      if (length < 1e6) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      length = 0;
    }
    yield Buffer.concat([...waiting, Buffer.from(list ? ']' : '')]);
  }
  return { file: { path: file, read }, importer, conversations: () => conversations };
}

function chatgpt({ title, messages }, number) {
  const mapping = { root: { id: 'root', message: null, parent: null, children: ['m0'] } };
  for (const [index, { role, text }] of messages.entries()) {
    mapping[`m${index}`] = {
      id: `m${index}`,
      parent: index === 0 ? 'root' : `m${index - 1}`,
      children: index + 1 < messages.length ? [`m${index + 1}`] : [],
      message: {
        id: `m${index}`,
        author: { role, name: null, metadata: {} },
        create_time: 1_700_000_000 + number,
        update_time: null,
        content: { content_type: 'text', parts: [text] },
        status: 'finished_successfully',
        end_turn: true,
        weight: 1,
        metadata: { model_slug: 'gpt-x', request_id: `r${number}` },
        recipient: 'all',
        channel: null,
      },
    };
  }
  const current_node = `m${messages.length - 1}`;
  return JSON.stringify({
    title,
    create_time: 1_700_000_000 + number,
    mapping,
    current_node,
    conversation_id: `c${number}`,
  });
}

function claude({ title, messages }, number) {
  const chat_messages = messages.map(({ role, text }, index) => ({
    uuid: `${number}-${index}`,
    text,
    content: [{ start_timestamp: time(number), stop_timestamp: time(number), type: 'text', text, citations: [] }],
    sender: role === 'user' ? 'human' : 'assistant',
    created_at: time(number),
    updated_at: time(number),
    attachments: [],
    files: [],
    parent_message_uuid: index === 0 ? '00000000-0000-4000-8000-000000000000' : `${number}-${index - 1}`,
  }));
  return JSON.stringify({ uuid: `c${number}`, name: title, created_at: time(number), chat_messages });
}

function openWebui({ title, messages }, number) {
  const tree = messages.map(({ role, text }, index) => {
    const parentId = index === 0 ? null : `m${index - 1}`;
    const childrenIds = index + 1 < messages.length ? [`m${index + 1}`] : [];
    return [`m${index}`, { id: `m${index}`, parentId, childrenIds, role, content: text, timestamp: 1_700_000_000 }];
  });
  const history = { currentId: `m${messages.length - 1}`, messages: Object.fromEntries(tree) };
  return JSON.stringify({ id: `c${number}`, title, created_at: 1_700_000_000, chat: { models: ['m'], history } });
}

/** A session log is one conversation: a long one. */
function claudeCode({ messages }, number) {
  return messages
    .map(({ role, text }, index) => ({
      parentUuid: `${number}-${index - 1}`,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/me/project',
      sessionId: 's',
      version: '2.0.0',
      gitBranch: 'main',
      type: role,
      message: role === 'user' ? { role, content: text } : { role, model: 'm', content: [{ type: 'text', text }] },
      uuid: `${number}-${index}`,
      timestamp: time(number),
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

function codex({ messages }, number) {
  const head = { type: 'session_meta', timestamp: time(0), payload: { id: 's', timestamp: time(0), cwd: '/w' } };
  const items = messages.map(({ role, text }) => ({
    timestamp: time(number),
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  }));
  return [...(number === 0 ? [head] : []), ...items].map((record) => `${JSON.stringify(record)}\n`).join('');
}

function copilotCli({ messages }, number) {
  return messages
    .map(({ role, text }, index) => ({
      type: `${role}.message`,
      data: { content: text, messageId: `${number}-${index}`, toolRequests: [] },
      id: `${number}-${index}`,
      timestamp: time(number),
      parentId: null,
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

function csv({ messages }, number) {
  return messages.map(({ role, text }) => `c${number},${role},${time(number)},"${text}"\n`).join('');
}

function threadkeep(conversation, number) {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const metadata = { memory_status: 'active', imported_at: time(number) };
  return `${JSON.stringify({ type: 'conversation', conversation: { id, ...conversation, metadata } })}\n`;
}
