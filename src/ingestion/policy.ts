import { type MemoryStatus, type SaveIntent, saveIntents } from '../model/conversation.js';
import { MemoryError } from '../model/errors.js';

export type InsertPolicy = 'permissive' | 'require_save_intent' | 'review_pending';

/** Which state a new memory starts in; a policy that refuses it throws before anything is stored. */
export function statusByPolicy(policy: InsertPolicy, saveIntent: string | undefined): MemoryStatus {
  if (saveIntent !== undefined && !isSaveIntent(saveIntent)) {
    const code = policy === 'permissive' ? 'invalid_input' : 'invalid_save_intent';
    throw new MemoryError(code, `metadata.save_intent must be one of: ${saveIntents.join(', ')}`);
  }
  if (policy === 'permissive' || saveIntent !== undefined) return 'active';
  if (policy === 'review_pending') return 'pending_review';
  throw new MemoryError(
    'save_intent_required',
    `This memory stores only what was meant to be saved: set metadata.save_intent to one of ${saveIntents.join(', ')}`,
  );
}

function isSaveIntent(value: string): value is SaveIntent {
  return (saveIntents as readonly string[]).includes(value);
}
