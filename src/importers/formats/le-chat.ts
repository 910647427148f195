import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, saidIn } from '../reading/chats.js';
import { joined, list, object, present, readJsonFile, type Shape, saidAt, text } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/** Mistral's Le Chat: one `chat-<id>.json` file per chat, an unordered list of messages. */
export const leChat: Importer = {
  name: 'le-chat',
  label: 'Mistral Le Chat',
  howTo: 'Settings > Data > Export; give the zip from the e-mail',
  accepts: (path) => /(^|\/)chat-[^/]*\.json$/.test(path),
  recognises: ({ text: head }) => /"chatId"\s*:/.test(head) && /"role"\s*:/.test(head) && /"createdAt"\s*:/.test(head),
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const records = (Array.isArray(value) ? value : list(object(value).messages)).map(object);
  const timed = records.map((record) => ({ record, at: saidAt(record.createdAt).timestamp ?? '' }));
  const inOrder = timed.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  const judged = inOrder.map(({ record }) => turnOf(record));
  const messages = judged.filter((each) => typeof each !== 'string');
  const name = file.path.split('/').at(-1) ?? '';
  yield chatOf(judged, file.path, {
    source: 'le-chat',
    ...present({
      title: text(object(value).title) ?? firstWords({ messages }),
      timestamp: messages[0]?.timestamp ?? file.changedAt,
    }),
    metadata: present({
      upstream_thread_id: text(records[0]?.chatId) ?? /^chat-(.+)\.json$/.exec(name)?.[1],
      model: records.map(({ model }) => text(model)).find((model) => model !== undefined),
      importer: 'le-chat',
      platform: 'le-chat',
    }),
  });
}

function turnOf(record: Shape): Judged {
  const { role } = record;
  if (role !== 'user' && role !== 'assistant') return role === 'tool' ? notKept.tool : notKept.program;
  const chunks = saidIn(record.contentChunks);
  const files = list(record.files).map((file) => `[file: ${text(object(file).name) ?? 'unnamed'}]`);
  const whole = joined([chunks.said === '' ? text(record.content) : chunks.said, ...files]);
  return whole === '' ? chunks.why : { role, text: whole, ...saidAt(record.createdAt) };
}
