import type { Issue } from '../model/errors.js';
import type { Wording } from './keys.js';
import { isMapping, type Values, valueAt, withValue } from './layers.js';
import { nearestKey, nodeAt } from './tree.js';

export type Environment = Record<string, string | undefined>;

/** Names the configuration file; `--config` wins over it. */
export const configVariable = 'THREADKEEP_CONFIG';

/** Who a command acts for; `--token` wins over it. Not a setting: it never reaches the configuration. */
export const tokenVariable = 'THREADKEEP_TOKEN';

const prefix = 'THREADKEEP_';
const otherVariables: readonly string[] = [configVariable, tokenVariable];

interface EnvironmentLayer {
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
 * Reads a plain text as the kind of value that is expected there. A text that is no such value comes back unchanged,
 * so that the schema refuses it with the words of its key.
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

/** A JSON array, or items between commas. */
function readList(text: string, item: Wording): unknown[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('[')) return text.split(',').map((part) => coerceText(part.trim(), item));
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    // Not JSON after all: the caller hands the text to the schema, which says what is allowed.
    return undefined;
  }
}

const reference = /\$\{([^}]*)\}/g;

/**
 * Replaces `${NAME}` inside the texts of the file. A text that held one is then read as the kind of value its key
 * expects, so that `port: ${PORT}` works; what a variable holds is not looked at again.
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

/** Repeats a name only when it is one: anything else between the braces may be a secret in the wrong place. */
function unusable(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `refers to the variable ${name}, which is not set`;
  return `holds a reference that is not of the form \${NAME}`;
}
