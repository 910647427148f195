import { resolve } from 'node:path';
import type { z } from 'zod';
import { type Issue, StartupError } from '../model/errors.js';
import { isMapping, type Values, valueAt } from './layers.js';
import { type Config, type ConfigValues, configSchema } from './schema.js';
import { metadataSettings, vectorSettings } from './storage-schema.js';
import { inCodeSpelling, nearestKey, nodeAt } from './tree.js';

const candidates = [
  { choice: 'vector_db', blocks: 'vector_providers', fallback: 'lancedb', settings: vectorSettings },
  { choice: 'metadata_db', blocks: 'metadata_providers', fallback: 'sqlite', settings: metadataSettings },
] as const;

interface ParseOptions {
  /** The base of relative paths. */
  cwd: string;
  /** Problems found earlier, reported together with those found here. */
  issues?: readonly Issue[];
  /** Which variable set a key. */
  origins?: ReadonlyMap<string, string>;
}

/**
 * Turns merged values into the complete, frozen configuration, or throws one `config_invalid` that lists every problem.
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
  const config = inCodeSpelling(complete(parsed.data, { vector, metadata, cwd: options.cwd }));
  deepFreeze(config);
  return config;
}

/** An empty text for an optional key means absent, so that a variable can unset what the file sets. */
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
  /** The path of the blocks of its kind, and the active one. */
  blocks: string;
  path: string;
  settings: Values;
  issues: Issue[];
}

/** Validated separately from the rest, so that an unrelated mistake does not hide one in here. */
function checkActiveBlock(candidate: (typeof candidates)[number], values: Values): ActiveBlock {
  const blocks = `storage.${candidate.blocks}`;
  const chosen = valueAt(values, ['providers', candidate.choice]) ?? candidate.fallback;
  const name = typeof chosen === 'string' ? chosen.trim().toLowerCase() : '';
  const path = ['storage', candidate.blocks, name];
  const found = { blocks, path: path.join('.') };
  const schema = new Map<string, z.ZodObject>(Object.entries(candidate.settings)).get(name);
  const block = valueAt(values, path) ?? {};
  // The main schema reports an unknown provider or a block that is not a mapping.
  if (schema === undefined || !isMapping(block)) return { ...found, settings: {}, issues: [] };
  const parsed = schema.safeParse(block);
  return { ...found, settings: parsed.data ?? {}, issues: issuesOf(parsed.error, { values: block, below: path }) };
}

/** Blocks of inactive providers are not validated and may even refer to unset variables. */
function isInactive(path: string, active: readonly ActiveBlock[]): boolean {
  return active.some((block) => path.startsWith(`${block.blocks}.`) && !path.startsWith(`${block.path}.`));
}

function complete(
  parsed: ConfigValues,
  { vector, metadata, cwd }: { vector: Values | undefined; metadata: Values | undefined; cwd: string },
): ConfigValues {
  const { providers, storage, paths } = parsed;
  const dataDirectory = resolve(cwd, paths.data_dir);
  const { endpoint: _alias, ...embeddings } = parsed.embeddings;
  const address = parsed.embedding_endpoint.base_url;
  return {
    ...parsed,
    providers: { ...providers, embedding_model: modelPlace(providers, cwd) },
    // Both names hold the address, so that no reader finds an empty one.
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

/** A local model with a slash in its name is a folder; a service's model names may contain slashes too. */
function modelPlace({ embeddings, embedding_model: model }: ConfigValues['providers'], cwd: string): string {
  return embeddings === 'local' && /[/\\]/.test(model) ? resolve(cwd, model) : model;
}

/** Settings of a provider that stores files, with the absolute path of those files. */
function withPath(settings: Values = {}, { cwd, fallback }: { cwd: string; fallback: string | undefined }): Values {
  if (fallback === undefined) return settings;
  return { ...settings, path: typeof settings.path === 'string' ? resolve(cwd, settings.path) : fallback };
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}

/**
 * Rules between keys. They run on values that may not be validated yet, so that one run lists every problem; wrong
 * types are left to the schema.
 */
function crossChecks(values: unknown): Issue[] {
  return [...overlap(values), ...embeddingAddress(values), ...identityProviders(values)];
}

function overlap(values: unknown): Issue[] {
  const overlapTokens = effective(values, 'chunking.overlap_tokens');
  const maxTokens = effective(values, 'chunking.max_tokens');
  if (typeof overlapTokens !== 'number' || typeof maxTokens !== 'number' || overlapTokens < maxTokens) return [];
  return [{ path: 'chunking.overlap_tokens', message: 'must be less than chunking.max_tokens' }];
}

function embeddingAddress(values: unknown): Issue[] {
  const provider = effective(values, 'providers.embeddings');
  if (typeof provider !== 'string' || provider.trim().toLowerCase() !== 'http') return [];
  if (effective(values, 'embedding_endpoint.base_url') !== undefined) return [];
  const message = '(or embeddings.endpoint) is required when providers.embeddings is http';
  return [{ path: 'embedding_endpoint.base_url', message }];
}

function identityProviders(values: unknown): Issue[] {
  const providers = effective(values, 'api.connect.providers');
  if (!isMapping(providers)) return [];
  return Object.entries(providers).flatMap(([name, settings]) => {
    if (!isMapping(settings) || settings.enabled === false) return [];
    return ['issuer', 'client_id']
      .filter((key) => settings[key] === undefined)
      .map((key) => ({ path: `api.connect.providers.${name}.${key}`, message: 'is required unless enabled is false' }));
  });
}

/** The given value, or the default. */
function effective(values: unknown, key: string): unknown {
  const path = key.split('.');
  const given = valueAt(values, path);
  if (given !== undefined) return given;
  const node = nodeAt(path);
  const fallback = node?.kind === 'key' ? node.note.fallback : undefined;
  return fallback !== undefined && 'value' in fallback ? fallback.value : undefined;
}

/**
 * Translates zod's issues into our wording: the path and what is allowed, never the value, which may be a misplaced
 * secret. `below` is the path of the part that was checked.
 */
function issuesOf(
  error: z.ZodError | undefined,
  { values, below = [] }: { values: unknown; below?: readonly string[] },
): Issue[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const inside = issue.path.map(String);
    const path = [...below, ...inside];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownKey([...path, name]));
    if (issue.code === 'invalid_key') return [{ path: path.join('.'), message: badName }];
    return [wrongValue(path, valueAt(values, inside))];
  });
}

/** One error that lists every problem once, sorted by path. */
function invalidConfig(issues: readonly Issue[], origins: ReadonlyMap<string, string>): StartupError {
  const sentences = new Set(
    issues.map(({ path, message }) => {
      const variable = origins.get(path);
      return `${path} ${message}${variable === undefined ? '' : ` (set by ${variable})`}`;
    }),
  );
  const list = [...sentences].sort().map((sentence) => `\n- ${sentence}`);
  const count = list.length === 1 ? '1 problem' : `${list.length} problems`;
  return new StartupError('config_invalid', `The configuration is not valid (${count}):${list.join('')}`, {
    hint: 'docs/configuration.md lists every key and its allowed values.',
  });
}

const badName = 'must be a name of lower-case letters, digits, "_" or "-" that begins with a letter';

function unknownKey(path: readonly string[]): Issue {
  const nearest = nearestKey(path);
  const suggestion = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return { path: path.join('.'), message: `is not a known key${suggestion}` };
}

function wrongValue(path: readonly string[], value: unknown): Issue {
  const name = path.join('.');
  const allowed = allowedAt(path);
  if (allowed === undefined) return { path: name, message: 'must be a mapping of keys' };
  return { path: name, message: value === undefined ? `is required: ${allowed}` : `must be ${allowed}` };
}

/** A list item is described by the list's item format. */
function allowedAt(path: readonly string[]): string | undefined {
  const node = nodeAt(path);
  if (node?.kind === 'key') return node.note.wording.allowed;
  const list = node === undefined ? nodeAt(path.slice(0, -1)) : undefined;
  return list?.kind === 'key' ? list.note.wording.item?.allowed : undefined;
}
