import { MemoryError } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import type { Client } from './clients.js';
import { tomlTable } from './snippet.js';

/** The client's settings with the entry in them; everything else stays as it was. An entry of the same name is replaced. */
export function withEntry(settings: string, client: Client, name: string, entry: object): string {
  return client.format === 'toml'
    ? inToml(settings, `${client.section}.${name}`, entry)
    : inJson(settings, client.section, name, entry);
}

function inJson(settings: string, section: string, name: string, entry: object): string {
  const all = settingsOf(settings);
  const listed = all[section] ?? {};
  if (!isObject(listed)) throw notOurs(`"${section}" in it is not an object`);
  const changed = { ...all, [section]: { ...listed, [name]: entry } };
  return `${JSON.stringify(changed, null, indentOf(settings))}\n`;
}

/** A settings file of JSON; an empty one holds nothing. */
export function settingsOf(settings: string): Record<string, unknown> {
  if (settings.trim() === '') return {};
  let all: unknown;
  try {
    all = JSON.parse(settings);
  } catch {
    // The parser's own message quotes the file.
    throw notOurs('it is not plain JSON (comments?)');
  }
  if (!isObject(all)) throw notOurs('it is not a JSON object');
  return all;
}

function indentOf(settings: string): string {
  return /^([ \t]+)"/m.exec(settings)?.[1] ?? '  ';
}

/** By lines: a table reaches from its header to the next header that is not its own sub-table's. */
function inToml(settings: string, header: string, entry: object): string {
  const lines = settings.split('\n');
  const isOwn = (line: string): boolean => line.startsWith(`[${header}]`) || line.startsWith(`[${header}.`);
  const from = lines.findIndex(isOwn);
  const table = tomlTable(header, entry).split('\n');
  if (from < 0) {
    const before = settings.trimEnd();
    return `${before === '' ? '' : `${before}\n\n`}${table.join('\n')}\n`;
  }
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('[') && !isOwn(line));
  const rest = length < 0 ? [] : lines.slice(from + 1 + length);
  return [...lines.slice(0, from), ...table, '', ...rest].join('\n');
}

function notOurs(reason: string): MemoryError {
  return new MemoryError(
    'invalid_input',
    `The client's settings were left alone: ${reason}. Add the snippet by hand; without --write it is printed`,
  );
}
