import { textLines } from '../../model/text.js';
import { type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, spoken } from '../reading/chats.js';
import { present, time } from '../reading/json.js';

/** WhatsApp's chat export: a message begins with date, time and name; lines without them continue it. */
export const whatsapp: Importer = {
  name: 'whatsapp',
  label: 'WhatsApp',
  howTo: 'In a chat: … > More > Export chat; give the zip or the text file',
  accepts: (path) => /(^|\/)(_chat|WhatsApp[^/]*)\.txt$/i.test(path),
  recognises: ({ text: head }) =>
    head
      .slice(0, 2_000)
      .split('\n')
      .some((line) => beginning.test(line)),
  async *read(file) {
    const entries: Entry[] = [];
    for await (const lines of textLines(file.read(), limits.lineBytes)) {
      for (const line of lines) {
        if (line === undefined) yield { kind: 'skipped', place: file.path, reason: 'a line is too long' };
        else take(line, entries);
      }
    }
    const isMonthFirst = monthComesFirst(entries);
    const judged = entries.map((entry) => turnOf(entry, isMonthFirst));
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
  rest: string[];
}

/** `[12/03/2026, 10:15:32] Name: text` on iPhones, `12/03/2026, 10:15 - Name: text` on Android. */
const beginning =
  /^[\u200e\u200f\ufeff]{0,3}\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),? (\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[\s\u202f][AaPp]\.?[\s\u202f]?[Mm]\.?)?)(?:\] | - )(.*)$/s;

function take(line: string, entries: Entry[]): void {
  const clean = line.replace(/\r$/, '');
  const found = beginning.exec(clean);
  if (found === null) {
    entries.at(-1)?.rest.push(clean);
    return;
  }
  const [, one = '', two = '', three = '', clock = '', rest = ''] = found;
  entries.push({ date: [one, two, three], clock, rest: [rest] });
}

/** Day or month may come first: a number above twelve decides, otherwise a 12-hour clock indicates month first. */
function monthComesFirst(entries: readonly Entry[]): boolean {
  if (entries.some(({ date }) => Number(date[0]) > 12)) return false;
  if (entries.some(({ date }) => Number(date[1]) > 12)) return true;
  return entries.some(({ clock }) => /m/i.test(clock));
}

function turnOf({ date, clock, rest }: Entry, isMonthFirst: boolean): Judged {
  const [first = '', ...more] = rest;
  const spokenLine = /^[\u200e\u200f]?([^:\n]{1,100}): (.*)$/s.exec(first);
  // A line without a name is a notice about the chat, such as who joined.
  if (spokenLine === null) return notKept.program;
  const [, name = '', said = ''] = spokenLine;
  const words = [said, ...more].join('\n').replaceAll('\u200e', '').trim();
  if (words === '') return notKept.empty;
  return spoken(name, noted(words), timeOf(date, clock, isMonthFirst));
}

/** Media omitted from the export, and files beside it. */
function noted(words: string): string {
  if (/^<(Media omitted|Medien ausgeschlossen|Multimedia omitido|Média omis)>$/i.test(words)) return '[file]';
  return words.replace(/<(?:attached|Anhang): ([^<>]{1,300})>/g, '[file: $1]').replace(/^image omitted$/, '[image]');
}

function timeOf([one, two, three]: Entry['date'], clock: string, isMonthFirst: boolean): string | undefined {
  const isYearFirst = one.length === 4;
  const [year, month, day] = isYearFirst ? [one, two, three] : isMonthFirst ? [three, one, two] : [three, two, one];
  const [hours = '', minutes = '', seconds = '00'] = clock.match(/\d{1,2}/g) ?? [];
  const isHalfDay = /m/i.test(clock);
  const hour = isHalfDay ? (Number(hours) % 12) + (/p/i.test(clock) ? 12 : 0) : Number(hours);
  const pad = (value: string | number): string => String(value).padStart(2, '0');
  const whole = year.length === 2 ? `20${year}` : year;
  return time(`${whole}-${pad(month)}-${pad(day)}T${pad(hour)}:${minutes}:${seconds}`);
}

/** `WhatsApp Chat with Nora.txt`; inside the zip it is `_chat.txt`. */
function titleOf({ path, onDisk }: SourceFile): string {
  const parts = (onDisk ?? path).replaceAll('\\', '/').split('/');
  const name = parts.at(-1) === '_chat.txt' ? parts.at(-2) : parts.at(-1);
  const person = /^WhatsApp Chat (?:with|mit|-) (.+?)(\.txt)?$/i.exec(name ?? '')?.[1];
  return `WhatsApp ${person ?? 'chat'}`;
}
