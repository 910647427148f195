import { configTree, eachNode, type Node } from './tree.js';

export interface KeyDescription {
  /** Dotted; `<name>` stands for a name that the user chooses. */
  path: string;
  allowed: string;
  /** A value, or words where it depends on another key; neither for a required key. */
  fallback: { value: unknown } | { words: string } | undefined;
  required: boolean;
  description: string;
  secret: boolean;
}

export interface SectionDescription {
  path: string;
  description: string;
  /** The settings of one provider, in force only while it is active. */
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
