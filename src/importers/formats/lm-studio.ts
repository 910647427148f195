import { createTally, type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { withPromptTimes } from '../reading/chats.js';
import {
  joined,
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

/** LM Studio's conversations: one JSON file each, with every version of a turn; the selected one is imported. */
export const lmStudio: Importer = {
  name: 'lm-studio',
  label: 'LM Studio',
  howTo: 'It keeps its chats in ~/.lmstudio/conversations; give that folder',
  accepts: (path) => path.endsWith('.conversation.json'),
  recognises: ({ text: head }) => /"versions"\s*:\s*\[/.test(head) && /"currentlySelected"\s*:/.test(head),
  places: ['.lmstudio/conversations', '.cache/lm-studio/conversations'],
  rewrites: true,
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  const chat = object(value);
  const leftOut = createTally();
  const versions = list(chat.messages).map(selected);
  for (const message of list(chat.messages)) leftOut.add(notKept.version, list(object(message).versions).length - 1);
  const messages = versions.flatMap((version) => {
    const { role } = version;
    const said = textOf(version);
    if ((role !== 'user' && role !== 'assistant') || said === '') {
      leftOut.add(role === 'system' ? notKept.program : said === '' ? notKept.empty : notKept.speaker);
      return [];
    }
    return [{ role, text: said, ...stepTime(version) } as const];
  });
  if (messages.length === 0) {
    yield { ...nothing(file.path), ...leftOut.field() };
    return;
  }
  const name = file.path.split('/').at(-1) ?? '';
  const sender = versions.map((version) => object(version.senderInfo)).find(({ senderName }) => text(senderName));
  yield {
    kind: 'conversation',
    place: file.path,
    conversation: {
      source: 'lm-studio',
      ...present({ title: text(chat.name), timestamp: time(chat.createdAt) ?? file.changedAt }),
      messages: withPromptTimes(messages),
      metadata: present({
        upstream_thread_id: name.replace('.conversation.json', ''),
        model: text(object(chat.lastUsedModel).identifier) ?? text(sender?.senderName),
        importer: 'lm-studio',
        platform: 'lm-studio',
      }),
    },
    ...leftOut.field(),
  };
}

function selected(message: unknown): Shape {
  const versions = list(object(message).versions);
  return object(versions[Number(object(message).currentlySelected ?? 0)] ?? versions.at(-1));
}

/** A single step, or several steps whose content blocks form the message. */
function textOf(version: Shape): string {
  const steps = list(version.steps).map(object);
  const blocks =
    steps.length === 0 ? list(version.content) : steps.filter(isSaid).flatMap(({ content }) => list(content));
  return joined(
    blocks.map(object).map((block) => {
      if (block.type === 'file') return block.fileType === 'image' ? '[image]' : '[file]';
      return block.type === 'text' ? text(block.text) : undefined;
    }),
  );
}

/** A turn has no time of its own; the ids of its steps begin with a timestamp in milliseconds. */
function stepTime({ steps }: Shape): { timestamp?: string } {
  const names = list(steps).map((step) => text(object(step).stepIdentifier) ?? '');
  return saidAt(...names.map((name) => /^(\d{13})-/.exec(name)?.[1]));
}

function isSaid({ type, style }: Shape): boolean {
  return type === 'contentBlock' && object(style).type !== 'thinking';
}
