import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { predicateKinds } from '../../src/facts/predicates.js';

const manual = readFileSync(new URL('../../docs/facts.md', import.meta.url), 'utf8');

test('the manual lists every predicate as the rules know it', () => {
  const listed = [...manual.matchAll(/^\| `([a-z_]+\*?)` \| (one|many) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  const known = predicateKinds.map(({ predicate, open, values, meaning }) => [
    open ? `${predicate}*` : predicate,
    values,
    meaning,
  ]);
  expect(listed).toEqual(known);
});
