import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, saidIn, withPromptTimes } from '../reading/chats.js';
import { list, object, present, readJsonFile, type Shape, saidAt, text, time } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/** Continue's sessions: one JSON file each, below `.continue/sessions`. */
export const continueDev: Importer = {
  name: 'continue',
  label: 'Continue',
  howTo: 'It keeps its sessions in ~/.continue/sessions; give that folder',
  accepts: (path) => path.endsWith('.json') && !/(^|\/)sessions\.json$/.test(path),
  recognises: ({ text: head }) =>
    /"sessionId"\s*:/.test(head) &&
    /"history"\s*:\s*\[/.test(head) &&
    /"(workspaceDirectory|contextItems)"\s*:/.test(head),
  places: ['.continue/sessions'],
  rewrites: true,
  async *read(file) {
    const created = await createdIn(file);
    yield* readJsonFile(file, (value) => found(value, file, created));
  },
};

/** When each session was created, by its id: only the list beside the sessions says it. */
async function createdIn(file: SourceFile): Promise<ReadonlyMap<string, unknown>> {
  try {
    const listed =
      file.onDisk === undefined
        ? await file.inArchive?.(`${file.path.replace(/[^/]*$/, '')}sessions.json`)
        : await readFile(join(dirname(file.onDisk), 'sessions.json'));
    const sessions = listed === undefined ? [] : list(JSON.parse(Buffer.from(listed).toString('utf8')));
    return new Map(sessions.map(object).map(({ sessionId, dateCreated }) => [String(sessionId), dateCreated]));
  } catch {
    // Without a list, or with a damaged one, the times in the session and of its file are used.
    return new Map();
  }
}

function* found(value: unknown, file: SourceFile, created: ReadonlyMap<string, unknown>): Generator<Found> {
  const session = object(value);
  const judged = list(session.history).map((item) => turnOf(object(item)));
  const messages = judged.filter((each) => typeof each !== 'string');
  const timed = withPromptTimes(messages);
  yield chatOf([...timed, ...judged.filter((each) => typeof each === 'string')], file.path, {
    source: 'continue',
    ...present({
      title: titleOf(session) ?? firstWords({ messages }),
      timestamp:
        time(session.dateCreated ?? created.get(String(session.sessionId))) ?? timed[0]?.timestamp ?? file.changedAt,
    }),
    metadata: present({
      upstream_thread_id: text(session.sessionId),
      directory: text(session.workspaceDirectory)?.replace(/^file:\/\//, ''),
      model: text(session.chatModelTitle),
      importer: 'continue',
      platform: 'continue',
    }),
  });
}

/** The default title of an unnamed session is dropped. */
function titleOf({ title }: Shape): string | undefined {
  return title === 'New Session' ? undefined : text(title);
}

/** A message wrapped in an item, or bare as in the first versions. */
function turnOf(item: Shape): Judged {
  const message = item.message === undefined ? item : object(item.message);
  const { role, content } = message;
  if (role === 'tool') return notKept.tool;
  if (role === 'thinking') return notKept.thinking;
  if (role === 'system') return notKept.program;
  if (role !== 'user' && role !== 'assistant') return notKept.speaker;
  const { said, why } = saidIn(content);
  const [log] = list(item.promptLogs).map(object);
  if (said !== '') return { role, text: said, ...saidAt(message.timestamp, item.timestamp, log?.timestamp) };
  return list(message.toolCalls).length > 0 ? notKept.tool : why;
}
