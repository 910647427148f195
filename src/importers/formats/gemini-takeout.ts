import type { Found, ImportedMessage, Importer, SourceFile } from '../contract.js';
import { limits } from '../limits.js';
import { plainText } from '../reading/html.js';
import { jsonElements } from '../reading/json-elements.js';
import { createTally, notKept } from '../reading/left-out.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';
import { chatIn, takeoutCards } from './takeout-cards.js';

/** Google Takeout, "My Activity" for Gemini Apps, as HTML or JSON: an entry for each prompt, with its answer. */
export const geminiTakeout: Importer = {
  name: 'gemini-takeout',
  label: 'Gemini (Google Takeout)',
  howTo: 'takeout.google.com > My Activity > Gemini Apps; give the zip',
  accepts: (path) => /(^|\/)My ?Activity\.(json|html)$/i.test(path) || /Gemini[^/]*\/[^/]*\.html$/i.test(path),
  recognises: ({ text: head }) =>
    (/"header"\s*:\s*"/.test(head) && /"products"\s*:\s*\[/.test(head)) || /class="outer-cell mdl-cell/.test(head),
  async *read(file) {
    const chats = createChats();
    let number = 0;
    for await (const entry of entriesOf(file)) {
      number += 1;
      const place = `${file.path} entry ${number}`;
      const read = typeof entry === 'string' ? entry : turnsOf(entry);
      if (typeof read === 'string') yield { kind: 'skipped', place, reason: read, ...lost(entry) };
      else yield* chats.add(read, place);
    }
    yield* chats.rest();
  },
};

interface Entry {
  title: string;
  /** As HTML. */
  answer: string;
  hasAnswer: boolean;
  time: unknown;
  files: string[];
  /** Which chat it belongs to, where the export says so. */
  chat: string | undefined;
  isOfGemini: boolean;
}

type Exchange = Pick<Entry, 'chat' | 'hasAnswer'> & { messages: ImportedMessage[]; timestamp: string | undefined };

/** A text stands for an entry that could not be read. */
async function* entriesOf(file: SourceFile): AsyncGenerator<Entry | string> {
  if (/\.html?$/i.test(file.path)) {
    for await (const card of takeoutCards(file.read())) {
      if (typeof card === 'string') yield card;
      else yield { ...card, hasAnswer: card.answer !== '', isOfGemini: isOfGemini([card.product]) };
    }
    return;
  }
  for await (const element of jsonElements(file.read(), limits.elementBytes)) {
    yield 'broken' in element ? element.broken : entryOf(object(element.value));
  }
}

function entryOf(entry: Shape): Entry {
  return {
    title: text(entry.title) ?? '',
    answer: joined(list(entry.safeHtmlItem).map((item) => text(object(item).html))),
    hasAnswer: list(entry.safeHtmlItem).length > 0,
    time: entry.time,
    files: [...list(entry.attachedFiles), ...list(entry.imageFile)].map(String),
    chat: chatIn([entry.titleUrl, ...list(entry.details).flatMap((detail) => Object.values(object(detail)))]),
    isOfGemini: isOfGemini([entry.header, ...list(entry.products)]),
  };
}

/** The activity of every Google product has a file of this name. One that names no product is taken at the person's word. */
function isOfGemini(values: readonly unknown[]): boolean {
  const names = values.flatMap((name) => text(name) ?? []);
  return names.length === 0 || names.some((name) => /gemini|bard/i.test(name));
}

/** Lines about what was done beside a chat. A canvas is made by a prompt that has an entry of its own. */
const noPrompt =
  /^(Created Gemini Canvas|Gave feedback|Cleared previous feedback|Used Gemini|Used an Assistant|Selected preferred draft|Gemini Canvas erstellt)\b/;
const promptWord = /^(?:Live Prompt|Prompted|Asked|Said|Prompt:?|Eingegebener Prompt:?|Frage:?|Gefragt:?)\s+(.*)$/s;

function turnsOf(entry: Entry): Exchange | string {
  if (!entry.isOfGemini) return 'it is of another product of Google';
  const title = entry.title.replaceAll('\u00a0', ' ');
  if (noPrompt.test(title)) return 'it is no prompt';
  const answered = plainText(entry.answer);
  // The word before the prompt is in the language of the account; what has an answer was asked, whatever the word.
  const asked = promptWord.exec(title)?.[1] ?? (answered === '' ? undefined : text(title));
  if (asked === undefined) return 'it is no prompt';
  const at = saidAt(entry.time);
  const files = entry.files.map((name) => `[file: ${name}]`);
  const messages: ImportedMessage[] = [
    { role: 'user', text: joined([asked, ...files]), ...at },
    ...(answered === '' ? [] : [{ role: 'assistant' as const, text: answered, ...at }]),
  ];
  return { chat: entry.chat, hasAnswer: entry.hasAnswer, messages, timestamp: time(entry.time) };
}

/** An entry that is left out is one message, which is named. */
function lost(entry: Entry | string) {
  return typeof entry === 'string' ? {} : { leftOut: { [notKept.program]: entry.hasAnswer ? 2 : 1 } };
}

/** Characters of entries that wait for others of their chat. */
const mostWaiting = 64_000_000;

/** Entries of one chat become one conversation. The export lists the newest first, so that they wait for the end. */
function createChats() {
  const chats = new Map<string, { place: string; size: number; exchanges: Exchange[] }>();
  let waiting = 0;
  return {
    *add(exchange: Exchange, place: string): Generator<Found> {
      if (exchange.chat === undefined) {
        yield conversationOf([exchange], place, undefined);
        return;
      }
      const size = exchange.messages.reduce((sum, message) => sum + message.text.length, 100);
      const chat = chats.get(exchange.chat) ?? { place, size: 0, exchanges: [] };
      chat.exchanges.push(exchange);
      chat.size += size;
      waiting += size;
      chats.set(exchange.chat, chat);
      for (const [id, { place: at, size: freed, exchanges }] of chats) {
        if (waiting <= mostWaiting) break;
        chats.delete(id);
        waiting -= freed;
        yield conversationOf(exchanges, at, id);
      }
    },
    *rest(): Generator<Found> {
      for (const [id, { place, exchanges }] of chats) yield conversationOf(exchanges, place, id);
    },
  };
}

function conversationOf(exchanges: readonly Exchange[], place: string, chat: string | undefined): Found {
  const unanswered = createTally();
  const lacking = exchanges.filter(({ hasAnswer, messages }) => hasAnswer && messages.length < 2);
  unanswered.add(notKept.empty, lacking.length);
  const inOrder = [...exchanges].reverse();
  inOrder.sort((one, other) =>
    (one.timestamp ?? '') < (other.timestamp ?? '') ? -1 : Number(one.timestamp !== other.timestamp),
  );
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: 'gemini',
      ...present({ timestamp: inOrder[0]?.timestamp }),
      messages: inOrder.flatMap(({ messages }) => messages),
      metadata: present({ upstream_thread_id: chat, importer: 'gemini-takeout', platform: 'gemini' }),
    },
    ...unanswered.field(),
  };
}
