import { isAbsolute, relative } from 'node:path';
import type { z } from 'zod';
import { isMapping } from './layers.js';
import type { Config, InCode } from './schema.js';
import { type MetadataProvider, metadataSettings, type VectorProvider, vectorSettings } from './storage-schema.js';
import { camelCaseKeys } from './tree.js';

/** The settings of each vector provider, as code spells them. */
export type VectorSettings = { [Name in VectorProvider]: InCode<z.output<(typeof vectorSettings)[Name]>> };

/** The settings of each metadata provider, as code spells them. */
export type MetadataSettings = { [Name in MetadataProvider]: InCode<z.output<(typeof metadataSettings)[Name]>> };

/** The vector provider in use and its settings: narrow by `name`. */
export type ActiveVectorSettings<Active extends VectorProvider = VectorProvider> = {
  [Name in Active]: { name: Name; settings: VectorSettings[Name] };
}[Active];

/** The metadata provider in use and its settings: narrow by `name`. */
export type ActiveMetadataSettings<Active extends MetadataProvider = MetadataProvider> = {
  [Name in Active]: { name: Name; settings: MetadataSettings[Name] };
}[Active];

/**
 * A loaded configuration already contains the validated block with resolved paths; parsing again only gives it its
 * type.
 */
export function activeVectorSettings(config: Config): ActiveVectorSettings {
  const name = config.providers.vectorDb;
  const settings = vectorSettings[name].parse(config.storage.vectorProviders[name] ?? {});
  return { name, settings: camelCaseKeys(settings) } as ActiveVectorSettings;
}

/** As `activeVectorSettings`, for the metadata store. */
export function activeMetadataSettings(config: Config): ActiveMetadataSettings {
  const name = config.providers.metadataDb;
  const settings = metadataSettings[name].parse(config.storage.metadataProviders[name] ?? {});
  return { name, settings: camelCaseKeys(settings) } as ActiveMetadataSettings;
}

/**
 * Serialises the settings that affect the result of an operation: equal texts mean that two processes with the same
 * data folder behave the same, however their settings are spelled. Server-only settings are left out, as are the
 * blocks of inactive providers.
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

/**
 * Both processes use the same data folder, perhaps by different paths, so paths inside it are compared relative to it.
 */
function withinFolder(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
