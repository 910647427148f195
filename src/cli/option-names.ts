import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import type { Failure } from './failure.js';

/** Fields of the interface that an option has another name for. */
const others: Readonly<Record<string, string>> = { ids: '--id', token_id: '--written-by' };

/**
 * The failure in the words that the person typed: `--top-k`, not `top_k`. A value that an option does not take is an
 * error of usage, like an unknown option.
 */
export function inOptionNames(failure: Failure, command: Command | undefined): Failure {
  if (failure.code !== 'invalid_input' || failure.issues === undefined) return failure;
  const flags = (command?.options ?? []).map(({ flags: text }) => text.split(' ')[0] ?? '');
  const typed = (path: string): string => {
    const [field = ''] = path.split(/[.[]/);
    const flag = others[field] ?? `--${field.replaceAll('_', '-')}`;
    return flags.includes(flag) ? flag : path;
  };
  const issues = failure.issues.map((issue) => ({ ...issue, path: typed(issue.path) }));
  const [first] = failure.issues;
  const renamed = issues[0]?.path ?? '';
  const message =
    first !== undefined && first.path !== '' && failure.message.startsWith(first.path)
      ? renamed + failure.message.slice(first.path.length)
      : failure.message;
  const isUsage = issues.length > 0 && issues.every(({ path }) => /^(?:--|<)/.test(path));
  return { ...failure, message, issues, ...(isUsage ? { exit: exitCodes.usage } : {}) };
}
