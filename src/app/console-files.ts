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

/**
 * The console as it was built beside the service; empty when only the service was built. Its page is told how many results
 * it may ask for at a time.
 */
export async function consoleFiles(mostResults: number): Promise<ConsoleFile[]> {
  if (!existsSync(built)) return [];
  const entries = await readdir(built, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: `/${relative(built, path).split(sep).join('/')}`,
      type: types[extname(path)] ?? 'application/octet-stream',
      content: path.endsWith('.html') ? await pageFor(path, mostResults) : new Uint8Array(await readFile(path)),
    })),
  );
}

async function pageFor(path: string, mostResults: number): Promise<Uint8Array<ArrayBuffer>> {
  const page = await readFile(path, 'utf8');
  return new Uint8Array(Buffer.from(page.replace(/data-most-results="\d+"/, `data-most-results="${mostResults}"`)));
}
