import { constants, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { fileError, MemoryError } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import type { Client } from './clients.js';
import { withoutTomlTable, withTomlTable } from './toml.js';

/** What an entry of ours may say, in the words of any client. Whatever else stands in it was added by a person. */
const ownKeys = [
  ...['type', 'url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'bearer_token_env_var'],
  ...['command', 'args', 'env', 'environment', 'cmd', 'envs', 'name', 'description'],
];

/**
 * The client's settings with the entry in them; everything else stays as it was. Of an entry of the same name only what
 * says how to connect is replaced. Throws where that cannot be done safely.
 */
export function withEntry(settings: string, client: Client, name: string, entry: object): string {
  if (client.format === 'json') return inJson(settings, client.section, name, entry);
  if (client.format === 'yaml') return inYaml(settings, client.section, name, entry);
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

/** The client's settings without the entry, and without a section that held nothing else. */
export function withoutEntry(settings: string, client: Client, name: string): string {
  if (client.format === 'toml') {
    const changed = withoutTomlTable(settings, { section: client.section, name });
    if ('refused' in changed) throw notOurs(changed.refused);
    return changed.text;
  }
  if (client.format === 'yaml') return outOfYaml(settings, client.section, name);
  const all = settingsOf(settings);
  const listed = all[client.section];
  if (!isObject(listed) || !Object.hasOwn(listed, name)) return settings;
  const { [name]: _, ...others } = listed;
  const { [client.section]: __, ...rest } = all;
  // In its place, so that the order of the file stays.
  const changed = Object.fromEntries(
    Object.entries(all).map(([key, value]) => [key, key === client.section ? others : value]),
  );
  return settingsText(Object.keys(others).length === 0 ? rest : changed, settings);
}

/** Whether the client's settings have the entry. Throws where they cannot be read. */
export function hasEntry(settings: string, client: Client, name: string): boolean {
  return withoutEntry(settings, client, name) !== settings;
}

/** Comments and order of the other settings stay. */
function inYaml(settings: string, section: string, name: string, entry: object): string {
  const document = yamlOf(settings);
  const before: unknown = document.getIn([section, name]);
  if (before !== undefined && !isMap(before)) throw notOurs(`"${section}.${name}" in it is not a map`);
  for (const key of ownKeys) if (document.hasIn([section, name, key])) document.deleteIn([section, name, key]);
  for (const [key, value] of Object.entries(entry)) {
    if (ownKeys.includes(key) || !document.hasIn([section, name, key])) document.setIn([section, name, key], value);
  }
  return document.toString();
}

function outOfYaml(settings: string, section: string, name: string): string {
  const document = yamlOf(settings);
  if (!document.hasIn([section, name])) return settings;
  document.deleteIn([section, name]);
  const listed: unknown = document.get(section);
  if (isMap(listed) && listed.items.length === 0) document.delete(section);
  return isMap(document.contents) && document.contents.items.length === 0 ? '' : document.toString();
}

function yamlOf(settings: string): ReturnType<typeof parseDocument> {
  const document = parseDocument(settings);
  if (document.errors.length > 0) throw notOurs('it is not YAML that can be read');
  if (document.contents !== null && !isMap(document.contents)) throw notOurs('it is not a map');
  return document;
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

/**
 * Changes a settings file as a whole or not at all, and keeps what was there beside it. Returns where that is, or
 * undefined when there was nothing or nothing changed.
 */
export async function changeSettings(
  path: string,
  change: (settings: string) => string,
): Promise<{ changed: boolean; backup?: string }> {
  return replaceSettings(path, change).catch((error: unknown) => {
    throw fileError(path, 'written', error);
  });
}

async function replaceSettings(
  path: string,
  change: (settings: string) => string,
): Promise<{ changed: boolean; backup?: string }> {
  // Dotfiles are often links into a folder of their own: the link stays.
  const file = await realpath(path).catch(() => path);
  const before = await readFile(file, 'utf8').catch(absent);
  const after = change(before ?? '');
  if (after === (before ?? '')) return { changed: false };
  // What is left of a file that we made is nothing.
  if (before !== undefined && isEmpty(after) && !(await exists(`${file}.before-threadkeep`))) {
    await rm(file);
    return { changed: true };
  }
  await mkdir(dirname(file), { recursive: true });
  const backup = before === undefined ? undefined : await copyOf(file);
  const mode = before === undefined ? 0o600 : (await stat(file)).mode;
  const draft = `${file}.threadkeep-${process.pid}`;
  await writeFile(draft, after, { mode, flag: 'wx' });
  await rename(draft, file);
  return { changed: true, ...(backup === undefined ? {} : { backup }) };
}

/** Beside the file, under a name that is free: what was there before the first change is worth the most. */
async function copyOf(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}.before-threadkeep${number === 1 ? '' : `-${number}`}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

function isEmpty(settings: string): boolean {
  return settings.trim() === '' || settings.trim() === '{}';
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
