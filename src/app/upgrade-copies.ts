import { dirname, join } from 'node:path';
import { activeMetadataSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { copiesFolder, copiesIn } from '../stores/metadata/drivers/sqlite/upgrade.js';

/** The copies of the database that upgrades made, the newest first; undefined for a store that makes none. */
export function upgradeCopies(config: Config): string[] | undefined {
  const metadata = activeMetadataSettings(config);
  if (metadata.name !== 'sqlite') return undefined;
  const folder = metadata.settings.path === undefined ? config.paths.data_dir : dirname(metadata.settings.path);
  return copiesIn(join(folder, copiesFolder));
}
