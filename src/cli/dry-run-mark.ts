import type { Result } from './command.js';

/** With `storage.dry_run` a command answers as if it had written; this adds that it has not. */
export function markedIfDry(result: Result, isDry: boolean): Result {
  if (!isDry) return result;
  return {
    ...result,
    json: { ...result.json, dry_run: true },
    text: (style) => `${result.text(style)}\nDry run: nothing was written.`,
  };
}
