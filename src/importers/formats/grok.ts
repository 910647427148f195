import { createTally, type Found, type ImportedMessage, type Importer, limits, notKept } from '../contract.js';
import { branchesOf, branchNames, type Judged, type Node, withChildren } from '../reading/chats.js';
import { elementsOf, joined, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';

const listed = { mark: /"conversations"\s{0,100}:\s{0,100}\[/, name: 'conversations' };

/** Grok's data export: `prod-grok-backend.json`, with the responses next to each conversation. */
export const grok: Importer = {
  name: 'grok',
  label: 'Grok',
  howTo: 'Settings > Data controls > Export account data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)prod-grok-backend\.json$/.test(path),
  recognises: ({ text: head }) =>
    /"responses"\s*:\s*\[/.test(head) && /"(response|conversation)"\s*:\s*\{/.test(head) && /"sender"\s*:/.test(head),
  async *read(file) {
    for await (const element of elementsOf(file.read(), listed, limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* found(object(element.value), place);
    }
  },
};

function* found(entry: Shape, place: string): Generator<Found> {
  const about = object(entry.conversation);
  const leftOut = createTally();
  const records = list(entry.responses).map((each) => object(object(each).response));
  const nodes = new Map<string, Node<ImportedMessage>>();
  // The first versions of the export record no parents: each response answers the one before it.
  const hasParents = records.some((record) => text(record.parent_response_id) !== undefined);
  let before: string | undefined;
  for (const [index, record] of records.entries()) {
    const id = text(record._id) ?? `response ${index}`;
    const turn = turnOf(record);
    if (nodes.has(id)) leftOut.add(notKept.repeated);
    else if (typeof turn === 'string') leftOut.add(turn);
    if (nodes.has(id)) continue;
    const parent = hasParents ? text(record.parent_response_id) : before;
    before = id;
    nodes.set(id, {
      id,
      children: [],
      content: typeof turn === 'string' ? undefined : turn,
      ...(parent === undefined ? {} : { parent }),
    });
  }
  const branches = branchesOf(withChildren(nodes), text(about.leaf_response_id));
  if (branches.length === 0) yield { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  const id = text(about.id);
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'grok',
        ...present({ title: text(about.title), timestamp: timeIn(about.create_time) ?? branch.turns[0]?.timestamp }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'grok', id }, branch),
          model: records.map(({ model }) => text(model)).find((model) => model !== undefined),
          importer: 'grok',
          platform: 'grok',
        }),
      },
      ...(index === 0 ? leftOut.field() : {}),
    };
  }
}

function turnOf(record: Shape): Judged {
  const sender = (text(record.sender) ?? '').toLowerCase();
  const role = sender === 'human' || sender === 'user' ? 'user' : sender === 'assistant' ? 'assistant' : undefined;
  const files = list(record.file_attachments).map(() => '[file]');
  const said = joined([text(record.message), ...files]);
  if (said === '') return notKept.empty;
  if (role === undefined) return sender === 'system' ? notKept.program : notKept.speaker;
  return { role, text: said, ...saidAt(timeIn(record.create_time)) };
}

/** Some times are MongoDB extended JSON. */
function timeIn(value: unknown): string | undefined {
  const date = object(value).$date;
  return time(date === undefined ? value : (object(date).$numberLong ?? date));
}
