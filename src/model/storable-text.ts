import { isObject } from './json.js';

/**
 * SQL text is UTF-8 and ends at NUL in some back ends, so neither NUL nor half a surrogate pair can be kept: each becomes
 * U+FFFD. The same happens to values searched for, so they are still found.
 */
export function storableText(text: string): string {
  return unstorable.test(text) ? text.replaceAll(unstorableEach, '\ufffd') : text;
}

/** Every text of a JSON value, at any depth that an insert lets in. */
export function storableJson<Value>(value: Value): Value {
  if (typeof value === 'string') return storableText(value) as Value;
  if (Array.isArray(value)) return value.map(storableJson) as Value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storableText(key), storableJson(each)]),
  ) as Value;
}

// Without the u flag a pair would be seen as two halves.
const unstorable = /[\0\p{Surrogate}]/u;
const unstorableEach = /[\0\p{Surrogate}]/gu;
