import {
  createTally,
  type Found,
  type ImportedMessage,
  type Importer,
  limits,
  notKept,
  type Tally,
} from '../contract.js';
import { type Branch, branchesOf, branchNames, createDocuments, documentFound, type Node } from '../reading/chats.js';
import { joined, jsonElements, list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';

/** Claude.ai's data export: `conversations.json`, a list of chats, plus projects and Claude's memories. */
export const claude: Importer = {
  name: 'claude',
  label: 'Claude',
  howTo: 'Settings > Privacy > Export data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)((conversations|projects|memories)\.json|(projects|memories)\/[^/]+\.json)$/.test(path),
  recognises: ({ text: head }) => /"(chat_messages|conversations_memory|prompt_template)"\s*:/.test(head),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const entry = 'value' in element ? object(element.value) : {};
      const kind = kindOf(entry);
      const place = `${file.path} ${kind} ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else if (kind === 'memory') yield* memoriesOf(entry, { place, at: file.changedAt });
      else if (kind === 'project') yield projectOf(entry, place);
      else yield* found(entry, place);
    }
  },
};

function kindOf(entry: Shape): 'memory' | 'project' | 'conversation' {
  if (entry.chat_messages !== undefined) return 'conversation';
  if (entry.conversations_memory !== undefined || entry.project_memories !== undefined) return 'memory';
  return entry.prompt_template !== undefined || entry.docs !== undefined ? 'project' : 'conversation';
}

function* found(chat: Shape, place: string): Generator<Found> {
  const tools = new Set<string>();
  const leftOut = createTally();
  const branches = branchesIn(chat, tools, leftOut);
  const id = text(chat.uuid);
  const about = { importer: 'claude', platform: 'claude' };
  const documents = artifactsOf(chat).map((document) =>
    documentFound(document, { source: 'claude', id, place, about }),
  );
  if (branches.length === 0 && documents.length === 0) {
    yield { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  }
  for (const [index, branch] of branches.entries()) {
    yield {
      kind: 'conversation',
      place: index === 0 ? place : `${place} branch ${index + 1}`,
      conversation: {
        source: 'claude',
        ...present({ title: text(chat.name), timestamp: time(chat.created_at) ?? time(chat.updated_at) }),
        messages: branch.turns,
        metadata: present({
          ...branchNames({ source: 'claude', id }, branch),
          model: text(chat.model),
          tools: tools.size === 0 ? undefined : [...tools].sort(),
          ...about,
        }),
      },
      ...(index === 0 ? leftOut.field() : {}),
    };
  }
  for (const [index, document] of documents.entries()) {
    yield branches.length === 0 && index === 0 ? { ...document, ...leftOut.field() } : document;
  }
}

/** Documents written beside the chat: by the tool `artifacts`, or as a file. */
function artifactsOf(chat: Shape) {
  const documents = createDocuments();
  for (const message of list(chat.chat_messages).map(object)) {
    const at = time(message.created_at);
    for (const block of list(message.content).map(object)) {
      if (block.type !== 'tool_use') continue;
      const input = object(block.input);
      const id = text(input.id) ?? text(input.path);
      if (id === undefined) continue;
      const content = text(input.content) ?? text(input.file_text);
      const isWhole = content !== undefined && (block.name === 'artifacts' || block.name === 'create_file');
      if (isWhole) {
        const title = text(input.title) ?? text(input.path)?.split('/').at(-1);
        documents.write({ id, title, content, timestamp: at, messageId: text(message.uuid) });
      } else if (typeof input.old_str === 'string' && typeof input.new_str === 'string') {
        documents.edit(id, { old: input.old_str, now: input.new_str, at });
      }
    }
  }
  return documents.all();
}

/**
 * Newer exports record the parent of each message; where the parents do not lead back to a root, the list is the chat.
 */
function branchesIn(chat: Shape, tools: Set<string>, leftOut: Tally): Branch<ImportedMessage>[] {
  const messages = list(chat.chat_messages).map(object);
  const ids = new Set(messages.map(({ uuid }) => text(uuid)));
  const isTree =
    ids.size === messages.length && messages.every(({ parent_message_uuid: parent }) => leads(parent, ids));
  if (!isTree) {
    const turns = messages.flatMap((message) => turnOf(message, tools, leftOut) ?? []);
    return turns.length === 0 ? [] : [{ kind: 'main', firstId: '', turns }];
  }
  const nodes = new Map<string, Node<ImportedMessage>>();
  const children = grouped(messages);
  for (const message of messages) {
    const id = text(message.uuid) ?? '';
    const parent = text(message.parent_message_uuid);
    const content = turnOf(message, tools, leftOut);
    nodes.set(id, { id, content, children: children.get(id) ?? [], ...(parent === undefined ? {} : { parent }) });
  }
  return branchesOf(nodes, text(chat.current_leaf_message_uuid));
}

/** The first message's parent is an id of zeros. */
function leads(parent: unknown, ids: ReadonlySet<string | undefined>): boolean {
  const id = text(parent);
  return id !== undefined && (ids.has(id) || /^0{8}-0{4}-[0-8]0{3}-[08]0{3}-0{12}$/.test(id));
}

function grouped(messages: readonly Shape[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { uuid, parent_message_uuid } of messages) {
    const parent = text(parent_message_uuid) ?? '';
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [text(uuid) ?? '']);
    else known.push(text(uuid) ?? '');
  }
  return children;
}

function turnOf(message: Shape, tools: Set<string>, leftOut: Tally): ImportedMessage | undefined {
  const role = message.sender === 'human' ? 'user' : message.sender === 'assistant' ? 'assistant' : undefined;
  const said = textOf(message, tools);
  if (role !== undefined && said !== '') return { role, text: said, ...saidAt(message.created_at) };
  const blocks = list(message.content).map((block) => object(block).type);
  if (said !== '') leftOut.add(notKept.speaker);
  else if (blocks.includes('tool_use')) leftOut.add(notKept.tool);
  else leftOut.add(blocks.includes('thinking') ? notKept.thinking : notKept.empty);
  return undefined;
}

/**
 * The text blocks and dictated notes, or the plain field of older exports; attached files by name with their extracted
 * text.
 */
function textOf(message: Shape, tools: Set<string>): string {
  const blocks = list(message.content).map(object);
  for (const block of blocks) if (block.type === 'tool_use') tools.add(text(block.name) ?? 'tool');
  const said = blocks.filter(({ type }) => type === 'text' || type === 'voice_note').map((block) => text(block.text));
  const files = [...list(message.attachments), ...list(message.files), ...list(message.files_v2)].map(fileNote);
  return joined([...(said.some((each) => each !== undefined) ? said : [text(message.text)]), ...new Set(files)]);
}

function fileNote(value: unknown): string | undefined {
  const name = text(object(value).file_name);
  const content = text(object(value).extracted_content);
  return name === undefined && content === undefined ? undefined : joined([`[file: ${name ?? 'unnamed'}]`, content]);
}

const about = { importer: 'claude', platform: 'claude' };

/** A Claude project: its description, instructions and files. */
function projectOf(project: Shape, place: string): Found {
  const leftOut = createTally();
  const instructions = joined([text(project.description), text(project.prompt_template)]);
  const files = list(project.docs).flatMap((value): ImportedMessage[] => {
    const { filename, content, created_at } = object(value);
    const words = text(content);
    if (words === undefined) leftOut.add(notKept.empty);
    return words === undefined
      ? []
      : [{ role: 'user', text: `[file: ${text(filename) ?? 'unnamed'}]\n\n${words}`, ...saidAt(created_at) }];
  });
  const messages: ImportedMessage[] = [
    ...(instructions === '' ? [] : [{ role: 'user' as const, text: instructions, ...saidAt(project.created_at) }]),
    ...files,
  ];
  if (messages.length === 0) {
    return { kind: 'skipped', place, reason: 'it is a project without instructions and files', ...leftOut.field() };
  }
  const id = text(project.uuid);
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: 'claude',
      ...present({ title: text(project.name), timestamp: time(project.created_at) ?? time(project.updated_at) }),
      messages,
      metadata: present({ upstream_thread_id: id && `project:${id}`, export_part: 'project', ...about }),
    },
    ...leftOut.field(),
  };
}

/** Claude's memories of the user and of each project. */
function* memoriesOf(entry: Shape, { place, at }: { place: string; at: string | undefined }): Generator<Found> {
  const account = text(entry.account_uuid) ?? 'account';
  const memories = [
    { id: `memory:${account}`, words: text(entry.conversations_memory) },
    ...Object.entries(object(entry.project_memories)).map(([id, words]) => ({
      id: `memory:project:${id}`,
      words: text(words),
    })),
  ];
  for (const { id, words } of memories) {
    if (words === undefined) continue;
    yield {
      kind: 'conversation',
      place,
      conversation: {
        source: 'claude',
        title: 'What Claude remembers',
        ...present({ timestamp: at }),
        messages: [{ role: 'assistant', text: words }],
        metadata: { upstream_thread_id: id, export_part: 'memory', ...about },
      },
    };
  }
  if (memories.every(({ words }) => words === undefined)) {
    yield { kind: 'skipped', place, reason: 'it has no messages' };
  }
}
