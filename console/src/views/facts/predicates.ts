import { predicateKinds } from '../../../../src/facts/predicates.js';
import { factName } from '../../strings/fact-name.js';

/** Of families such as `owns_` the ones most people have; any other name can be typed. */
const usual = [
  ...['sister', 'brother', 'son', 'daughter', 'friend', 'colleague', 'neighbor'].map((who) => `relation_${who}`),
  ...['pet_dog', 'pet_cat', 'date_anniversary'],
  ...['car', 'bicycle', 'phone', 'laptop', 'item'].map((thing) => `owns_${thing}`),
  ...['color', 'food', 'book', 'movie'].map((kind) => `favorite_${kind}`),
];

export interface Offered {
  predicate: string;
  label: string;
}

/** What a fact can say, by the name it is shown with. */
export function offeredPredicates(): Offered[] {
  const exact = predicateKinds.filter(({ open, predicate }) => !open && predicate !== 'recurring_topic');
  const all = [...exact.map(({ predicate }) => predicate), ...usual];
  return all.map((predicate) => ({ predicate, label: factName(predicate) }));
}

/** The predicate for what was typed: a known name, or the words themselves; undefined where they make no name. */
export function predicateFor(typed: string, offered: readonly Offered[]): string | undefined {
  const words = typed.trim().toLocaleLowerCase();
  const known = offered.find(({ predicate, label }) => predicate === words || label.toLocaleLowerCase() === words);
  if (known !== undefined) return known.predicate;
  const name = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '');
  return name === '' ? undefined : name.slice(0, 100);
}
