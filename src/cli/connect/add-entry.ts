import { MemoryError } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import type { Client } from './clients.js';
import { withTomlTable } from './toml-entry.js';

/** What an entry of ours may say, in the words of any client. Whatever else stands in it was added by a person. */
const ownKeys = ['type', 'url', 'httpUrl', 'headers', 'bearer_token_env_var', 'command', 'args', 'env'];

/**
 * The client's settings with the entry in them; everything else stays as it was. Of an entry of the same name only what
 * says how to connect is replaced. Throws where that cannot be done safely.
 */
export function withEntry(settings: string, client: Client, name: string, entry: object): string {
  if (client.format === 'json') return inJson(settings, client.section, name, entry);
  const changed = withTomlTable(settings, { section: client.section, name, entry, replaced: ownKeys });
  if ('refused' in changed) throw notOurs(changed.refused);
  return changed.text;
}

function inJson(settings: string, section: string, name: string, entry: object): string {
  const all = settingsOf(settings);
  const listed = all[section] ?? {};
  if (!isObject(listed)) throw notOurs(`"${section}" in it is not an object`);
  const before = isObject(listed[name]) ? listed[name] : {};
  const others = Object.entries(before).filter(([key]) => !ownKeys.includes(key));
  const changed = { ...all, [section]: { ...listed, [name]: { ...entry, ...Object.fromEntries(others) } } };
  return settingsText(changed, settings);
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

/** Indented as the file was before. */
export function settingsText(settings: object, before: string): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  return `${JSON.stringify(settings, null, indent)}\n`;
}

export function notOurs(reason: string): MemoryError {
  return new MemoryError(
    'invalid_input',
    `The client's settings were left alone: ${reason}. Add the snippet by hand; without --write it is printed`,
  );
}
