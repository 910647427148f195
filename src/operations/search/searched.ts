import type { Visibility } from '../../model/access.js';
import type { Service } from '../service.js';

/** Counting fewer takes no time. Of more, the order of magnitude is all that matters, and it lasts. */
const countedAnew = 5_000;
const lasts = 60_000;

const known = new WeakMap<Service, Map<string, { count: number; until: number }>>();

/** How many chunks a search looks through; for a large store the number may be a minute old. */
export async function chunksSearched(
  service: Service,
  visibility: Visibility,
  conversationIds: readonly string[] | undefined,
): Promise<number> {
  const { chunks } = service.records;
  if (conversationIds !== undefined) return chunks.countVisible(visibility, conversationIds);
  const counts = known.get(service) ?? new Map<string, { count: number; until: number }>();
  known.set(service, counts);
  const key = visibility.scopes.join('\n');
  const before = counts.get(key);
  if (before !== undefined && performance.now() < before.until) return before.count;
  const count = await chunks.countVisible(visibility);
  if (count < countedAnew) counts.delete(key);
  else counts.set(key, { count, until: performance.now() + lasts });
  return count;
}
