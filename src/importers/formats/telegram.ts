import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, spoken } from '../reading/chats.js';
import { elementsOf, joined, list, object, present, readJsonFile, type Shape, text } from '../reading/json.js';

const listed = {
  mark: /"chats"\s{0,100}:\s{0,100}\{[^[\]]{0,2000}"list"\s{0,100}:\s{0,100}\[/,
  name: 'chats',
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
    for await (const element of elementsOf(file.read(), listed, limits.elementBytes)) {
      const place = `${file.path} chat ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield chatIn(object(element.value), place);
    }
  },
};

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
  const judged = list(chat.messages).map((message) => turnOf(object(message)));
  const messages = judged.filter((each) => typeof each !== 'string');
  const id = chat.id === undefined ? undefined : String(chat.id);
  return chatOf(judged, place, {
    source: 'telegram',
    ...present({ title: text(chat.name) ?? 'Saved messages', timestamp: messages[0]?.timestamp }),
    metadata: present({
      upstream_thread_id: id,
      chat_type: text(chat.type),
      importer: 'telegram',
      platform: 'telegram',
    }),
  });
}

function turnOf(message: Shape): Judged {
  if (message.type !== 'message') return notKept.program;
  const media = text(message.media_type)?.replaceAll('_', ' ');
  const file = message.file === undefined ? undefined : `[file: ${text(message.file_name) ?? media ?? 'unnamed'}]`;
  const said = joined([words(message.text), message.photo === undefined ? undefined : '[image]', file]);
  if (said === '') return notKept.empty;
  const name = text(message.from) ?? text(message.author) ?? text(message.from_id) ?? '';
  // The plain date is in the exporting machine's time zone; the Unix time is not.
  return spoken(name, said, message.date_unixtime ?? message.date);
}

/** A string, or a list of strings and formatted pieces. */
function words(value: unknown): string | undefined {
  if (typeof value === 'string') return text(value);
  const pieces = list(value).map((piece) => (typeof piece === 'string' ? piece : (text(object(piece).text) ?? '')));
  return text(pieces.join(''));
}
