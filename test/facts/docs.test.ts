import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindOf, predicateKinds } from '../../src/facts/predicates.js';
import { extractStatements } from '../support/facts.js';
import { sentences } from './labelled.js';

const manual = readFileSync(new URL('../../docs/facts.md', import.meta.url), 'utf8');
const listed = [...manual.matchAll(/^\| `([a-z_]*\*?[a-z_]*)` \| (one|many) \| (.+) \|$/gm)].map(
  ([, ...cells]) => cells,
);

test('the manual lists every predicate as the rules know it', () => {
  const known = predicateKinds.map(({ predicate, open, values, meaning }) => [
    open ? `${predicate}*` : predicate,
    values,
    meaning,
  ]);
  expect(listed).toEqual([...known, ['*_strategy', 'one', 'strategy of a project: indexing_strategy']]);
});

test('every predicate of the manual but the inferred one arises from a labelled sentence', () => {
  const stated = sentences.flatMap(({ text, role = 'user', title }) =>
    extractStatements({ title, messages: [{ role, text }] }).map(({ predicate }) => kindOf(predicate)?.predicate),
  );
  const arising = new Set(stated.map((predicate) => (predicate?.endsWith('_strategy') ? '*_strategy' : predicate)));
  const never = listed.map(([predicate = '']) => predicate).filter((each) => !arising.has(each.replace(/_\*$/, '_')));
  // These only the tagging model makes.
  const byModel = predicateKinds.filter(({ unrouted }) => unrouted === true).map(({ predicate }) => predicate);
  expect(never).toEqual([...byModel, 'recurring_topic']);
});
