import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, createSpeakers, type Judged, type Spoken } from '../reading/chats.js';
import {
  elementsOf,
  joined,
  list,
  object,
  present,
  readJsonFile,
  rejoined,
  type Shape,
  text,
} from '../reading/json.js';

const listed = {
  mark: /"chats"\s{0,100}:\s{0,100}\{[^[\]]{0,2000}"list"\s{0,100}:\s{0,100}\[/,
  name: 'chats',
};

/** Groups that the user has left are in a list of their own, after all others. */
const left = {
  key: '"left_chats"',
  mark: /^"left_chats"\s{0,100}:\s{0,100}\{[^[\]]{0,2000}"list"\s{0,100}:\s{0,100}\[/,
  name: 'chats that were left',
};

/** Telegram Desktop's JSON export: `result.json`, of one chat or of all. */
export const telegram: Importer = {
  name: 'telegram',
  label: 'Telegram',
  howTo: 'Telegram Desktop > Settings > Advanced > Export Telegram data, format JSON; give result.json',
  accepts: (path) => /(^|\/)result\.json$/.test(path),
  recognises: ({ text: head }) =>
    (/"(date_unixtime|from_id)"\s*:/.test(head) && /"messages"\s*:\s*\[/.test(head)) ||
    (/"personal_information"\s*:/.test(head) && /"user_id"\s*:/.test(head)),
  async *read(file) {
    if (!(await isOfAll(file))) {
      yield* readJsonFile(file, (value) => [chatIn(object(value), file.path)]);
      return;
    }
    yield* chatsIn(elementsOf(file.read(), listed, limits.elementBytes), `${file.path} chat`);
    const rest = from(file.read(), left.key)[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done === true) return;
    yield* chatsIn(elementsOf(rejoined(first.value, rest), left, limits.elementBytes), `${file.path} left chat`);
  },
};

async function* chatsIn(elements: ReturnType<typeof elementsOf>, place: string): AsyncGenerator<Found> {
  for await (const element of elements) {
    const at = `${place} ${element.index + 1}`;
    if ('broken' in element) yield { kind: 'skipped', place: at, reason: element.broken };
    else yield chatIn(object(element.value), at);
  }
}

/** The bytes from this key on; none where it is missing. In a text of the export its quotes would be escaped. */
async function* from(bytes: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
  let isFound = false;
  let end = Buffer.alloc(0);
  for await (const part of bytes) {
    if (isFound) {
      yield part;
      continue;
    }
    const piece = Buffer.concat([end, part]);
    const at = piece.indexOf(key);
    isFound = at >= 0;
    if (isFound) yield piece.subarray(at);
    else end = piece.subarray(Math.max(0, piece.length - key.length + 1));
  }
}

/** An export of one chat begins with its name, type and messages. */
async function isOfAll(file: SourceFile): Promise<boolean> {
  for await (const part of file.read()) {
    const [head = ''] = Buffer.from(part)
      .toString('latin1', 0, 20_000)
      .split(/"messages"\s*:\s*\[/);
    return /"(personal_information|contacts|chats|about)"\s*:/.test(head);
  }
  return false;
}

function chatIn(chat: Shape, place: string): Found {
  const spoken = createSpeakers();
  const judged = list(chat.messages).map((message) => turnOf(object(message), spoken));
  const messages = judged.filter((each) => typeof each !== 'string');
  const id = chat.id === undefined ? undefined : String(chat.id);
  return chatOf(judged, place, {
    source: 'telegram',
    ...present({
      title: text(chat.name) ?? (chat.type === 'saved_messages' ? 'Saved messages' : 'Telegram chat'),
      timestamp: messages[0]?.timestamp,
    }),
    metadata: present({
      upstream_thread_id: id,
      chat_type: text(chat.type),
      importer: 'telegram',
      platform: 'telegram',
    }),
  });
}

function turnOf(message: Shape, spoken: Spoken): Judged {
  if (message.type !== 'message') return notKept.program;
  const media = text(message.media_type)?.replaceAll('_', ' ');
  const file = message.file === undefined ? undefined : `[file: ${text(message.file_name) ?? media ?? 'unnamed'}]`;
  const photo = message.photo === undefined ? undefined : '[image]';
  const said = joined([words(message.text), pollIn(message), listIn(message), placeIn(message), photo, file]);
  if (said === '') return notKept.empty;
  const name = text(message.from) ?? text(message.author) ?? text(message.from_id) ?? '';
  // The plain date is in the exporting machine's time zone; the Unix time is not.
  const at = message.date_unixtime ?? message.date;
  return spoken(name, said, { at, id: text(message.from_id) ?? name });
}

/** A poll with its answers, without the votes. */
function pollIn({ poll }: Shape): string | undefined {
  const { question, answers } = object(poll);
  const choices = list(answers).map((answer) => text(object(answer).text));
  return noteOf('poll', text(question), choices);
}

function listIn({ todo_list }: Shape): string | undefined {
  const { title, answers } = object(todo_list);
  const items = list(answers).map((item) => words(object(item).text));
  return noteOf('list', words(title), items);
}

function noteOf(kind: string, title: string | undefined, items: readonly (string | undefined)[]): string | undefined {
  if (title === undefined && items.length === 0) return undefined;
  return [`[${kind}: ${title ?? 'unnamed'}]`, ...items.flatMap((item) => (item === undefined ? [] : `- ${item}`))].join(
    '\n',
  );
}

/** A shared contact or location. */
function placeIn(message: Shape): string | undefined {
  const { first_name, last_name, phone_number } = object(message.contact_information);
  const contact = [first_name, last_name, phone_number].flatMap((each) => text(each) ?? []).join(' ');
  const { latitude, longitude } = object(message.location_information);
  const point = latitude === undefined ? undefined : `${String(latitude)}, ${String(longitude)}`;
  const location = [text(message.place_name), text(message.address), point].filter((each) => each !== undefined);
  return joined([
    contact === '' ? undefined : `[contact: ${contact}]`,
    location.length === 0 ? undefined : `[location: ${location.join(', ')}]`,
  ]);
}

/** A string, or a list of strings and formatted pieces. */
function words(value: unknown): string | undefined {
  if (typeof value === 'string') return text(value);
  const pieces = list(value).map((piece) => (typeof piece === 'string' ? piece : (text(object(piece).text) ?? '')));
  return text(pieces.join(''));
}
