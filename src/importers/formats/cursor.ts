import {
  createTally,
  type Found,
  type ImportedConversation,
  type Importer,
  notKept,
  type SourceFile,
  type Tally,
} from '../contract.js';
import { jsonColumn, type KeyedRows, openKeyed } from '../reading/database.js';
import { otherAgents } from '../reading/session-log.js';
import { list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';
import { withPromptTimes } from '../reading/turns.js';

const roots = ['.config', 'Library/Application Support', 'AppData/Roaming'];
/** Older versions kept chats with each workspace. */
const stored = ['Cursor/User/globalStorage/state.vscdb', 'Cursor/User/workspaceStorage'];

/** Cursor's own database: chats of the composer (`composerData:…`, with their bubbles apart) and of the older panel. */
export const cursor: Importer = {
  name: 'cursor',
  label: 'Cursor',
  howTo: 'It keeps its chats in the globalStorage folder; give state.vscdb or that folder',
  accepts: (path) => path.endsWith('state.vscdb'),
  recognises: ({ tables }) => tables?.has('cursorDiskKV') === true || tables?.has('ItemTable') === true,
  places: roots.flatMap((root) => stored.map((place) => `${root}/${place}`)),
  rewrites: true,
  async *read(file) {
    if (file.onDisk === undefined) {
      yield { kind: 'skipped', place: file.path, reason: 'a database can only be read from disk; unpack it first' };
      return;
    }
    const rows = await openKeyed(file.onDisk);
    if (rows === undefined) {
      yield { kind: 'skipped', place: file.path, reason: 'it is not a database of Cursor' };
      return;
    }
    try {
      yield* composers(rows, file);
      yield* ofWorkspace(rows, file);
      yield* panels(rows, file);
    } catch {
      // Readable chats were already yielded; the damaged ones cannot be recovered.
      yield { kind: 'skipped', place: file.path, reason: 'the database is damaged' };
    } finally {
      rows.close();
    }
  },
};

function* composers(rows: KeyedRows, file: SourceFile): Generator<Found> {
  let listed = 0;
  for (const [key, value] of rows.withPrefix('cursorDiskKV', 'composerData:')) {
    const composer = object(value);
    const id = key.slice('composerData:'.length);
    const place = `${file.path} ${key}`;
    const headers = list(composer.fullConversationHeadersOnly).map(object);
    const bubbles =
      headers.length === 0
        ? list(composer.conversation).map(object)
        : headers.map(({ bubbleId }) => object(rows.get('cursorDiskKV', `bubbleId:${id}:${String(bubbleId)}`)));
    listed += bubbles.filter((bubble) => Object.keys(bubble).length > 0 && headers.length > 0).length;
    const isOfAgents = composer.subagentInfo !== undefined && composer.subagentInfo !== null;
    const leftOut = { [notKept.agents]: bubbles.length };
    yield isOfAgents
      ? { kind: 'skipped', place, reason: otherAgents, leftOut }
      : found(bubbles, place, aboutOf(composer, id, file));
  }
  const orphans = createTally();
  orphans.add(notKept.orphan, rows.countPrefix('cursorDiskKV', 'bubbleId:') - listed);
  const { leftOut } = orphans.field();
  if (leftOut !== undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it holds messages of chats that were removed', leftOut };
  }
}

/** The list of an older version, where it has the chats themselves and not only their names. */
function* ofWorkspace(rows: KeyedRows, file: SourceFile): Generator<Found> {
  for (const composer of list(object(rows.get('ItemTable', 'composer.composerData')).allComposers).map(object)) {
    const id = text(composer.composerId) ?? '';
    const bubbles = list(composer.conversation).map(object);
    if (bubbles.length > 0) yield found(bubbles, `${file.path} composer ${id}`, aboutOf(composer, id, file));
  }
}

function aboutOf(composer: Shape, id: string, file: SourceFile): Omit<ImportedConversation, 'messages'> {
  return {
    source: 'cursor',
    ...present({ title: text(composer.name), timestamp: time(composer.createdAt) ?? file.changedAt }),
    metadata: present({
      upstream_thread_id: id === '' ? undefined : id,
      model: text(object(composer.modelConfig).modelName),
      importer: 'cursor',
      platform: 'cursor',
    }),
  };
}

const panelKey = 'workbench.panel.aichat.view.aichat.chatdata';

function* panels(rows: KeyedRows, file: SourceFile): Generator<Found> {
  for (const tab of list(object(rows.get('ItemTable', panelKey)).tabs).map(object)) {
    const id = text(tab.tabId);
    yield found(list(tab.bubbles).map(object), `${file.path} tab ${id ?? ''}`, {
      source: 'cursor',
      ...present({ title: text(tab.chatTitle), timestamp: time(tab.lastSendTime) ?? file.changedAt }),
      metadata: present({ upstream_thread_id: id, importer: 'cursor', platform: 'cursor' }),
    });
  }
}

/** A bubble of type 1 or `user` is the person's; what has no text is a tool at work. */
function found(bubbles: readonly Shape[], place: string, about: Omit<ImportedConversation, 'messages'>): Found {
  const leftOut = createTally();
  const messages = bubbles.flatMap((bubble) => {
    const said = text(bubble.text) ?? text(bubble.rawText) ?? richText(bubble.richText);
    const role = bubble.type === 1 || bubble.type === 'user' ? ('user' as const) : ('assistant' as const);
    if (said === undefined) leaveOut(bubble, leftOut);
    return said === undefined ? [] : [{ role, text: said, ...bubbleTime(bubble) }];
  });
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const conversation = { ...about, messages: withPromptTimes(messages) };
  return { kind: 'conversation', place, conversation, ...leftOut.field() };
}

function leaveOut(bubble: Shape, leftOut: Tally): void {
  if (Object.keys(bubble).length === 0) leftOut.add(notKept.missing);
  else if (bubble.toolFormerData !== undefined) leftOut.add(notKept.tool);
  else leftOut.add(bubble.thinking === undefined ? notKept.empty : notKept.thinking);
}

/** The editor's own tree of what was typed, as JSON: paragraphs of words and of names that were mentioned. */
function richText(value: unknown): string | undefined {
  const tree = typeof value === 'string' ? jsonColumn(value) : value;
  const lines: string[] = [''];
  const walk = (node: Shape, depth: number): void => {
    if (typeof node.text === 'string') lines[lines.length - 1] += node.text;
    else if (node.type === 'linebreak') lines.push('');
    else if (node.type === 'mention') lines[lines.length - 1] += text(node.mentionName) ?? '';
    if (depth > 100) return;
    for (const child of list(node.children).map(object)) walk(child, depth + 1);
    if (node.type === 'paragraph') lines.push('');
  };
  walk(object(object(tree).root), 0);
  return text(lines.join('\n').trim());
}

/** Older bubbles tell only when the request was sent or answered; `clientStartTime` counts from the start of the program. */
function bubbleTime({ createdAt, timingInfo }: Shape): { timestamp?: string } {
  const { clientRpcSendTime, clientSettleTime, clientEndTime } = object(timingInfo);
  return saidAt(createdAt, clientRpcSendTime, clientSettleTime, clientEndTime);
}
