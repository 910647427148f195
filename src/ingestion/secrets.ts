import { type SecretKind, secretForms } from './secret-forms.js';

export interface FoundSecrets {
  /** The text with `[redacted:<kind>]` in the place of each secret. */
  text: string;
  kinds: SecretKind[];
  count: number;
}

/**
 * Looks for things that open doors: keys, tokens, private keys, passwords in addresses and assignments, card numbers.
 * By their form alone, so it finds what is written as such and misses what is not.
 */
export function findSecrets(text: string): FoundSecrets {
  const kinds = new Set<SecretKind>();
  let count = 0;
  let rest = text;
  for (const { kind, form, length } of secretForms) {
    let done = '';
    let from = 0;
    for (const match of rest.matchAll(form)) {
      const start = match.index + (match.groups?.lead?.length ?? 0);
      const secret = match[0].slice(start - match.index);
      const size = length === undefined ? secret.length : length(secret, match);
      if (size === 0) continue;
      kinds.add(kind);
      count += 1;
      done += `${rest.slice(from, start)}[redacted:${kind}]`;
      from = start + size;
    }
    rest = done + rest.slice(from);
  }
  return { text: rest, kinds: [...kinds], count };
}
