import { z } from 'zod';
import { closeness } from '../model/parse.js';
import { type Note, noteOf } from './keys.js';
import { isMapping, type Values } from './layers.js';
import { type Config, type ConfigValues, configSchema } from './schema.js';
import { blockSettings } from './storage-schema.js';

/** The schema as a plain tree, for code that needs the keys and does not validate values. */
export type Node = KeyNode | SectionNode | NamedNode;

export interface KeyNode {
  kind: 'key';
  note: Note;
}

export interface SectionNode {
  kind: 'section';
  description: string;
  children: ReadonlyMap<string, Node>;
  /** A provider block, validated only while its provider is active. */
  block: boolean;
}

/** A section per user-chosen name. */
export interface NamedNode {
  kind: 'named';
  child: Node;
}

/** Placeholder for the chosen name in the path of a key. */
export const anyName = '<name>';

export const configTree = nodeOf(configSchema);

/** The node at a path, or undefined for an unknown key or section. */
export function nodeAt(path: readonly string[]): Node | undefined {
  let node: Node | undefined = configTree;
  for (const segment of path) {
    if (node === undefined || node.kind === 'key') return undefined;
    node = node.kind === 'named' ? node.child : node.children.get(segment);
  }
  return node;
}

/** Every node below `node` with its path, sections before their content. */
function* eachNode(node: Node = configTree, path: string[] = []): Generator<{ path: string[]; node: Node }> {
  if (path.length > 0) yield { path, node };
  if (node.kind === 'named') yield* eachNode(node.child, [...path, anyName]);
  if (node.kind !== 'section') return;
  for (const [name, child] of node.children) yield* eachNode(child, [...path, name]);
}

function nodeOf(schema: z.ZodType): Node {
  const note = noteOf(schema);
  if (note !== undefined) return { kind: 'key', note };
  const settings = blockSettings(schema);
  if (settings !== undefined) return sectionOf(settings, { block: true });
  if (schema instanceof z.ZodPrefault) {
    const inner = nodeOf(schema.unwrap() as z.ZodType);
    return inner.kind === 'section' ? { ...inner, description: schema.description ?? inner.description } : inner;
  }
  if (schema instanceof z.ZodRecord) return { kind: 'named', child: nodeOf(schema.valueType as z.ZodType) };
  if (schema instanceof z.ZodObject) return sectionOf(schema, { block: false });
  throw new Error('the configuration schema contains a value that was not declared as a key');
}

function sectionOf(schema: z.ZodObject, { block }: { block: boolean }): SectionNode {
  const children = Object.entries(schema.shape).map(([name, child]) => [name, nodeOf(child as z.ZodType)] as const);
  return { kind: 'section', description: schema.description ?? '', children: new Map(children), block };
}

/**
 * The known key closest to an unknown path, or undefined when none is close enough. A correct last segment in the wrong
 * section counts as close: `distance` finds `storage.vector.distance`.
 */
export function nearestKey(path: readonly string[]): string | undefined {
  let best = { name: '', score: Number.POSITIVE_INFINITY };
  for (const known of eachNode()) {
    const candidate = withChosenNames(known.path, path);
    const name = candidate.join('.');
    // The common prefix says nothing about how close the rest is.
    const shared = candidate.findIndex((segment, index) => segment !== path[index]);
    if (shared < 0) continue;
    const inPlace = closeness(path.slice(shared).join('.'), candidate.slice(shared).join('.'));
    const elsewhere = closeness(path.at(-1) ?? '', candidate.at(-1) ?? '');
    // A penalty of half a step for a key in another section, so that a typing mistake in place wins a tie.
    const score = Math.min(inPlace, elsewhere + 0.5);
    if (score < best.score) best = { name, score };
  }
  return best.name === '' ? undefined : best.name;
}

/** A user-chosen name is accepted when everything before it matches. */
function withChosenNames(known: readonly string[], path: readonly string[]): string[] {
  const named = known.indexOf(anyName);
  const chosen = path[named];
  const sameStart = known.slice(0, named).every((segment, index) => segment === path[index]);
  return named < 0 || chosen === undefined || !sameStart ? [...known] : known.toSpliced(named, 1, chosen);
}

export interface KeyDescription {
  /** Dotted; `<name>` stands for a user-chosen name. */
  path: string;
  allowed: string;
  /** A value, or a description when it depends on another key; neither for a required key. */
  fallback: { value: unknown } | { words: string } | undefined;
  required: boolean;
  description: string;
  secret: boolean;
}

export interface SectionDescription {
  path: string;
  description: string;
  /** The settings of one provider, effective only while it is active. */
  block: boolean;
  keys: KeyDescription[];
}

/** Every key once, grouped by top-level section and by provider block, in the order of the schema. */
export function describeConfig(): SectionDescription[] {
  const sections: SectionDescription[] = [];
  for (const { path, node } of eachNode(configTree)) {
    if (node.kind === 'section' && (path.length === 1 || node.block)) {
      sections.push({ path: path.join('.'), description: node.description, block: node.block, keys: [] });
    }
    if (node.kind === 'key') sections.at(-1)?.keys.push(describeKey(path, node));
  }
  return sections;
}

/** Every key once, in the order of the schema. */
export function describeKeys(): KeyDescription[] {
  return describeConfig().flatMap((section) => section.keys);
}

function describeKey(path: string[], { note }: Extract<Node, { kind: 'key' }>): KeyDescription {
  return {
    path: path.join('.'),
    allowed: note.wording.allowed,
    fallback: note.fallback,
    required: note.required,
    description: note.description,
    secret: note.secret !== undefined,
  };
}

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
