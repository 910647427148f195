import { contentTerms } from '../language/stop-words.js';
import { queryTerms } from '../language/terms.js';
import type { Fact } from '../model/fact.js';
import { type FactRoute, factRoutes } from './fact-routes.js';
import type { Question } from './question.js';

/** What to look for among the facts. */
export interface FactQuery {
  route: FactRoute;
  /** `user`, a name of the question, or undefined for a project that the question may name. */
  subject: string | undefined;
  /** The terms of what a family of predicates is about (my favourite {x}), or of the value (do I like …). */
  about: readonly string[];
  /** All words of the question: they may name the project. */
  terms: readonly string[];
}

/** The facts that would answer a question; undefined when none of their kind could. */
export function factQueryOf(question: Question): FactQuery | undefined {
  const lower = question.text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[?？!.\s]+$/u, '')
    .trim();
  const subjects = ['user', ...question.names.map(({ written }) => written)];
  for (const route of factRoutes) {
    for (const subject of projectPredicates.has(route.predicates[0] ?? '') ? [undefined] : subjects) {
      const match = matchOf(route, subject, lower);
      if (match === undefined) continue;
      const thing = route.named ? match.input.slice(match.index + match[0].length) : match.groups?.x;
      const about = thing === undefined ? [] : aboutTerms(thing);
      if (thing !== undefined && about.length === 0) continue;
      return { route, subject, about, terms: queryTerms(question.text) };
    }
  }
  return undefined;
}

function matchOf(route: FactRoute, subject: string | undefined, question: string): RegExpExecArray | undefined {
  const isUser = subject === undefined || subject === 'user';
  const patterns = (isUser ? ofUser : ofSomeone).get(route) ?? [];
  const text = isUser ? question : question.replaceAll(subject.toLowerCase(), someone);
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return undefined;
}

/** Whether a fact is one that was asked for. */
export function isWanted(fact: Fact, { route, subject, about, terms }: FactQuery): boolean {
  const predicate = route.predicates.find((each) => fits(each, fact.predicate));
  if (predicate === undefined) return false;
  if (subject === undefined && !isNamedSubject(fact, terms)) return false;
  const value = () => new Set(queryTerms(`${fact.object_normalized} ${fact.object_raw}`));
  if (about.length === 0) return true;
  if (route.named) return about.every((term) => value().has(term));
  const kind = queryTerms(fact.predicate.replace(predicate, ' ').replaceAll('_', ' ')).map(spelled);
  if (about.every((term) => kind.includes(term)) && kind.every((term) => about.includes(term))) return true;
  // Things without a word of their own are items: the value says what they are.
  return predicate === 'owns_' && about.every((term) => value().has(term));
}

function fits(wanted: string, predicate: string): boolean {
  if (wanted.startsWith('_')) return predicate.endsWith(wanted);
  return wanted.endsWith('_') ? predicate.startsWith(wanted) : predicate === wanted;
}

/** A project is meant when the question names it; a fact of the only project there is needs no name. */
function isNamedSubject(fact: Fact, terms: readonly string[]): boolean {
  if (fact.subject_key === 'user' || fact.subject_key === 'project') return true;
  const words = queryTerms(fact.subject);
  return words.some((word) => terms.includes(word));
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

/** Words behind the thing itself: my favourite food these days. */
const trailing =
  /\s+(?:now|today|currently|these days|right now|at the moment|again|please|ever|before|used to be|called|named)\b.*$/u;

function aboutTerms(text: string): string[] {
  return contentTerms(text.replace(trailing, '').replaceAll("'s", ''))
    .map(spelled)
    .map((term) => synonyms.get(term) ?? term);
}

/** British and American spellings meet. */
function spelled(term: string): string {
  return term.replace(/our$/u, 'or').replace(/^(theat|cent)re?$/u, '$1er');
}

/** What people are called in a question, and in a predicate. */
const synonyms = new Map(
  Object.entries({
    mom: 'mother',
    mum: 'mother',
    mama: 'mother',
    dad: 'father',
    papa: 'father',
    frau: 'wife',
    mann: 'husband',
    schwester: 'sister',
    bruder: 'brother',
    mutter: 'mother',
    vater: 'father',
    hund: 'dog',
    katze: 'cat',
    chef: 'boss',
    femme: 'wife',
    mari: 'husband',
    chien: 'dog',
    chat: 'cat',
    esposa: 'wife',
    esposo: 'husband',
    perro: 'dog',
    gato: 'cat',
    hermana: 'sister',
    hermano: 'brother',
    puppi: 'dog',
    kitten: 'cat',
    farb: 'color',
    essen: 'food',
    buch: 'book',
    film: 'movi',
    couleur: 'color',
    livr: 'book',
    comida: 'food',
    libro: 'book',
    pelicula: 'movi',
  }),
);

interface Person {
  i: string;
  do: string;
  am: string;
  was: string;
  my: string;
  mine: string;
}

const firstPerson: Person = { i: 'i', do: 'do|did', am: "am|'m", was: 'was|am', my: 'my|our', mine: 'mine' };

/** Stands for the name in the question, so that the patterns are made once and not for every name. */
const someone = '§';

const thirdPerson: Person = {
  i: someone,
  do: 'does|do|did',
  am: "is|'s",
  was: 'was',
  my: `${someone}'s?`,
  mine: `${someone}'s`,
};

function compiled(person: Person): Map<FactRoute, RegExp[]> {
  const source = (pattern: string): string =>
    pattern.replace(/\{(i|do|am|was|my|mine)\}/g, (_, slot: keyof Person) => `(?:${person[slot]})`);
  return new Map(
    factRoutes.map((route) => [
      route,
      route.asks.map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source(pattern)})`, 'u')),
    ]),
  );
}

const ofUser = compiled(firstPerson);
const ofSomeone = compiled(thirdPerson);
