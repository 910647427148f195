import type { Found, Importer } from '../contract.js';
import { limits } from '../limits.js';
import { jsonElements } from '../reading/json-elements.js';
import { joined, list, object, present, type Shape, text, time } from '../reading/shape.js';

/** Claude.ai's data export: `conversations.json`, a list of chats. */
export const claude: Importer = {
  name: 'claude',
  label: 'Claude',
  howTo: 'Settings > Privacy > Export data; give the zip from the e-mail',
  accepts: (path) => /(^|\/)conversations\.json$/.test(path),
  async *read(file) {
    for await (const element of jsonElements(file.read(), limits.elementBytes)) {
      const place = `${file.path} conversation ${element.index + 1}`;
      yield 'broken' in element
        ? { kind: 'skipped', place, reason: element.broken }
        : found(object(element.value), place);
    }
  },
};

function found(chat: Shape, place: string): Found {
  const tools = new Set<string>();
  const messages = list(chat.chat_messages).flatMap((value) => {
    const message = object(value);
    const role = message.sender === 'human' ? 'user' : message.sender === 'assistant' ? 'assistant' : undefined;
    const said = textOf(message, tools);
    return role === undefined || said === '' ? [] : [{ role, text: said } as const];
  });
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages' };
  return {
    kind: 'conversation',
    place,
    conversation: {
      source: 'claude',
      ...present({ title: text(chat.name), timestamp: time(chat.created_at) ?? time(chat.updated_at) }),
      messages,
      metadata: present({
        upstream_thread_id: text(chat.uuid),
        model: text(chat.model),
        tools: tools.size === 0 ? undefined : [...tools].sort(),
        importer: 'claude',
        platform: 'claude',
      }),
    },
  };
}

/** The blocks of text, or the older plain field; attached files by name with what was read from them. */
function textOf(message: Shape, tools: Set<string>): string {
  const blocks = list(message.content).map(object);
  for (const block of blocks) if (block.type === 'tool_use') tools.add(text(block.name) ?? 'tool');
  const said = blocks.filter(({ type }) => type === 'text').map((block) => text(block.text));
  const attached = [...list(message.attachments), ...list(message.files)].map((value) => {
    const name = text(object(value).file_name);
    const content = text(object(value).extracted_content);
    return name === undefined && content === undefined ? undefined : joined([`[file: ${name ?? 'unnamed'}]`, content]);
  });
  return joined([...(said.some((each) => each !== undefined) ? said : [text(message.text)]), ...attached]);
}
