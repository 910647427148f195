import { constants, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError } from '../../model/file-error.js';

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
