import { createTally, type Found, type ImportedMessage, type Importer, limits, notKept } from '../contract.js';
import { branchesOf, branchNames, type Judged, type Node } from '../reading/chats.js';
import { joined, jsonElements, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';

/** DeepSeek's data export: `conversations.json`, a list of trees whose messages are fragments. */
export const deepseek: Importer = {
  name: 'deepseek',
  label: 'DeepSeek',
  howTo: 'Settings > Data > Export data; give the zip',
  accepts: (path) => /(^|\/)conversations\.json$/.test(path),
  recognises: ({ text: head }) => /"mapping"\s*:/.test(head) && /"inserted_at"\s*:/.test(head),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* found(object(element.value), place);
    }
  },
};

function* found(chat: Shape, place: string): Generator<Found> {
  const leftOut = createTally();
  const mapping = object(chat.mapping);
  const nodes = new Map<string, Node<ImportedMessage>>();
  const depths = depthsOf(mapping);
  for (const [id, value] of Object.entries(mapping)) {
    const node = object(value);
    const isMessage = typeof node.message === 'object' && node.message !== null;
    const turn = turnOf(object(node.message), depths.get(id) ?? 0);
    if (isMessage && typeof turn === 'string') leftOut.add(turn);
    const parent = text(node.parent);
    nodes.set(id, {
      id,
      children: list(node.children).map(String),
      content: typeof turn === 'string' ? undefined : turn,
      ...(parent === undefined ? {} : { parent }),
    });
  }
  const branches = branchesOf(nodes, undefined);
  if (branches.length === 0) yield { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const id = text(chat.id);
  const models = Object.values(mapping).map((node) => text(object(object(node).message).model));
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'deepseek',
        ...present({ title: text(chat.title), timestamp: time(chat.inserted_at) ?? time(chat.updated_at) }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'deepseek', id }, branch),
          model: models.find((model) => model !== undefined),
          importer: 'deepseek',
          platform: 'deepseek',
        }),
      },
      ...(index === 0 ? leftOut.field() : {}),
    };
  }
}

/** The depth of each message: messages of earlier exports have no role, so user and assistant alternate by depth. */
function depthsOf(mapping: Shape): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const waiting: [string, number][] = Object.entries(mapping)
    .filter(([, node]) => text(object(node).parent) === undefined)
    .map(([id]) => [id, 0]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [id, depth] = next;
    if (depths.has(id)) continue;
    depths.set(id, depth);
    for (const child of list(object(mapping[id]).children).map(String)) waiting.push([child, depth + 1]);
  }
  return depths;
}

function turnOf(message: Shape, depth: number): Judged {
  const fragments = list(message.fragments).map(object);
  const kinds = fragments.map(({ type }) => text(type) ?? '');
  const files = list(message.files).map((file) => `[file: ${text(object(file).file_name) ?? 'unnamed'}]`);
  const at = saidAt(message.inserted_at);
  if (fragments.length > 0) {
    const said = joined(
      fragments.filter(({ type }) => type === 'REQUEST' || type === 'RESPONSE').map(({ content }) => text(content)),
    );
    const whole = joined([said, ...files]);
    if (whole !== '') return { role: kinds.includes('REQUEST') ? 'user' : 'assistant', text: whole, ...at };
    if (kinds.includes('THINK')) return notKept.thinking;
    return kinds.some((kind) => /SEARCH|TOOL|READ/.test(kind)) ? notKept.tool : notKept.empty;
  }
  const whole = joined([text(message.content), ...files]);
  if (whole === '') return text(message.reasoning_content) === undefined ? notKept.empty : notKept.thinking;
  const role = message.role === 'USER' || message.role === 'user' || (message.role === undefined && depth % 2 === 1);
  return { role: role ? 'user' : 'assistant', text: whole, ...at };
}
