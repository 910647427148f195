import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Principal } from '../model/access.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import type { JsonObject } from '../model/json.js';
import type { Variables } from './admission.js';
import type { DoorParts } from './door.js';

export const idempotencyHeader = 'idempotency-key';
export const replayedHeader = 'idempotency-replayed';

/**
 * Makes a request with an `Idempotency-Key` idempotent: a repetition, concurrent or within a day, gets the same answer
 * and has no effect. Failures are not stored, so that a retry can succeed.
 */
export async function answerOnce(
  { service }: DoorParts,
  context: Context<Variables>,
  { principal, request }: { principal: Principal; request: () => string | undefined },
  run: () => Promise<object>,
): Promise<object> {
  const key = context.req.header(idempotencyHeader);
  if (key === undefined) return run();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalidInput('Idempotency-Key', 'must be 1 to 255 printable characters');
  const id = hashOf(principal.userId, context.get('route') ?? '', key);
  const sent = request();
  if (sent === undefined) return run();
  const request_hash = hashOf(sent);
  return service.mutex(`idempotency ${id}`, async () => {
    const now = service.now();
    const given = await service.records.idempotency.get(id, now);
    if (given === undefined) {
      const answer = await run();
      await service.records.idempotency.put({ id, request_hash, answer: answer as JsonObject, created_at: now });
      return answer;
    }
    if (given.request_hash !== request_hash) {
      throw new MemoryError('duplicate_conflict', 'This Idempotency-Key was used for another request; use a new one');
    }
    context.header(replayedHeader, 'true');
    return given.answer;
  });
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
