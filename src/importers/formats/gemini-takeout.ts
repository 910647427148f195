import { StringDecoder } from 'node:string_decoder';
import { runYielding } from '../../concurrency/yielding.js';
import { finished, type Steps } from '../../model/steps.js';
import {
  createTally,
  type Found,
  type ImportedMessage,
  type Importer,
  limits,
  notKept,
  type SourceFile,
} from '../contract.js';
import { joined, jsonElements, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';

/** Google Takeout, "My Activity" for Gemini Apps, as HTML or JSON: one entry per prompt, with its answer. */
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
      const read = typeof entry === 'string' ? entry : await runYielding(readingTurns(entry));
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
  /** The chat it belongs to, if the export records it. */
  chat: string | undefined;
  isOfGemini: boolean;
}

type Exchange = Pick<Entry, 'chat' | 'hasAnswer'> & { messages: ImportedMessage[]; timestamp: string | undefined };

/** A string instead of an entry is the reason why it could not be read. */
async function* entriesOf(file: SourceFile): AsyncGenerator<Entry | string> {
  if (/\.html?$/i.test(file.path)) {
    for await (const part of takeoutCards(file.read())) {
      const card = 'html' in part ? await runYielding(readingCard(part.html)) : part.broken;
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

/**
 * Every Google product has an activity file of this name. Entries without a product are accepted: the user chose the
 * file.
 */
function isOfGemini(values: readonly unknown[]): boolean {
  const names = values.flatMap((name) => text(name) ?? []);
  return names.length === 0 || names.some((name) => /gemini|bard/i.test(name));
}

/** Activities other than prompts. A canvas is created by a prompt that has its own entry. */
const noPrompt =
  /^(Created Gemini Canvas|Gave feedback|Cleared previous feedback|Used Gemini|Used an Assistant|Selected preferred draft|Gemini Canvas erstellt)\b/;
const promptWord = /^(?:Live Prompt|Prompted|Asked|Said|Prompt:?|Eingegebener Prompt:?|Frage:?|Gefragt:?)\s+(.*)$/s;

/** In steps: an answer may have megabytes. */
function* readingTurns(entry: Entry): Steps<Exchange | string> {
  if (!entry.isOfGemini) return 'it belongs to another Google product';
  const title = entry.title.replaceAll('\u00a0', ' ');
  if (noPrompt.test(title)) return 'it is not a prompt';
  const answered = yield* readingHtml(entry.answer);
  // The word before the prompt is in the account's language; an entry with an answer is a prompt, whatever that word
  // is.
  const asked = promptWord.exec(title)?.[1] ?? (answered === '' ? undefined : text(title));
  if (asked === undefined) return 'it is not a prompt';
  const at = saidAt(entry.time);
  const files = entry.files.map((name) => `[file: ${name}]`);
  const messages: ImportedMessage[] = [
    { role: 'user', text: joined([asked, ...files]), ...at },
    ...(answered === '' ? [] : [{ role: 'assistant' as const, text: answered, ...at }]),
  ];
  return { chat: entry.chat, hasAnswer: entry.hasAnswer, messages, timestamp: time(entry.time) };
}

/** A skipped entry counts as one message. */
function lost(entry: Entry | string) {
  return typeof entry === 'string' ? {} : { leftOut: { [notKept.program]: entry.hasAnswer ? 2 : 1 } };
}

/** Maximum characters of entries buffered while waiting for others of their chat. */
const mostWaiting = 64_000_000;

/** Groups the entries of a chat into one conversation. The export lists the newest first, so they are buffered. */
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

/** One activity on a Takeout page. */
interface TakeoutCard {
  product: string | undefined;
  title: string;
  /** As HTML. */
  answer: string;
  time: string | undefined;
  files: string[];
  chat: string | undefined;
}

const cardMark = '<div class="outer-cell';

/** An activity on a page, or why it could not be read. */
type CardHtml = { html: string } | { broken: string };

const tooLargeCard: CardHtml = { broken: 'it is too large' };

/** Streams the activities of a page of hundreds of megabytes. */
async function* takeoutCards(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CardHtml> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let began = false;
  let isTooLarge = false;
  const take = function* (piece: string, isLast: boolean): Generator<CardHtml> {
    const from = Math.max(0, rest.length - cardMark.length);
    rest += piece;
    let at = 0;
    for (let next = rest.indexOf(cardMark, from); next >= 0; next = rest.indexOf(cardMark, next + 1)) {
      if (began) yield isTooLarge ? tooLargeCard : { html: rest.slice(at, next) };
      began = true;
      isTooLarge = false;
      at = next;
    }
    rest = rest.slice(at);
    if (isLast && began) yield isTooLarge ? tooLargeCard : { html: rest };
    if (rest.length <= limits.elementBytes) return;
    isTooLarge = true;
    rest = rest.slice(-cardMark.length);
  };
  for await (const piece of bytes) yield* take(decoder.write(Buffer.from(piece)), false);
  yield* take(decoder.end(), true);
  if (!began) yield { broken: 'it has no Google Takeout activities' };
}

function* readingCard(html: string): Steps<TakeoutCard | string> {
  const cells = html.split('<div class="content-cell');
  const body = inside(cells[1] ?? '');
  const details = cells.slice(2).join('');
  const product = /mdl-typography--title">([^<]{0,200})/.exec(html)?.[1];
  yield;
  const found = dateIn(body);
  if (found === undefined) return 'it has no time';
  yield;
  const files = [...found.before.matchAll(/<a href="(?!https?:)([^"]{1,500})"[^<>]*>([^<]{1,300})<\/a>/g)];
  const [asked = ''] = found.before.split(/<br>\s*Attached \d+ files?/);
  return {
    product: text(plainText(product ?? '')),
    title: yield* readingHtml(asked),
    answer: found.after,
    time: found.time,
    files: files.map((each) => plainText(each[2] ?? '')),
    chat: chatIn([body.slice(0, 10_000), details.slice(0, 10_000)]),
  };
}

/** The entries of a chat link to its URL. */
function chatIn(links: readonly unknown[]): string | undefined {
  const found = links.map((link) => /gemini\.google\.com\/(?:u\/\d+\/)?app\/(\w+)/.exec(String(link ?? ''))?.[1]);
  return found.find((id) => id !== undefined);
}

/** Without the rest of the opening tag and without the closing tag. */
function inside(cell: string): string {
  return cell.slice(cell.indexOf('>') + 1).replace(/<\/div>\s*$/, '');
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Month names in other languages that do not begin like the English ones. */
const otherMonths: Readonly<Record<string, string>> = {
  ...{ mär: 'mar', mai: 'may', okt: 'oct', dez: 'dec', ene: 'jan', abr: 'apr', ago: 'aug', dic: 'dec' },
  ...{ fév: 'feb', avr: 'apr', jui: 'jun', aoû: 'aug', déc: 'dec', fev: 'feb', set: 'sep', out: 'oct' },
  ...{ gen: 'jan', mag: 'may', giu: 'jun', lug: 'jul', ott: 'oct', mrt: 'mar', mei: 'may', maj: 'may', juil: 'jul' },
  ...{ янв: 'jan', фев: 'feb', мар: 'mar', апр: 'apr', мая: 'may', май: 'may', июн: 'jun', июл: 'jul', авг: 'aug' },
  ...{ сен: 'sep', окт: 'oct', ноя: 'nov', дек: 'dec', sty: 'jan', lut: 'feb', kwi: 'apr', cze: 'jun', lip: 'jul' },
  ...{ sie: 'aug', wrz: 'sep', paź: 'oct', lis: 'nov', gru: 'dec', oca: 'jan', şub: 'feb', nis: 'apr', haz: 'jun' },
  ...{ tem: 'jul', ağu: 'aug', eyl: 'sep', eki: 'oct', kas: 'nov', ara: 'dec' },
};

/** A separate line between prompt and answer: `Apr 12, 2026, 3:34:31 PM EDT` or `12.04.2026, 15:34:31 MESZ`. */
const dateLine =
  /<br>\s*((?:\p{L}{3,10}\.? \d{1,2}|\d{1,2}\.? \p{L}{3,10}\.?|\d{1,2}[./]\d{1,2}[./]),? ?\d{4},? \d{1,2}:\d{2}:\d{2}(?:[\s\u202f]?[AP]M)?)(?:[\s\u202f]([A-Z]{2,5}(?:[+-]\d{1,2}(?::\d{2})?)?))?\s*(?=<|$)/u;

/** The line in a language whose form is not above: it has a year and a time with seconds. */
const otherLine =
  /<br>\s*((?=[^<>\n]{0,30}(?:19|20)\d\d)[^<>\n]{6,40}?(?<!\d)\d{1,2}[:.]\d{2}[:.]\d{2}(?!\d)[^<>\n]{0,20}?)(?:[\s\u202f]([A-Z]{2,5}(?:[+-]\d{1,2}(?::\d{2})?)?))?\s*(?=<|$)/u;

function dateIn(body: string): { before: string; after: string; time: string | undefined } | undefined {
  const found = dateLine.exec(body) ?? otherLine.exec(body);
  if (found === null) return undefined;
  const [whole, date = '', zone = ''] = found;
  const after = body.slice(found.index + whole.length).replace(/^<br>/, '');
  return { before: body.slice(0, found.index), after, time: timeOf(date.replaceAll('\u202f', ' '), zone) };
}

/** UTC offsets of the zone abbreviations that Takeout uses. */
const zones: Readonly<Record<string, string>> = {
  ...{ UTC: '+00:00', GMT: '+00:00', WET: '+00:00', BST: '+01:00', CET: '+01:00', MEZ: '+01:00', CEST: '+02:00' },
  ...{ MESZ: '+02:00', EET: '+02:00', EEST: '+03:00', MSK: '+03:00', IST: '+05:30', JST: '+09:00', KST: '+09:00' },
  ...{ EST: '-05:00', EDT: '-04:00', CST: '-06:00', CDT: '-05:00', MST: '-07:00', MDT: '-06:00', PST: '-08:00' },
  ...{ PDT: '-07:00', AKST: '-09:00', AKDT: '-08:00', HST: '-10:00', BRT: '-03:00', AEST: '+10:00', AEDT: '+11:00' },
  ...{ NZST: '+12:00', NZDT: '+13:00', SGT: '+08:00', HKT: '+08:00' },
};

const morning = /[Aa]\.?\s?[Mm]\b|오전|上午|午前/;
const afternoon = /[Pp]\.?\s?[Mm]\b|오후|下午|午後/;

function timeOf(date: string, zone: string): string | undefined {
  const [year = ''] = /(?:19|20)\d\d/.exec(date) ?? [];
  const [, hour = '', minute = '', second = ''] = /(?<!\d)(\d{1,2})[:.](\d{2})[:.](\d{2})(?!\d)/.exec(date) ?? [];
  const [before = '', after = ''] = date.split(year);
  // Year, month, day in the languages that begin with the year.
  const isYearFirst = !/\d/.test(before);
  const numbers = (isYearFirst ? after : before).match(/\d{1,2}/g) ?? [];
  const [day = '', numbered = ''] = isYearFirst ? [numbers[1], numbers[0]] : numbers;
  const word = /\p{L}{3,4}/u.exec(isYearFirst ? '' : before)?.[0].toLowerCase() ?? '';
  const short = word.slice(0, 3);
  const month = months.indexOf(otherMonths[word] ?? otherMonths[short] ?? short) + 1 || Number(numbered);
  const isHalfDay = morning.test(date) || afternoon.test(date);
  const hours = isHalfDay ? (Number(hour) % 12) + (afternoon.test(date) ? 12 : 0) : Number(hour);
  const two = (value: number | string): string => String(value).padStart(2, '0');
  const offset = /[+-]\d/.test(zone) ? offsetOf(zone) : offsetNamed(zone, date);
  return time(`${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}${offset}`);
}

/** China's abbreviation is that of Central America. */
function offsetNamed(zone: string, date: string): string {
  return zone === 'CST' && date.includes('年') ? '+08:00' : (zones[zone] ?? '+00:00');
}

/** `GMT+02:00`, or `GMT-3`. */
function offsetOf(zone: string): string {
  const [, sign = '+', hours = '0', minutes = '00'] = /([+-])(\d{1,2})(?::(\d{2}))?/.exec(zone) ?? [];
  return `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…' };

/**
 * The text of an HTML fragment with its line breaks. Only for reading exports: the result is never rendered as HTML.
 * Every expression reads each character a bounded number of times, because an export is untrusted.
 */
export function plainText(html: string): string {
  return finished(readingHtml(html));
}

/** The same in steps. */
function* readingHtml(html: string): Steps<string> {
  let plain = withoutCode(html);
  yield;
  for (const [pattern, instead] of marks) {
    plain = plain.replace(pattern, instead);
    yield;
  }
  plain = plain.replace(entity, (whole, name: string) => entityText(name) ?? whole);
  yield;
  return plain
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const marks: readonly (readonly [RegExp, string])[] = [
  [/<br\s{0,20}\/?>/gi, '\n'],
  [/<li\b[^<>]*>/gi, '\n- '],
  [/<\/(p|div|h[1-6]|tr|ul|ol|pre|blockquote|table)>/gi, '\n'],
  [/<[^<>]*>/g, ''],
];
const entity = /&(#x?[0-9a-f]{1,8}|[a-z]{1,10});/gi;

/** Removes scripts and styles; an unclosed one removes the rest of the text. */
function withoutCode(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { index, 1: name = '' } of html.matchAll(/<(script|style)\b/gi)) {
    if (index < at) continue;
    kept.push(html.slice(at, index));
    const end = new RegExp(`</${name}>`, 'gi');
    end.lastIndex = index;
    at = end.exec(html) === null ? html.length : end.lastIndex;
  }
  return [...kept, html.slice(at)].join('');
}

function entityText(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
