import type { ConversationRow } from '../../records/rows.js';
import { withText } from '../indexer.js';
import type { Service } from '../service.js';
import { indexNow } from './index-now.js';
import { type InsertOutcome, outcome } from './outcome.js';

/** The content is stored already. Only chunks that are still missing from the index are embedded: usually none. */
export async function answerDuplicate(service: Service, stored: ConversationRow): Promise<InsertOutcome> {
  const chunks = await service.records.chunks.ofConversation(stored.id);
  const missing = chunks.filter(({ id, index_state }) => index_state === 'pending' && !service.indexer.isHandled(id));
  const release = service.indexer.claim(missing.map(({ id }) => id));
  try {
    const done = await indexNow(service, await withText(service.records, missing), { fresh: false });
    return outcome(stored, { deduplicated: true, ...done });
  } finally {
    release();
  }
}
