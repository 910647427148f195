import type { z } from 'zod';
import { type Issue, StartupError } from '../model/errors.js';
import { valueAt } from './layers.js';
import { nearestKey } from './nearest.js';
import { nodeAt } from './tree.js';

/**
 * Says in the words of the schema what zod found: the path and what is allowed, never the value, which may be a secret
 * in the wrong place. `below` is the path of the part that was checked.
 */
export function issuesOf(
  error: z.ZodError | undefined,
  { values, below = [] }: { values: unknown; below?: readonly string[] },
): Issue[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const inside = issue.path.map(String);
    const path = [...below, ...inside];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownKey([...path, name]));
    if (issue.code === 'invalid_key') return [{ path: path.join('.'), message: badName }];
    return [wrongValue(path, valueAt(values, inside))];
  });
}

/** One error that lists every problem once, in the order of the paths. */
export function invalidConfig(issues: readonly Issue[], origins: ReadonlyMap<string, string>): StartupError {
  const sentences = new Set(
    issues.map(({ path, message }) => {
      const variable = origins.get(path);
      return `${path} ${message}${variable === undefined ? '' : ` (set by ${variable})`}`;
    }),
  );
  const list = [...sentences].sort().map((sentence) => `\n- ${sentence}`);
  const count = list.length === 1 ? '1 problem' : `${list.length} problems`;
  return new StartupError('config_invalid', `The configuration is not valid (${count}):${list.join('')}`, {
    hint: 'docs/configuration.md lists every key with what it allows.',
  });
}

const badName = 'must be a name of lower-case letters, digits, "_" or "-" that begins with a letter';

function unknownKey(path: readonly string[]): Issue {
  const nearest = nearestKey(path);
  const suggestion = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return { path: path.join('.'), message: `is not a known key${suggestion}` };
}

function wrongValue(path: readonly string[], value: unknown): Issue {
  const name = path.join('.');
  const allowed = allowedAt(path);
  if (allowed === undefined) return { path: name, message: 'must be a mapping of keys' };
  return { path: name, message: value === undefined ? `is required: ${allowed}` : `must be ${allowed}` };
}

/** An item of a list is described by the list's own item. */
function allowedAt(path: readonly string[]): string | undefined {
  const node = nodeAt(path);
  if (node?.kind === 'key') return node.note.wording.allowed;
  const list = node === undefined ? nodeAt(path.slice(0, -1)) : undefined;
  return list?.kind === 'key' ? list.note.wording.item?.allowed : undefined;
}
