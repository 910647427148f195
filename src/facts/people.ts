import { createHash } from 'node:crypto';
import type { Fact, FactConfidence } from '../model/fact.js';
import { lexicon } from './rules.js';
import { keyOf } from './values.js';

/** A person or pet that the user mentioned. */
export interface Person {
  id: string;
  kind: 'person' | 'pet';
  /** Absent when the person was only ever mentioned by relation: "my sister". */
  name?: string;
  otherNames: string[];
  /** Relations to the user, as in the predicates: `sister`, `best friend`, `dog`. */
  relations: string[];
  confidence: FactConfidence;
  /** The facts that mention this person. */
  known: Fact[];
  /** Other facts about this person. */
  about: Fact[];
}

/** One fact that mentions a person or pet. */
interface Mention {
  kind: Person['kind'];
  name?: string;
  relation?: string;
  fact: Fact;
}

interface Draft {
  kind: Person['kind'];
  names: Map<string, string>;
  relations: Set<string>;
  known: Fact[];
}

/**
 * The people a project's facts mention. Equal names are the same person unless their relations contradict each other; a
 * first name refers to the only person who has it, and "my sister" to the only sister. Ambiguous mentions stay
 * separate.
 */
export function peopleOf(projectId: string, facts: readonly Fact[]): Person[] {
  const mentions = facts.flatMap(mentionsIn);
  const named = joinedShortNames(byName(mentions.filter(({ name }) => name !== undefined)));
  const people = withUnnamed(named, mentions);
  const aboutOf = factsAbout(people, facts);
  return people.map((draft) => personOf(projectId, draft, aboutOf(draft))).sort(byFreshness);
}

/** Predicates that describe people rather than things. */
const personal = new Set([
  ...['family', 'relationship', 'likes', 'dislikes', 'prefers', 'speaks', 'native_language', 'hobby', 'diet'],
  ...['allergic_to', 'plays', 'learning', 'studied'],
]);

function isPersonal(predicate: string): boolean {
  return personal.has(predicate) || ['profile_', 'relation_', 'pet_'].some((family) => predicate.startsWith(family));
}

function mentionsIn(fact: Fact): Mention[] {
  const { predicate, subject_key: subjectKey, object_normalized: value } = fact;
  if (subjectKey === 'user') {
    const [, family, word] = /^(relation|pet)_(.+)$/.exec(predicate) ?? [];
    if (word !== undefined) return [{ kind: family === 'pet' ? 'pet' : 'person', name: value, relation: word, fact }];
    const relation = predicate === 'family' ? relationIn(value) : undefined;
    return relation === undefined ? [] : [{ kind: kindOfRelation(relation), relation, fact }];
  }
  const subjectRelation = relationIn(fact.subject);
  if (subjectRelation !== undefined) {
    const kind = kindOfRelation(subjectRelation);
    const name = predicate === 'known_as' ? { name: value } : {};
    return [{ kind, ...name, relation: subjectRelation, fact }];
  }
  // A speaker, or a person the user mentioned by name. Lower-case subjects are things.
  if (!/^(?:\p{Lu}|\p{Lo})/u.test(fact.subject) || !isPersonal(predicate)) return [];
  const relation = predicate === 'relationship' ? relationIn(value) : undefined;
  const kind = relation === undefined ? 'person' : kindOfRelation(relation);
  return [{ kind, name: fact.subject, ...(relation === undefined ? {} : { relation }), fact }];
}

/** Relations in the same row can belong to the same person. */
const sameRelations: readonly (readonly string[])[] = [
  ['mother', 'mom', 'mum', 'parent'],
  ['father', 'dad', 'parent'],
  ['grandmother', 'grandma'],
  ['grandfather', 'grandpa'],
  ['wife', 'spouse', 'partner', 'girlfriend', 'fiance'],
  ['husband', 'spouse', 'partner', 'boyfriend', 'fiance'],
  ['son', 'child', 'kid'],
  ['daughter', 'child', 'kid'],
];

/** No person is two of these to the same user, except for relations in the same row above. */
const kin = new Set([
  ...sameRelations.flat(),
  ...['sister', 'brother', 'grandson', 'granddaughter', 'uncle', 'aunt', 'cousin', 'nephew', 'niece'],
  ...['stepson', 'stepdaughter', 'stepmother', 'stepfather', 'godson', 'goddaughter'],
]);

const others = new Set([
  ...['boss', 'manager', 'landlord', 'best_friend', 'friend', 'roommate', 'flatmate', 'neighbor', 'colleague'],
  ...['co-founder', 'mentor', 'therapist', 'doctor', 'dentist', 'teacher', 'brother_in_law', 'sister_in_law'],
  ...['mother_in_law', 'father_in_law'],
]);

const animals = new Set(['dog', 'cat', 'hamster', 'rabbit', 'parrot', 'horse', 'bird', 'fish', 'turtle', 'snake']);

function kindOfRelation(relation: string): Person['kind'] {
  return animals.has(relation) ? 'pet' : 'person';
}

/** The relation that a phrase ends with: "a younger sister", "my Schwester". Plurals do not identify one person. */
function relationIn(phrase: string): string | undefined {
  const words = keyOf(phrase).split(' ').slice(-3);
  for (let from = 0; from < words.length; from++) {
    const word = lexicon.relation(words.slice(from).join(' ')).replace(/^(?:relation|pet)_/, '');
    if (kin.has(word) || others.has(word) || animals.has(word)) return word;
  }
  return undefined;
}

function isSameRelation(one: string, other: string): boolean {
  return one === other || sameRelations.some((row) => row.includes(one) && row.includes(other));
}

/** Whether one person can have all of these relations to the user. */
function mayBeBoth(one: Iterable<string>, other: Iterable<string>): boolean {
  const [theirs, more] = [[...one], [...other]];
  return theirs.every((relation) =>
    more.every((next) => !kin.has(relation) || !kin.has(next) || isSameRelation(relation, next)),
  );
}

function byName(mentions: readonly Mention[]): Draft[] {
  const drafts = new Map<string, Draft[]>();
  for (const { kind, name = '', relation, fact } of mentions) {
    const key = `${kind} ${keyOf(name)}`;
    const own = relation === undefined ? [] : [relation];
    const same = drafts.get(key) ?? [];
    drafts.set(key, same);
    const draft = same.find((each) => mayBeBoth(each.relations, own)) ?? emptyDraft(kind);
    if (!same.includes(draft)) same.push(draft);
    draft.names.set(keyOf(name), draft.names.get(keyOf(name)) ?? name);
    for (const each of own) draft.relations.add(each);
    draft.known.push(fact);
  }
  return [...drafts.values()].flat();
}

function emptyDraft(kind: Person['kind']): Draft {
  return { kind, names: new Map(), relations: new Set(), known: [] };
}

/** Treats "Karen" as "Karen Whitfield" when no other person has that first name and no relation contradicts it. */
function joinedShortNames(drafts: readonly Draft[]): Draft[] {
  const byFirst = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const first = `${draft.kind} ${keyOfDraft(draft).split(' ')[0]}`;
    const same = byFirst.get(first) ?? [];
    same.push(draft);
    byFirst.set(first, same);
  }
  return [...byFirst.values()].flatMap((same) => {
    const [one, other, more] = same;
    if (one === undefined || other === undefined || more !== undefined) return same;
    const [short, long] = keyOfDraft(one).length <= keyOfDraft(other).length ? [one, other] : [other, one];
    const begins = keyOfDraft(long).startsWith(`${keyOfDraft(short)} `);
    const isOpen = short.relations.size === 0 || long.relations.size === 0;
    const shares = [...short.relations].some((each) => [...long.relations].some((next) => isSameRelation(each, next)));
    return begins && (isOpen || shares) && mayBeBoth(short.relations, long.relations) ? [joined(long, short)] : same;
  });
}

function keyOfDraft({ names }: Draft): string {
  return [...names.keys()][0] ?? '';
}

function joined(one: Draft, other: Draft): Draft {
  return {
    kind: one.kind,
    names: new Map([...one.names, ...other.names]),
    relations: new Set([...one.relations, ...other.relations]),
    known: [...one.known, ...other.known],
  };
}

/** Assigns "my sister" to the named sister if there is exactly one, and to an unnamed person otherwise. */
function withUnnamed(named: readonly Draft[], mentions: readonly Mention[]): Draft[] {
  const people = new Set(named);
  const related = byRelation(named);
  for (const { kind, name, relation, fact } of mentions) {
    if (name !== undefined || relation === undefined) continue;
    const fitting = [...(related.get(relation) ?? [])].filter((each) => each.kind === kind);
    const [only = emptyDraft(kind), second] = fitting.filter(({ names }) => names.size > 0 || fitting.length === 1);
    const draft = second === undefined ? only : (fitting.find(({ names }) => names.size === 0) ?? emptyDraft(kind));
    people.add(draft);
    draft.relations.add(relation);
    fileUnder(related, draft, relation);
    draft.known.push(fact);
  }
  return [...people];
}

/** The people with a relation to the user, by each relation word. */
function byRelation(drafts: readonly Draft[]): Map<string, Set<Draft>> {
  const related = new Map<string, Set<Draft>>();
  for (const draft of drafts) for (const relation of draft.relations) fileUnder(related, draft, relation);
  return related;
}

function fileUnder(related: Map<string, Set<Draft>>, draft: Draft, relation: string): void {
  const words = new Set([relation, ...sameRelations.filter((row) => row.includes(relation)).flat()]);
  for (const word of words) {
    const there = related.get(word) ?? new Set();
    there.add(draft);
    related.set(word, there);
  }
}

/** The facts about a person: by name, or by relation where only one person has it. */
function factsAbout(people: readonly Draft[], facts: readonly Fact[]): (draft: Draft) => Fact[] {
  const about = new Map<Draft, Fact[]>();
  const related = byRelation(people);
  const known = new Set(people.flatMap((draft) => draft.known));
  const named = new Map<string, Draft[]>();
  for (const draft of people) {
    for (const name of draft.names.keys()) {
      const same = named.get(name) ?? [];
      same.push(draft);
      named.set(name, same);
    }
  }
  for (const fact of facts) {
    if (fact.subject_key === 'user') continue;
    const key = keyOf(fact.subject);
    const relation = relationIn(fact.subject);
    const byRole = relation === undefined ? [] : (related.get(relation) ?? []);
    const [only, second] = new Set([...(named.get(key) ?? []), ...byRole]);
    if (only === undefined || second !== undefined || known.has(fact)) continue;
    const said = about.get(only) ?? [];
    said.push(fact);
    about.set(only, said);
  }
  return (draft) => about.get(draft) ?? [];
}

const levels: readonly FactConfidence[] = ['high', 'medium', 'low'];

function personOf(projectId: string, { kind, names, relations, known }: Draft, about: Fact[]): Person {
  const [name, ...otherNames] = [...names.values()];
  const words = [...relations].map((relation) => relation.replaceAll('_', ' '));
  const key = [projectId, kind, keyOf(name ?? ''), ...(name === undefined ? words : [])].join('\n');
  // The same name with contradicting relations is another person.
  const first = known.map(({ id }) => id).sort()[0] ?? '';
  return {
    id: `person_${createHash('sha256').update(`${key}\n${first}`).digest('hex').slice(0, 32)}`,
    kind,
    ...(name === undefined ? {} : { name }),
    otherNames,
    relations: words,
    confidence: levels.find((level) => known.some(({ confidence }) => confidence === level)) ?? 'low',
    known,
    about: [...known.filter(saysMore), ...about],
  };
}

/** Whether a fact that mentions a person also states something else: "my sister lives in Cork". */
function saysMore({ subject_key: subjectKey, predicate }: Fact): boolean {
  return subjectKey !== 'user' && predicate !== 'known_as' && predicate !== 'relationship';
}

function byFreshness(one: Person, other: Person): number {
  const newest = ({ known }: Person): string =>
    known.reduce((time, fact) => (fact.last_confirmed_at > time ? fact.last_confirmed_at : time), '');
  if (newest(one) !== newest(other)) return newest(one) < newest(other) ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}
