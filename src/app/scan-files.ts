import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface Scan {
  files: number;
  bytes: number;
  /** Files in which one of the texts still stands, by their names below the folder. */
  found: string[];
}

/** Looks through every byte of a folder for these texts. A text may lie across two pieces of a file. */
export async function scanFiles(folder: string, texts: readonly string[]): Promise<Scan> {
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length > 0);
  const longest = Math.max(1, ...needles.map(({ length }) => length));
  const scan: Scan = { files: 0, bytes: 0, found: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    scan.files += 1;
    let before = Buffer.alloc(0);
    for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
      scan.bytes += part.length;
      const piece = Buffer.concat([before, part]);
      if (needles.some((needle) => piece.includes(needle))) {
        scan.found.push(relative(folder, path));
        break;
      }
      before = piece.subarray(Math.max(0, piece.length - longest));
    }
  }
  return scan;
}
