import { createTally, type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
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
import { firstWords, readSessionLog, type Session, say } from '../reading/session-log.js';
import { generic } from './generic.js';

const editors = ['Code', 'Code - Insiders', 'VSCodium'];
const roots = ['.config', 'Library/Application Support', 'AppData/Roaming'];
const stored = ['User/workspaceStorage', 'User/globalStorage/emptyWindowChatSessions'];

/**
 * GitHub Copilot Chat in VS Code: one file per session in the storage of each workspace; newer ones are mutation logs.
 */
export const copilotChat: Importer = {
  name: 'copilot-chat',
  label: 'GitHub Copilot Chat in VS Code',
  howTo: 'It keeps its chats in the workspaceStorage folder of VS Code; give that folder, or an exported chat.json',
  accepts: (path) => /(^|\/)\w*chatSessions\/[^/]+\.jsonl?$/i.test(path) || isLone(path),
  places: editors.flatMap((editor) => roots.flatMap((root) => stored.map((place) => `${root}/${editor}/${place}`))),
  recognises: ({ text: head }) =>
    (/"requests"\s*:\s*\[/.test(head) &&
      /"(sessionId|requesterUsername|responderUsername|initialLocation)"\s*:/.test(head)) ||
    /^\s*\{"kind":0,"v":\{/.test(head),
  rewrites: true,
  read: (file) => (file.path.endsWith('.jsonl') ? readMutationLog(file, found) : readJsonFile(file, found)),
};

/** An exported chat, or a session file in a chat folder that the user named directly. */
function isLone(path: string): boolean {
  return /(^|\/)chat[^/]*\.json$/.test(path) || /^[0-9a-f-]{36}\.jsonl?$/.test(path);
}

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const session = object(value);
  const requests = list(session.requests).map(object);
  const leftOut = createTally();
  const messages = requests.flatMap((request) => {
    const asked = questionOf(request.message);
    const answered = isUnderWay(request) ? '' : answerOf(list(request.response).map(object));
    if (asked === undefined) leftOut.add(notKept.empty);
    if (isUnderWay(request)) leftOut.add(notKept.underWay);
    else if (answered === '') leftOut.add(list(request.response).length === 0 ? notKept.empty : notKept.tool);
    return [
      ...(asked === undefined ? [] : [{ role: 'user' as const, text: asked, ...saidAt(request.timestamp) }]),
      ...(answered === '' ? [] : [{ role: 'assistant' as const, text: answered, ...answeredAt(request) }]),
    ];
  });
  if (messages.length === 0) {
    yield { ...nothing(file.path), ...leftOut.field() };
    return;
  }
  const first = requests[0] ?? {};
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'copilot-chat',
      ...present({
        title: text(session.customTitle) ?? firstWords({ messages }),
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
    ...leftOut.field(),
  };
}

/** 0: the answer is being written; 4: it is waiting for the user. */
function isUnderWay({ modelState }: Shape): boolean {
  const state = object(modelState).value;
  return state === 0 || state === 4;
}

/** Older versions record only when the question was asked. */
function answeredAt({ modelState, timestamp }: Shape): { timestamp?: string } {
  return saidAt(object(modelState).completedAt, timestamp);
}

function questionOf(message: unknown): string | undefined {
  if (typeof message === 'string') return text(message);
  const { text: whole, parts } = object(message);
  return text(whole) ?? text(joined(list(parts).map((part) => text(object(part).text))));
}

/** Joins text pieces with the file and symbol names between them; notes about tools and edits separate paragraphs. */
function answerOf(parts: readonly Shape[]): string {
  let answer = '';
  for (const part of parts) {
    const piece = pieceOf(part);
    if (piece !== undefined) answer += piece;
    else if (answer.trim() !== '' && !answer.endsWith('\n\n')) answer += '\n\n';
  }
  return answer.trim();
}

function pieceOf(part: Shape): string | undefined {
  if (part.kind === 'markdownContent') return string(object(part.content).value);
  if (part.kind === 'inlineReference') return `\`${nameOf(part)}\``;
  if (part.kind !== undefined) return undefined;
  return string(part.value) ?? string(object(part.value).value);
}

function nameOf({ name, inlineReference }: Shape): string {
  const target = object(inlineReference);
  const path = text(target.path) ?? text(object(target.uri).path) ?? text(object(object(target.location).uri).path);
  return text(name) ?? text(target.name) ?? path?.split('/').at(-1) ?? 'file';
}

/** Keeps whitespace, which separates the words of two pieces. */
function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The kinds of mutation: replace the whole value, set one path, append to a list (from a position on), remove. */
const change = { whole: 0, set: 1, push: 2, remove: 3 };

/**
 * A mutation log of one JSON value: the first line is the initial value, the others are changes to it. Lines that do
 * not apply are skipped, because a log that is being written may end in the middle of a line.
 */
async function* readMutationLog(
  file: SourceFile,
  convert: (value: unknown, file: SourceFile) => Iterable<Found>,
): AsyncGenerator<Found> {
  if ((file.size ?? 0) > limits.fileBytes) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  const holder: Shape = {};
  for await (const line of jsonLines(file.read(), limits.lineBytes)) {
    if ('broken' in line) yield { kind: 'skipped', place: `${file.path} line ${line.number}`, reason: line.broken };
    else apply(holder, object(line.value));
  }
  yield* convert(holder.value, file);
}

function apply(holder: Shape, { kind, k, v, i }: Shape): void {
  if (kind === change.whole) holder.value = v;
  const path = ['value', ...list(k)];
  const last = path.pop();
  const place = placeAt(holder, path);
  if (place === undefined || !isKey(last) || k === undefined) return;
  if (kind === change.set) place[last] = v;
  if (kind === change.remove) delete place[last];
  if (kind !== change.push) return;
  const kept = list(place[last]);
  if (typeof i === 'number') kept.length = Math.min(kept.length, Math.max(0, Math.floor(i)));
  for (const each of list(v)) kept.push(each);
  place[last] = kept;
}

function placeAt(holder: Shape, path: readonly unknown[]): Shape | undefined {
  let place: unknown = holder;
  for (const key of path) {
    if (!isKey(key) || typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Shape)[key];
  }
  return typeof place === 'object' && place !== null ? (place as Shape) : undefined;
}

/** Keys are untrusted and must not reach Object.prototype. */
function isKey(key: unknown): key is string {
  return (typeof key === 'string' || typeof key === 'number') && key !== '__proto__';
}

/** Copilot CLI's events: one JSON event per line, below `.copilot/session-state`. */
export const copilotCli: Importer = {
  name: 'copilot-cli',
  label: 'GitHub Copilot CLI',
  howTo: 'It keeps its sessions in ~/.copilot/session-state; give that folder',
  accepts: (path) => path.endsWith('.jsonl'),
  recognises: ({ text: head }) => /"type"\s*:\s*"(session\.start|user\.message|assistant\.message)"/.test(head),
  places: ['.copilot/session-state', '.copilot/history-session-state'],
  read: (file) =>
    readSessionLog(file, {
      line,
      finish(session) {
        const { about } = session;
        const context = object(about.context);
        return {
          source: 'copilot-cli',
          ...present({
            title: text(about.title) ?? firstWords(session),
            timestamp: time(about.startTime) ?? time(about.timestamp) ?? file.changedAt,
          }),
          metadata: present({
            upstream_thread_id: text(about.sessionId),
            model: text(about.selectedModel) ?? text(about.model),
            directory: text(context.cwd),
            git_root: text(context.gitRoot),
            git_repository: text(context.repository),
            git_branch: text(context.branch),
            capture_client_version: text(about.copilotVersion),
            importer: 'copilot-cli',
            platform: 'copilot-cli',
          }),
        };
      },
    }),
};

function line(record: Shape, session: Session): void {
  const data = object(record.data);
  const type = text(record.type) ?? '';
  session.about.timestamp ??= record.timestamp;
  if (data.sessionId !== undefined && data.startTime !== undefined) Object.assign(session.about, data);
  if (type.includes('title')) session.about.title = data.title ?? session.about.title;
  // Agents also talk to each other; only messages between the user and the assistant are a conversation.
  const isMessage = type === 'user.message' || type === 'assistant.message';
  if (text(record.agentId) !== undefined || text(data.parentToolCallId) !== undefined) {
    if (isMessage) session.leftOut.add(notKept.agents);
    return;
  }
  const key = text(data.messageId) ?? text(record.id);
  const said = { text: text(data.content) ?? '', ...saidAt(record.timestamp), key };
  if (type === 'user.message') {
    const isTyped = data.source === undefined || data.source === null || data.source === 'user';
    if (isTyped) say(session, { role: 'user', ...said });
    else session.leftOut.add(notKept.program);
  }
  if (type === 'assistant.message') {
    session.about.model ??= data.model;
    const isWork = said.text === '' && list(data.toolRequests).length > 0;
    if (isWork) session.leftOut.add(notKept.tool);
    else say(session, { role: 'assistant', ...said });
  }
}

/** Microsoft Copilot: the activity history of the privacy dashboard, a table with one message per row. */
export const microsoftCopilot: Importer = {
  name: 'microsoft-copilot',
  label: 'Microsoft Copilot',
  howTo: 'account.microsoft.com > Privacy > Copilot > Export all activity history; give the CSV',
  accepts: (path) => /copilot[^/]*\.csv$/i.test(path),
  recognises: ({ text: head }) => /^"?Conversation"?,"?Time"?,"?Author"?,"?Message"?\s*$/im.test(head.slice(0, 200)),
  async *read(file) {
    for await (const found of generic.read(file, { source: 'microsoft-copilot' })) {
      if (found.kind !== 'conversation') {
        yield found;
        continue;
      }
      const { metadata, ...conversation } = found.conversation;
      const about = { ...metadata, importer: 'microsoft-copilot', platform: 'microsoft-copilot' };
      const title = conversation.title ?? metadata.upstream_thread_id;
      yield { ...found, conversation: { ...conversation, ...(title === undefined ? {} : { title }), metadata: about } };
    }
  },
};
