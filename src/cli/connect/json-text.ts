import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/json.js';

/*
 * Changes single members of a JSON file, so that comments, trailing commas and line breaks stay as a person wrote them.
 */

interface Member {
  /** Of an item of a list, its place. */
  key: string;
  /** Where its key begins; of an item, where its value does. */
  from: number;
  value: Value;
  /** The comma after it. */
  comma?: number;
}

interface Value {
  from: number;
  to: number;
  plain: unknown;
  /** Of an object or a list, in its order. */
  members?: Member[];
  isList?: boolean;
}

/** The value of a text that may have comments, trailing commas and a byte order mark; undefined if it is no such text. */
export function plainJson(text: string): { plain: unknown } | undefined {
  const root = rootOf(text);
  return root === undefined ? undefined : { plain: root.plain };
}

/**
 * The text with this value at a path of two keys; an object on the way is made where it is missing. Undefined when the
 * text cannot be changed without touching anything else.
 */
export function withJson(text: string, [section, name]: readonly [string, string], value: unknown): string | undefined {
  const root = rootOf(text);
  if (root?.members === undefined || root.isList === true) return undefined;
  const style = styleOf(text);
  const listed = root.members.findLast(({ key }) => key === section)?.value;
  if (listed === undefined) return added(text, root, { key: section, value: { [name]: value }, depth: 1, style });
  if (listed.members === undefined || listed.isList === true) return undefined;
  const own = listed.members.findLast(({ key }) => key === name)?.value;
  if (own === undefined) return added(text, listed, { key: name, value, depth: 2, style });
  return text.slice(0, own.from) + written(value, 2, style) + text.slice(own.to);
}

/** The text without this path, and without an object on the way that was made for it. */
export function withoutJson(text: string, [section, name]: readonly [string, string]): string | undefined {
  const root = rootOf(text);
  const listed = root?.members?.findLast(({ key }) => key === section);
  const own = listed?.value.members?.findLast(({ key }) => key === name);
  if (root === undefined || listed === undefined || own === undefined) return text;
  // In an empty object that was there before, the entry begins right after the brace.
  const isOurs = listed.value.members?.length === 1 && text[own.from - 1] !== '{';
  return isOurs ? removed(text, root, listed) : removed(text, listed.value, own);
}

/**
 * The text changed so that it says this: only members and items that differ are written, added or removed. Undefined
 * when that cannot be done without touching anything else.
 */
export function rewritten(text: string, wanted: unknown): string | undefined {
  const style = styleOf(text);
  let now: string | undefined = text;
  for (let edits = 0; edits < mostEdits && now !== undefined; edits++) {
    const root = rootOf(now);
    if (root === undefined) return undefined;
    if (isDeepStrictEqual(root.plain, wanted)) return now;
    now = oneEdit({ text: now, root, style }, { value: root, wanted, depth: 0 });
  }
  return undefined;
}

const mostEdits = 100;

interface Differing {
  value: Value;
  wanted: unknown;
  depth: number;
}

/** The text with the first difference between a value and the wanted one mended. */
function oneEdit(
  whole: { text: string; root: Value; style: Style },
  { value, wanted, depth }: Differing,
): string | undefined {
  const { text, style } = whole;
  const { members } = value;
  if (members === undefined || (value.isList === true ? !Array.isArray(wanted) : !isObject(wanted))) {
    return text.slice(0, value.from) + written(wanted, depth, style) + text.slice(value.to);
  }
  const wantedBy = new Map(Object.entries(wanted as object));
  for (const [at, member] of members.entries()) {
    const next: unknown = wantedBy.get(member.key);
    if (next !== undefined && isDeepStrictEqual(next, member.value.plain)) continue;
    const comesLater = members.slice(at + 1).some((later) => isDeepStrictEqual(later.value.plain, next));
    if (next === undefined || (value.isList === true && comesLater)) return removed(text, value, member);
    return oneEdit(whole, { value: member.value, wanted: next, depth: depth + 1 });
  }
  const known = new Set(members.map(({ key }) => key));
  const [missing] = [...wantedBy].filter(([key]) => !known.has(key));
  if (missing === undefined) return undefined;
  return added(text, value, { key: missing[0], value: missing[1], depth: depth + 1, style });
}

interface Style {
  indent: string;
  lineBreak: string;
}

function styleOf(text: string): Style {
  return { indent: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ', lineBreak: text.includes('\r\n') ? '\r\n' : '\n' };
}

function written(value: unknown, depth: number, { indent, lineBreak }: Style): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', lineBreak + indent.repeat(depth));
}

/** Adds a member at the end of an object or a list, after a comment on the line of the one before it. */
function added(
  text: string,
  { from, to, members = [], isList }: Value,
  { key, value, depth, style }: { key: string; value: unknown; depth: number; style: Style },
): string {
  const { indent, lineBreak } = style;
  const member = `${isList === true ? '' : `${JSON.stringify(key)}: `}${written(value, depth, style)}`;
  const onLine = lineBreak + indent.repeat(depth) + member;
  const last = members.at(-1);
  if (last === undefined) {
    const inside = text.slice(from + 1, to - 1);
    const first = depth === 1 ? onLine + (inside === '' ? lineBreak : '') : member;
    return text.slice(0, from + 1) + first + inside + text.slice(to - 1);
  }
  const end = last.comma === undefined ? last.value.to : last.comma + 1;
  const at = end + lineComment(text, end);
  if (last.comma !== undefined) return `${text.slice(0, at)}${onLine},${text.slice(at)}`;
  return `${text.slice(0, end)},${text.slice(end, at)}${onLine}${text.slice(at)}`;
}

/** Removes a member, its comma and the space before it, unless a comment there would swallow what follows. */
function removed(text: string, object: Value, member: Member): string | undefined {
  const before = (object.members ?? []).filter(({ from }) => from < member.from).at(-1);
  const isLast = !(object.members ?? []).some(({ from }) => from > member.from);
  const to = member.comma === undefined ? member.value.to : member.comma + 1;
  const comma = isLast && member.comma === undefined ? before?.comma : undefined;
  const start = (from: number): string =>
    comma === undefined ? text.slice(0, from) : text.slice(0, comma) + text.slice(comma + 1, from);
  const rest = text.slice(to);
  const tight = start(spaceBefore(text, member.from)) + rest;
  const expected = JSON.stringify(without(object, member));
  const found = [tight, start(member.from) + rest].find((each) => {
    const now = rootOf(each);
    return now !== undefined && JSON.stringify(innerAt(now, object.from)?.plain) === expected;
  });
  return found;
}

function without({ members = [], isList }: Value, gone: Member): object {
  const left = members.filter((each) => each !== gone);
  if (isList === true) return left.map(({ value }) => value.plain);
  return Object.fromEntries(left.map(({ key, value }) => [key, value.plain]));
}

/** The object or list that begins there: the root or one inside it. */
function innerAt(value: Value, from: number): Value | undefined {
  if (value.from === from) return value;
  const around = value.members?.find((member) => member.value.from <= from && from < member.value.to);
  return around === undefined ? undefined : innerAt(around.value, from);
}

function spaceBefore(text: string, from: number): number {
  let at = from;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

/** The length of a comment that ends the line at this place, with the blanks before it. */
function lineComment(text: string, at: number): number {
  const comment = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n*]*\*\/(?=[ \t]*[\r\n]))/y;
  comment.lastIndex = at;
  return comment.exec(text)?.[0].length ?? 0;
}

const space = /(?:[\s\ufeff]+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const string = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const scalar = /-?\d[\d.eE+-]*|true|false|null/y;
/** Deeper settings are not read. */
const mostDepth = 200;

function rootOf(text: string): Value | undefined {
  try {
    const root = valueAt(text, skip(text, 0), 0);
    return skip(text, root.to) === text.length ? root : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function valueAt(text: string, from: number, depth: number): Value {
  if (depth > mostDepth) throw new SyntaxError();
  if (text[from] === '{') return objectAt(text, from, depth);
  if (text[from] === '[') return listAt(text, from, depth);
  const word = match(text[from] === '"' ? string : scalar, text, from);
  return { from, to: from + word.length, plain: JSON.parse(word) };
}

function objectAt(text: string, from: number, depth: number): Value {
  const members: Member[] = [];
  let at = skip(text, from + 1);
  while (text[at] !== '}') {
    const key = match(string, text, at);
    const colon = skip(text, at + key.length);
    if (text[colon] !== ':') throw new SyntaxError();
    const value = valueAt(text, skip(text, colon + 1), depth + 1);
    const end = skip(text, value.to);
    const hasComma = text[end] === ',';
    members.push({ key: String(JSON.parse(key)), from: at, value, ...(hasComma ? { comma: end } : {}) });
    at = hasComma ? skip(text, end + 1) : end;
    if (!hasComma && text[at] !== '}') throw new SyntaxError();
  }
  const plain = Object.fromEntries(members.map(({ key, value }) => [key, value.plain]));
  return { from, to: at + 1, plain, members };
}

function listAt(text: string, from: number, depth: number): Value {
  const members: Member[] = [];
  let at = skip(text, from + 1);
  while (text[at] !== ']') {
    const value = valueAt(text, at, depth + 1);
    const end = skip(text, value.to);
    const hasComma = text[end] === ',';
    if (!hasComma && text[end] !== ']') throw new SyntaxError();
    members.push({ key: String(members.length), from: at, value, ...(hasComma ? { comma: end } : {}) });
    at = hasComma ? skip(text, end + 1) : end;
  }
  return { from, to: at + 1, plain: members.map(({ value }) => value.plain), members, isList: true };
}

/** The end of white space and comments. */
function skip(text: string, from: number): number {
  return from + match(space, text, from).length;
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  if (found === null) throw new SyntaxError();
  return found[0];
}
