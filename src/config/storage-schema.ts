import { z } from 'zod';
import { flag, integer, listOf, oneOf } from './formats.js';
import { key } from './keys.js';
import { metadataSettings, vectorSettings } from './provider-settings.js';

type Block = z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;

const settingsOfBlocks = new WeakMap<z.ZodType, z.ZodObject>();

/** The schema that a provider block is held to once its provider is active. */
export function blockSettings(schema: z.ZodType): z.ZodObject | undefined {
  return settingsOfBlocks.get(schema);
}

export const storage = z
  .strictObject({
    dry_run: key(flag, false, 'Answer as usual but write nothing.'),
    allow_trusted_appends: key(
      flag,
      false,
      'Append to the stored conversation when a client sends a longer capture of the same thread.',
    ),
    metadata_schema_versions: key(
      listOf(integer(1), 1),
      [1],
      'The versions of the metadata schema that may be opened; any other stops the start.',
    ),
    timeout_ms: key(
      integer(10, 600_000),
      30_000,
      'How long a call of a store may take, in milliseconds; a large write has more.',
    ),
    max_retries: key(
      integer(0, 20),
      2,
      'How often a call of a remote store that may be repeated is tried again when the store is down.',
    ),
    vector: z
      .strictObject({
        allow_fallback: key(
          flag,
          true,
          'Use the in-memory vector store, with health `degraded`, when the vector provider fails to start.',
        ),
        distance: key(oneOf('cosine', 'l2', 'inner_product'), 'cosine', 'How the distance of two vectors is measured.'),
      })
      .prefault({}),
    vector_providers: z.strictObject(blocks(vectorSettings)).prefault({}),
    metadata_providers: z.strictObject(blocks(metadataSettings)).prefault({}),
  })
  .prefault({})
  .describe('How and where memory is kept.');

function blocks<Name extends string>(settings: Record<Name, z.ZodObject>): Record<Name, Block> {
  const names = Object.keys(settings) as Name[];
  return Object.fromEntries(names.map((name) => [name, block(settings[name])])) as Record<Name, Block>;
}

/** Any mapping: whether it is one its provider understands is asked only when that provider is active. */
function block(settings: z.ZodObject): Block {
  const schema = z.exactOptional(z.record(z.string(), z.unknown()));
  settingsOfBlocks.set(schema, settings);
  return schema;
}
