import type { Found, Importer, SourceFile } from '../contract.js';
import { nothing, readJsonFile } from '../reading/json-file.js';
import { joined, list, object, present, text, time } from '../reading/shape.js';

/** What `opencode export` writes: one JSON file a session. */
export const opencode: Importer = {
  name: 'opencode',
  label: 'opencode',
  howTo: 'opencode export <session> > session.json; give that file or a folder of them',
  accepts: (path) => path.endsWith('.json'),
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const session = object(value);
  const info = object(session.info);
  const records = list(session.messages).map(object);
  const messages = records.flatMap((record) => {
    const { role } = object(record.info);
    const parts = list(record.parts).map(object);
    const kept = parts.filter(
      ({ type, synthetic, ignored }) => type === 'text' && synthetic !== true && ignored !== true,
    );
    const said = joined(kept.map((part) => text(part.text)));
    return (role === 'user' || role === 'assistant') && said !== '' ? [{ role, text: said } as const] : [];
  });
  if (messages.length === 0) {
    yield nothing(file.path);
    return;
  }
  const answer = records.map((record) => object(record.info)).find(({ role }) => role === 'assistant') ?? {};
  const model = joined([text(answer.providerID), text(answer.modelID)]).replace('\n\n', '/');
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'opencode',
      ...present({ title: text(info.title), timestamp: time(object(info.time).created) ?? file.changedAt }),
      messages,
      metadata: present({
        upstream_thread_id: text(info.id),
        directory: text(info.directory) ?? text(info.path),
        model: model === '' ? text(info.model) : model,
        importer: 'opencode',
        platform: 'opencode',
      }),
    },
  };
}
