import type { Found, ImportedConversation, ImportedMessage, Importer } from '../contract.js';
import { limits } from '../limits.js';
import { type Branch, branchesOf, branchNames, type Node } from '../reading/branches.js';
import { jsonElements } from '../reading/json-elements.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';
import { withoutMarks } from './chatgpt-marks.js';

interface Turn extends ImportedMessage {
  model: string | undefined;
}

/** ChatGPT's data export: `conversations.json`, or several of them with numbers, each a list of trees of messages. */
export const chatgpt: Importer = {
  name: 'chatgpt',
  label: 'ChatGPT',
  howTo: 'Settings > Data controls > Export data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)conversations(-\d+)?\.json$/.test(path),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      if ('broken' in element) yield { kind: 'skipped', place, reason: element.broken };
      else yield* conversationsOf(object(element.value), place);
    }
  },
};

function* conversationsOf(chat: Shape, place: string): Generator<Found> {
  const mapping = Object.entries(object(chat.mapping));
  if (mapping.length === 0) {
    yield { kind: 'skipped', place, reason: 'it has no messages' };
    return;
  }
  const tools = new Set<string>();
  const nodes = new Map(mapping.map(([id, node]) => [id, nodeOf(id, object(node), tools)]));
  const branches = branchesOf(nodes, text(chat.current_node));
  if (branches.length === 0) yield { kind: 'skipped', place, reason: 'it has no text by a person or the assistant' };
  for (const [index, branch] of branches.entries()) {
    const at = index === 0 ? place : `${place} branch ${index + 1}`;
    yield { kind: 'conversation', place: at, conversation: conversationOf(chat, branch, tools) };
  }
}

function conversationOf(chat: Shape, branch: Branch<Turn>, tools: ReadonlySet<string>): ImportedConversation {
  const { turns } = branch;
  const id = text(chat.conversation_id) ?? text(chat.id);
  return {
    source: 'chatgpt',
    ...present({ title: text(chat.title), timestamp: time(chat.create_time) ?? time(chat.update_time) }),
    messages: turns.map(({ model: _, ...message }) => message),
    metadata: present({
      ...branchNames({ source: 'chatgpt', id }, branch),
      model: text(chat.default_model_slug) ?? turns.find(({ model }) => model !== undefined)?.model,
      tools: tools.size === 0 ? undefined : [...tools].sort(),
      importer: 'chatgpt',
      platform: 'chatgpt',
    }),
  };
}

function nodeOf(id: string, node: Shape, tools: Set<string>): Node<Turn> {
  const parent = text(node.parent);
  const children = list(node.children).map(String);
  return { id, children, content: turnOf(object(node.message), tools), ...(parent === undefined ? {} : { parent }) };
}

/** What a person or the assistant said. Calls of tools and their answers are noted, custom instructions left out. */
function turnOf(message: Shape, tools: Set<string>): Turn | undefined {
  const author = text(object(message.author).role);
  const content = object(message.content);
  const metadata = object(message.metadata);
  const recipient = text(message.recipient) ?? 'all';
  if (author === 'tool') tools.add(text(object(message.author).name) ?? 'tool');
  if (recipient !== 'all') tools.add(recipient);
  if ((author !== 'user' && author !== 'assistant') || recipient !== 'all') return undefined;
  if (metadata.is_visually_hidden_from_conversation === true || message.channel === 'analysis') return undefined;
  if (notSaid.has(text(content.content_type) ?? '')) return undefined;
  const parts = [...list(content.parts).map(partText), text(content.text)];
  const said = withoutMarks(joined([...parts, ...attached(metadata, parts)]));
  if (said === '') return undefined;
  return { role: author, text: said, ...saidAt(message.create_time), model: text(metadata.model_slug) };
}

/** Kinds of content that the person does not see as a turn: thinking, instructions, tools at work. */
const notSaid = new Set([
  'user_editable_context',
  'model_editable_context',
  'thoughts',
  'reasoning_recap',
  'code',
  'execution_output',
  'computer_output',
  'system_error',
  'tether_browsing_code',
  'tether_browsing_display',
  'tether_quote',
  'sonic_webpage',
]);

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const kind = text(object(part).content_type) ?? '';
  if (kind === 'audio_transcription') return text(object(part).text);
  if (kind.includes('image')) return '[image]';
  if (kind.includes('audio')) return '[audio]';
  return kind === '' ? undefined : '[attachment]';
}

/** Files by name. Images stand among the parts already. */
function attached(metadata: Shape, parts: readonly (string | undefined)[]): (string | undefined)[] {
  const hasImage = parts.includes('[image]');
  return list(metadata.attachments).map((value) => {
    const { name, mime_type, mimeType } = object(value);
    const isImage = /^image\//.test(text(mime_type) ?? text(mimeType) ?? '');
    if (isImage) return hasImage ? undefined : '[image]';
    return text(name) === undefined ? undefined : `[file: ${text(name)}]`;
  });
}
