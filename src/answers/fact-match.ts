import { alternatives, derived } from '../language/languages.js';
import { contentTerms } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import type { Fact } from '../model/fact.js';
import { finished, type Steps } from '../model/steps.js';
import { normalForm } from '../model/text.js';
import type { Question } from './question.js';

/** A query for facts, derived from a question. */
export interface FactQuery {
  route: FactRoute;
  /** `user`, a name in the question, or undefined for a project that the question may name. */
  subject: string | undefined;
  /** The terms that complete a family of predicates (my favourite {x}) or name the value (do I like …). */
  about: readonly string[];
  /** The remaining terms of the question: "where do I live in summer" is not answered by where I live. */
  rest: readonly string[];
}

/** The query for facts that would answer a question; undefined when no kind of fact could. */
export function factQueryOf(question: Question): FactQuery | undefined {
  return finished(findingFactQuery(question));
}

/** The same in steps: the first question compiles hundreds of expressions. */
export function* findingFactQuery(question: Question): Steps<FactQuery | undefined> {
  // Questions about a fact are never longer.
  const lower = normalForm(question.text.slice(0, 2_000), 'NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[?？!.\s]+$/u, '')
    .trim();
  const subjects = ['user', ...question.names.map(({ written }) => written)];
  for (const route of factRoutes) {
    yield;
    for (const subject of projectPredicates.has(route.predicates[0] ?? '') ? [undefined] : subjects) {
      const match = matchOf(route, subject, lower);
      if (match === undefined) continue;
      const thing = route.named || route.checks ? match.input.slice(match.index + match[0].length) : match.groups?.x;
      const about = thing === undefined ? [] : aboutTerms(thing);
      if (thing !== undefined && about.length === 0) continue;
      return { route, subject, about, rest: restOf(question, { route, subject, match }) };
    }
  }
  return undefined;
}

function matchOf(route: FactRoute, subject: string | undefined, question: string): RegExpExecArray | undefined {
  const isUser = subject === undefined || subject === 'user';
  const text = isUser ? question : question.replaceAll(subject.toLowerCase(), someone);
  for (const pattern of patterns()[isUser ? 'first' : 'third'].get(route)?.() ?? []) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return undefined;
}

/** The content words that the route does not account for, such as the name of a project. */
function restOf(
  question: Question,
  { route, subject, match }: { route: FactRoute; subject: string | undefined; match: RegExpExecArray },
): string[] {
  if (route.named || route.checks) return [];
  const accounted = new Set([...queryTerms(match[0]), ...queryTerms(subject ?? ''), ...question.timeTerms]);
  const telling = contentTerms(question.text);
  // Without content words ("who am I"), `contentTerms` falls back to all terms, and the route alone has to match.
  if (telling.length === queryTerms(question.text).length) return [];
  return telling.filter((term) => !accounted.has(term) && !term.includes("'"));
}

/** Whether a fact matches the query. */
export function isWanted(fact: Fact, { route, about, rest }: FactQuery): boolean {
  const predicate = route.predicates.find((each) => fits(each, fact.predicate));
  if (predicate === undefined || route.value?.test(fact.object_normalized) === false) return false;
  const value = new Set(queryTerms(`${fact.object_normalized} ${fact.object_raw}`));
  const words = new Set([...value, ...queryTerms(`${fact.subject} ${fact.predicate.replaceAll('_', ' ')}`)]);
  if (!rest.every((term) => words.has(term))) return false;
  if (about.length === 0 || route.checks) return true;
  if (route.named) return hasValue(fact, about);
  const kind = queryTerms(fact.predicate.replace(predicate, ' ').replaceAll('_', ' ')).map(spelled);
  if (about.every((term) => kind.includes(term)) && kind.every((term) => about.includes(term))) return true;
  // Possessions without a predicate of their own are items: their value says what they are.
  return predicate === 'owns_' && about.every((term) => value.has(term));
}

/** Whether the value of a fact has all these terms. */
export function hasValue({ object_normalized, object_raw }: Fact, terms: readonly string[]): boolean {
  const value = new Set(queryTerms(`${object_normalized} ${object_raw}`));
  return terms.every((term) => value.has(term));
}

function fits(wanted: string, predicate: string): boolean {
  if (wanted.startsWith('_')) return predicate.endsWith(wanted);
  return wanted.endsWith('_') ? predicate.startsWith(wanted) : predicate === wanted;
}

const projectPredicates = new Set([
  'creator',
  'command_name',
  'project_name',
  'deadline',
  'launch_date',
  '_strategy',
  'uses',
  'decision',
]);

function aboutTerms(text: string): string[] {
  const { trailing, termNames } = words();
  return contentTerms(text.replace(trailing, '').replaceAll("'s", ''))
    .map(spelled)
    .map((term) => termNames.get(term) ?? term);
}

/** Maps spelling variants of a language to one form. */
function spelled(term: string): string {
  return words().spellings.reduce((known, spelling) => spelling(known), term);
}

const words = derived((languages) => ({
  trailing: new RegExp(`\\s+(?:${alternatives(({ answers }) => answers?.trailing)})\\b.*$`, 'u'),
  termNames: new Map(languages.flatMap(({ answers }) => Object.entries(answers?.termNames ?? {}))),
  spellings: languages.flatMap(({ answers }) => answers?.spelled ?? []),
}));

/** Placeholder for the name in the question, so that the patterns are compiled once rather than for every name. */
const someone = '§';

function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type Patterns = ReadonlyMap<FactRoute, () => readonly RegExp[]>;

const patterns = derived((languages): Record<'first' | 'third', Patterns> => {
  const of = (person: 'first' | 'third'): Patterns =>
    new Map(
      factRoutes.map((route) => [
        route,
        onFirstUse(() =>
          languages.flatMap(({ answers }) =>
            (answers?.asks?.[route.id] ?? []).map((ask) => compiled(ask, answers?.persons?.[person] ?? {})),
          ),
        ),
      ]),
    );
  return { first: of('first'), third: of('third') };
});

function compiled(ask: string, person: Readonly<Record<string, string>>): RegExp {
  const source = ask.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const inserted = person[name];
    return inserted === undefined ? slot : `(?:${inserted.replaceAll('{name}', someone)})`;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})${endOf(ask)}`, 'u');
}

/**
 * A pattern ends at a word boundary, except in Chinese, which has no spaces, or where the pattern sets its own
 * boundary.
 */
function endOf(pattern: string): string {
  return /\p{sc=Han}/u.test(pattern) || pattern.endsWith(' ') ? '' : '(?![\\p{L}\\p{N}])';
}

/** Maps questions to predicates. The locales define the wording of each route, by its id. */
interface FactRoute {
  id: string;
  /** Predicates, or prefixes of families (`owns_`) that the group `x` of the question completes. */
  predicates: readonly string[];
  /** Only facts whose value contains the words after the question: "do I like olives", "am I vegetarian". */
  named?: true;
  /** The words after the question are a value to compare with the one that holds: "do I still live in Bath". */
  checks?: true;
  /** Only facts whose value matches: a town alone is not an address. */
  value?: RegExp;
}

/** The first matching route wins, so narrow ones come before wide ones. */
export const factRoutes: readonly FactRoute[] = [
  { id: 'surname', predicates: ['profile_surname'] },
  { id: 'nickname', predicates: ['profile_nickname'] },
  { id: 'name', predicates: ['profile_name'] },
  { id: 'email', predicates: ['profile_email'] },
  { id: 'address', predicates: ['profile_location'], value: /\p{N}/u },
  { id: 'isHome', predicates: ['profile_location'], checks: true },
  { id: 'location', predicates: ['profile_location'] },
  { id: 'origin', predicates: ['profile_origin'] },
  { id: 'isEmployer', predicates: ['profile_employer'], checks: true },
  { id: 'employer', predicates: ['profile_employer'] },
  { id: 'role', predicates: ['profile_role'] },
  { id: 'birthday', predicates: ['profile_birthday', 'profile_birth_year'] },
  { id: 'age', predicates: ['profile_age', 'profile_birth_year'] },
  { id: 'allergies', predicates: ['allergic_to'] },
  { id: 'isAllergic', predicates: ['allergic_to'], named: true },
  { id: 'condition', predicates: ['profile_condition'] },
  { id: 'date', predicates: ['date_'] },
  { id: 'relation', predicates: ['relation_', 'pet_'] },
  { id: 'pets', predicates: ['pet_'] },
  { id: 'family', predicates: ['family'] },
  { id: 'favourite', predicates: ['favorite_'] },
  { id: 'owned', predicates: ['owns_'] },
  { id: 'possessions', predicates: ['owns_'] },
  { id: 'dislikes', predicates: ['dislikes'] },
  { id: 'isLiked', predicates: ['likes', 'dislikes'], named: true },
  { id: 'likes', predicates: ['likes'] },
  { id: 'preferences', predicates: ['prefers'] },
  { id: 'isPreferred', predicates: ['prefers'], named: true },
  { id: 'nativeLanguage', predicates: ['native_language'] },
  { id: 'languages', predicates: ['speaks', 'native_language'] },
  { id: 'isSpoken', predicates: ['speaks', 'native_language'], named: true },
  { id: 'plays', predicates: ['plays'] },
  { id: 'isPlayed', predicates: ['plays'], named: true },
  { id: 'learning', predicates: ['learning'] },
  { id: 'studied', predicates: ['studied'] },
  { id: 'skills', predicates: ['knows'] },
  { id: 'plans', predicates: ['plans'] },
  { id: 'goals', predicates: ['goal'] },
  { id: 'habits', predicates: ['habit'] },
  { id: 'topics', predicates: ['recurring_topic'] },
  { id: 'isSo', predicates: ['profile_identity'], named: true },
  { id: 'profile', predicates: ['profile_', 'family', 'speaks', 'likes'] },
  { id: 'creator', predicates: ['creator'] },
  { id: 'command', predicates: ['command_name'] },
  { id: 'projectName', predicates: ['project_name'] },
  { id: 'deadline', predicates: ['deadline'] },
  { id: 'launch', predicates: ['launch_date'] },
  { id: 'strategy', predicates: ['_strategy'] },
  { id: 'tools', predicates: ['uses'] },
  { id: 'decisions', predicates: ['decision'] },
];
