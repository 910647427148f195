import { textLines } from '../../model/text.js';
import { type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, createSpeakers, type Judged, type Spoken } from '../reading/chats.js';
import { present, time } from '../reading/json.js';

/**
 * WhatsApp's chat export: a message begins with date, time and name; lines without them continue it. Date and time are
 * written as the phone's language has them.
 */
export const whatsapp: Importer = {
  name: 'whatsapp',
  label: 'WhatsApp',
  howTo: 'In a chat: … > More > Export chat; give the zip or the text file',
  // Its own name for the file depends on the language of the phone.
  accepts: (path) => /(^|\/)(_chat|[^/]*(WhatsApp|واتساب)[^/]*)\.txt$/i.test(path),
  recognises: ({ text: head }) =>
    head
      .slice(0, 2_000)
      .split('\n')
      .some((line) => beginningOf(line) !== undefined),
  async *read(file) {
    const entries: Entry[] = [];
    for await (const lines of textLines(file.read(), limits.lineBytes)) {
      for (const line of lines) {
        if (line === undefined) yield { kind: 'skipped', place: file.path, reason: 'a line is too long' };
        else take(line.replace(/\r$/, ''), entries);
      }
    }
    const isMonthFirst = monthComesFirst(entries);
    const spoken = createSpeakers();
    const judged = entries.map((entry) => turnOf(entry, { isMonthFirst, spoken }));
    const messages = judged.filter((each) => typeof each !== 'string');
    yield chatOf(judged, file.path, {
      source: 'whatsapp',
      title: titleOf(file),
      ...present({ timestamp: messages[0]?.timestamp ?? file.changedAt }),
      metadata: { upstream_thread_id: titleOf(file), importer: 'whatsapp', platform: 'whatsapp' },
    });
  },
};

interface Entry {
  date: readonly [string, string, string];
  clock: string;
  /** `AM`, `오후` or another word for half a day, where the clock counts to twelve. */
  half: string | undefined;
  rest: string[];
}

/** Marks of the writing direction, which the program puts before a line and between numbers. */
const direction = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
const spaces = /[\u00a0\u2007\u2009\u202f]/g;
/** Arabic, Persian, Hindi and Bengali digits. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;

/** Words for the two halves of a day beside `AM` and `PM`. */
const mornings = '오전 上午 午前 凌晨 清晨 早上 ص ق.ظ पूर्वाह्न পূর্বাহ্ণ SA π.μ. ÖÖ fm PG'.split(' ');
const afternoons = '오후 下午 午後 中午 晚上 م ب.ظ अपराह्न অপরাহ্ণ CH μ.μ. ÖS em PTG'.split(' ');
const half = ['[AaPp]\\.? ?[Mm]\\.?', ...[...mornings, ...afternoons].map((word) => word.replaceAll('.', '\\.'))].join(
  '|',
);

/** The date in the order of its language, with `/`, `.` or `-`, or the words for year, month and day. */
const date = '(\\d{1,4})(?:[./-] ?|년 |年)(\\d{1,2})(?:[./-] ?|월 |月)(\\d{1,4})(일|日|\\.)?(?: г\\.)?';
/** `[12/03/2026, 10:15:32] Name: text` on iPhones, `12/03/2026, 10:15 - Name: text` on Android. */
const beginning = new RegExp(
  `^\\[?${date}[,،]? ?(?:(?:klo|kl\\.|à|às|alle|um|at) )?(?:(${half}) ?)?(\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2})?)(?: ?(${half}))?(?: ч\\.)?(\\] | [-–] |, )`,
);

/** Longer than any date and time before a name. */
const mostBeginning = 80;

/** The date and time that a line begins with, and what follows them. */
function beginningOf(line: string): Entry | undefined {
  const head = [...line.slice(0, mostBeginning)];
  const plain = head
    .filter((sign) => !direction.test(sign))
    .join('')
    .replace(spaces, ' ')
    .replace(otherDigits, (digit) => String((digit.charCodeAt(0) & 0xf) - (digit < '\u0966' ? 0 : 6)));
  const found = beginning.exec(plain);
  if (found === null) return undefined;
  const [whole, one = '', two = '', three = '', day, before, clock = '', after, end] = found;
  // Only a Korean Android has a comma there.
  if (end === ', ' && day !== '일') return undefined;
  return { date: [one, two, three], clock, half: before ?? after, rest: [afterSigns(line, whole.length)] };
}

/** The rest of a line after this many characters, not counting marks of the direction. */
function afterSigns(line: string, count: number): string {
  let at = 0;
  for (let left = count; left > 0; at++) if (!direction.test(line[at] ?? '')) left -= 1;
  return line.slice(at);
}

function take(line: string, entries: Entry[]): void {
  const clean = line.replace(/\r$/, '');
  const found = beginningOf(clean);
  if (found === undefined) entries.at(-1)?.rest.push(clean);
  else entries.push(found);
}

/**
 * Day or month may come first: a number above twelve decides. Otherwise `3/12/26, 9:05 AM` begins with the month: no
 * other language writes its dates without zeros and `AM` in capitals.
 */
function monthComesFirst(entries: readonly Entry[]): boolean {
  if (entries.some(({ date }) => Number(date[0]) > 12)) return false;
  if (entries.some(({ date }) => Number(date[1]) > 12)) return true;
  if (entries.some(({ date: [one, two] }) => one.startsWith('0') || two.startsWith('0'))) return false;
  return entries.some(({ half }) => /^[AP]M$/.test(half ?? ''));
}

function turnOf(entry: Entry, { isMonthFirst, spoken }: { isMonthFirst: boolean; spoken: Spoken }): Judged {
  const [first = '', ...more] = entry.rest;
  const spokenLine = /^[\u200e\u200f]?([^:\n]{1,100}): (.*)$/s.exec(first);
  // A line without a name is a notice about the chat, such as who joined.
  if (spokenLine === null) return notKept.program;
  const [, name = '', said = ''] = spokenLine;
  const words = [said, ...more].join('\n').replaceAll('\u200e', '').trim();
  if (words === '') return notKept.empty;
  return spoken(name, noted(words), { at: timeOf(entry, isMonthFirst) });
}

/** Media omitted from the export, and files beside it. */
function noted(words: string): string {
  if (/^<(Media omitted|Medien ausgeschlossen|Multimedia omitido|Média omis)>$/i.test(words)) return '[file]';
  return words.replace(/<(?:attached|Anhang): ([^<>]{1,300})>/g, '[file: $1]').replace(/^image omitted$/, '[image]');
}

function timeOf({ date: [one, two, three], clock, half }: Entry, isMonthFirst: boolean): string | undefined {
  const isYearFirst = one.length === 4;
  const [year, month, day] = isYearFirst ? [one, two, three] : isMonthFirst ? [three, one, two] : [three, two, one];
  const [hours = '', minutes = '', seconds = '00'] = clock.match(/\d{1,2}/g) ?? [];
  const isAfternoon = half !== undefined && (/^p\.? ?m/i.test(half) || afternoons.includes(half));
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  const pad = (value: string | number): string => String(value).padStart(2, '0');
  const whole = year.length === 2 ? `20${year}` : year;
  // Thailand counts the years from 543 before our era.
  const ours = Number(whole) > 2400 ? Number(whole) - 543 : whole;
  return time(`${ours}-${pad(month)}-${pad(day)}T${pad(hour)}:${minutes}:${seconds}`);
}

/** `WhatsApp Chat with Nora.txt`; an iPhone's is `_chat.txt` in a zip or folder that is named so. */
function titleOf({ path, onDisk, archive }: SourceFile): string {
  const parts = [...(archive === undefined ? [] : [archive]), ...(onDisk ?? path).replaceAll('\\', '/').split('/')];
  const name = parts.at(-1) === '_chat.txt' ? parts.at(-2) : parts.at(-1);
  const plain = (name ?? '').replace(/\.(txt|zip)$/i, '');
  const person = /^WhatsApp Chat (?:with|mit|-) (.+)$/i.exec(plain)?.[1];
  if (person !== undefined) return `WhatsApp ${person}`;
  return /whatsapp|واتساب/i.test(plain) ? plain : 'WhatsApp chat';
}
