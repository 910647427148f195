import type { MetadataDriver } from './driver.js';
import { sqlite } from './sqlite.js';

/** Every metadata driver by its configuration value. */
export const metadataDrivers = {
  sqlite,
} as const satisfies Record<string, MetadataDriver>;

export type MetadataDriverName = keyof typeof metadataDrivers;
