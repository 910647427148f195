import { stringify } from 'yaml';
import { isObject } from '../../model/json.js';
import type { Client } from './clients.js';

/** The entry as it stands in the client's file, and nothing around it. */
export function snippetOf(client: Client, name: string, entry: object): string {
  if (client.format === 'yaml') return stringify({ [client.section]: { [name]: entry } }).trimEnd();
  if (client.format === 'toml') return tomlTable(`${client.section}.${name}`, entry);
  return JSON.stringify({ [client.section]: { [name]: entry } }, null, 2);
}

export function tomlTable(header: string, entry: object): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${header}]`, ...lines].join('\n');
}

/** A text in JSON is one in TOML too; the others are built from it. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${tomlValue(each)}`)
    .join(', ')} }`;
}
