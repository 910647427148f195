import type { MetadataDriver } from './contract.js';
import { mongodb } from './drivers/mongodb/mongodb.js';
import { postgres } from './drivers/postgres/postgres.js';
import { sqlite } from './drivers/sqlite/sqlite.js';

/** Every metadata driver by its configuration value. */
export const metadataDrivers = {
  sqlite,
  postgres,
  mongodb,
} as const satisfies Record<string, MetadataDriver>;

export type MetadataDriverName = keyof typeof metadataDrivers;
