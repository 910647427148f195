import { constants, copyFile, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { fileError, MemoryError } from '../../model/errors.js';
import { isObject } from '../../model/json.js';
import type { Client } from './clients.js';
import { plainJson, rewritten, withJson, withoutJson } from './json-text.js';
import { withoutTomlTable, withTomlTable } from './toml.js';

/** All keys that our entry may have, in any client. The user added any other key. */
const ownKeys = [
  ...['type', 'url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'bearer_token_env_var'],
  ...['command', 'args', 'env', 'environment', 'cmd', 'envs', 'name', 'description'],
];

/**
 * Returns the client's settings with our entry; everything else is unchanged. In an existing entry of that name only
 * the connection keys are replaced. Throws when the settings cannot be edited safely.
 */
export function withEntry(settings: string, client: Client, name: string, entry: object): string {
  if (client.format === 'json') return inJson(settings, client.section, name, entry);
  if (client.format === 'yaml') return inYaml(settings, client.section, name, entry);
  const changed = withTomlTable(settings, { section: client.section, name, entry, replaced: ownKeys });
  if ('refused' in changed) throw notOurs(changed.refused);
  return changed.text;
}

function inJson(settings: string, section: string, name: string, entry: object): string {
  const all = membersOf(settings);
  const listed = all[section] ?? {};
  if (!isObject(listed)) throw notOurs(`"${section}" in it is not an object`);
  const before = isObject(listed[name]) ? listed[name] : {};
  const others = Object.entries(before).filter(([key]) => !ownKeys.includes(key));
  const value = { ...entry, ...Object.fromEntries(others) };
  if (JSON.stringify(value) === JSON.stringify(listed[name])) return settings;
  if (settings.trim() === '') return settingsText({ [section]: { [name]: value } }, settings);
  const changed = withJson(settings, [section, name], value);
  if (changed === undefined) throw notOurs('it is not valid JSON');
  return changed;
}

/** The settings of a JSON file with or without comments. */
function membersOf(settings: string): Record<string, unknown> {
  if (settings.trim() === '') return {};
  const parsed = plainJson(settings);
  if (parsed === undefined) throw notOurs('it is not valid JSON');
  if (!isObject(parsed.plain)) throw notOurs('it is not a JSON object');
  return parsed.plain;
}

/** Returns the client's settings without our entry, and without its section if that is now empty. */
export function withoutEntry(settings: string, client: Client, name: string): string {
  if (client.format === 'toml') {
    const changed = withoutTomlTable(settings, { section: client.section, name });
    if ('refused' in changed) throw notOurs(changed.refused);
    return changed.text;
  }
  if (client.format === 'yaml') return outOfYaml(settings, client.section, name);
  membersOf(settings);
  if (settings.trim() === '') return settings;
  const changed = withoutJson(settings, [client.section, name]);
  if (changed === undefined) throw notOurs('it is not valid JSON');
  return changed;
}

/** Whether the client's settings have the entry. Throws if they cannot be read. */
export function hasEntry(settings: string, client: Client, name: string): boolean {
  return withoutEntry(settings, client, name) !== settings;
}

/** Preserves comments and the order of the other settings. */
function inYaml(settings: string, section: string, name: string, entry: object): string {
  const document = yamlOf(settings);
  const before: unknown = document.getIn([section, name]);
  if (before !== undefined && !isMap(before)) throw notOurs(`"${section}.${name}" in it is not a map`);
  for (const key of ownKeys) if (document.hasIn([section, name, key])) document.deleteIn([section, name, key]);
  for (const [key, value] of Object.entries(entry)) {
    if (ownKeys.includes(key) || !document.hasIn([section, name, key])) document.setIn([section, name, key], value);
  }
  return document.toString({ lineWidth: 0 });
}

function outOfYaml(settings: string, section: string, name: string): string {
  const document = yamlOf(settings);
  if (!document.hasIn([section, name])) return settings;
  document.deleteIn([section, name]);
  const listed: unknown = document.get(section);
  if (isMap(listed) && listed.items.length === 0) document.delete(section);
  return isMap(document.contents) && document.contents.items.length === 0 ? '' : document.toString({ lineWidth: 0 });
}

function yamlOf(settings: string): ReturnType<typeof parseDocument> {
  const document = parseDocument(settings);
  if (document.errors.length > 0) throw notOurs('it is not valid YAML');
  if (document.contents !== null && !isMap(document.contents)) throw notOurs('it is not a map');
  return document;
}

/** Returns JSON settings after a change of what they say; comments and everything that it does not touch stay. */
export function withChanged(
  settings: string,
  change: (all: Record<string, unknown>) => Record<string, unknown>,
): string {
  const after = change(membersOf(settings));
  if (settings.trim() === '') return settingsText(after, settings);
  const changed = rewritten(settings, after);
  if (changed === undefined) throw notOurs('it is not valid JSON');
  return changed;
}

/** Keeps the file's indentation. */
function settingsText(settings: object, before: string): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  return `${JSON.stringify(settings, null, indent)}\n`;
}

export function notOurs(reason: string): MemoryError {
  return new MemoryError(
    'conflict',
    `The client's settings were not changed: ${reason}. Add the snippet by hand; without --write it is printed`,
  );
}

/**
 * Changes a settings file atomically and keeps a copy of the old one. Returns the copy's path, or undefined when there
 * was no file or no change.
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
  // Dotfiles are often symbolic links: the link is kept and its target changed.
  const file = await realpath(path).catch(() => path);
  const before = await readFile(file, 'utf8').catch(absent);
  const changed = change(before ?? '');
  if (changed === (before ?? '')) return { changed: false };
  const after = (await keptAs(file, changed)) ?? changed;
  // A file that we created and that is empty now is removed.
  if (before !== undefined && isEmpty(after) && !(await wasThereBefore(file))) {
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

/** Whether a settings file was there before our first change, of which a copy was made then. */
export async function wasThereBefore(path: string): Promise<boolean> {
  return exists(`${await realpath(path).catch(() => path)}${copyEnding}`);
}

const copyEnding = '.before-threadkeep';

/** The copy of an earlier change that differs from this text in white space alone, so that it comes back as it was. */
async function keptAs(file: string, text: string): Promise<string | undefined> {
  const prefix = `${basename(file)}${copyEnding}`;
  const names = (await readdir(dirname(file)).catch(() => [])).filter((name) => name.startsWith(prefix));
  for (const name of names.sort((one, other) => other.length - one.length || (one < other ? 1 : -1))) {
    const copy = await readFile(join(dirname(file), name), 'utf8').catch(() => undefined);
    if (copy !== undefined && isSame(file, copy, text)) return copy;
  }
  return undefined;
}

function isSame(file: string, one: string, other: string): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  const [strict, otherStrict] = [strictJson(one), strictJson(other)];
  if (strict !== undefined && otherStrict !== undefined) return strict === otherStrict;
  const [plain, otherPlain] = [one, other].map((text) => JSON.stringify(valueIn(file, text)));
  return plain === otherPlain && withoutSpace(one) === withoutSpace(other);
}

/** JSON without comments, and without the empty lists of servers or hooks that were there before ours. */
function strictJson(text: string): string | undefined {
  try {
    const plain: unknown = JSON.parse(text);
    if (!isObject(plain)) return undefined;
    const said = Object.entries(plain).filter(([, value]) => !isObject(value) || Object.keys(value).length > 0);
    return JSON.stringify(Object.fromEntries(said));
  } catch {
    // It has comments, or is another format.
    return undefined;
  }
}

/** What the settings say; of TOML its lines. */
function valueIn(file: string, text: string): unknown {
  if (/\.ya?ml$/.test(file)) return parseDocument(text).toJS();
  if (file.endsWith('.toml')) return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return plainJson(text)?.plain;
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}

/** A free name next to the file: the copy made before our first change is never overwritten. */
async function copyOf(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${file}${copyEnding}${number === 1 ? '' : `-${number}`}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

function isEmpty(settings: string): boolean {
  return /^(\{\s*\})?$/.test(settings.trim());
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
