import type { Issue } from '../model/errors.js';
import { isMapping, valueAt } from './layers.js';
import { nodeAt } from './tree.js';

/**
 * Rules between keys. They look at values that may not be checked yet, so that one run lists every problem; a value of
 * the wrong kind is left to the schema.
 */
export function crossChecks(values: unknown): Issue[] {
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

/** The value given, or else the default. */
function effective(values: unknown, key: string): unknown {
  const path = key.split('.');
  const given = valueAt(values, path);
  if (given !== undefined) return given;
  const node = nodeAt(path);
  const fallback = node?.kind === 'key' ? node.note.fallback : undefined;
  return fallback !== undefined && 'value' in fallback ? fallback.value : undefined;
}
