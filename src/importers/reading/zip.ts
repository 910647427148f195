import type { Entry, ZipFile } from 'yauzl';
import { MemoryError } from '../../model/errors.js';
import type { Importer, SourceFile } from '../contract.js';
import { limits } from '../limits.js';

/** An entry of an archive that cannot be unpacked; its message says why, as reports do. */
export class UnreadableEntry extends Error {}

/** How much larger than its zip an export may be. Text gets about ten times smaller, and logs that repeat themselves fifty. */
const mostGrowth = 100;

/**
 * The files of a zip that belong to the format. They are unpacked while they are read: a zip of gigabytes needs no room on
 * disk and little in memory. One made to unpack to a thousand times its size is given up.
 */
export async function* filesInZip(
  { path, shown, size }: { path: string; shown: string; size: number },
  importer: Pick<Importer, 'accepts'>,
): AsyncGenerator<SourceFile> {
  const unreadable = (cause: unknown): never => {
    throw new MemoryError('invalid_input', `${shown} is not a zip file that can be read`, { cause });
  };
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { autoClose: false }).catch(unreadable);
  const unpack = createUnpacking(zip, Math.max(limits.fileBytes, size * mostGrowth));
  try {
    const entries = zip.eachEntry()[Symbol.asyncIterator]();
    for (;;) {
      const { value: entry, done } = await entries.next().catch(unreadable);
      if (done === true) return;
      if (entry.fileName.endsWith('/') || !importer.accepts(entry.fileName)) continue;
      yield {
        path: entry.fileName,
        size: entry.uncompressedSize,
        changedAt: entry.getLastModDate().toISOString(),
        read: () => unpack(entry),
      };
    }
  } finally {
    zip.close();
  }
}

/** Counts what all entries together unpack to. */
function createUnpacking(zip: ZipFile, mostBytes: number) {
  let unpacked = 0;
  return async function* unpack(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of await zip.openReadStreamPromise(entry)) {
        unpacked += part.length;
        if (unpacked > mostBytes) throw new UnreadableEntry('it unpacks to far more than an export of its size holds');
        yield part;
      }
    } catch (cause) {
      throw cause instanceof UnreadableEntry ? cause : new UnreadableEntry('it is damaged', { cause });
    }
  };
}
