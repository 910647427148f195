import type { Found, Importer, SourceFile } from '../contract.js';
import { nothing, readJsonFile } from '../reading/json-file.js';
import { joined, list, object, present, type Shape, text, time } from '../reading/shape.js';

const stored = 'User/workspaceStorage';

/** GitHub Copilot Chat in VS Code: one JSON file a session, in the storage of each workspace. */
export const copilotChat: Importer = {
  name: 'copilot-chat',
  label: 'GitHub Copilot Chat in VS Code',
  howTo: 'It keeps its chats in the workspaceStorage folder of VS Code; give that folder, or an exported chat.json',
  accepts: (path) => /(^|\/)chatSessions\/[^/]+\.json$/.test(path) || /(^|\/)chat[^/]*\.json$/.test(path),
  places: [`.config/Code/${stored}`, `Library/Application Support/Code/${stored}`, `AppData/Roaming/Code/${stored}`],
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const session = object(value);
  const requests = list(session.requests).map(object);
  const messages = requests.flatMap((request) => {
    const asked = questionOf(request.message);
    const answered = joined(list(request.response).map(object).map(answerPart).map(text)).trim();
    return [
      ...(asked === undefined ? [] : [{ role: 'user' as const, text: asked }]),
      ...(answered === '' ? [] : [{ role: 'assistant' as const, text: answered }]),
    ];
  });
  if (messages.length === 0) {
    yield nothing(file.path);
    return;
  }
  const first = requests[0] ?? {};
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'copilot-chat',
      ...present({
        title: text(session.customTitle),
        timestamp: time(session.creationDate) ?? time(first.timestamp) ?? file.changedAt,
      }),
      messages,
      metadata: present({
        upstream_thread_id: text(session.sessionId),
        model: requests.map(({ modelId }) => text(modelId)).find((model) => model !== undefined),
        importer: 'copilot-chat',
        platform: 'vscode',
      }),
    },
  };
}

function questionOf(message: unknown): string | undefined {
  if (typeof message === 'string') return text(message);
  const { text: whole, parts } = object(message);
  return text(whole) ?? text(joined(list(parts).map((part) => text(object(part).text))));
}

/** The answer is pieces of Markdown among notes about tools, edits and progress, which have a `kind`. */
function answerPart(part: Shape): string | undefined {
  if (part.kind === 'markdownContent') return text(object(part.content).value);
  if (part.kind !== undefined) return undefined;
  return text(part.value) ?? text(object(part.value).value);
}
