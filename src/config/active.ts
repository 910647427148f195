import type { z } from 'zod';
import type { Config, InCode } from './schema.js';
import { camelCaseKeys } from './spelling.js';
import { type MetadataProvider, metadataSettings, type VectorProvider, vectorSettings } from './storage-schema.js';

/** The vector provider in use and its settings: narrow by `name`. */
export type ActiveVectorSettings = {
  [Name in VectorProvider]: { name: Name; settings: InCode<z.output<(typeof vectorSettings)[Name]>> };
}[VectorProvider];

/** The metadata provider in use and its settings: narrow by `name`. */
export type ActiveMetadataSettings = {
  [Name in MetadataProvider]: { name: Name; settings: InCode<z.output<(typeof metadataSettings)[Name]>> };
}[MetadataProvider];

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
