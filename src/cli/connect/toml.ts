import { tomlTable } from './clients.js';

/** The table to insert into a TOML text. `replaced` lists our own keys of that table; other keys are kept. */
interface Entry {
  section: string;
  name: string;
  entry: object;
  replaced: readonly string[];
}

/** Returns the text with the table, or the reason why it cannot be edited. */
export function withTomlTable(
  text: string,
  { section, name, entry, replaced }: Entry,
): { text: string } | { refused: string } {
  const statements = tomlStatements(text);
  if (statements === undefined) return { refused: 'its TOML cannot be parsed' };
  const placed = inTables(statements);
  const own = [section, name];
  if (placed.some((each) => standsInTheWay(each, own))) {
    return { refused: `"${section}" in it is not written as tables such as [${own.join('.')}]` };
  }
  const lines = text.split('\n');
  const gone = new Set<number>();
  for (const { table, whole, from, to } of placed) {
    if (!startsWith(table, own) || !replaced.includes(whole[own.length] ?? '')) continue;
    for (let line = from; line < to; line++) gone.add(line);
    // Removing a sub-table also removes the empty lines after it; a comment there belongs to what follows.
    const isSubTable = table.length > own.length;
    for (let line = to; isSubTable && lines[line]?.trim() === ''; line++) gone.add(line);
  }
  const header = placed.find((each) => each.kind === 'table' && isSame(each.whole, own));
  const [title = '', ...pairs] = tomlTable(own.join('.'), entry).split('\n');
  const kept = (from: number, to?: number): string[] =>
    lines.slice(from, to).filter((_, index) => !gone.has(from + index));
  if (header !== undefined) return { text: [...kept(0, header.to), ...pairs, ...kept(header.to)].join('\n') };
  const before = kept(0).join('\n').trimEnd();
  return { text: `${before === '' ? '' : `${before}\n\n`}${[title, ...pairs].join('\n')}\n` };
}

/** Returns the text without the table and its sub-tables, and without the empty lines before it. */
export function withoutTomlTable(
  text: string,
  { section, name }: Pick<Entry, 'section' | 'name'>,
): { text: string } | { refused: string } {
  const statements = tomlStatements(text);
  if (statements === undefined) return { refused: 'its TOML cannot be parsed' };
  const own = [section, name];
  const placed = inTables(statements);
  const lines = text.split('\n');
  const gone = new Set<number>();
  for (const { table, from, to } of placed.filter(({ table }) => startsWith(table, own))) {
    for (let line = from; line < to; line++) gone.add(line);
    if (!isSame(table, own)) continue;
    for (let line = from - 1; lines[line]?.trim() === ''; line--) gone.add(line);
  }
  if (gone.size === 0) return { text };
  const kept = lines
    .filter((_, line) => !gone.has(line))
    .join('\n')
    .trimEnd();
  return { text: kept === '' ? '' : `${kept}\n` };
}

interface Placed extends TomlStatement {
  /** The enclosing table; for a header, the table itself. */
  table: string[];
  /** The full path from the root of the file. */
  whole: string[];
}

function inTables(statements: readonly TomlStatement[]): Placed[] {
  let table: string[] = [];
  return statements.map((each) => {
    if (each.kind !== 'pair') table = each.path;
    return { ...each, table, whole: each.kind === 'pair' ? [...table, ...each.path] : table };
  });
}

/** An inline table, dotted keys or an array of tables: valid TOML, to which no table of that name can be added. */
function standsInTheWay({ kind, table, whole }: Placed, own: readonly string[]): boolean {
  const related = startsWith(whole, own) || startsWith(own, whole);
  if (kind === 'pair') return related && !startsWith(table, own);
  return kind === 'array of tables' && startsWith(own, whole);
}

function startsWith(path: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, index) => path[index] === part);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

/** A header or key-value pair of a TOML text: its key and its lines (`to` is the line after the last). */
interface TomlStatement {
  kind: 'table' | 'array of tables' | 'pair';
  /** For a pair, relative to the header above it. */
  path: string[];
  from: number;
  to: number;
}

const bareKey = /[A-Za-z0-9_-]+/y;

/**
 * Locates the statements of a TOML text, so that one part can be changed without touching the rest. Values are skipped,
 * not parsed. Undefined for a text that cannot be parsed.
 */
function tomlStatements(text: string): TomlStatement[] | undefined {
  const statements: TomlStatement[] = [];
  let at = 0;
  let line = 0;
  let counted = 0;

  const lineAt = (position: number): number => {
    for (; counted < position; counted++) if (text[counted] === '\n') line += 1;
    return line;
  };
  const skip = (signs: string): void => {
    while (at < text.length && signs.includes(text.charAt(at))) at += 1;
  };
  const skipComment = (): void => {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end;
  };
  const take = (sign: string): boolean => {
    if (!text.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  /** The raw text between quotes; undefined when they are not closed. */
  const quoted = (quote: string): string | undefined => {
    const from = at + quote.length;
    let end = from;
    while (end < text.length && !text.startsWith(quote, end)) {
      if (quote.length === 1 && text[end] === '\n') return undefined;
      end += quote.startsWith('"') && text[end] === '\\' ? 2 : 1;
    }
    if (end >= text.length) return undefined;
    at = end + quote.length;
    return text.slice(from, end);
  };
  const keyPart = (): string | undefined => {
    const sign = text.charAt(at);
    if (sign === '"' || sign === "'") return quoted(sign);
    bareKey.lastIndex = at;
    const [found] = bareKey.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const key = (): string[] | undefined => {
    const parts: string[] = [];
    do {
      skip(' \t');
      const part = keyPart();
      if (part === undefined) return undefined;
      parts.push(part);
      skip(' \t');
    } while (take('.'));
    return parts;
  };
  const skipValue = (): boolean => {
    for (let depth = 0; at < text.length; ) {
      const sign = text.charAt(at);
      const quote = ['"""', "'''", '"', "'"].find((each) => text.startsWith(each, at));
      if (quote !== undefined) {
        if (quoted(quote) === undefined) return false;
        // Up to two quotes may come right before the closing three.
        if (quote.length === 3) skip(sign);
        continue;
      }
      if (depth === 0 && (sign === '\n' || sign === '#')) return true;
      if (sign === '#') {
        skipComment();
        continue;
      }
      if (sign === '[' || sign === '{') depth += 1;
      if (sign === ']' || sign === '}') depth -= 1;
      at += 1;
    }
    return true;
  };
  const statement = (): Pick<TomlStatement, 'kind' | 'path'> | undefined => {
    const brackets = ['[[', '['].find(take) ?? '';
    const path = key();
    if (path === undefined) return undefined;
    if (brackets === '') return take('=') && skipValue() ? { kind: 'pair', path } : undefined;
    if (!take(']'.repeat(brackets.length))) return undefined;
    return { kind: brackets === '[' ? 'table' : 'array of tables', path };
  };

  for (;;) {
    skip(' \t\r\n\uFEFF');
    if (at >= text.length) return statements;
    if (text[at] === '#') {
      skipComment();
      continue;
    }
    const from = lineAt(at);
    const found = statement();
    if (found === undefined) return undefined;
    skip(' \t\r');
    if (text[at] === '#') skipComment();
    if (at < text.length && text[at] !== '\n') return undefined;
    statements.push({ ...found, from, to: lineAt(at) + 1 });
  }
}
