import { resolve } from 'node:path';
import type { z } from 'zod';
import type { Issue } from '../model/errors.js';
import { crossChecks } from './cross-checks.js';
import { isMapping, type Values, valueAt } from './layers.js';
import { invalidConfig, issuesOf } from './problems.js';
import { metadataSettings, vectorSettings } from './provider-settings.js';
import { type Config, configSchema } from './schema.js';
import { nodeAt } from './tree.js';

const candidates = [
  { choice: 'vector_db', blocks: 'vector_providers', fallback: 'lancedb', settings: vectorSettings },
  { choice: 'metadata_db', blocks: 'metadata_providers', fallback: 'sqlite', settings: metadataSettings },
] as const;

interface ParseOptions {
  /** Where relative paths start. */
  cwd: string;
  /** Problems found before, reported together with those found here. */
  issues?: readonly Issue[];
  /** Which variable set a key. */
  origins?: ReadonlyMap<string, string>;
}

/**
 * Turns merged values into the complete, frozen configuration, or throws one `config_invalid` that lists everything
 * wrong with them.
 */
export function parseConfig(given: Values, options: ParseOptions): Config {
  const values = withoutBlanks(given);
  const parsed = configSchema.safeParse(values);
  const active = candidates.map((candidate) => checkActiveBlock(candidate, values));
  const issues = [
    ...(options.issues ?? []).filter((issue) => !isInactive(issue.path, active)),
    ...issuesOf(parsed.error, { values }),
    ...active.flatMap((block) => block.issues),
    ...crossChecks(values),
  ];
  if (issues.length > 0 || !parsed.success) throw invalidConfig(issues, options.origins ?? new Map());
  const [vector, metadata] = active.map((block) => block.settings);
  return freeze(complete(parsed.data, { vector, metadata, cwd: options.cwd }));
}

/** An empty text at a key that may be absent means absent: so a variable can take back what the file says. */
function withoutBlanks(values: Values, path: string[] = []): Values {
  const kept = Object.entries(values).filter(([name, value]) => value !== '' || !mayBeAbsent([...path, name]));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isMapping(value) ? withoutBlanks(value, [...path, name]) : value]),
  );
}

function mayBeAbsent(path: readonly string[]): boolean {
  const node = nodeAt(path);
  return node?.kind === 'key' && !node.note.required && !('value' in (node.note.fallback ?? {}));
}

interface ActiveBlock {
  /** Where the blocks of its kind are, and which of them is active. */
  blocks: string;
  path: string;
  settings: Values;
  issues: Issue[];
}

/** Held to its schema apart from the rest, so that an unrelated mistake does not hide one in here. */
function checkActiveBlock(candidate: (typeof candidates)[number], values: Values): ActiveBlock {
  const blocks = `storage.${candidate.blocks}`;
  const chosen = valueAt(values, ['providers', candidate.choice]) ?? candidate.fallback;
  const name = typeof chosen === 'string' ? chosen.trim().toLowerCase() : '';
  const path = ['storage', candidate.blocks, name];
  const found = { blocks, path: path.join('.') };
  const schema = new Map<string, z.ZodObject>(Object.entries(candidate.settings)).get(name);
  const block = valueAt(values, path) ?? {};
  // An unknown provider or a block that is no mapping is reported by the schema of the whole.
  if (schema === undefined || !isMapping(block)) return { ...found, settings: {}, issues: [] };
  const parsed = schema.safeParse(block);
  return { ...found, settings: parsed.data ?? {}, issues: issuesOf(parsed.error, { values: block, below: path }) };
}

/** Blocks of providers that are not in use may say anything, even name variables that are not set. */
function isInactive(path: string, active: readonly ActiveBlock[]): boolean {
  return active.some((block) => path.startsWith(`${block.blocks}.`) && !path.startsWith(`${block.path}.`));
}

type Parsed = z.output<typeof configSchema>;

function complete(
  parsed: Parsed,
  { vector, metadata, cwd }: { vector: Values | undefined; metadata: Values | undefined; cwd: string },
): Parsed {
  const { providers, storage, paths } = parsed;
  const dataDirectory = resolve(cwd, paths.data_dir);
  const { endpoint: _alias, ...embeddings } = parsed.embeddings;
  const address = parsed.embedding_endpoint.base_url;
  return {
    ...parsed,
    providers: { ...providers, embedding_model: modelPlace(providers, cwd) },
    // Both names hold the address, so that no reader finds the empty one.
    embeddings: address === undefined ? embeddings : { ...embeddings, endpoint: address },
    paths: { data_dir: dataDirectory, logs_dir: resolve(cwd, paths.logs_dir) },
    schema: parsed.schema.file === undefined ? {} : { file: resolve(cwd, parsed.schema.file) },
    storage: {
      ...storage,
      vector_providers: {
        ...storage.vector_providers,
        [providers.vector_db]: withPath(vector, {
          cwd,
          fallback: providers.vector_db === 'lancedb' ? resolve(dataDirectory, 'vectors') : undefined,
        }),
      },
      metadata_providers: {
        ...storage.metadata_providers,
        [providers.metadata_db]: withPath(metadata, {
          cwd,
          fallback: providers.metadata_db === 'sqlite' ? resolve(dataDirectory, 'metadata.sqlite3') : undefined,
        }),
      },
    },
  };
}

/** A local model with a slash in its name is a folder; the names of a service's models may have slashes too. */
function modelPlace({ embeddings, embedding_model: model }: Parsed['providers'], cwd: string): string {
  return embeddings === 'local' && /[/\\]/.test(model) ? resolve(cwd, model) : model;
}

/** Settings of a provider that keeps files of its own, with the absolute place of those files. */
function withPath(settings: Values = {}, { cwd, fallback }: { cwd: string; fallback: string | undefined }): Values {
  if (fallback === undefined) return settings;
  return { ...settings, path: typeof settings.path === 'string' ? resolve(cwd, settings.path) : fallback };
}

function freeze(config: Parsed): Config {
  deepFreeze(config);
  return config;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}
