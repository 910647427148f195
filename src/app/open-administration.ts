import type { Administration } from '../auth/users.js';
import type { Config } from '../config/schema.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { openRecords } from '../records/open.js';
import { openCallers } from './open-callers.js';
import { openMetadata } from './open-metadata.js';

/** Accounts need the metadata store alone: no model, no vectors, and a server beside it is not disturbed. */
export async function withAdministration<T>(
  { config, observer, changes }: { config: Config; observer: Observer; changes: boolean },
  run: (administration: Administration) => Promise<T>,
): Promise<T> {
  if (changes && config.storage.dry_run) {
    // A dry run would print a token that does not exist.
    throw new MemoryError('invalid_input', 'storage.dry_run is on: accounts cannot be changed in a dry run');
  }
  const metadata = await openMetadata(config, observer);
  try {
    const now = (): string => new Date().toISOString();
    const opened = openCallers({ config, records: openRecords(metadata, now), observer, now });
    const result = await run(opened.administration);
    await opened.flush();
    return result;
  } finally {
    await metadata.close();
  }
}
