import {
  createTally,
  type Found,
  type ImportedConversation,
  type Importer,
  notKept,
  type SourceFile,
  type Tally,
} from '../contract.js';
import { chatOf, type Judged, saidIn, withPromptTimes } from '../reading/chats.js';
import { jsonColumn, type KeyedRows, openDatabase, openKeyed } from '../reading/database.js';
import { list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';
import { firstWords, otherAgents, readSessionLog, say } from '../reading/session-log.js';
import { firstTagged } from '../reading/tagged.js';

const roots = ['.config', 'Library/Application Support', 'AppData/Roaming'];
/** Older versions stored chats in each workspace. */
const stored = ['Cursor/User/globalStorage/state.vscdb', 'Cursor/User/workspaceStorage'];

/**
 * Cursor's database: composer chats (`composerData:…`, with their bubbles stored separately) and those of the older
 * panel.
 */
export const cursor: Importer = {
  name: 'cursor',
  label: 'Cursor',
  howTo: 'It keeps its chats in the globalStorage folder; give state.vscdb or that folder',
  accepts: (path) => path.endsWith('state.vscdb'),
  recognises: ({ tables }) => tables?.has('cursorDiskKV') === true || tables?.has('ItemTable') === true,
  places: roots.flatMap((root) => stored.map((place) => `${root}/${place}`)),
  rewrites: true,
  async *read(file) {
    if (file.onDisk === undefined) {
      yield { kind: 'skipped', place: file.path, reason: 'a database can only be read from disk; unpack it first' };
      return;
    }
    const rows = await openKeyed(file.onDisk);
    if (rows === undefined) {
      yield { kind: 'skipped', place: file.path, reason: 'it is not a Cursor database' };
      return;
    }
    try {
      yield* composers(rows, file);
      yield* ofWorkspace(rows, file);
      yield* panels(rows, file);
    } catch {
      // Readable chats were already yielded; the damaged ones cannot be recovered.
      yield { kind: 'skipped', place: file.path, reason: 'the database is damaged' };
    } finally {
      rows.close();
    }
  },
};

function* composers(rows: KeyedRows, file: SourceFile): Generator<Found> {
  let listed = 0;
  for (const [key, value] of rows.withPrefix('cursorDiskKV', 'composerData:')) {
    const composer = object(value);
    const id = key.slice('composerData:'.length);
    const place = `${file.path} ${key}`;
    const headers = list(composer.fullConversationHeadersOnly).map(object);
    const bubbles =
      headers.length === 0
        ? list(composer.conversation).map(object)
        : headers.map(({ bubbleId }) => object(rows.get('cursorDiskKV', `bubbleId:${id}:${String(bubbleId)}`)));
    listed += bubbles.filter((bubble) => Object.keys(bubble).length > 0 && headers.length > 0).length;
    const isOfAgents = composer.subagentInfo !== undefined && composer.subagentInfo !== null;
    const leftOut = { [notKept.agents]: bubbles.length };
    yield isOfAgents
      ? { kind: 'skipped', place, reason: otherAgents, leftOut }
      : found(bubbles, place, aboutOf(composer, id, file));
  }
  const orphans = createTally();
  orphans.add(notKept.orphan, rows.countPrefix('cursorDiskKV', 'bubbleId:') - listed);
  const { leftOut } = orphans.field();
  if (leftOut !== undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it holds messages of chats that were removed', leftOut };
  }
}

/** The chat list of an older version, if it contains the chats themselves and not only their names. */
function* ofWorkspace(rows: KeyedRows, file: SourceFile): Generator<Found> {
  for (const composer of list(object(rows.get('ItemTable', 'composer.composerData')).allComposers).map(object)) {
    const id = text(composer.composerId) ?? '';
    const bubbles = list(composer.conversation).map(object);
    if (bubbles.length > 0) yield found(bubbles, `${file.path} composer ${id}`, aboutOf(composer, id, file));
  }
}

function aboutOf(composer: Shape, id: string, file: SourceFile): Omit<ImportedConversation, 'messages'> {
  return {
    source: 'cursor',
    ...present({ title: text(composer.name), timestamp: time(composer.createdAt) ?? file.changedAt }),
    metadata: present({
      upstream_thread_id: id === '' ? undefined : id,
      model: text(object(composer.modelConfig).modelName),
      importer: 'cursor',
      platform: 'cursor',
    }),
  };
}

const panelKey = 'workbench.panel.aichat.view.aichat.chatdata';

function* panels(rows: KeyedRows, file: SourceFile): Generator<Found> {
  for (const tab of list(object(rows.get('ItemTable', panelKey)).tabs).map(object)) {
    const id = text(tab.tabId);
    yield found(list(tab.bubbles).map(object), `${file.path} tab ${id ?? ''}`, {
      source: 'cursor',
      ...present({ title: text(tab.chatTitle), timestamp: time(tab.lastSendTime) ?? file.changedAt }),
      metadata: present({ upstream_thread_id: id, importer: 'cursor', platform: 'cursor' }),
    });
  }
}

/** Bubbles of type 1 or `user` are the user's; bubbles without text are tool calls. */
function found(bubbles: readonly Shape[], place: string, about: Omit<ImportedConversation, 'messages'>): Found {
  const leftOut = createTally();
  const messages = bubbles.flatMap((bubble) => {
    const said = text(bubble.text) ?? text(bubble.rawText) ?? richText(bubble.richText);
    const role = bubble.type === 1 || bubble.type === 'user' ? ('user' as const) : ('assistant' as const);
    if (said === undefined) leaveOut(bubble, leftOut);
    return said === undefined ? [] : [{ role, text: said, ...bubbleTime(bubble) }];
  });
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const conversation = { ...about, messages: withPromptTimes(messages) };
  return { kind: 'conversation', place, conversation, ...leftOut.field() };
}

function leaveOut(bubble: Shape, leftOut: Tally): void {
  if (Object.keys(bubble).length === 0) leftOut.add(notKept.missing);
  else if (bubble.toolFormerData !== undefined) leftOut.add(notKept.tool);
  else leftOut.add(bubble.thinking === undefined ? notKept.empty : notKept.thinking);
}

/** The editor's JSON tree of the typed text: paragraphs of text and mentions. */
function richText(value: unknown): string | undefined {
  const tree = typeof value === 'string' ? jsonColumn(value) : value;
  const lines: string[] = [''];
  const walk = (node: Shape, depth: number): void => {
    if (typeof node.text === 'string') lines[lines.length - 1] += node.text;
    else if (node.type === 'linebreak') lines.push('');
    else if (node.type === 'mention') lines[lines.length - 1] += text(node.mentionName) ?? '';
    if (depth > 100) return;
    for (const child of list(node.children).map(object)) walk(child, depth + 1);
    if (node.type === 'paragraph') lines.push('');
  };
  walk(object(object(tree).root), 0);
  return text(lines.join('\n').trim());
}

/**
 * Older bubbles record only when the request was sent or answered; `clientStartTime` is relative to the program's
 * start.
 */
function bubbleTime({ createdAt, timingInfo }: Shape): { timestamp?: string } {
  const { clientRpcSendTime, clientSettleTime, clientEndTime } = object(timingInfo);
  return saidAt(createdAt, clientRpcSendTime, clientSettleTime, clientEndTime);
}

/** Cursor's command-line agent: one database per chat, and transcripts beside its projects. */
export const cursorAgent: Importer = {
  name: 'cursor-agent',
  label: "Cursor's agent CLI",
  howTo: 'It keeps its chats in ~/.cursor/chats; give that folder',
  accepts: (path) => /(^|\/)store\.db$/.test(path) || /(^|\/)agent-transcripts\/.+\.jsonl$/.test(path),
  recognises: ({ path, text: head, tables }) =>
    (tables?.has('blobs') === true && tables.has('meta')) ||
    (/agent-transcripts\//.test(path) && /^\s*\{"role"\s*:/.test(head)),
  places: ['.cursor/chats'],
  rewrites: true,
  read: (file) => (file.path.endsWith('.db') ? fromStore(file) : fromTranscript(file)),
};

async function* fromStore(file: SourceFile): AsyncGenerator<Found> {
  const skipped = (reason: string): Found => ({ kind: 'skipped', place: file.path, reason });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  if (database?.tables.get('blobs')?.has('data') !== true || !database.tables.has('meta')) {
    database?.close();
    yield skipped('it is not a Cursor chat');
    return;
  }
  const { rows, close } = database;
  try {
    const [first] = [...rows("SELECT value FROM meta WHERE key = '0'")];
    const about = metaOf(first?.value);
    const blob = (id: string): unknown => [...rows('SELECT data FROM blobs WHERE id = ?', id)][0]?.data;
    const judged = idsIn(blob(text(about.latestRootBlobId) ?? '')).map((id) => turnOf(blob(id)));
    const messages = judged.filter((each) => typeof each !== 'string');
    yield chatOf(judged, file.path, {
      source: 'cursor-agent',
      ...present({
        title: titleOf(about) ?? firstWords({ messages }),
        timestamp: time(about.createdAt) ?? file.changedAt,
      }),
      metadata: present({
        upstream_thread_id: text(about.agentId) ?? nameOf(file),
        model: text(about.lastUsedModel),
        importer: 'cursor-agent',
        platform: 'cursor',
      }),
    });
  } catch {
    // The file is one chat, so a failure leaves no part to keep.
    yield skipped('the database is damaged');
  } finally {
    close();
  }
}

/** Hex-encoded JSON. */
function metaOf(value: unknown): Shape {
  const digits = text(value) ?? '';
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) return object(jsonColumn(value));
  return object(jsonColumn(Buffer.from(digits, 'hex')));
}

function titleOf({ name }: Shape): string | undefined {
  return name === 'New Agent' || name === 'Untitled' ? undefined : text(name);
}

/** The root lists the hashes of its messages as Protocol Buffers: field 1, 32 bytes each. */
function idsIn(root: unknown): string[] {
  if (!(root instanceof Uint8Array)) return [];
  const bytes = Buffer.from(root);
  const ids: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const key = varint(bytes, at);
    const length = key === undefined ? undefined : varint(bytes, key.next);
    if (key === undefined || length === undefined) break;
    const kind = key.value & 7;
    const end = kind === 2 ? length.next + length.value : kind === 0 ? length.next : key.next + (kind === 1 ? 8 : 4);
    if (key.value === 0x0a && length.value === 32) ids.push(bytes.toString('hex', length.next, end));
    if (end <= at) break;
    at = end;
  }
  return ids;
}

function varint(bytes: Buffer, from: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  return undefined;
}

function turnOf(data: unknown): Judged {
  if (data === undefined) return notKept.missing;
  return saidBy(object(jsonColumn(data)));
}

function saidBy({ role, content }: Shape): Judged {
  if (role === 'system') return notKept.program;
  if (role === 'tool') return notKept.tool;
  if (role !== 'user' && role !== 'assistant') return role === undefined ? notKept.form : notKept.speaker;
  const { said, why } = saidIn(content);
  const asked = role === 'user' ? promptIn(said) : said;
  if (asked === '') return said === '' ? why : notKept.program;
  return { role, text: asked };
}

/** The program puts a description of the machine before a prompt and tags around it. */
function promptIn(said: string): string {
  const query = firstTagged(said, 'user_query')?.trim();
  if (query !== undefined) return query;
  return /^<(user_info|environment|system_reminder|open_files|rules|project_layout)\b/.test(said) ? '' : said;
}

function fromTranscript(file: SourceFile): AsyncGenerator<Found> {
  return readSessionLog(file, {
    line(record, session) {
      if (record.role === undefined) return;
      const turn = saidBy({ role: record.role, content: object(record.message).content ?? record.content });
      if (typeof turn === 'string') session.leftOut.add(turn);
      else say(session, { ...turn, ...saidAt(record.timestamp) });
    },
    finish: (session) => ({
      source: 'cursor-agent',
      ...present({ title: firstWords(session), timestamp: file.changedAt }),
      metadata: present({ upstream_thread_id: nameOf(file), importer: 'cursor-agent', platform: 'cursor' }),
    }),
  });
}

/** A chat is named after its folder, a transcript after its file. */
function nameOf({ onDisk, path }: SourceFile): string | undefined {
  const parts = (onDisk ?? path).replaceAll('\\', '/').split('/');
  return path.endsWith('.db') ? parts.at(-2) : parts.at(-1)?.replace(/\.jsonl$/, '');
}
