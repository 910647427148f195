import fc from '../support/properties.js';
import { oddKey, oddText, oddValue, plainText } from './odd-values.js';

export type Schema = { [keyword: string]: unknown };

/** Values that exist in the store under test, by the name of the field that takes them. */
export type Known = Readonly<Record<string, readonly string[]>>;

const someUuid = '5b0f3f0e-7a51-4c39-9f0a-3e6a1c3f0d11';
const dates = ['2026-11-15', '2026-11-15T10:00:00Z', '2024-02-29', '1970-01-01', '2026-11-15T10:00:00+14:00'];

/** What a schema allows, with real ids where there are any: an operation is only tried by input that gets past the door. */
export function valuesOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((each) => valuesOf(each, known, name)));
  if (schema.properties !== undefined || schema.type === 'object') return objectsOf(schema, known);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return fc.array(valuesOf((schema.items ?? {}) as Schema, known, name), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(4, Number(schema.maxItems ?? 4)),
      });
    case 'string':
      return textsFor(name, known);
    case 'integer':
    case 'number': {
      const least = Number(schema.minimum ?? 0);
      const most = Math.min(Number(schema.maximum ?? 100), 10_000);
      return fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return oddValue;
  }
}

function objectsOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const fields = Object.fromEntries(properties.map(([key, each]) => [key, valuesOf(each, known, key)]));
  const required = new Set((schema.required ?? []) as string[]);
  // Few of the optional fields at a time: all at once, hardly anything would be found or stored.
  return fc.tuple(fc.record(fields), fc.array(fc.nat(), { maxLength: 4 })).map(([whole, picks]) => {
    const optional = properties.map(([key]) => key).filter((key) => !required.has(key));
    const kept = new Set(picks.map((pick) => optional[pick % Math.max(1, optional.length)]));
    return Object.fromEntries(Object.entries(whole).filter(([key]) => required.has(key) || kept.has(key)));
  });
}

function textsFor(name: string, known: Known): fc.Arbitrary<string> {
  const real = known[name] ?? [];
  const existing = real.length === 0 ? [] : [{ weight: 8, arbitrary: fc.constantFrom(...real) }];
  if (/(^|_)ids?$|superseded_by/.test(name)) {
    return fc.oneof(...existing, { weight: 1, arbitrary: fc.constant(someUuid) }, { weight: 1, arbitrary: oddText });
  }
  if (/date|time|freshness|day/.test(name)) {
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...dates) }, { weight: 1, arbitrary: oddText });
  }
  return fc.oneof(
    ...existing,
    { weight: 3, arbitrary: plainText },
    { weight: 3, arbitrary: oddText },
    ...(name === 'role' ? [{ weight: 20, arbitrary: fc.constantFrom('user', 'assistant', 'human', 'ai') }] : []),
  );
}

/** One change that makes a valid value nearly valid. */
export interface Mutation {
  at: number;
  kind: 'replace' | 'remove' | 'null' | 'wrap' | 'extra' | 'repeat';
  value: unknown;
  key: string;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'replace', 'remove', 'null', 'wrap', 'extra', 'repeat'),
    value: oddValue,
    key: oddKey,
  }),
  { maxLength: 2 },
);

export function mutated(value: unknown, changes: readonly Mutation[]): unknown {
  return changes.reduce(mutatedOnce, value);
}

type Place = { holder: Record<string, unknown>; key: string };

function mutatedOnce(value: unknown, { at, kind, value: other, key }: Mutation): unknown {
  const root = { value: JSON.parse(JSON.stringify(value ?? null)) as unknown };
  const places: Place[] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const each of Object.keys(holder)) {
      if (places.length > 2_000) return;
      places.push({ holder, key: each });
      const child = holder[each];
      if (typeof child === 'object' && child !== null) walk(child as Record<string, unknown>);
    }
  };
  walk(root);
  const place = places[at % places.length];
  if (place === undefined) return root.value;
  const current = place.holder[place.key];
  const put = (changed: unknown): void => {
    Object.defineProperty(place.holder, place.key, {
      value: changed,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  };
  if (kind === 'replace') put(other);
  else if (kind === 'null') put(null);
  else if (kind === 'wrap') put(at % 2 === 0 ? [current] : { [key]: current });
  else if (kind === 'repeat')
    put(Array.isArray(current) ? Array.from({ length: 300 }, () => current[0]) : [current, current]);
  else if (kind === 'extra' && typeof current === 'object' && current !== null) {
    Object.defineProperty(current, key, { value: other, enumerable: true, writable: true, configurable: true });
  } else if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
  else delete place.holder[place.key];
  return root.value;
}
