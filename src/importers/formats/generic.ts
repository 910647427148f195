import type { Found, Importer, ReadOptions, SourceFile } from '../contract.js';
import { limits } from '../limits.js';
import { csvRows } from '../reading/csv.js';
import { jsonElements } from '../reading/json-elements.js';
import { jsonLines } from '../reading/json-lines.js';
import { list, object, present, type Shape, text, time } from '../reading/shape.js';

/** The fields that can be named, and the names they have where nobody says otherwise. */
export const genericFields = {
  messages: ['messages', 'conversation', 'turns', 'chat', 'chat_messages', 'history'],
  role: ['role', 'author', 'sender', 'from', 'speaker', 'type'],
  text: ['text', 'content', 'message', 'body', 'value'],
  title: ['title', 'name', 'subject', 'conversation_title'],
  timestamp: ['timestamp', 'created_at', 'create_time', 'createdAt', 'date', 'time'],
  id: ['id', 'conversation_id', 'uuid', 'thread_id', 'session_id'],
  conversation: ['conversation', 'conversation_id', 'thread', 'thread_id', 'session', 'session_id', 'chat_id'],
} as const satisfies Record<string, readonly string[]>;

type Field = keyof typeof genericFields;

/** JSON, JSONL or CSV of any tool: conversations with their messages, or one message a row. */
export const generic: Importer = {
  name: 'json',
  label: 'JSON, JSONL or CSV of any tool',
  howTo: 'Give the file; say with --field text=body which field is which where the names are unusual',
  accepts: (path) => /\.(json|jsonl|ndjson|csv)$/.test(path),
  async *read(file, options = {}) {
    const rows = new Map<string, Shape[]>();
    let number = 0;
    for await (const value of valuesOf(file)) {
      number += 1;
      const place = `${file.path} entry ${number}`;
      if (typeof value === 'string') {
        yield { kind: 'skipped', place, reason: value };
        continue;
      }
      const messages = field(value, 'messages', options);
      if (Array.isArray(messages)) yield conversationOf(value, messages.map(object), { place, options });
      else group(rows, value, options);
    }
    for (const [key, messages] of rows) {
      const place = `${file.path} conversation ${key === '' ? 1 : key}`;
      yield conversationOf({ ...messages[0], id: key, messages: undefined }, messages, { place, options });
    }
  },
};

/** Every entry of the file; a text stands for one that could not be read. */
async function* valuesOf(file: SourceFile): AsyncGenerator<Shape | string> {
  if (/\.csv$/i.test(file.path)) {
    yield* csvRows(file.read());
    return;
  }
  const entries = /\.(jsonl|ndjson)$/i.test(file.path)
    ? jsonLines(file.read(), limits.lineBytes)
    : jsonElements(file.read(), limits.elementBytes);
  for await (const entry of entries) yield 'broken' in entry ? entry.broken : object(entry.value);
}

/** Rows of one message each belong together by their conversation; without such a field the file is one conversation. */
function group(rows: Map<string, Shape[]>, row: Shape, options: ReadOptions): void {
  const key = String(field(row, 'conversation', options) ?? '');
  rows.set(key, [...(rows.get(key) ?? []), row]);
}

function conversationOf(
  about: Shape,
  messages: readonly Shape[],
  { place, options }: { place: string; options: ReadOptions },
): Found {
  const turns = messages.flatMap((message) => {
    const role =
      roles[
        String(field(message, 'role', options) ?? '')
          .trim()
          .toLowerCase()
      ];
    const said = text(field(message, 'text', options));
    return role === undefined || said === undefined ? [] : [{ role, text: said }];
  });
  if (turns.length === 0) {
    return {
      kind: 'skipped',
      place,
      reason: 'no message with a role and a text was found; name the fields with --field',
    };
  }
  const id = field(about, 'id', options);
  return {
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
}

const roles: Record<string, 'user' | 'assistant'> = {
  user: 'user',
  human: 'user',
  you: 'user',
  me: 'user',
  user_message: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  gpt: 'assistant',
  assistant_message: 'assistant',
};

/** A field by the name the person gave (dots go deeper), or by the first usual name that is there. */
function field(value: Shape, name: Field, { fields = {} }: ReadOptions): unknown {
  const given = fields[name];
  if (given !== undefined) return given.split('.').reduce<unknown>((inner, key) => object(inner)[key], value);
  const lower = new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
  const known = genericFields[name].find((each) => lower.get(each.toLowerCase()) !== undefined);
  return known === undefined ? undefined : lower.get(known.toLowerCase());
}
