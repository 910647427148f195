import type { Note } from './keys.js';
import { isMapping } from './layers.js';
import type { Config } from './schema.js';
import { configTree, inFileSpelling, type Node } from './tree.js';

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

/** The replacement for a secret. */
const mask = '***';

/** Shorter values occur in ordinary text; redacting them would garble it and reveal them. */
const shortestSecret = 4;

const assignment =
  /(password|passwd|pwd|token|api[_-]?key|secret|dsn)(["']?\s*[:=]\s*["']?)((?:bearer|basic)\s+)?([^\s"'&,;]+)/gi;
/** A digit or a great length distinguishes a token from the words "bearer authentication". */
const authorization = /\b(bearer|basic)(\s+)(?=[\w.~+/=-]*\d|[\w.~+/=-]{24})[\w.~+/=-]{8,}/gi;
const keyShape = /\b(?:sk-|tk_)[A-Za-z0-9_-]{8,}/g;

/** Removes credentials from a text: the given values, user information in URIs, and anything shaped like a key. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  return textRedactor(secrets)(text);
}

/** `redactText` with its secrets prepared once, for a logger. */
export function textRedactor(secrets: readonly string[]): (text: string) => string {
  const values = spellings(secrets);
  return (text) => {
    const known = values.reduce((rest, value) => rest.replaceAll(value, mask), text);
    return known
      .replace(/\S+/g, redactUri)
      .replace(authorization, `$1$2${mask}`)
      .replace(assignment, (_, name: string, sign: string, scheme = '') => `${name}${sign}${scheme}${mask}`)
      .replace(keyShape, mask);
  };
}

/** The password in a connection string, raw and decoded; empty when there is none. */
function uriPasswords(uri: string): string[] {
  const { userInformation } = splitUri(uri) ?? {};
  if (userInformation === undefined) return [];
  const colon = userInformation.indexOf(':');
  const password = userInformation.slice(colon + 1);
  return [password, decoded(password)];
}

/** Longest first, so that a secret that starts with another one is redacted completely. */
function spellings(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(all)]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((left, right) => right.length - left.length);
}

function redactUri(word: string): string {
  const parts = splitUri(word);
  if (parts === undefined) return word;
  const colon = parts.userInformation.indexOf(':');
  // Without a colon the whole part may be a token.
  const user = colon < 0 ? '' : parts.userInformation.slice(0, colon + 1);
  return `${parts.start}${user}${mask}${parts.rest}`;
}

/** Excludes file URIs, which have no user: an "@" in their path is a package scope. */
const authority = /:\/\/(?<!\bfile:\/\/(?=\/))/i;

/** Splits at the last "@" of the word: an unencoded password may contain "@" and "/" itself. */
function splitUri(word: string): { start: string; userInformation: string; rest: string } | undefined {
  const begin = word.search(authority) + 3;
  const end = word.lastIndexOf('@');
  if (begin < 3 || end <= begin) return undefined;
  return { start: word.slice(0, begin), userInformation: word.slice(begin, end), rest: word.slice(end) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded: used as is.
    return text;
  }
}
