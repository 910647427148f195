import type { MetadataDriver } from './driver.js';
import { mongodb } from './mongodb.js';
import { postgres } from './postgres.js';
import { sqlite } from './sqlite.js';

/** Every metadata driver by its configuration value. */
export const metadataDrivers = {
  sqlite,
  postgres,
  mongodb,
} as const satisfies Record<string, MetadataDriver>;

export type MetadataDriverName = keyof typeof metadataDrivers;
