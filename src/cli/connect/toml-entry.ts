import { tomlTable } from './snippet.js';
import { type TomlStatement, tomlStatements } from './toml-statements.js';

/** What to put into a TOML text. `replaced` are the keys of the table that are ours: others in it stay. */
interface Entry {
  section: string;
  name: string;
  entry: object;
  replaced: readonly string[];
}

/** The text with the table in it, or why it has to be left alone. */
export function withTomlTable(
  text: string,
  { section, name, entry, replaced }: Entry,
): { text: string } | { refused: string } {
  const statements = tomlStatements(text);
  if (statements === undefined) return { refused: 'it is not TOML that can be followed' };
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
    // A sub-table that goes takes the empty lines after it along; a comment there belongs to what follows.
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

/** The text without the table and those inside of it, and without the empty lines before it. */
export function withoutTomlTable(
  text: string,
  { section, name }: Pick<Entry, 'section' | 'name'>,
): { text: string } | { refused: string } {
  const statements = tomlStatements(text);
  if (statements === undefined) return { refused: 'it is not TOML that can be followed' };
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
  /** The table it stands in; of a header, the table itself. */
  table: string[];
  /** From the root of the file. */
  whole: string[];
}

function inTables(statements: readonly TomlStatement[]): Placed[] {
  let table: string[] = [];
  return statements.map((each) => {
    if (each.kind !== 'pair') table = each.path;
    return { ...each, table, whole: each.kind === 'pair' ? [...table, ...each.path] : table };
  });
}

/** An inline table, dotted keys or a list of tables: valid TOML, to which no table of that name can be added. */
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
