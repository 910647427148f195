import {
  createTally,
  type Found,
  type ImportedConversation,
  type ImportedMessage,
  type NotKept,
  notKept,
  type Tally,
} from '../contract.js';
import { joined, list, object, present, type Shape, saidAt, text } from './json.js';

/** The result of reading a record: a message, or why it is not one. */
export type Judged = ImportedMessage | NotKept;

/** Returns the messages and counts the rest. */
export function kept(judged: readonly Judged[], leftOut: Tally): ImportedMessage[] {
  return judged.flatMap((each) => {
    if (typeof each !== 'string') return [each];
    leftOut.add(each);
    return [];
  });
}

/** A conversation from these messages, or a `skipped` result when there are none. */
export function chatOf(
  judged: readonly Judged[],
  place: string,
  about: Omit<ImportedConversation, 'messages'>,
  leftOut: Tally = createTally(),
): Found {
  const messages = kept(judged, leftOut);
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  return { kind: 'conversation', place, conversation: { ...about, messages }, ...leftOut.field() };
}

/** A string, or the content blocks of a model API. */
export function saidIn(content: unknown): { said: string; why: NotKept } {
  if (typeof content === 'string') return { said: content.trim(), why: notKept.empty };
  const blocks = list(content).map(object);
  const said = joined(blocks.map(blockText));
  const kinds = blocks.map(({ type }) => text(type) ?? '');
  if (kinds.some((kind) => /tool|function/i.test(kind))) return { said, why: notKept.tool };
  return { said, why: kinds.some((kind) => /think|reason/i.test(kind)) ? notKept.thinking : notKept.empty };
}

function blockText({ type, text: said, ...block }: Shape): string | undefined {
  const kind = text(type) ?? 'text';
  if (/tool|function|think|reason/i.test(kind)) return undefined;
  if (/image/i.test(kind)) return '[image]';
  if (/file|document/i.test(kind)) return `[file: ${text(block.name) ?? text(block.filename) ?? 'unnamed'}]`;
  return text(said) ?? text(object(said).value) ?? text(block.content);
}

/** For programs that record only when the answer began: the prompt gets the same time. */
export function withPromptTimes(messages: readonly ImportedMessage[]): ImportedMessage[] {
  return messages.map((message, index) => {
    const answer = messages[index + 1];
    if (message.role !== 'user' || message.timestamp !== undefined) return message;
    return answer?.role === 'assistant' && answer.timestamp !== undefined
      ? { ...message, timestamp: answer.timestamp }
      : message;
  });
}

/**
 * Makes the messages of one conversation between people. The text begins with the speaker's name, as in every
 * conversation with more than two people, because exports do not say which of them is the user. Two people get two
 * names, even if theirs are written alike; `id` tells them apart where the export has one.
 */
export function createSpeakers() {
  const owners = new Map<string, string>();
  return function spoken(name: string, said: string, { at, id = name }: { at?: unknown; id?: string } = {}) {
    const plain = speakerOf(name);
    let label = plain;
    const isNumber = plain.startsWith('+');
    for (let next = 2; !isNumber && (owners.get(label) ?? id) !== id; next++) label = `${plain}${next}`;
    owners.set(label, id);
    return { role: 'user', text: `${label}: ${said}`, ...saidAt(at) } satisfies ImportedMessage;
  };
}

export type Spoken = ReturnType<typeof createSpeakers>;

/**
 * The name as a recognizable speaker label: up to three words of letters and digits, each beginning with a capital, or
 * the phone number of someone without a name.
 */
function speakerOf(name: string): string {
  const number = /^[\s~]{0,5}(\+\d[\d\s()-]{4,20}\d)\s*$/.exec(name.slice(0, 100).replace(directions, ''))?.[1];
  if (number !== undefined) return number.replace(/\s/g, ' ');
  const words = name.slice(0, 200).match(/[\p{L}\p{M}\p{N}'’.-]+/gu) ?? [];
  const label: string[] = [];
  for (const word of words) {
    const letters = word.replace(/^[^\p{L}]+/u, '');
    if (letters !== '') label.push(`${letters.slice(0, 1).toUpperCase()}${letters.slice(1)}`);
    // A number belongs to the word before it: "max_2009".
    else if (label.length > 0) label.push(`${label.pop()}${word.replace(/[^\p{N}]/gu, '')}`);
  }
  return label.length === 0 ? 'Unknown' : label.slice(0, 3).join(' ');
}

/** Marks of the writing direction around numbers. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A turn in a tree of edits and regenerated answers. */
export interface Node<Content> {
  id: string;
  parent?: string;
  children: readonly string[];
  content: Content | undefined;
}

export interface Branch<Content> {
  /** `main` is the branch shown last; side branches begin with the turn before they diverge. */
  kind: 'main' | 'side';
  /** The first node of a side branch: a stable name when the branch grows or others are added. */
  firstId: string;
  turns: Content[];
}

/**
 * The branches of a tree: the shown one in full, and of every other one the part that is not in an earlier branch, with
 * one turn of context. So nothing is lost and little is stored twice. Trees with gaps or cycles are cut there.
 */
export function branchesOf<Content>(
  nodes: ReadonlyMap<string, Node<Content>>,
  current: string | undefined,
): Branch<Content>[] {
  const leaves = [...nodes.values()].filter(({ children }) => !children.some((child) => nodes.has(child)));
  const shown =
    current !== undefined && nodes.has(current) ? current : (leaves.at(-1) ?? [...nodes.values()].at(-1))?.id;
  if (shown === undefined) return [];
  const seen = new Set<string>();
  // Finally every node is tried as an end, because the nodes of a cycle have no leaf.
  const ends = [shown, ...leaves.map(({ id }) => id), ...nodes.keys()];
  return ends.flatMap((end, index): Branch<Content>[] => {
    if (seen.has(end)) return [];
    const { news, before } = newsOf(nodes, end, seen);
    for (const { id } of news) seen.add(id);
    if (!news.some(({ content }) => content !== undefined)) return [];
    const isMain = index === 0;
    const context = isMain || before === undefined ? [] : [before];
    const turns = [...context, ...news.flatMap(({ content }) => (content === undefined ? [] : [content]))];
    return [{ kind: isMain ? 'main' : 'side', firstId: news[0]?.id ?? end, turns }];
  });
}

/** Maximum number of nodes without a turn that are skipped while looking for the turn before a branch. */
const mostPassed = 1_000;

/** The path to a node that is not in an earlier branch, and the turn before it. */
function newsOf<Content>(
  nodes: ReadonlyMap<string, Node<Content>>,
  end: string,
  seen: ReadonlySet<string>,
): { news: Node<Content>[]; before: Content | undefined } {
  const news: Node<Content>[] = [];
  const walked = new Set<string>();
  let node = nodes.get(end);
  for (; node !== undefined && !walked.has(node.id) && !seen.has(node.id); node = nodes.get(node.parent ?? '')) {
    walked.add(node.id);
    news.push(node);
  }
  for (let passed = 0; node !== undefined && node.content === undefined && passed < mostPassed; passed++) {
    node = nodes.get(node.parent ?? '');
  }
  const isKnown = node !== undefined && !walked.has(node.id);
  return { news: news.reverse(), before: isKnown ? node?.content : undefined };
}

/** The id of a branch: the shown branch keeps the id of the chat. */
export function branchNames(
  chat: { source: string; id: string | undefined },
  branch: Pick<Branch<unknown>, 'kind' | 'firstId'>,
): { upstream_thread_id?: string; thread_id?: string; branch?: string } {
  const { source, id } = chat;
  const side = branch.kind === 'side' ? { branch: branch.firstId } : {};
  if (id === undefined) return side;
  const upstream_thread_id = branch.kind === 'side' ? `${id}#${branch.firstId}` : id;
  return { upstream_thread_id, thread_id: `${source}:${id}`, ...side };
}

/** Adds the children to nodes that only know their parent. */
export function withChildren<Content>(nodes: ReadonlyMap<string, Node<Content>>): Map<string, Node<Content>> {
  const children = new Map<string, string[]>();
  for (const { id, parent } of nodes.values()) {
    if (parent === undefined) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  return new Map([...nodes].map(([id, node]) => [id, { ...node, children: children.get(id) ?? [] }]));
}

/** A text that an assistant wrote and edited beside a chat: a canvas, an artifact, a file. */
export interface ChatDocument {
  /** The program's identifier for it, unique within a chat. */
  id: string;
  title: string | undefined;
  content: string;
  /** When it was last changed. */
  timestamp: string | undefined;
  /** The message that created it. */
  messageId: string | undefined;
}

/** The documents of one chat in their latest version. Changes must be applied in order. */
export function createDocuments() {
  const documents = new Map<string, ChatDocument>();
  return {
    /** Returns whether it is new. */
    write(document: ChatDocument): boolean {
      const before = documents.get(document.id);
      documents.set(document.id, {
        ...document,
        title: document.title ?? before?.title,
        messageId: before?.messageId ?? document.messageId,
      });
      return before === undefined;
    },
    /** Replaces a piece of the text. If the old piece is gone, the new one is appended. */
    edit(
      id: string,
      { old, now, all = false, at }: { old: string; now: string; all?: boolean; at: string | undefined },
    ): boolean {
      const before = documents.get(id);
      if (before === undefined) return false;
      documents.set(id, {
        ...before,
        content: edited(before.content, old, now, all),
        timestamp: at ?? before.timestamp,
      });
      return true;
    },
    last: (): ChatDocument | undefined => [...documents.values()].at(-1),
    all: (): ChatDocument[] => [...documents.values()].filter(({ content }) => content.trim() !== ''),
  };
}

function edited(content: string, old: string, now: string, all: boolean): string {
  if (old === '' || !content.includes(old)) return `${content}\n\n${now}`;
  // A function, because `$` is special in a replacement string.
  return all ? content.replaceAll(old, () => now) : content.replace(old, () => now);
}

/**
 * A document becomes a separate conversation in the thread of its chat, so that it can be searched on its own and
 * editing it does not change the chat.
 */
export function documentFound(
  { id, title, content, timestamp, messageId }: ChatDocument,
  chat: { source: string; id: string | undefined; place: string; about: ImportedConversation['metadata'] },
): Found {
  const { source, about } = chat;
  const name = title ?? 'unnamed';
  const links =
    chat.id === undefined ? {} : { upstream_thread_id: `${chat.id}#document:${id}`, thread_id: `${source}:${chat.id}` };
  return {
    kind: 'conversation',
    place: `${chat.place} document`,
    conversation: {
      source,
      title: name,
      ...present({ timestamp }),
      messages: [{ role: 'assistant', text: `[document: ${name}]\n\n${content}`, ...present({ timestamp }) }],
      metadata: present({ ...links, ...about, document_id: id, made_by_message: messageId }),
    },
  };
}
