/** A header or a pair of a TOML text: which key it is about, and its lines (`to` is the line after the last). */
export interface TomlStatement {
  kind: 'table' | 'array of tables' | 'pair';
  /** In a pair relative to the header above it. */
  path: string[];
  from: number;
  to: number;
}

const bareKey = /[A-Za-z0-9_-]+/y;

/**
 * What stands where in a TOML text, so that a part of it can be changed without touching a letter of the rest. Values
 * are passed over, not read. Undefined for a text that cannot be followed.
 */
export function tomlStatements(text: string): TomlStatement[] | undefined {
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
  /** The text between quotes, as it stands there; undefined when they do not close. */
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
        // Up to two quotes may stand right before the three that close.
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
