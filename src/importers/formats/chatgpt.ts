import {
  createTally,
  type Found,
  type ImportedConversation,
  type ImportedMessage,
  type Importer,
  limits,
  type NotKept,
  notKept,
} from '../contract.js';
import { type Branch, branchesOf, branchNames, createDocuments, documentFound, type Node } from '../reading/chats.js';
import { joined, jsonElements, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';

interface Turn extends ImportedMessage {
  model: string | undefined;
}

/** ChatGPT's data export: one or more numbered `conversations.json` files, each a list of message trees. */
export const chatgpt: Importer = {
  name: 'chatgpt',
  label: 'ChatGPT',
  howTo: 'Settings > Data controls > Export data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)conversations(-\d+)?\.json$/.test(path),
  // DeepSeek's export has the same trees with different names for the times.
  recognises: ({ text: head }) => /"mapping"\s*:/.test(head) && !/"inserted_at"\s*:/.test(head),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* conversationsOf(object(element.value), place);
    }
  },
};

function* conversationsOf(chat: Shape, place: string): Generator<Found> {
  const mapping = Object.entries(object(chat.mapping)).map(([id, node]) => [id, object(node)] as const);
  if (mapping.length === 0) {
    yield { kind: 'skipped', place, reason: 'it has no messages' };
    return;
  }
  const tools = new Set<string>();
  const leftOut = createTally();
  const canvas = createCanvas();
  // Canvas changes must be applied in chronological order; a mapping may have any order.
  const works = new Map(
    inOrderOfTime(mapping).map(([id, node]) => [id, canvas.take(id, object(node.message), answerTo(node, chat))]),
  );
  const nodes = new Map<string, Node<Turn>>();
  for (const [id, node] of mapping) {
    const turn = turnOf(object(node.message), tools);
    nodes.set(id, nodeOf(id, node, typeof turn === 'string' ? undefined : turn));
    const work = works.get(id) ?? 'none';
    if (work === 'changed') leftOut.add(notKept.version);
    // A new canvas is kept as a document.
    else if (work === 'none' && typeof turn === 'string' && isObject(node.message)) leftOut.add(turn);
  }
  const branches = branchesOf(nodes, text(chat.current_node));
  const documents = canvas.all();
  const made = [...works.values()].filter((work) => work === 'made').length;
  leftOut.add(notKept.empty, made - documents.length);
  if (branches.length === 0 && documents.length === 0) {
    yield { kind: 'skipped', place, reason: 'it has no text by a person or the assistant', ...leftOut.field() };
  }
  const id = text(chat.conversation_id) ?? text(chat.id);
  const about = { importer: 'chatgpt', platform: 'chatgpt' };
  const found = [
    ...branches.map((branch, index): Found => {
      const at = index === 0 ? place : `${place} branch ${index + 1}`;
      return { kind: 'conversation', place: at, conversation: conversationOf(chat, branch, tools) };
    }),
    ...documents.map((document) => documentFound(document, { source: 'chatgpt', id, place, about })),
  ];
  for (const [index, each] of found.entries()) yield index === 0 ? { ...each, ...leftOut.field() } : each;
}

function inOrderOfTime(mapping: readonly (readonly [string, Shape])[]): readonly (readonly [string, Shape])[] {
  const at = ([, node]: readonly [string, Shape]): number => Number(object(node.message).create_time ?? 0) || 0;
  return [...mapping].sort((one, other) => at(one) - at(other));
}

/** The tool's reply to this message. */
function answerTo(node: Shape, chat: Shape): Shape {
  const [child] = list(node.children).map(String);
  return child === undefined ? {} : object(object(object(chat.mapping)[child]).message);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function conversationOf(chat: Shape, branch: Branch<Turn>, tools: ReadonlySet<string>): ImportedConversation {
  const { turns } = branch;
  const id = text(chat.conversation_id) ?? text(chat.id);
  const began = turns.find(({ timestamp }) => timestamp !== undefined)?.timestamp;
  return {
    source: 'chatgpt',
    ...present({ title: text(chat.title), timestamp: time(chat.create_time) ?? began ?? time(chat.update_time) }),
    messages: turns.map(({ model: _, ...message }) => message),
    metadata: present({
      ...branchNames({ source: 'chatgpt', id }, branch),
      model: text(chat.default_model_slug) ?? turns.find(({ model }) => model !== undefined)?.model,
      tools: tools.size === 0 ? undefined : [...tools].sort(),
      importer: 'chatgpt',
      platform: 'chatgpt',
    }),
  };
}

function nodeOf(id: string, node: Shape, content: Turn | undefined): Node<Turn> {
  const parent = text(node.parent);
  const children = list(node.children).map(String);
  return { id, children, content, ...(parent === undefined ? {} : { parent }) };
}

/** The message of the user or the assistant, or why it is left out: tool calls, thinking, custom instructions. */
function turnOf(message: Shape, tools: Set<string>): Turn | NotKept {
  const author = text(object(message.author).role);
  const content = object(message.content);
  const metadata = object(message.metadata);
  const recipient = text(message.recipient) ?? 'all';
  if (author === 'tool') tools.add(text(object(message.author).name) ?? 'tool');
  if (recipient !== 'all') tools.add(recipient);
  // A deep research report is sent by the tool that wrote it.
  const isReport = metadata.is_async_task_result_message === true;
  const role = isReport ? 'assistant' : author;
  if (author === 'system') return notKept.program;
  if ((role !== 'user' && role !== 'assistant') || (recipient !== 'all' && !isReport)) return notKept.tool;
  if (metadata.is_visually_hidden_from_conversation === true) return notKept.program;
  if (message.channel === 'analysis') return notKept.thinking;
  const kind = text(content.content_type) ?? '';
  if (notSaid.has(kind)) return notSaid.get(kind) ?? notKept.tool;
  const parts = [...list(content.parts).map(partText), text(content.text)];
  const said = withoutMarks(joined([...parts, ...attached(metadata, parts)]));
  if (said === '') return notKept.empty;
  return { role, text: said, ...saidAt(message.create_time), model: text(metadata.model_slug) };
}

/** Content types that are not shown as a turn: thinking, instructions, tool calls. */
const notSaid: ReadonlyMap<string, NotKept> = new Map([
  ...['user_editable_context', 'model_editable_context', 'system_error'].map(
    (kind) => [kind, notKept.program] as const,
  ),
  ...['thoughts', 'reasoning_recap'].map((kind) => [kind, notKept.thinking] as const),
  ...[
    ...['code', 'execution_output', 'computer_output', 'sonic_webpage'],
    ...['tether_browsing_code', 'tether_browsing_display', 'tether_quote'],
  ].map((kind) => [kind, notKept.tool] as const),
]);

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const kind = text(object(part).content_type) ?? '';
  if (kind === 'audio_transcription' || kind === 'text') return text(object(part).text);
  if (kind.includes('image')) return '[image]';
  if (kind.includes('audio')) return '[audio]';
  return kind === '' ? undefined : '[attachment]';
}

/** Attached files by name. Images are already among the parts. */
function attached(metadata: Shape, parts: readonly (string | undefined)[]): (string | undefined)[] {
  const hasImage = parts.includes('[image]');
  return list(metadata.attachments).map((value) => {
    const { name, mime_type, mimeType } = object(value);
    const isImage = /^image\//.test(text(mime_type) ?? text(mimeType) ?? '');
    if (isImage) return hasImage ? undefined : '[image]';
    return text(name) === undefined ? undefined : `[file: ${text(name)}]`;
  });
}

/**
 * ChatGPT marks links, sources and names with private-use characters: U+E200, a keyword, U+E202, its arguments, U+E201.
 * The readable part stays: the label of a link, the name of an entity. Source numbers mean nothing outside the page.
 */
export function withoutMarks(said: string): string {
  if (!said.includes('\uE200')) return said;
  return said
    .replace(/\uE200([^\uE200\uE201]*)\uE201/g, (_, inside: string) => readable(inside.split('\uE202')))
    .replace(/[\uE200-\uE203]/g, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();
}

function readable([word = '', first = '']: readonly string[]): string {
  if (word === 'url') return first;
  if (word !== 'entity') return '';
  // A list of the entity's type, name and description.
  return /^\[\s*"[^"]*"\s*,\s*"((?:[^"\\]|\\.)*)"/.exec(first)?.[1]?.replaceAll('\\"', '"') ?? '';
}

type Documents = ReturnType<typeof createDocuments>;

/** What a node did to a canvas. */
type CanvasWork = 'none' | 'made' | 'changed';

/**
 * Canvas documents are created and edited by messages to the tool `canmore`, whose JSON is the document or its edits.
 * The tool's reply names the document.
 */
function createCanvas() {
  const documents = createDocuments();
  return {
    take(id: string, message: Shape, answer: Shape): CanvasWork {
      const recipient = text(message.recipient) ?? '';
      if (!recipient.startsWith('canmore.')) return 'none';
      const call = callOf(object(message.content));
      const textdoc = text(object(object(answer.metadata).canvas).textdoc_id);
      const at = time(message.create_time);
      if (recipient === 'canmore.create_textdoc' && text(call.content) !== undefined) {
        const content = String(call.content);
        const isNew = documents.write({
          id: textdoc ?? id,
          title: text(call.name),
          content,
          timestamp: at,
          messageId: id,
        });
        return isNew ? 'made' : 'changed';
      }
      if (recipient !== 'canmore.update_textdoc') return 'none';
      const target = textdoc ?? documents.last()?.id;
      if (target === undefined) return 'none';
      const changes = list(call.updates).map(object);
      return changes.map((change) => apply(documents, target, change, at)).some(Boolean) ? 'changed' : 'none';
    },
    all: documents.all,
  };
}

/**
 * `.*` replaces the whole text; other patterns are Python regular expressions, of which only plain text is supported.
 */
function apply(documents: Documents, id: string, change: Shape, at: string | undefined): boolean {
  const pattern = text(change.pattern) ?? '';
  const now = typeof change.replacement === 'string' ? change.replacement : '';
  if (/^(\(\?s\))?\^?\.[*+]\$?$/.test(pattern)) {
    documents.write({ id, title: undefined, content: now, timestamp: at, messageId: undefined });
    return true;
  }
  return documents.edit(id, { old: plainPattern(pattern), now, all: change.multiple === true, at });
}

/** The literal text of a pattern without metacharacters; empty for any other pattern. */
function plainPattern(pattern: string): string {
  const plain = pattern.replace(/\\([^A-Za-z0-9])/g, '$1');
  const signs = pattern.replace(/\\[^A-Za-z0-9]/g, '');
  return /[\\^$.|?*+()[\]{}]/.test(signs) ? '' : plain;
}

function callOf(content: Shape): Shape {
  const written = text(content.text) ?? text(list(content.parts)[0]);
  if (written === undefined) return {};
  try {
    return object(JSON.parse(written));
  } catch {
    // An interrupted answer leaves an incomplete call.
    return {};
  }
}
