import { indexNow, withText } from '../../indexing/indexer.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Service } from '../service.js';
import { type InsertOutcome, outcome } from './outcome.js';

/** Stored so lately, its vectors are most likely on their way, in another process on the same folder. */
const headStart = 10_000;

/**
 * The content is stored already. Only chunks that are still missing from the index are embedded: usually none. What
 * another process has just stored is left to it for a moment: written by both, a point could be there twice.
 */
export async function answerDuplicate(service: Service, stored: ConversationRow): Promise<InsertOutcome> {
  const chunks = await service.records.chunks.ofConversation(stored.id);
  const missing = chunks.filter(({ id, index_state }) => index_state === 'pending' && !service.indexer.isHandled(id));
  const age = Date.parse(service.now()) - Date.parse(stored.updated_at);
  if (missing.length > 0 && age < headStart && !service.indexer.state().running) {
    service.indexer.revisit(headStart);
    return outcome(stored, { deduplicated: true, embedded: 0, pending: true });
  }
  const release = service.indexer.claim(missing.map(({ id }) => id));
  try {
    const done = await indexNow(service, await withText(service.records, missing), { fresh: false });
    return outcome(stored, { deduplicated: true, ...done });
  } finally {
    release();
  }
}
