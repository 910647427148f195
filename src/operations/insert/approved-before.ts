import type { PreparedConversation } from '../../ingestion/prepare.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Service } from '../service.js';
import { type Agreement, agreementOf } from './agreement.js';

interface ApprovedBefore {
  /** As if it held no secret: of what is sent only the new turns are stored. */
  prepared: PreparedConversation;
  agreement: Agreement;
}

/**
 * A secret waits for one decision. When it stands in turns that an active memory of the thread holds already, somebody has
 * let it in, and what is new is judged by itself. Nothing when a new turn holds one, or nothing active is continued.
 */
export async function approvedBefore(
  service: Service,
  sent: PreparedConversation,
  findActive: (prepared: PreparedConversation) => Promise<ConversationRow[]>,
): Promise<ApprovedBefore | undefined> {
  if (!sent.quarantined || sent.statusByPolicy !== 'active') return undefined;
  const prepared: PreparedConversation = { ...sent, status: sent.statusByPolicy, quarantined: false };
  const agreement = await agreementOf(service, prepared, await findActive(prepared));
  if (agreement === undefined) return undefined;
  const { plan } = agreement;
  const isNew = (turn: number): boolean => plan.kind === 'append' && turn >= plan.from;
  return sent.secretTurns.some(isNew) ? undefined : { prepared, agreement };
}
