import type { Issue } from '../model/errors.js';
import { coerceText } from './coerce.js';
import { type Values, valueAt, withValue } from './layers.js';
import { nearestKey } from './nearest.js';
import { nodeAt } from './tree.js';

export type Environment = Record<string, string | undefined>;

/** Names the configuration file; `--config` wins over it. */
export const configVariable = 'THREADKEEP_CONFIG';

/** Who a command acts for; `--token` wins over it. Not a setting: it never reaches the configuration. */
export const tokenVariable = 'THREADKEEP_TOKEN';

const prefix = 'THREADKEEP_';
const otherVariables: readonly string[] = [configVariable, tokenVariable];

export interface EnvironmentLayer {
  values: Values;
  issues: Issue[];
  /** Which variable set a key, by the path of the key. */
  origins: ReadonlyMap<string, string>;
}

/**
 * The layer of `THREADKEEP_` variables: two underscores go one level down, letters of any case. Values are read as the
 * kind of value that the key expects.
 */
export function readEnvironment(environment: Environment): EnvironmentLayer {
  let values: Values = {};
  const issues: Issue[] = [];
  const origins = new Map<string, string>();
  for (const [name, text] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (text === undefined || !upper.startsWith(prefix) || otherVariables.includes(upper)) continue;
    const path = name.slice(prefix.length).toLowerCase().split('__');
    const node = nodeAt(path);
    if (node?.kind !== 'key') {
      const message = node === undefined ? unknownVariable(path) : 'names a section: set the keys inside it';
      issues.push({ path: name, message });
    } else if (valueAt(values, path) !== undefined) {
      issues.push({ path: name, message: `sets the same key as ${origins.get(path.join('.'))}` });
    } else {
      values = withValue(values, path, coerceText(text, node.note.wording));
      origins.set(path.join('.'), name);
    }
  }
  return { values, issues, origins };
}

/** The variable that sets a key. */
export function variableOf(key: string): string {
  return prefix + key.replaceAll('.', '__').toUpperCase();
}

function unknownVariable(path: readonly string[]): string {
  const nearest = nearestKey(path);
  return `matches no key${nearest === undefined ? '' : ` (did you mean ${variableOf(nearest)}?)`}`;
}
