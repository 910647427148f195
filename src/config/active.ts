import type { z } from 'zod';
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
