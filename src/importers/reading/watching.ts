import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { MemoryError } from '../../model/errors.js';
import type { ImportedConversation, Importer, SourceFile } from '../contract.js';
import { filesAt } from './files.js';

export interface Watched {
  importer: Importer;
  path: string;
}

export interface ChangedFile {
  importer: Importer;
  file: SourceFile;
  /** Look at it next time as well, changed or not. */
  again(): void;
}

/**
 * Which files of the watched folders are new or have changed since the last look. Looking at names, sizes and times every
 * few seconds works on every file system, costs little, and forgets nothing when the machine was asleep. Folders may come
 * and go meanwhile.
 */
export function createLook(watched: () => readonly Watched[]) {
  const seen = new Map<string, string>();
  return async function* look(): AsyncGenerator<ChangedFile> {
    for (const { importer, path } of watched()) {
      for await (const file of filesThere(path, importer)) {
        const key = `${importer.name} ${file.onDisk ?? file.path}`;
        const state = await stateOf(file);
        if (seen.get(key) === state) continue;
        seen.set(key, state);
        yield { importer, file, again: () => seen.delete(key) };
      }
    }
  };
}

async function* filesThere(path: string, importer: Importer): AsyncGenerator<SourceFile> {
  try {
    yield* filesAt(path, importer);
  } catch (error) {
    // It went between two looks.
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
  }
}

/** A database that is in use changes its log first, and itself much later. */
async function stateOf({ onDisk = '', size, changedAt }: SourceFile): Promise<string> {
  const log = /\.(vscdb|db)$/.test(onDisk) ? await stat(`${onDisk}-wal`).catch(() => undefined) : undefined;
  return [size, changedAt, log?.size, log?.mtimeMs].join(' ');
}

/** `changed`: look again later. `new`: it has come to rest since it was taken last. `known`: it was taken like this. */
export type Rest = 'changed' | 'new' | 'known';

/**
 * Programs that rewrite a file while an answer streams in show half a sentence first. A conversation is at rest when two
 * looks in a row see the same, so that the half is never taken for the whole.
 */
export function createRest() {
  const seen = new Map<string, { digest: string; taken: boolean }>();
  return function restOf(place: string, { messages }: Pick<ImportedConversation, 'messages'>): Rest {
    const digest = createHash('sha256').update(JSON.stringify(messages)).digest('base64');
    const before = seen.get(place);
    if (before?.digest !== digest) {
      seen.set(place, { digest, taken: false });
      return 'changed';
    }
    if (before.taken) return 'known';
    seen.set(place, { digest, taken: true });
    return 'new';
  };
}
