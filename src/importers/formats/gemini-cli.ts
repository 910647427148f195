import type { Role } from '../../model/conversation.js';
import type { Found, Importer, SourceFile } from '../contract.js';
import { nothing, readJsonFile } from '../reading/json-file.js';
import { joined, list, object, present, type Shape, text, time } from '../reading/shape.js';

/** Gemini CLI's chats: one JSON file a session, below `.gemini/tmp`, or a shared history. */
export const geminiCli: Importer = {
  name: 'gemini-cli',
  label: 'Gemini CLI',
  howTo: 'It keeps its chats in ~/.gemini/tmp; give that folder, or a file that /chat share wrote',
  accepts: (path) => /(^|\/)chats\/[^/]+\.json$/.test(path) || /session-[^/]*\.json$/.test(path),
  places: ['.gemini/tmp'],
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const shared = Array.isArray(value);
  const session = object(value);
  const records = (shared ? value : list(session.messages)).map(object);
  const messages = records.flatMap((record) => {
    const role = roleOf(record);
    const said = textOf(record);
    // The program opens a chat by describing the folder it works in.
    const isSurrounding = said.trimStart().startsWith('<session_context>');
    return role === undefined || said === '' || isSurrounding ? [] : [{ role, text: said }];
  });
  if (messages.length === 0) {
    yield nothing(file.path);
    return;
  }
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'gemini-cli',
      ...present({
        title: text(session.summary),
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
  };
}

function roleOf(record: Shape): Role | undefined {
  const said = text(record.type) ?? text(record.role);
  if (said === 'user') return 'user';
  return said === 'gemini' || said === 'model' || said === 'assistant' ? 'assistant' : undefined;
}

function textOf(record: Shape): string {
  if (typeof record.content === 'string') return record.content;
  const parts = Array.isArray(record.parts) ? record.parts : list(record.content);
  return joined(parts.map((part) => (typeof part === 'string' ? part : text(object(part).text))));
}
