import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MemoryError } from '../../model/errors.js';
import type { Importer, SourceFile } from '../contract.js';

/**
 * The files a path stands for: itself, those of a folder or a zip that belong to the format, or standard input for `-`.
 * A single file is taken at the person's word, whatever its name.
 */
export async function* filesAt(path: string, importer: Pick<Importer, 'accepts'>): AsyncGenerator<SourceFile> {
  if (path === '-') {
    yield { path: 'standard input', read: () => process.stdin };
    return;
  }
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new MemoryError(cause.code === 'ENOENT' ? 'not_found' : 'invalid_input', `${path} cannot be read`, { cause });
  });
  if (found.isDirectory()) yield* filesIn(path, importer);
  else if (/\.zip$/i.test(path)) yield* filesInZip(path, importer);
  else yield onDisk(path, basename(path), found);
}

async function* filesIn(folder: string, importer: Pick<Importer, 'accepts'>): AsyncGenerator<SourceFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const name of names.sort()) {
    const shown = name.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '');
    if (!importer.accepts(shown)) continue;
    // A program may rename or remove its files while we look.
    const found = await stat(name).catch(() => undefined);
    if (found !== undefined) yield onDisk(name, shown, found);
  }
}

function onDisk(path: string, shown: string, { size, mtime }: { size: number; mtime: Date }): SourceFile {
  return { path: shown, onDisk: path, size, changedAt: mtime.toISOString(), read: () => createReadStream(path) };
}

/** Entries are unpacked while they are read: a zip of gigabytes needs no room on disk and little in memory. */
async function* filesInZip(path: string, importer: Pick<Importer, 'accepts'>): AsyncGenerator<SourceFile> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw new MemoryError('invalid_input', `${path} is not a zip file that can be read`, { cause });
  });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || !importer.accepts(entry.fileName)) continue;
      yield {
        path: entry.fileName,
        size: entry.uncompressedSize,
        changedAt: entry.getLastModDate().toISOString(),
        async *read() {
          yield* await zip.openReadStreamPromise(entry);
        },
      };
    }
  } finally {
    zip.close();
  }
}
