import { z } from 'zod';
import { invalidInput } from '../model/errors.js';
import type { Service } from './service.js';

/**
 * A field that says how many results are wanted. Without a default of its own: whether the caller sent a number decides
 * whether one beyond `limits.max_top_k` is refused or capped. The documents show the default all the same.
 */
export function countField(usual: number, description: string) {
  return z.int().min(1).optional().meta({ default: usual }).describe(`${description}, at most limits.max_top_k (100)`);
}

/** What the caller asks for, within `limits.max_top_k`; who asks for nothing gets the usual number, or what is allowed. */
export function countWanted(
  { settings }: Pick<Service, 'settings'>,
  asked: number | undefined,
  { field, usual }: { field: 'top_k' | 'limit'; usual: number },
): number {
  const most = settings.limits.max_top_k;
  if (asked !== undefined && asked > most) throw invalidInput(field, `must be at most ${most}`);
  return asked ?? Math.min(usual, most);
}
