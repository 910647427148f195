import { z } from 'zod';
import { type Note, noteOf } from './keys.js';
import { configSchema } from './schema.js';
import { blockSettings } from './storage-schema.js';

/** The schema as a plain tree, for everything that needs to know the keys rather than check values. */
export type Node = KeyNode | SectionNode | NamedNode;

export interface KeyNode {
  kind: 'key';
  note: Note;
}

export interface SectionNode {
  kind: 'section';
  description: string;
  children: ReadonlyMap<string, Node>;
  /** A provider block, held to its schema only while its provider is active. */
  block: boolean;
}

/** A section for each name that the user chooses. */
export interface NamedNode {
  kind: 'named';
  child: Node;
}

/** Placeholder for the chosen name in the path of a key. */
export const anyName = '<name>';

export const configTree = nodeOf(configSchema);

/** The node at a path, or undefined when no such key or section is known. */
export function nodeAt(path: readonly string[]): Node | undefined {
  let node: Node | undefined = configTree;
  for (const segment of path) {
    if (node === undefined || node.kind === 'key') return undefined;
    node = node.kind === 'named' ? node.child : node.children.get(segment);
  }
  return node;
}

/** Every node below `node` with its path, sections before what they hold. */
export function* eachNode(node: Node = configTree, path: string[] = []): Generator<{ path: string[]; node: Node }> {
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
  throw new Error('the configuration schema holds a value that was not declared as a key');
}

function sectionOf(schema: z.ZodObject, { block }: { block: boolean }): SectionNode {
  const children = Object.entries(schema.shape).map(([name, child]) => [name, nodeOf(child as z.ZodType)] as const);
  return { kind: 'section', description: schema.description ?? '', children: new Map(children), block };
}
