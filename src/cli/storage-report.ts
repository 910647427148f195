import { placeOf } from '../app/open-vectors.js';
import { checkVectorStore } from '../app/vector-check.js';
import { activeVectorSettings } from '../config/active.js';
import type { Config } from '../config/schema.js';
import { memoryStatuses } from '../model/conversation.js';
import { schemaVersion } from '../model/tables.js';
import { metadataDrivers } from '../stores/metadata/drivers.js';
import { vectorDrivers } from '../stores/vector/drivers.js';
import type { Opened } from './open.js';
import { columns, type Style } from './terminal.js';

export type StorageReport = Awaited<ReturnType<typeof storageReport>>;

/**
 * Reports what is stored, what the vector index contains, whether the vector store works, and which packages the
 * drivers need. Changes nothing.
 */
export async function storageReport({ config, runtime }: Opened) {
  const { vectors, service } = runtime;
  const { conversations, chunks } = service.records;
  // An empty stand-in lets the rest of the report run; it would not be used otherwise.
  const isMissing = vectors.fallbackReason !== undefined && !config.storage.vector.allowFallback;
  const index = isMissing ? 'unknown' : vectors.persistent ? await runtime.identity.state() : 'in memory';
  const counts = {
    conversations: await conversations.countAll({ statuses: memoryStatuses }),
    chunks: {
      pending: await chunks.countInState('pending'),
      indexed: await chunks.countInState('indexed'),
      held: await chunks.countInState('held'),
    },
    points: await chunks.countPoints(),
    // A store with a different shape, or a missing one, cannot be counted.
    ...(vectors.shapeMismatch === undefined && !isMissing ? { vector_rows: await vectors.store.count() } : {}),
  };
  const steps = await checkVectorStore(config);
  const details = isMissing ? undefined : vectors.store.details?.();
  return {
    status: steps.some((step) => step.outcome === 'failed') ? ('failed' as const) : ('ok' as const),
    metadata: {
      provider: config.providers.metadataDb,
      schema_version: schemaVersion,
      allowed_schema_versions: config.storage.metadataSchemaVersions,
    },
    vectors: {
      provider: isMissing ? config.providers.vectorDb : vectors.provider,
      requested_provider: config.providers.vectorDb,
      allow_fallback: config.storage.vector.allowFallback,
      persistent: vectors.persistent,
      index,
      ...(details === undefined ? {} : { details }),
      ...reasonOf(config, vectors.fallbackReason),
    },
    steps,
    dependencies: runtime.dependencies.state(),
    counts,
    advice: adviceFor({ index, ...counts }),
    packages: packagesOf({ ...metadataDrivers, ...vectorDrivers }),
  };
}

/** Why the configured store is not used, as `fallback_reason` or `problem` depending on the consequence. */
function reasonOf(config: Config, reason: string | undefined): { fallback_reason?: string; problem?: string } {
  if (reason === undefined) return {};
  if (config.storage.vector.allowFallback) return { fallback_reason: reason };
  return { problem: `${reason}${placeOf(activeVectorSettings(config).settings)}` };
}

function adviceFor(found: {
  index: string;
  chunks: Record<'pending' | 'indexed', number>;
  points: number;
  vector_rows?: number;
}): string[] {
  const { index, chunks, points, vector_rows: rows } = found;
  if (index === 'unknown') {
    return ['The server does not start without this vector store, because storage.vector.allow_fallback is false.'];
  }
  if (index === 'changed') return ['The vector index was made with other settings: run `threadkeep reindex`.'];
  if (index === 'interrupted') return ['A rebuild of the vector index was interrupted: run `threadkeep reindex`.'];
  if (index === 'extended')
    return ['The model supports more languages now: the server re-embeds everything when it starts.'];
  if (rows !== undefined && index !== 'in memory' && rows < chunks.indexed) {
    return ['The vector index holds less than it should: run `threadkeep reindex`.'];
  }
  if (rows !== undefined && index !== 'in memory' && chunks.pending === 0 && rows > points) {
    return ['The vector index holds more than it should: run `threadkeep storage-check --repair`.'];
  }
  if (chunks.pending === 0 || index === 'in memory') return [];
  return ['Some chunks are not indexed yet: the server indexes them when it starts, or run `threadkeep reindex`.'];
}

/** Dependencies whose circuit opened during the check. */
function openCircuits(dependencies: StorageReport['dependencies']): string | undefined {
  const names = Object.entries(dependencies).flatMap(([name, { circuit }]) => (circuit === 'closed' ? [] : [name]));
  return names.length === 0 ? undefined : names.join(', ');
}

function packagesOf(drivers: Record<string, { name: string; needs?: { package: string; range: string } }>) {
  return Object.values(drivers).flatMap(({ name, needs }) => {
    if (needs === undefined) return [];
    return [{ driver: name, ...needs, installed: isInstalled(needs.package) }];
  });
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    // A missing package is a valid answer, not a failure.
    return false;
  }
}

export function storageText(
  { metadata, vectors, steps, dependencies, counts, advice, packages }: StorageReport,
  style: Style,
): string {
  const { pending, indexed, held } = counts.chunks;
  const store = columns(
    [
      ['metadata', `${metadata.provider}, schema versions ${metadata.allowed_schema_versions.join(', ')} allowed`],
      ['vectors', `${vectors.provider}, index ${vectors.index}`],
      ['kind', vectors.details && Object.values(vectors.details).join(', ')],
      ['fallback', vectors.fallback_reason],
      ['problem', vectors.problem],
      ['conversations', String(counts.conversations)],
      ['chunks', `${indexed} indexed, ${pending} pending, ${held} held`],
      ['vector rows', counts.vector_rows === undefined ? 'unknown' : String(counts.vector_rows)],
      ['open circuits', openCircuits(dependencies)],
    ],
    style,
  );
  const tried = steps.map(({ step, outcome, milliseconds, problem }) => {
    const time = milliseconds === undefined ? '' : ` ${milliseconds} ms`;
    return [step, `${outcome}${time}${problem === undefined ? '' : `: ${problem}`}`] as const;
  });
  const needed = packages.map(({ driver, package: name, range, installed }) => {
    return `  ${driver}: ${name} ${installed ? 'is installed' : `is missing: npm install ${name}@${range}`}`;
  });
  return [
    store,
    `vector store checks\n${columns(tried, style)}`,
    ...advice,
    `packages the drivers need\n${needed.join('\n')}`,
  ].join('\n\n');
}
