import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, saidIn, withPromptTimes } from '../reading/chats.js';
import { list, object, present, readJsonFile, type Shape, saidAt, text, time } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/** Amp's threads: one JSON file each. */
export const amp: Importer = {
  name: 'amp',
  label: 'Amp',
  howTo: 'It keeps its threads in ~/.local/share/amp/threads; give that folder',
  accepts: (path) => /(^|\/)T-[^/]*\.json$/.test(path),
  recognises: ({ text: head }) => /"id"\s*:\s*"T-[0-9a-f-]{36}"/.test(head) && /"messages"\s*:/.test(head),
  places: ['.local/share/amp/threads'],
  rewrites: true,
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const thread = object(value);
  const records = list(thread.messages).map(object);
  const judged = records.map(turnOf);
  const messages = withPromptTimes(judged.filter((each) => typeof each !== 'string'));
  const [tree] = list(object(object(thread.env).initial).trees).map(object);
  yield chatOf([...messages, ...judged.filter((each) => typeof each === 'string')], file.path, {
    source: 'amp',
    ...present({
      title: text(thread.title) ?? firstWords({ messages }),
      timestamp: time(thread.created) ?? file.changedAt,
    }),
    metadata: present({
      upstream_thread_id: text(thread.id),
      directory: text(tree?.uri)?.replace(/^file:\/\//, ''),
      model: records.map(({ usage }) => text(object(usage).model)).find((model) => model !== undefined),
      importer: 'amp',
      platform: 'amp',
    }),
  });
}

function turnOf({ role, content, meta, state, usage }: Shape): Judged {
  if (role !== 'user' && role !== 'assistant') return role === 'info' ? notKept.program : notKept.speaker;
  if (object(state).type === 'running' || object(state).type === 'streaming') return notKept.underWay;
  const { said, why } = saidIn(content);
  return said === '' ? why : { role, text: said, ...saidAt(object(meta).sentAt, object(usage).timestamp) };
}
