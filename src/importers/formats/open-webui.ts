import {
  createTally,
  type Found,
  type ImportedMessage,
  type Importer,
  limits,
  notKept,
  type Tally,
} from '../contract.js';
import { type Branch, branchesOf, branchNames, type Node } from '../reading/chats.js';
import { joined, jsonElements, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';
import { withoutTagged } from '../reading/tagged.js';

/** Open WebUI's chat export: a list of chats, each with its tree of messages. */
export const openWebui: Importer = {
  name: 'open-webui',
  label: 'Open WebUI',
  howTo: 'Settings > Chats > Export chats; give the JSON file',
  accepts: (path) => /chat-export[^/]*\.json$/.test(path) || path.endsWith('.json'),
  recognises: ({ text: head }) => /"history"\s*:\s*\{/.test(head) && /"(childrenIds|currentId)"\s*:/.test(head),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} chat ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* found(object(element.value), place);
    }
  },
};

function* found(entry: Shape, place: string): Generator<Found> {
  // A single chat is exported without the surrounding record.
  const chat = entry.chat === undefined ? entry : object(entry.chat);
  const leftOut = createTally();
  const history = object(chat.history);
  const tree = Object.entries(object(history.messages));
  const nodes = new Map(tree.map(([id, value]) => [id, nodeOf(id, object(value), leftOut)]));
  const flat = nodes.size > 0 ? [] : list(chat.messages).flatMap((value) => turnOf(object(value), leftOut) ?? []);
  const branches: Branch<ImportedMessage>[] =
    nodes.size > 0 ? branchesOf(nodes, text(history.currentId)) : [{ kind: 'main', firstId: '', turns: flat }];
  if (branches.every(({ turns }) => turns.length === 0)) {
    yield { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
    return;
  }
  const id = text(entry.id) ?? text(chat.id);
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'open-webui',
        ...present({
          title: text(entry.title) ?? text(chat.title),
          timestamp: time(entry.created_at) ?? time(chat.timestamp),
        }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'open-webui', id }, branch),
          model: list(chat.models).map(String)[0],
          importer: 'open-webui',
          platform: 'open-webui',
        }),
      },
      ...(index === 0 ? leftOut.field() : {}),
    };
  }
}

const folded = /<(details) type="(?:reasoning|tool_calls|code_interpreter)"/g;

function nodeOf(id: string, value: Shape, leftOut: Tally): Node<ImportedMessage> {
  const parent = text(value.parentId);
  const children = list(value.childrenIds).map(String);
  return { id, children, content: turnOf(value, leftOut), ...(parent === undefined ? {} : { parent }) };
}

function turnOf(value: Shape, leftOut: Tally): ImportedMessage | undefined {
  if (value.role !== 'user' && value.role !== 'assistant') {
    leftOut.add(value.role === 'system' ? notKept.program : value.role === 'tool' ? notKept.tool : notKept.speaker);
    return undefined;
  }
  const files = list(value.files).map((file) => {
    const name = text(object(file).name) ?? text(object(object(file).file).filename);
    return object(file).type === 'image' ? '[image]' : name === undefined ? undefined : `[file: ${name}]`;
  });
  const parts = Array.isArray(value.content)
    ? value.content.map((part) => text(object(part).text))
    : [text(value.content)];
  // Thinking, tool calls and code runs are folded into the answer.
  const said = withoutTagged(joined([...parts, ...files]), { opening: folded, after: 'with space' });
  if (said.trim() === '') leftOut.add(notKept.empty);
  return said.trim() === '' ? undefined : { role: value.role, text: said, ...saidAt(value.timestamp) };
}
