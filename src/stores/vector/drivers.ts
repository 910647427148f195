import type { VectorDriver } from './driver.js';
import { lancedb } from './lancedb.js';
import { memory } from './memory.js';
import { pgvector } from './pgvector.js';
import { qdrant } from './qdrant.js';

/** Every vector driver by its configuration value. A new back end is one file and one line here. */
export const vectorDrivers = { lancedb, memory, pgvector, qdrant } as const satisfies Record<string, VectorDriver>;

export type VectorDriverName = keyof typeof vectorDrivers;

/** The configuration values that can be opened. */
export const openableVectorDrivers = Object.keys(vectorDrivers) as readonly VectorDriverName[];
