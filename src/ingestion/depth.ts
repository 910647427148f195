import { MemoryError } from '../model/errors.js';

/** Refuses absurd nesting without recursion, so that a hostile payload cannot exhaust the stack. */
export function checkDepth(value: unknown, maxDepth: number): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new MemoryError('invalid_input', `The payload is nested deeper than ${maxDepth} levels (limits.max_depth)`);
    }
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const child of Object.values(each)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}
