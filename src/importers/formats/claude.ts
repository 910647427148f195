import type { Found, ImportedMessage, Importer } from '../contract.js';
import { limits } from '../limits.js';
import { type Branch, branchesOf, branchNames, type Node } from '../reading/branches.js';
import { jsonElements } from '../reading/json-elements.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';

/** Claude.ai's data export: `conversations.json`, a list of chats. */
export const claude: Importer = {
  name: 'claude',
  label: 'Claude',
  howTo: 'Settings > Privacy > Export data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)conversations\.json$/.test(path),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* found(object(element.value), place);
    }
  },
};

function* found(chat: Shape, place: string): Generator<Found> {
  const tools = new Set<string>();
  const branches = branchesIn(chat, tools);
  if (branches.length === 0) yield { kind: 'skipped', place, reason: 'it has no messages' };
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'claude',
        ...present({ title: text(chat.name), timestamp: time(chat.created_at) ?? time(chat.updated_at) }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'claude', id: text(chat.uuid) }, branch),
          model: text(chat.model),
          tools: tools.size === 0 ? undefined : [...tools].sort(),
          importer: 'claude',
          platform: 'claude',
        }),
      },
    };
  }
}

/** Newer exports say which message each one answers; where that does not lead back to a beginning, the list is the chat. */
function branchesIn(chat: Shape, tools: Set<string>): Branch<ImportedMessage>[] {
  const messages = list(chat.chat_messages).map(object);
  const ids = new Set(messages.map(({ uuid }) => text(uuid)));
  const isTree =
    ids.size === messages.length && messages.every(({ parent_message_uuid: parent }) => leads(parent, ids));
  if (!isTree) {
    const turns = messages.flatMap((message) => turnOf(message, tools) ?? []);
    return turns.length === 0 ? [] : [{ kind: 'main', firstId: '', turns }];
  }
  const nodes = new Map<string, Node<ImportedMessage>>();
  const children = grouped(messages);
  for (const message of messages) {
    const id = text(message.uuid) ?? '';
    const parent = text(message.parent_message_uuid);
    const content = turnOf(message, tools);
    nodes.set(id, { id, content, children: children.get(id) ?? [], ...(parent === undefined ? {} : { parent }) });
  }
  return branchesOf(nodes, text(chat.current_leaf_message_uuid));
}

/** The first message names an id of zeros. */
function leads(parent: unknown, ids: ReadonlySet<string | undefined>): boolean {
  const id = text(parent);
  return id !== undefined && (ids.has(id) || /^0{8}-0{4}-[0-8]0{3}-[08]0{3}-0{12}$/.test(id));
}

function grouped(messages: readonly Shape[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { uuid, parent_message_uuid } of messages) {
    const parent = text(parent_message_uuid) ?? '';
    children.set(parent, [...(children.get(parent) ?? []), text(uuid) ?? '']);
  }
  return children;
}

function turnOf(message: Shape, tools: Set<string>): ImportedMessage | undefined {
  const role = message.sender === 'human' ? 'user' : message.sender === 'assistant' ? 'assistant' : undefined;
  const said = textOf(message, tools);
  return role === undefined || said === '' ? undefined : { role, text: said, ...saidAt(message.created_at) };
}

/** The blocks of text, or the older plain field; attached files by name with what was read from them. */
function textOf(message: Shape, tools: Set<string>): string {
  const blocks = list(message.content).map(object);
  for (const block of blocks) if (block.type === 'tool_use') tools.add(text(block.name) ?? 'tool');
  const said = blocks.filter(({ type }) => type === 'text').map((block) => text(block.text));
  const files = [...list(message.attachments), ...list(message.files), ...list(message.files_v2)].map(fileNote);
  return joined([...(said.some((each) => each !== undefined) ? said : [text(message.text)]), ...new Set(files)]);
}

function fileNote(value: unknown): string | undefined {
  const name = text(object(value).file_name);
  const content = text(object(value).extracted_content);
  return name === undefined && content === undefined ? undefined : joined([`[file: ${name ?? 'unnamed'}]`, content]);
}
