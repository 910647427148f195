import { createTally, type Found, type ImportedMessage, type Importer, notKept, type SourceFile } from '../contract.js';
import { branchesOf, branchNames, type Judged, type Node, saidIn, withChildren } from '../reading/chats.js';
import { joined, list, object, present, readJsonFile, type Shape, saidAt, text, time } from '../reading/json.js';

/** LibreChat's conversation export: a list of messages with parent ids, or a tree of them. */
export const librechat: Importer = {
  name: 'librechat',
  label: 'LibreChat',
  howTo: 'In a chat: Export conversation, type JSON; give the files',
  accepts: (path) => path.endsWith('.json'),
  recognises: ({ text: head }) =>
    /"conversationId"\s*:/.test(head) && /"(isCreatedByUser|messagesTree|exportAt)"\s*:/.test(head),
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  for (const [index, each] of (Array.isArray(value) ? value : [value]).entries()) {
    yield* chatIn(object(each), index === 0 ? file.path : `${file.path} conversation ${index + 1}`, file);
  }
}

function* chatIn(chat: Shape, place: string, file: SourceFile): Generator<Found> {
  const leftOut = createTally();
  const records = flattened(list(chat.messages ?? chat.messagesTree).map(object));
  const ids = records.map((record, index) => text(record.messageId) ?? `message ${index}`);
  const nodes = new Map<string, Node<ImportedMessage>>();
  for (const [index, record] of records.entries()) {
    const id = ids[index] ?? '';
    const turn = turnOf(record);
    if (nodes.has(id)) leftOut.add(notKept.repeated);
    else if (typeof turn === 'string') leftOut.add(turn);
    if (nodes.has(id)) continue;
    const parent = text(record.parentMessageId) ?? (record.parentMessageId === undefined ? ids[index - 1] : undefined);
    const content = typeof turn === 'string' ? undefined : turn;
    nodes.set(id, { id, content, children: [], ...(parent === undefined ? {} : { parent }) });
  }
  const branches = branchesOf(withChildren(nodes), ids.at(-1));
  if (branches.length === 0) yield { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const id = text(chat.conversationId);
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'librechat',
        ...present({
          title: text(chat.title),
          timestamp: time(chat.createdAt) ?? branch.turns[0]?.timestamp ?? time(chat.exportAt) ?? file.changedAt,
        }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'librechat', id }, branch),
          model: text(object(chat.options).model) ?? text(chat.model),
          importer: 'librechat',
          platform: 'librechat',
        }),
      },
      ...(index === 0 ? leftOut.field() : {}),
    };
  }
}

/** In a tree, replies are nested in the message they answer. */
function flattened(roots: readonly Shape[]): Shape[] {
  const flat: Shape[] = [];
  const waiting = [...roots].reverse();
  for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
    flat.push(record);
    waiting.push(...list(record.children).map(object).reverse());
  }
  return flat;
}

function turnOf(record: Shape): Judged {
  const isUser = record.isCreatedByUser === true || (record.isCreatedByUser === undefined && record.sender === 'User');
  const { said, why } = saidIn(list(record.content).length > 0 ? record.content : (text(record.text) ?? ''));
  const files = list(record.files).map((file) => {
    const { filename, type } = object(file);
    return text(type)?.startsWith('image/') === true ? '[image]' : `[file: ${text(filename) ?? 'unnamed'}]`;
  });
  const whole = joined([said, ...files]);
  if (whole === '') return why;
  return { role: isUser ? 'user' : 'assistant', text: whole, ...saidAt(record.createdAt) };
}
