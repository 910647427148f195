import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { yieldOnce } from '../../concurrency/yielding.js';
import { textLines } from '../../model/text.js';
import { createTally, type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import { joined, object, present, type Shape, text, time, wholeText } from '../reading/json.js';
import { firstWords, readSessionLog, type Session } from '../reading/session-log.js';
import { type Element, elementsNamed } from '../reading/xml.js';

/**
 * JetBrains AI Assistant: the chats of a project are in its workspace file, an XML settings file. The work of an
 * agent is in a separate log; the workspace file then contains only the prompts.
 */
export const jetbrains: Importer = {
  name: 'jetbrains',
  label: 'JetBrains AI Assistant',
  howTo: 'The IDE keeps its chats in workspace and aia-task-history of its configuration folder; give that folder',
  accepts: (path) => /(^|\/)workspace\/[^/]+\.xml$/.test(path) || /\.events$/.test(path),
  recognises: ({ text: head }) => head.startsWith(eventsHeader) || head.includes(chatComponent),
  places: ['.config/JetBrains', 'Library/Application Support/JetBrains', 'AppData/Roaming/JetBrains'],
  rewrites: true,
  read: (file) => (file.path.endsWith('.events') ? fromEvents(file) : fromWorkspace(file)),
};

const eventsHeader = 'AUI_EVENTS_V1';
const chatComponent = '<component name="ChatSessionStateTemp"';

/** Most workspace files have no chats; those are not reported. */
async function* fromWorkspace(file: SourceFile): AsyncGenerator<Found> {
  const xml = await wholeText(file.read(), limits.fileBytes);
  if (xml === undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  const from = xml.indexOf(chatComponent);
  if (from < 0) return;
  let number = 0;
  for await (const chat of elementsNamed(xml.slice(from), 'SerializedChat')) {
    number += 1;
    const place = `${file.path} chat ${number}`;
    yield chat === undefined
      ? { kind: 'skipped', place, reason: 'its end is missing' }
      : await chatIn(chat, place, file);
  }
}

async function chatIn(chat: Element, place: string, file: SourceFile): Promise<Found> {
  const messages = within(option(chat, 'messages'), 'SerializedChatMessage');
  const judged: Judged[] = [];
  for (const message of messages) {
    judged.push(judge(message));
    await yieldOnce();
  }
  const id = plainId(value(chat, 'uid'));
  const isAgents = value(chat, 'chatModelId')?.startsWith('agent_') === true;
  const hasAnswer = judged.some((each) => typeof each !== 'string' && each.role === 'assistant');
  if (isAgents && !hasAnswer && hasEvents(file, id)) {
    const leftOut = createTally();
    leftOut.add(notKept.repeated, messages.length);
    return { kind: 'skipped', place, reason: 'it is in aia-task-history as a whole', ...leftOut.field() };
  }
  const [title] = within(option(chat, 'title'), 'SerializedChatTitle');
  const [statistics] = within(option(chat, 'statisticInformation'), 'ChatStatisticInformation');
  const said = judged.filter((each) => typeof each !== 'string');
  return chatOf(judged, place, {
    source: 'jetbrains',
    ...present({
      title: text(value(title, 'text')) ?? firstWords({ messages: said }),
      timestamp: time(value(statistics, 'timestamp')) ?? time(value(chat, 'modifiedAt')) ?? file.changedAt,
    }),
    metadata: present({
      upstream_thread_id: id,
      model: value(chat, 'chatModelId'),
      importer: 'jetbrains',
      platform: 'jetbrains',
    }),
  });
}

/** The author is absent for the user. `internalContent` is the text sent to the model, including instructions. */
function judge(message: Element): Judged {
  const author = value(message, 'author') ?? 'User';
  if (author !== 'User' && author !== 'Assistant') return notKept.speaker;
  const shown = withoutProgress(value(message, 'displayContent') ?? value(message, 'internalContent') ?? '');
  const files = within(option(message, 'attachments'), 'SerializedChatAttachment');
  const names = files.map((each) => `[file: ${text(value(each, 'name')) ?? 'unnamed'}]`);
  const said = joined([shown.trim(), ...names]);
  return said === '' ? notKept.empty : { role: author === 'User' ? 'user' : 'assistant', text: said };
}

/** Notes about the program's own work, and the file name of a snippet, are in tags. */
function withoutProgress(shown: string): string {
  return ['llm-progress-log-group', 'llm-snippet-file'].reduce((rest, tag) => {
    const [first = '', ...others] = rest.split(`<${tag}>`);
    const after = others.map((part) => {
      const end = part.indexOf(`</${tag}>`);
      // Without a closing tag it is text that mentions the tag.
      return end < 0 ? `<${tag}>${part}` : part.slice(end + tag.length + 3);
    });
    return [first, ...after].join('');
  }, shown);
}

function hasEvents({ onDisk }: SourceFile, id: string | undefined): boolean {
  if (onDisk === undefined || id === undefined || !/^[\w-]{1,100}$/.test(id)) return false;
  return existsSync(join(dirname(dirname(onDisk)), 'aia-task-history', `${id}.events`));
}

function option(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === 'option' && child.attributes.get('name') === name);
}

function value(element: Element | undefined, name: string): string | undefined {
  const found = option(element, name);
  return text(found?.attributes.get('value')) ?? text(found?.text);
}

/** The elements of an option, directly or in its list. */
function within(around: Element | undefined, name: string): Element[] {
  const children = around?.children.flatMap((child) => (child.name === 'list' ? child.children : [child])) ?? [];
  return children.filter((child) => child.name === name);
}

/** Ids are written as they are, or as the text of a Kotlin value. */
function plainId(id: string | undefined): string | undefined {
  return text(/^UUID\(uuid=([\w-]{1,100})\)$/.exec(id ?? '')?.[1] ?? id);
}

/** An agent's log: a header, then one base64-encoded JSON record per line. It has no times. */
function fromEvents(file: SourceFile): AsyncGenerator<Found> {
  const shown = new Map<string, Block>();
  return readSessionLog(
    { ...file, read: () => jsonIn(file) },
    {
      line(record, session) {
        const type = text(record.type) ?? '';
        if (type.endsWith('.ChatSessionUserPromptEvent')) prompt(record, session);
        else if (type.endsWith('.ChatSessionMessageBlockEvent')) block(object(record.event), session, shown);
      },
      finish: (session) => ({
        source: 'jetbrains',
        ...present({ title: firstWords(session), timestamp: file.changedAt }),
        metadata: present({
          upstream_thread_id: nameOf(file),
          model: text(session.about.agent),
          importer: 'jetbrains',
          platform: 'jetbrains',
        }),
      }),
    },
  );
}

async function* jsonIn(file: SourceFile): AsyncGenerator<Uint8Array> {
  for await (const lines of textLines(file.read(), limits.lineBytes)) {
    for (const line of lines) {
      const trimmed = line?.trim();
      if (trimmed === '' || trimmed === eventsHeader) continue;
      // A line that is not base64 is left as it is and reported as invalid JSON.
      const isEncoded = trimmed !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(trimmed);
      yield isEncoded ? Buffer.from(trimmed, 'base64') : Buffer.from('?');
      yield Buffer.from('\n');
    }
  }
}

function prompt(record: Shape, session: Session): void {
  session.about.agent ??= text(object(record.agentId).id);
  const said = text(record.prompt);
  if (said === undefined) session.leftOut.add(notKept.empty);
  else session.messages.push({ role: 'user', text: said });
}

/** An answer, which the log repeats each time it grows. */
type Block = Session['messages'][number];

function block(event: Shape, session: Session, shown: Map<string, Block>): void {
  const kind = text(event.kind)?.split('.').at(-1) ?? '';
  const isMarkdown = kind === 'MarkdownBlockUpdatedEvent';
  const isResult = kind === 'ResultBlockUpdatedEvent';
  const piece = isMarkdown ? text(event.textChunk) : undefined;
  const said = piece ?? (isMarkdown ? text(event.text) : isResult ? text(event.result) : undefined);
  if (said === undefined) {
    const why = kind === 'AgentThoughtBlockUpdatedEvent' ? notKept.thinking : notKept.tool;
    session.leftOut.add(isMarkdown || isResult ? notKept.empty : why);
    return;
  }
  const step = `${kind} ${text(event.stepId) ?? session.messages.length}`;
  const before = shown.get(step);
  if (before === undefined) {
    const message: Block = { role: 'assistant', text: said };
    shown.set(step, message);
    session.messages.push(message);
  } else if (piece !== undefined) before.text += piece;
  else {
    before.text = said;
    session.leftOut.add(notKept.version);
  }
}

function nameOf({ path }: SourceFile): string | undefined {
  return text(
    path
      .split('/')
      .at(-1)
      ?.replace(/\.events$/, ''),
  );
}
