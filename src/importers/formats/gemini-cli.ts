import type { Role } from '../../model/conversation.js';
import {
  createTally,
  type Found,
  type Importer,
  limits,
  type NotKept,
  notKept,
  type SourceFile,
  type Tally,
} from '../contract.js';
import {
  joined,
  jsonLines,
  list,
  nothing,
  object,
  present,
  readJsonFile,
  type Shape,
  saidAt,
  text,
  time,
} from '../reading/json.js';
import { firstWords, otherAgents } from '../reading/session-log.js';

/** Gemini CLI's chats: one file per session below `.gemini/tmp`, as a JSON value or a line log; or a shared history. */
export const geminiCli: Importer = {
  name: 'gemini-cli',
  label: 'Gemini CLI',
  howTo: 'It keeps its chats in ~/.gemini/tmp; give that folder, or a file that /chat share wrote',
  accepts: (path) => /(^|\/)chats\/.+\.jsonl?$/.test(path) || /session-[^/]*\.jsonl?$/.test(path),
  recognises: ({ text: head }) =>
    (/"sessionId"\s*:/.test(head) && /"projectHash"\s*:/.test(head)) ||
    (/^\s*(\[|\{\s*"history")/.test(head) && /"role"\s*:\s*"(user|model)"/.test(head) && /"parts"\s*:\s*\[/.test(head)),
  // It writes an answer only when it is complete: the file is rewritten, but never with a partial answer.
  places: ['.gemini/tmp'],
  read: (file) => (file.path.endsWith('.jsonl') ? readLog(file) : readJsonFile(file, found)),
};

/** Lines of the newer log: session metadata, a message (repeated when it changes), or a rewind. */
async function* readLog(file: SourceFile): AsyncGenerator<Found> {
  let session: Shape = {};
  const messages = new Map<string, Shape>();
  const leftOut = createTally();
  for await (const line of jsonLines(file.read(), limits.lineBytes)) {
    if ('broken' in line) {
      yield { kind: 'skipped', place: `${file.path} line ${line.number}`, reason: line.broken };
      continue;
    }
    const record = object(line.value);
    const set = record.$set === undefined ? record : object(record.$set);
    if (typeof record.$rewindTo === 'string') leftOut.add(notKept.takenBack, stepBack(messages, record.$rewindTo));
    else if (typeof record.id === 'string' || record.type !== undefined) {
      const id = typeof record.id === 'string' ? record.id : `line ${line.number}`;
      if (messages.has(id)) leftOut.add(notKept.version);
      messages.set(id, record);
    } else {
      session = { ...session, ...set };
      // A later list is the compacted context of the model, not the conversation.
      if (messages.size === 0) for (const each of list(set.messages).map(object)) messages.set(String(each.id), each);
    }
  }
  yield* foundIn({ ...session, messages: [...messages.values()] }, file, leftOut);
}

/** Removes a message and those after it. A message that is not in the log removes nothing. */
function stepBack(messages: Map<string, Shape>, target: string): number {
  if (!messages.has(target)) return 0;
  const ids = [...messages.keys()];
  const back = ids.slice(ids.indexOf(target));
  for (const id of back) messages.delete(id);
  return back.length;
}

function found(value: unknown, file: SourceFile): Generator<Found> {
  return foundIn(value, file, createTally());
}

function* foundIn(value: unknown, file: SourceFile, leftOut: Tally): Generator<Found> {
  const shared = Array.isArray(value);
  const session = object(value);
  const records = (shared ? value : list(session.messages ?? session.history)).map(object);
  const messages = records.flatMap((record) => {
    const role = roleOf(record);
    const said = textOf(record);
    // The program starts a chat with a description of the working folder.
    const isSurrounding = said.trimStart().startsWith('<session_context>');
    if (role !== undefined && said !== '' && !isSurrounding) return [{ role, text: said, ...saidAt(record.timestamp) }];
    leftOut.add(isSurrounding || role === undefined ? notKept.program : whyEmpty(record));
    return [];
  });
  if (messages.length === 0) {
    yield { ...nothing(file.path), ...leftOut.field() };
    return;
  }
  if (session.kind === 'subagent') {
    leftOut.add(notKept.agents, messages.length);
    yield { kind: 'skipped', place: file.path, reason: otherAgents, ...leftOut.field() };
    return;
  }
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'gemini-cli',
      ...present({
        title: text(session.summary) ?? firstWords({ messages }),
        timestamp: time(session.startTime) ?? time(records[0]?.timestamp) ?? file.changedAt,
      }),
      messages,
      metadata: present({
        upstream_thread_id: text(session.sessionId),
        project_hash: text(session.projectHash),
        workspace_directories:
          list(session.directories).length === 0 ? undefined : list(session.directories).map(String),
        model: records.map(({ model }) => text(model)).find((model) => model !== undefined),
        export_format: shared ? 'shared-history' : 'session',
        importer: 'gemini-cli',
        platform: 'gemini-cli',
      }),
    },
    ...leftOut.field(),
  };
}

function whyEmpty(record: Shape): NotKept {
  const parts = list(record.parts ?? record.content).map(object);
  const isWork = list(record.toolCalls).length > 0 || parts.some((part) => part.functionCall ?? part.functionResponse);
  return isWork ? notKept.tool : notKept.empty;
}

function roleOf(record: Shape): Role | undefined {
  const said = text(record.type) ?? text(record.role);
  if (said === 'user') return 'user';
  return said === 'gemini' || said === 'model' || said === 'assistant' ? 'assistant' : undefined;
}

/** The displayed text where it differs from the sent one: files named in a prompt are sent with their content. */
function textOf(record: Shape): string {
  const content = record.displayContent ?? record.content;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(record.parts) ? record.parts : Array.isArray(content) ? content : [content];
  return joined(parts.map(partText));
}

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const { text: said, thought, inlineData, fileData } = object(part);
  if (thought === true) return undefined;
  if (inlineData === undefined && fileData === undefined) return text(said);
  const type = text(object(inlineData ?? fileData).mimeType) ?? '';
  return type.startsWith('image/') ? '[image]' : '[file]';
}
