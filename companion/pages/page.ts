/** What a reader found on a page. */
export interface ConversationPage {
  title?: string;
  /** The site's id of the conversation, from the address; absent before the first message and in temporary chats. */
  threadId?: string;
  messages: PageMessage[];
  /** Messages that are on the page and have no text we can read: pictures, parts that were not loaded, unknown markup. */
  unreadable: number;
  /** An answer is still being written. Saved now, it would differ from the finished one. */
  unfinished: boolean;
}

export interface PageMessage {
  role: 'user' | 'assistant';
  text: string;
}

/** Sorts what was found on the page into messages with text and a count of those without. */
export function collect(found: Iterable<{ role: PageMessage['role'] | undefined; text: string }>): {
  messages: PageMessage[];
  unreadable: number;
} {
  const messages: PageMessage[] = [];
  let unreadable = 0;
  for (const { role, text } of found) {
    if (role === undefined || text === '') unreadable += 1;
    else messages.push({ role, text });
  }
  return { messages, unreadable };
}

/** Optional fields are left out, not undefined. */
export function named(title: string | undefined, threadId: string | undefined): { title?: string; threadId?: string } {
  const clean = title?.replaceAll(/\s+/g, ' ').trim();
  return {
    ...(clean === undefined || clean === '' ? {} : { title: clean }),
    ...(threadId === undefined ? {} : { threadId }),
  };
}
