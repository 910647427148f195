import type { MessageRow } from '../../records/store.js';
import type { Service } from '../service.js';

/** Characters of messages in one answer, each time they are shown: a hundred hits of one book would be a hundred books. */
const mostCharacters = 16_000_000;

const conversationsAtOnce = 10;

/** The messages to show with each hit, in the order of the hits; undefined once there is no room left. */
export async function wholeMessages(
  service: Service,
  conversationIds: readonly string[],
  most = mostCharacters,
): Promise<(MessageRow[] | undefined)[]> {
  const known = new Map<string, { messages: MessageRow[]; characters: number }>();
  const shown: (MessageRow[] | undefined)[] = [];
  let room = most;
  for (const [position, id] of conversationIds.entries()) {
    if (room > 0 && !known.has(id)) await read(service, conversationIds.slice(position), known);
    const { messages = undefined, characters = 0 } = known.get(id) ?? {};
    // The best hit comes whole, however long it is.
    const fits = messages !== undefined && (characters <= room || position === 0);
    room -= characters;
    shown.push(fits ? messages : undefined);
  }
  return shown;
}

async function read(
  service: Service,
  wanted: readonly string[],
  known: Map<string, { messages: MessageRow[]; characters: number }>,
): Promise<void> {
  const ids = [...new Set(wanted)].filter((id) => !known.has(id)).slice(0, conversationsAtOnce);
  const found = await service.records.conversations.messagesOf(ids);
  for (const id of ids) {
    const messages = found.get(id) ?? [];
    known.set(id, { messages, characters: messages.reduce((sum, { text }) => sum + text.length, 0) });
  }
}
