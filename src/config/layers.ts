import type { Issue } from '../model/errors.js';

/** Configuration values before validation: one layer (file, environment, flags) or several merged. */
export type Values = { [name: string]: unknown };

export function isMapping(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, or undefined. */
export function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  let value = values;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return value;
}

/** A copy with the value set; missing mappings on the path are created, anything else on it is replaced. */
export function withValue(values: Values, path: readonly string[], value: unknown): Values {
  const [name, ...rest] = path;
  if (name === undefined) return values;
  const inner = Object.hasOwn(values, name) ? values[name] : undefined;
  return entry(values, name, rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value));
}

/** Later layers override earlier ones; mappings are merged, everything else (including lists) is replaced. */
export function mergeLayers(layers: readonly Values[]): Values {
  return layers.reduce(merge, {});
}

/** A key without a value (null in YAML, undefined in code) counts as absent. */
export function withoutEmpty(value: Values): Values {
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(given.map(([name, inner]) => [name, isMapping(inner) ? withoutEmpty(inner) : inner]));
}

const endpoint = ['embeddings', 'endpoint'];
const baseUrl = ['embedding_endpoint', 'base_url'];

/**
 * `embeddings.endpoint` and `embedding_endpoint.base_url` are two names of one setting. They are unified per layer, so
 * that a variable overrides the file whichever name either uses.
 */
export function settleEmbeddingAddress(layer: Values): { values: Values; issues: Issue[] } {
  const alias = valueAt(layer, endpoint);
  if (alias === undefined || alias === '') return { values: layer, issues: [] };
  const own = valueAt(layer, baseUrl);
  if (own !== undefined && own !== '' && withoutSlash(own) !== withoutSlash(alias)) {
    const message = 'and embedding_endpoint.base_url are the same setting but have different values: give one of them';
    return { values: layer, issues: [{ path: 'embeddings.endpoint', message }] };
  }
  return { values: withValue(layer, baseUrl, alias), issues: [] };
}

function withoutSlash(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value;
}

function merge(lower: Values, upper: Values): Values {
  return Object.entries(upper).reduce<Values>((merged, [name, value]) => {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    return entry(merged, name, isMapping(below) && isMapping(value) ? merge(below, value) : value);
  }, lower);
}

/** Uses entries, because assigning to a name such as `__proto__` would not create a property. */
function entry(values: Values, name: string, value: unknown): Values {
  return Object.fromEntries([...Object.entries(values).filter(([other]) => other !== name), [name, value]]);
}
