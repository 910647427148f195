import type { Json, JsonObject } from '../model/json.js';
import { isSecretUnder } from './secret-assignments.js';
import type { SecretKind } from './secret-form.js';
import { findSecrets, isMark, markOf } from './secrets.js';

/** Replaces secrets in one text after the other and keeps count of them. */
export interface Redaction {
  kinds: Set<SecretKind>;
  count: number;
  text: (text: string) => string;
  /** Keys and values at any depth; what a key names as a secret is one. */
  object: (object: JsonObject) => JsonObject;
}

export function startRedaction(): Redaction {
  const redaction: Redaction = {
    kinds: new Set(),
    count: 0,
    text(text) {
      const found = findSecrets(text);
      for (const kind of found.kinds) redaction.kinds.add(kind);
      redaction.count += found.count;
      return found.text;
    },
    object(object) {
      const nameOf = distinctNames();
      return Object.fromEntries(
        Object.entries(object).map(([key, each]) => [nameOf(redaction.text(key)), value(each, key)]),
      );
    },
  };

  function value(each: Json | undefined, key: string): Json | undefined {
    if (Array.isArray(each)) return each.map((item) => value(item, key) ?? null);
    if (typeof each === 'object' && each !== null) return redaction.object(each);
    if ((typeof each === 'string' || typeof each === 'number') && isSecretUnder(key, each)) return named(String(each));
    return typeof each === 'string' ? redaction.text(each) : each;
  }

  /** All of it is secret, also what has no form of its own. */
  function named(secret: string): string {
    if (isMark(findSecrets(secret).text)) return redaction.text(secret);
    redaction.kinds.add('password');
    redaction.count += 1;
    return markOf('password');
  }

  return redaction;
}

/** Two keys that are replaced alike stay two. */
function distinctNames(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number === 1 ? key : `${key} ${number}`;
  };
}
