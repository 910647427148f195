import { isMapping, type Values } from './layers.js';
import type { Config, ConfigValues } from './schema.js';
import { configTree, type Node } from './tree.js';

/**
 * Keys are snake_case in the file, in variables and in messages, and camelCase in code: a configuration is renamed
 * once, when it is loaded, and back where it is shown. User-chosen names and the blocks of providers stay as written.
 */
export function inCodeSpelling(values: ConfigValues): Config {
  // The tree and the type come from the same schema, and follow the same rule.
  return rename(values, configTree, (name) => ({ from: name, to: camelCase(name) })) as Config;
}

/** The configuration with its keys spelled as in the file. */
export function inFileSpelling(config: Config): Values {
  return rename(config, configTree, (name) => ({ from: camelCase(name), to: name })) as Values;
}

function rename(value: unknown, node: Node, names: (name: string) => { from: string; to: string }): unknown {
  if (!isMapping(value) || node.kind === 'key' || (node.kind === 'section' && node.block)) return value;
  if (node.kind === 'named') {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rename(inner, node.child, names)]));
  }
  const kept = [...node.children].flatMap(([name, child]) => {
    const { from, to } = isBlock(child) ? { from: name, to: name } : names(name);
    return value[from] === undefined ? [] : [[to, rename(value[from], child, names)] as const];
  });
  return Object.fromEntries(kept);
}

/** Provider blocks are named by their provider, whose name is a value elsewhere. */
function isBlock(node: Node): boolean {
  return node.kind === 'section' && node.block;
}

/** The settings of one provider: a flat object. */
export function camelCaseKeys(settings: Values): Values {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [camelCase(name), value]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_mark, letter: string) => letter.toUpperCase());
}
