import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';

/*
 * Every regular expression of the program: those written as literals, found in the built files, and those made while it
 * runs, noted as they are made. Import this file before anything of the program.
 */

const made = new Map<string, RegExp>();

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, as: new () => RegExp) {
    const pattern: RegExp = Reflect.construct(target, given, as);
    note(pattern);
    return pattern;
  },
});

function note(pattern: RegExp): void {
  made.set(String(pattern), pattern);
}

const built = new URL('../../dist/', import.meta.url);

/** The console runs in the browser of the person whose text it shows. */
function literals(): RegExp[] {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' });
  const ours = files.filter((file) => file.endsWith('.js') && !file.startsWith('console'));
  return ours.flatMap((file) => [...literalsIn(parseAst(readFileSync(new URL(file, built), 'utf8')))]);
}

function* literalsIn(node: unknown): Generator<RegExp> {
  if (typeof node !== 'object' || node === null) return;
  const { regex } = node as { regex?: { pattern: string; flags: string } };
  if (regex !== undefined) yield new RegExp(regex.pattern, regex.flags);
  else for (const child of Object.values(node)) yield* literalsIn(child);
}

/** Call it after everything was loaded and used once, so that what is made late is there. */
export function patternsOfProgram(): RegExp[] {
  const all = new Map([...made, ...literals().map((pattern) => [String(pattern), pattern] as const)]);
  return [...all.values()];
}
