import type { Issue } from '../model/errors.js';
import { coerceText } from './coerce.js';
import type { Environment } from './environment.js';
import { isMapping, type Values } from './layers.js';
import { nodeAt } from './tree.js';

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
