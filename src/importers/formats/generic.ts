import type { Role } from '../../model/conversation.js';
import {
  createTally,
  type Found,
  type ImportedMessage,
  type Importer,
  limits,
  notKept,
  type ReadOptions,
  type SourceFile,
  type Tally,
} from '../contract.js';
import { csvRows } from '../reading/csv.js';
import {
  joined,
  jsonElements,
  jsonLines,
  list,
  object,
  present,
  type Shape,
  saidAt,
  text,
  time,
} from '../reading/json.js';

/** The fields that `--field` can rename, with their default names. */
export const genericFields = {
  messages: ['messages', 'conversation', 'conversations', 'turns', 'chat', 'chat_messages', 'history'],
  role: ['role', 'author', 'sender', 'from', 'speaker', 'type'],
  text: ['text', 'content', 'message', 'body', 'value'],
  title: ['title', 'name', 'subject', 'conversation_title'],
  timestamp: ['timestamp', 'created_at', 'create_time', 'createdAt', 'date', 'time'],
  id: ['id', 'conversation_id', 'uuid', 'thread_id', 'session_id'],
  conversation: ['conversation', 'conversation_id', 'thread', 'thread_id', 'session', 'session_id', 'chat_id'],
} as const satisfies Record<string, readonly string[]>;

type Field = keyof typeof genericFields;

/** JSON, JSONL or CSV from any tool: conversations with their messages, or one message per row. */
export const generic: Importer = {
  name: 'json',
  label: 'JSON, JSONL or CSV of any tool',
  howTo: 'Give the file; say with --field text=body which field is which where the names are unusual',
  accepts: (path) => /\.(json|jsonl|ndjson|csv)$/i.test(path),
  // Accepts anything that may be JSON or a table with a header, so it comes last.
  recognises: ({ path, text: head }) => /^\s*[[{]/.test(head) || /\.csv$/i.test(path),
  async *read(file, options = {}) {
    const rows = createRows(options);
    let number = 0;
    for await (const value of valuesOf(file)) {
      number += 1;
      const place = `${file.path} entry ${number}`;
      if (typeof value === 'string') {
        yield { kind: 'skipped', place, reason: value };
        continue;
      }
      if (Array.isArray(field(value, 'messages', options))) yield* conversationsIn(value, { place, options });
      else for (const group of rows.add(value)) yield* grouped(group, file, options);
    }
    for (const group of rows.rest()) yield* grouped(group, file, options);
  },
};

/** A list may contain conversations, each with its own list of messages. */
function* conversationsIn(value: Shape, context: { place: string; options: ReadOptions }, depth = 0): Generator<Found> {
  const { place, options } = context;
  const entries = list(field(value, 'messages', options)).map(object);
  const inner = entries.filter((entry) => isConversation(entry, options));
  if (inner.length === 0 || depth >= 3) {
    yield* conversationOf(value, entries, { ...context, whole: value });
    return;
  }
  for (const [index, entry] of inner.entries()) {
    yield* conversationsIn(entry, { options, place: `${place} conversation ${index + 1}` }, depth + 1);
  }
  const rest = entries.filter((entry) => !inner.includes(entry));
  if (rest.length > 0) yield* conversationOf({ ...value, messages: undefined }, rest, { ...context, whole: {} });
}

function isConversation(entry: Shape, options: ReadOptions): boolean {
  return Array.isArray(field(entry, 'messages', options)) && text(field(entry, 'role', options)) === undefined;
}

/** Replies may be nested in the message they answer: each is placed after its parent. */
function flattened(messages: readonly Shape[]): Shape[] {
  const flat: Shape[] = [];
  const waiting = [...messages].reverse();
  for (let message = waiting.pop(); message !== undefined; message = waiting.pop()) {
    flat.push(message);
    const inner = nested.flatMap((name) => list(message?.[name])).filter(isShape);
    waiting.push(...inner.reverse());
  }
  return flat;
}

const nested = ['children', 'replies', 'responses', 'answers'];

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts objects that look like messages in unexpected places. */
function countOthers(whole: unknown, taken: ReadonlySet<unknown>, options: ReadOptions): number {
  let count = 0;
  const waiting: unknown[] = [whole];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const isOther = isShape(value) && !taken.has(value);
    if (isOther && isMessageShaped(field(value, 'role', options), field(value, 'text', options))) count += 1;
    for (const each of Object.values(value)) if (typeof each === 'object') waiting.push(each);
  }
  return count;
}

function grouped({ key, messages: rows }: Group, file: SourceFile, options: ReadOptions): Found[] {
  const place = `${file.path} conversation ${key === '' ? 1 : key}`;
  const messages = inOrder(rows, options);
  // The newest row may come first; the conversation began with its first message.
  return conversationOf({ ...messages[0], id: key, messages: undefined }, messages, {
    place,
    options,
    whole: { messages },
  });
}

/** Every entry of the file; a string instead of an entry is the reason why it could not be read. */
async function* valuesOf(file: SourceFile): AsyncGenerator<Shape | string> {
  if (/\.csv$/i.test(file.path)) {
    yield* csvRows(file.read(), limits.lineBytes);
    return;
  }
  const entries = /\.(jsonl|ndjson)$/i.test(file.path)
    ? jsonLines(file.read(), limits.lineBytes)
    : jsonElements(file.read(), limits.elementBytes);
  for await (const entry of entries) yield 'broken' in entry ? entry.broken : object(entry.value);
}

interface Group {
  key: string;
  messages: Shape[];
}

/** Maximum characters of rows buffered while waiting for others of their conversation. */
const mostWaiting = 64_000_000;

/**
 * Groups rows of one message each by their conversation; without such a field the file is one conversation. A file may
 * be larger than memory: beyond a bound, the conversations that were idle the longest are considered complete.
 */
function createRows(options: ReadOptions) {
  const groups = new Map<string, { messages: Shape[]; size: number }>();
  let waiting = 0;
  return {
    *add(row: Shape): Generator<Group> {
      const named = field(row, 'conversation', options);
      const key = typeof named === 'string' || typeof named === 'number' ? String(named) : '';
      const group = groups.get(key) ?? { messages: [], size: 0 };
      const size = String(field(row, 'text', options) ?? '').length + 100;
      group.messages.push(row);
      group.size += size;
      waiting += size;
      // A Map keeps insertion order: the first entry is the least recently extended one.
      groups.delete(key);
      groups.set(key, group);
      for (const [oldest, { messages, size: freed }] of groups) {
        if (waiting <= mostWaiting) break;
        groups.delete(oldest);
        waiting -= freed;
        yield { key: oldest, messages };
      }
    },
    *rest(): Generator<Group> {
      for (const [key, { messages }] of groups) yield { key, messages };
    },
  };
}

/** In chronological order: many programs list the newest first. */
function inOrder(messages: readonly Shape[], options: ReadOptions): readonly Shape[] {
  const times = messages.map((message) => time(field(message, 'timestamp', options)));
  if (times.some((each) => each === undefined)) return messages;
  const pairs = times.slice(1).map((each, index) => [times[index] ?? '', each ?? ''] as const);
  if (pairs.every(([one, other]) => one <= other)) return messages;
  if (pairs.every(([one, other]) => one >= other)) return [...messages].reverse();
  const timed = messages.map((message, index) => ({ message, at: times[index] ?? '' }));
  return timed.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ message }) => message);
}

function conversationOf(
  about: Shape,
  entries: readonly Shape[],
  { place, options, whole }: { place: string; options: ReadOptions; whole: Shape },
): Found[] {
  const messages = flattened(entries);
  const leftOut = createTally();
  const turns = turnsOf(
    messages.map((message) => ({
      role: field(message, 'role', options),
      text: field(message, 'text', options),
      timestamp: field(message, 'timestamp', options),
    })),
    leftOut,
  );
  leftOut.add(notKept.orphan, countOthers(whole, new Set<unknown>(messages), options));
  if (turns.length === 0) {
    const reason = 'no message with a role and a text was found; name the fields with --field';
    return [{ kind: 'skipped', place, reason, ...leftOut.field() }];
  }
  const id = field(about, 'id', options);
  const conversation: Found = {
    kind: 'conversation',
    place,
    conversation: {
      source: options.source ?? text(about.source) ?? 'import',
      ...present({
        title: text(field(about, 'title', options)),
        timestamp: time(field(about, 'timestamp', options)) ?? time(field(messages[0] ?? {}, 'timestamp', options)),
      }),
      messages: turns,
      metadata: present({
        upstream_thread_id: id === undefined || id === '' ? undefined : String(id).slice(0, 256),
        model: text(about.model),
        tags: list(about.tags).length === 0 ? undefined : list(about.tags).map(String),
        importer: 'json',
      }),
    },
  };
  return [{ ...conversation, ...leftOut.field() }, ...losses(leftOut.field(), place)];
}

/** Losses that another `--field` could avoid are reported with their place, in addition to being counted. */
function losses({ leftOut = {} }: ReturnType<Tally['field']>, place: string): Found[] {
  const mendable = [notKept.speaker, notKept.form, notKept.orphan].filter((reason) => leftOut[reason] !== undefined);
  return mendable.map((why) => ({ kind: 'skipped', place, reason: `some of its messages were left out: ${why}` }));
}

/** A field by the name the user gave (dots go deeper), or by the first usual name that is present. */
function field(value: Shape, name: Field, { fields = {} }: ReadOptions): unknown {
  const given = fields[name];
  if (given !== undefined) return given.split('.').reduce<unknown>((inner, key) => object(inner)[key], value);
  const exact = genericFields[name].find((each) => value[each] !== undefined);
  if (exact !== undefined) return value[exact];
  const lower = new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
  const known = genericFields[name].find((each) => lower.get(each.toLowerCase()) !== undefined);
  return known === undefined ? undefined : lower.get(known.toLowerCase());
}

/** The messages in the fields that any tool may use; the rest is counted. */
function turnsOf(
  fields: readonly { role: unknown; text: unknown; timestamp: unknown }[],
  leftOut: Tally,
): ImportedMessage[] {
  return fields.flatMap(({ role: speaker, text: value, timestamp }): ImportedMessage[] => {
    const word = (text(speaker) ?? '').trim().toLowerCase();
    const role = roles.get(word);
    const said = text(textIn(value));
    if (said !== undefined && role !== undefined) return [{ role, text: said, ...saidAt(timestamp) }];
    if (unspoken.has(word)) leftOut.add(word === 'tool' || word === 'function' ? notKept.tool : notKept.program);
    else if (said === undefined) leftOut.add(isNothing(value) ? notKept.empty : notKept.form);
    else leftOut.add(notKept.speaker);
    return [];
  });
}

/** Whether an object looks like a message: it has a known role and some content. */
function isMessageShaped(role: unknown, value: unknown): boolean {
  const word = typeof role === 'string' ? role.trim().toLowerCase() : '';
  return (roles.has(word) || unspoken.has(word)) && text(textIn(value)) !== undefined;
}

const roles: ReadonlyMap<string, Role> = new Map([
  ...['user', 'human', 'you', 'me', 'user_message'].map((word) => [word, 'user'] as const),
  ...['assistant', 'ai', 'bot', 'model', 'gpt', 'assistant_message'].map((word) => [word, 'assistant'] as const),
]);

/** Roles of instructions and tools, which are left out of every format. */
const unspoken = new Set(['system', 'developer', 'tool', 'function']);

/** A string, a list of parts, or an object around either, as in the model APIs. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(partText));
  const parts = list(object(value).parts);
  return parts.length > 0 ? joined(parts.map(partText)) : (partText(value) ?? '');
}

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const { type, text: said, value } = object(part);
  const kind = typeof type === 'string' ? type : '';
  if (isWork(kind)) return undefined;
  if (kind.includes('image')) return '[image]';
  if (kind.includes('file')) return '[file]';
  return text(said) ?? text(object(said).value) ?? text(value);
}

function isWork(kind: string): boolean {
  return /tool|function|thinking|reasoning/.test(kind);
}

/** Whether nothing is lost: no text, or only thinking and tool calls. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  const parts: Shape[] = (Array.isArray(value) ? value : list(object(value).parts)).map(object);
  const isList = Array.isArray(value) || parts.length > 0;
  return isList && parts.every(({ type }) => typeof type === 'string' && isWork(type));
}
