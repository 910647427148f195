import type { Issue } from '../model/errors.js';
import type { Wording } from './keys.js';
import { isMapping, type Values, valueAt, withValue } from './layers.js';
import { nearestKey, nodeAt } from './tree.js';

export type Environment = Record<string, string | undefined>;

/** Names the configuration file; `--config` overrides it. */
export const configVariable = 'THREADKEEP_CONFIG';

/**
 * The token of the user a command acts for; `--token` overrides it. Not a setting: it never enters the configuration.
 */
export const tokenVariable = 'THREADKEEP_TOKEN';

const prefix = 'THREADKEEP_';
const otherVariables: readonly string[] = [configVariable, tokenVariable];

interface EnvironmentLayer {
  values: Values;
  issues: Issue[];
  /** Which variable set a key, by key path. */
  origins: ReadonlyMap<string, string>;
}

/**
 * The layer of `THREADKEEP_` variables: a double underscore descends one level, and case is ignored. Values are parsed
 * according to the type of the key.
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

const truths: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/**
 * Parses a text as the expected type. If it does not fit, it is returned unchanged, so that the schema rejects it with
 * the key's own message.
 */
function coerceText(text: string, wording: Wording): unknown {
  const trimmed = text.trim();
  switch (wording.kind) {
    case 'text':
      return text;
    case 'boolean':
      return truths[trimmed.toLowerCase()] ?? text;
    case 'integer':
    case 'number':
      return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
    case 'list':
      return readList(trimmed, wording.item ?? { kind: 'text', allowed: '' }) ?? text;
    default:
      return wording.kind satisfies never;
  }
}

/** A JSON array, or comma-separated items. */
function readList(text: string, item: Wording): unknown[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('[')) return text.split(',').map((part) => coerceText(part.trim(), item));
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    // Not JSON: the schema rejects the text and says what is allowed.
    return undefined;
  }
}

const reference = /\$\{([^}]*)\}/g;

/**
 * Replaces `${NAME}` in the file's texts. Such a text is then parsed as the type of its key, so that `port: ${PORT}`
 * works; the value of a variable is not expanded again.
 */
export function expandVariables(values: Values, environment: Environment): { values: Values; issues: Issue[] } {
  const issues: Issue[] = [];

  function expand(value: unknown, path: string[]): unknown {
    if (typeof value === 'string') return expandText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, String(index)]));
    return isMapping(value) ? expandMapping(value, path) : value;
  }

  function expandMapping(value: Values, path: string[]): Values {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expand(inner, [...path, name])]));
  }

  function expandText(text: string, path: string[]): unknown {
    if (!text.includes(`\${`)) return text;
    const expanded = text.replace(reference, (whole, name: string) => {
      const value = /^[A-Za-z_]\w*$/.test(name) ? environment[name] : undefined;
      if (value === undefined) issues.push({ path: path.join('.'), message: unusable(name) });
      return value ?? whole;
    });
    const node = nodeAt(path);
    return node?.kind === 'key' ? coerceText(expanded, node.note.wording) : expanded;
  }

  return { values: expandMapping(values, []), issues };
}

/** Repeats a name only if it is a valid one: anything else between the braces may be a misplaced secret. */
function unusable(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `refers to the variable ${name}, which is not set`;
  return `contains a reference that is not of the form \${NAME}`;
}
