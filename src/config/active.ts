import type { z } from 'zod';
import type { Config } from './schema.js';
import { type MetadataProvider, metadataSettings, type VectorProvider, vectorSettings } from './storage-schema.js';

/** The vector provider in use and its settings: narrow by `name`. */
export type ActiveVectorSettings = {
  [Name in VectorProvider]: { name: Name; settings: z.output<(typeof vectorSettings)[Name]> };
}[VectorProvider];

/** The metadata provider in use and its settings: narrow by `name`. */
export type ActiveMetadataSettings = {
  [Name in MetadataProvider]: { name: Name; settings: z.output<(typeof metadataSettings)[Name]> };
}[MetadataProvider];

/**
 * A loaded configuration already contains the validated block with resolved paths; parsing again only gives it its
 * type.
 */
export function activeVectorSettings(config: Config): ActiveVectorSettings {
  const name = config.providers.vector_db;
  const settings = vectorSettings[name].parse(config.storage.vector_providers[name] ?? {});
  return { name, settings } as ActiveVectorSettings;
}

/** As `activeVectorSettings`, for the metadata store. */
export function activeMetadataSettings(config: Config): ActiveMetadataSettings {
  const name = config.providers.metadata_db;
  const settings = metadataSettings[name].parse(config.storage.metadata_providers[name] ?? {});
  return { name, settings } as ActiveMetadataSettings;
}
