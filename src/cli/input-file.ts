import { createReadStream } from 'node:fs';
import { MemoryError } from '../model/errors.js';

/** Reads a file, or standard input for `-`. A byte order mark is dropped; input over `maxBytes` is rejected. */
export async function readInput(path: string, maxBytes: number): Promise<string> {
  const bytes = await readBytes(path, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder's own error has no more detail.
    throw new MemoryError('invalid_input', `${nameOf(path)} is not valid UTF-8 text; save it as UTF-8`);
  }
}

/** Parses a JSON file. The error message gives the position and never quotes the content. */
export async function readJsonInput(path: string, maxBytes: number): Promise<unknown> {
  const text = await readInput(path, maxBytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `${nameOf(path)} is not valid JSON${placeOf(text, error)}`;
    throw new MemoryError('invalid_input', `${message}; for a transcript use \`threadkeep import manual\``);
  }
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      size += part.length;
      if (size > maxBytes) break;
      parts.push(part);
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  if (size > maxBytes) throw new MemoryError('payload_too_large', `${nameOf(path)} is larger than ${maxBytes} bytes`);
  return Buffer.concat(parts);
}

function unreadable(path: string, cause: unknown): MemoryError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
  if (code === 'ENOENT') return new MemoryError('not_found', `${nameOf(path)} does not exist`);
  if (code === 'EISDIR') return new MemoryError('invalid_input', `${nameOf(path)} is a folder, not a file`);
  return new MemoryError('invalid_input', `${nameOf(path)} cannot be read (${code})`, { cause });
}

function nameOf(path: string): string {
  return path === '-' ? 'Standard input' : `The file ${path}`;
}

/** The parser's message quotes the text, which may be private, so only the position is taken from it. */
function placeOf(text: string, error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}
