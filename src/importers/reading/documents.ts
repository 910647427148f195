import type { Found, ImportedConversation } from '../contract.js';
import { present } from './shape.js';

/** A text that an assistant wrote beside a chat and changed there: a canvas, an artifact, a file. */
export interface ChatDocument {
  /** What the program calls it, once in a chat. */
  id: string;
  title: string | undefined;
  content: string;
  /** When it was changed last. */
  timestamp: string | undefined;
  /** The message that made it. */
  messageId: string | undefined;
}

/** The documents of one chat in their last version. Changes come in the order in which they were made. */
export function createDocuments() {
  const documents = new Map<string, ChatDocument>();
  return {
    /** Says whether it is new. */
    write(document: ChatDocument): boolean {
      const before = documents.get(document.id);
      documents.set(document.id, {
        ...document,
        title: document.title ?? before?.title,
        messageId: before?.messageId ?? document.messageId,
      });
      return before === undefined;
    },
    /** Replaces a piece of the text. If the old piece is gone, the new one is appended. */
    edit(
      id: string,
      { old, now, all = false, at }: { old: string; now: string; all?: boolean; at: string | undefined },
    ): boolean {
      const before = documents.get(id);
      if (before === undefined) return false;
      documents.set(id, {
        ...before,
        content: edited(before.content, old, now, all),
        timestamp: at ?? before.timestamp,
      });
      return true;
    },
    last: (): ChatDocument | undefined => [...documents.values()].at(-1),
    all: (): ChatDocument[] => [...documents.values()].filter(({ content }) => content.trim() !== ''),
  };
}

function edited(content: string, old: string, now: string, all: boolean): string {
  if (old === '' || !content.includes(old)) return `${content}\n\n${now}`;
  // A function, because `$` is special in a replacement string.
  return all ? content.replaceAll(old, () => now) : content.replace(old, () => now);
}

/**
 * A document becomes a separate conversation in the thread of its chat, so that it can be found by its words and
 * editing it does not change the chat.
 */
export function documentFound(
  { id, title, content, timestamp, messageId }: ChatDocument,
  chat: { source: string; id: string | undefined; place: string; about: ImportedConversation['metadata'] },
): Found {
  const { source, about } = chat;
  const name = title ?? 'unnamed';
  const links =
    chat.id === undefined ? {} : { upstream_thread_id: `${chat.id}#document:${id}`, thread_id: `${source}:${chat.id}` };
  return {
    kind: 'conversation',
    place: `${chat.place} document`,
    conversation: {
      source,
      title: name,
      ...present({ timestamp }),
      messages: [{ role: 'assistant', text: `[document: ${name}]\n\n${content}`, ...present({ timestamp }) }],
      metadata: present({ ...links, ...about, document_id: id, made_by_message: messageId }),
    },
  };
}
