import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConsoleFile } from '../http/console.js';

const built = fileURLToPath(new URL('../console', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The console as it was built beside the service; empty when only the service was built. */
export async function consoleFiles(): Promise<ConsoleFile[]> {
  if (!existsSync(built)) return [];
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: `/${relative(built, path).split(sep).join('/')}`,
      type: types[extname(path)] ?? 'application/octet-stream',
      content: new Uint8Array(await readFile(path)),
    })),
  );
}
