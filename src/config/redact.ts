import type { Note } from './keys.js';
import { isMapping } from './layers.js';
import { mask, redactText, uriPasswords } from './redact-text.js';
import type { Config } from './schema.js';
import { inFileSpelling } from './spelling.js';
import { configTree, type Node } from './tree.js';

/**
 * The configuration for display: secrets are masked. In blocks of inactive providers, texts under unknown keys are
 * masked as well.
 */
export function redactConfig(config: Config): Record<string, unknown> {
  return show(inFileSpelling(config), configTree) as Record<string, unknown>;
}

/** Every credential in the configuration, for `textRedactor`. */
export function secretsOf(config: Config): string[] {
  return [...new Set(collect(inFileSpelling(config), configTree))].filter((secret) => secret !== '');
}

function show(value: unknown, node: Node | undefined): unknown {
  if (node?.kind === 'key') return showKey(value, node.note);
  if (node === undefined || !isMapping(value)) return hideTexts(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, show(inner, childOf(node, name))]));
}

function showKey(value: unknown, note: Note): unknown {
  if (note.secret !== undefined) return value === '' ? '' : mask;
  if (typeof value === 'string') return redactText(value);
  if (note.wording.kind !== 'list' || !Array.isArray(value)) return hideTexts(value);
  return value.map((item) => (typeof item === 'string' ? redactText(item) : hideTexts(item)));
}

function hideTexts(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : mask;
  if (Array.isArray(value)) return value.map(hideTexts);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideTexts(inner)]));
}

function* collect(value: unknown, node: Node | undefined): Generator<string> {
  if (node?.kind === 'key') {
    for (const text of textsOf(value)) {
      if (node.note.secret === 'credential') yield text;
      yield* uriPasswords(text);
    }
  } else if (node !== undefined && isMapping(value)) {
    for (const [name, inner] of Object.entries(value)) yield* collect(inner, childOf(node, name));
  }
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function childOf(node: Node, name: string): Node | undefined {
  if (node.kind === 'named') return node.child;
  return node.kind === 'section' ? node.children.get(name) : undefined;
}
