import { statSync } from 'node:fs';
import { DATABASE_MOVED } from '../../shared/trouble.js';

/**
 * A file that is deleted or moved away while it is open takes writes as if nothing had happened, and they are gone with the
 * process. With a write-ahead log SQLite does not look, so we do, before each commit: it costs microseconds.
 */
export function placeGuard(paths: readonly string[]): () => void {
  const files = paths.flatMap((file) => {
    const identity = identityOf(file);
    return identity === undefined ? [] : [{ file, identity }];
  });
  return () => {
    if (files.every(({ file, identity }) => identityOf(file) === identity)) return;
    const message = 'the metadata database was moved or deleted while it was open';
    throw Object.assign(new Error(message), { errcode: DATABASE_MOVED });
  };
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
