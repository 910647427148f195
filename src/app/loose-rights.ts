import { statSync } from 'node:fs';
import type { Config } from '../config/schema.js';
import type { Observer } from '../observability/observer.js';
import { metadataPath } from './open-metadata.js';

const ownerAlone = 0o077;

/**
 * Warns where others on this machine may read what is kept. A folder or file that was there before keeps its rights:
 * somebody may have given them on purpose, so they are told and not changed.
 */
export function warnOfLooseRights(config: Config, observer: Pick<Observer, 'log'>): void {
  // Rights of this kind mean nothing there.
  if (process.platform === 'win32') return;
  for (const file of [config.paths.data_dir, metadataPath(config)]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & ownerAlone) === 0) continue;
    observer.log('warn', 'data_readable_by_others', { file, mode: (found.mode & 0o777).toString(8) });
  }
}
