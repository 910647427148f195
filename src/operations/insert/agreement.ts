import { type AppendPlan, planCapture } from '../../ingestion/plan-append.js';
import type { PreparedConversation } from '../../ingestion/prepare.js';
import type { ConversationRow, MessageRow } from '../../records/rows.js';
import type { Service } from '../service.js';

/** A stored capture that a sent one repeats or continues. */
export interface Agreement {
  stored: ConversationRow;
  messages: readonly MessageRow[];
  plan: Exclude<AppendPlan, { kind: 'conflict' }>;
}

/** The longest of the stored captures that the sent one agrees with, if it may be continued at all. */
export async function agreementOf(
  service: Service,
  prepared: PreparedConversation,
  candidates: readonly ConversationRow[],
): Promise<Agreement | undefined> {
  if (!service.settings.allowTrustedAppends) return undefined;
  for (const stored of [...candidates].sort((one, other) => other.message_count - one.message_count)) {
    if (stored.project_id !== prepared.projectId || stored.memory_status !== prepared.status) continue;
    const messages = (await service.records.conversations.messagesOf([stored.id])).get(stored.id) ?? [];
    const plan = planCapture(messages, prepared.conversation.messages, service.settings);
    if (plan.kind !== 'conflict') return { stored, messages, plan };
  }
  return undefined;
}
