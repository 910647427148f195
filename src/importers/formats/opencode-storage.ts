import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../contract.js';
import { object, type Shape, text } from '../reading/shape.js';

/** A session in the storage that opencode had before its database: a file each for sessions, messages and parts. */
export function isStoredSession(path: string): boolean {
  return /(^|\/)session\/([^/]+\/)?ses_[^/]+\.json$/.test(path);
}

/** Everything else of that storage belongs to a session, or is no conversation. */
export function isBesideSession(path: string): boolean {
  return /(^|\/)(storage|session|message|part|session_diff|session_share|todo|project|migration)(\/|$)/.test(path);
}

/** The session in the shape of an export; undefined where the files beside it cannot be reached. */
export async function storedSession(file: SourceFile, info: Shape): Promise<Shape | undefined> {
  const id = text(info.id);
  if (file.onDisk === undefined || id === undefined || !/^[\w-]+$/.test(id)) return undefined;
  // The folder `session`, and beside it those of messages and parts; the first versions had them in it.
  const sessions = sessionFolder(file.onDisk);
  const root = dirname(sessions);
  const messages: Shape[] = [];
  for (const folder of [join(root, 'message', id), join(sessions, 'message', id)]) {
    for (const message of await jsonIn(folder)) {
      const name = String(message.id);
      if (!/^[\w-]+$/.test(name)) continue;
      const parts = await jsonIn(join(root, 'part', name));
      const older = parts.length > 0 ? [] : await jsonIn(join(sessions, 'part', id, name));
      messages.push({ info: message, parts: [...parts, ...older] });
    }
  }
  return { info, messages };
}

function sessionFolder(path: string): string {
  const parent = dirname(path);
  return /[\\/]session$/.test(parent) ? parent : dirname(parent);
}

/** The JSON files of a folder in the order of their names, which grow with time. A broken one is an empty object. */
async function jsonIn(folder: string): Promise<Shape[]> {
  const names = await readdir(folder).catch(() => []);
  const found: Shape[] = [];
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const content = await readFile(join(folder, name), 'utf8').catch(() => '');
    found.push({ id: name.replace(/\.json$/, ''), ...parsed(content) });
  }
  return found;
}

function parsed(content: string): Shape {
  try {
    return object(JSON.parse(content));
  } catch {
    // Half written, or damaged: the message is counted as one without text.
    return {};
  }
}
