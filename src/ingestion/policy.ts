import { type MemoryStatus, type SaveIntent, saveIntents } from '../model/conversation.js';
import { type ErrorCode, MemoryError } from '../model/errors.js';

/** `always_review` is no setting: it is for what waited for review elsewhere, whatever intent it was once saved with. */
export type InsertPolicy = 'permissive' | 'require_save_intent' | 'review_pending' | 'always_review';

/** Which state a new memory starts in; a policy that refuses it throws before anything is stored. */
export function statusByPolicy(policy: InsertPolicy, saveIntent: string | undefined): MemoryStatus {
  if (saveIntent !== undefined && !isSaveIntent(saveIntent)) {
    const code = policy === 'permissive' ? 'invalid_input' : 'invalid_save_intent';
    throw refused(code, `${field} ${allowed}`);
  }
  if (policy === 'always_review') return 'pending_review';
  if (policy === 'permissive' || saveIntent !== undefined) return 'active';
  if (policy === 'review_pending') return 'pending_review';
  throw refused(
    'save_intent_required',
    `This memory stores only what was meant to be saved: set ${field} to one of ${saveIntents.join(', ')}`,
  );
}

const field = 'metadata.save_intent';
const allowed = `must be one of: ${saveIntents.join(', ')}`;

function refused(code: ErrorCode, message: string): MemoryError {
  return new MemoryError(code, message, { issues: [{ path: field, message: allowed }] });
}

function isSaveIntent(value: string): value is SaveIntent {
  return (saveIntents as readonly string[]).includes(value);
}
