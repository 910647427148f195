import { isAbsolute, relative } from 'node:path';
import { activeMetadataSettings, activeVectorSettings } from './active.js';
import { isMapping } from './layers.js';
import type { Config } from './schema.js';

/**
 * Serialises what decides the result of an operation: equal texts mean that two processes with the same data folder do
 * the same, however their settings are spelled. The settings of a server alone are left out, as are the blocks of
 * providers that are not in use.
 */
export function effectiveSettings(config: Config): string {
  const { api, observability, interfaces, mcp, paths, storage, limits, ...rest } = config;
  const { vectorProviders, metadataProviders, ...stored } = storage;
  const {
    maxConcurrentRequests,
    maxPublicRequests,
    maxPublicRequestsPerAddress,
    publicBodyTimeoutMs,
    maxConnections,
    maxHeaderBytes,
    headerTimeoutMs,
    requestTimeoutMs,
    responseTimeoutMs,
    ...sizes
  } = limits;
  const vectors = activeVectorSettings(config);
  const metadata = activeMetadataSettings(config);
  return JSON.stringify({ ...rest, stored, sizes, vectors, metadata }, (name, value: unknown) => {
    if (name === 'path' && typeof value === 'string') return withinFolder(value, paths.dataDir);
    return isMapping(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value;
  });
}

/** Both processes found the data folder, perhaps by different names: what is inside it is compared from there. */
function withinFolder(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
