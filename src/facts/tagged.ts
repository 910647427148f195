import { alternatives, derived, languageOf } from '../language/languages.js';
import { stopTermsOf } from '../language/query-terms.js';
import { queryTerms } from '../language/terms.js';
import type { Role } from '../model/conversation.js';
import { sentencesOf } from './clauses.js';
import type { Statement } from './extract.js';
import { isCrafted, ownWords, pastedFrom, withoutForeign } from './gates.js';
import { readValue } from './values.js';

/** A fact as the tagging model reads it in a message; positions are offsets into the text. */
export interface TaggedWords {
  relation: string;
  state: string;
  value: { start: number; end: number };
  /** The words that name the subject; absent for the speaker. */
  subject?: { start: number; end: number };
  isAboutOther: boolean;
  /** 0 to 1. */
  confidence: number;
}

/**
 * Facts below this confidence are dropped. On messages written by others, nine in ten of the rest are right in English,
 * and more than eight in ten in other languages.
 */
const leastSure = 0.72;
/** Below this confidence a fact is kept as hedged, so it does not contradict earlier plain statements. */
const plain = 0.75;

/** Whether the fact is confident enough to keep. */
export function isSureEnough({ confidence }: Pick<TaggedWords, 'confidence'>): boolean {
  return confidence >= leastSure;
}

/** The model's facts as statements, except those that the rules already found in the same words. */
export function taggedStatements(
  found: readonly TaggedWords[],
  message: { text: string; index: number; role: Role; speaker?: string },
  byRules: readonly Statement[],
): Statement[] {
  if (found.length === 0) return [];
  const { index, role, speaker } = message;
  // The model reads the first hundred words, and a message may have a megabyte.
  const text = message.text.slice(0, mostRead);
  const own = withoutForeign(text).slice(0, ownWords(text));
  const sentences = sentencesOf(text);
  const pasted = pastedFrom(text);
  const known = byRules
    .filter((each) => each.message_index === index)
    .map(({ object_raw }) => object_raw.toLowerCase());
  return found
    .map((tagged) => withWholeWords(tagged, text))
    .flatMap((tagged): Statement[] => {
      const value = trimmed(text.slice(tagged.value.start, tagged.value.end));
      const predicate = predicateOf(tagged, text);
      const subject = subjectOf(tagged, text) ?? (tagged.isAboutOther ? undefined : (speaker ?? 'user'));
      const isKnown = known.some((words) => words.includes(value.toLowerCase()) || value.toLowerCase().includes(words));
      const isOwn = own.slice(tagged.value.start, tagged.value.end).trim().startsWith(value.slice(0, 1));
      if (predicate === undefined || subject === undefined || !isSureEnough(tagged)) return [];
      if ((value.length < 2 && !/\p{N}|\p{Lo}/u.test(value)) || isPartOfWord(tagged.value, text)) return [];
      // The model sometimes tags the relation itself as the value: "allergic to" is not an allergy.
      const repeatsRelation = value.toLowerCase() === predicate.replaceAll('_', ' ');
      if (isKnown || !isOwn || repeatsRelation || saysNothing(value, text)) return [];
      if (predicate === 'profile_age' && Number(/\d+/.exec(value)?.[0] ?? 0) > oldestAge) return [];
      const sentence = sentences.find(({ start, end }) => start <= tagged.value.start && tagged.value.start < end);
      const from = sentence?.start ?? tagged.value.start;
      const to = Math.max(sentence?.end ?? tagged.value.end, tagged.value.end);
      const isPasted = tagged.value.start >= pasted || isCrafted(text.slice(from, to));
      return [
        {
          subject,
          predicate,
          object_raw: value,
          object_key: readValue(predicate, value).key,
          role,
          message_index: index,
          start: from,
          end: to,
          ...(over.has(tagged.state) ? { ends: true } : {}),
          ...(tagged.confidence < plain ? { hedged: true } : {}),
          ...(isPasted ? { pasted: true } : {}),
          guessed: true,
        },
      ];
    });
}

/**
 * The model splits text at apostrophes, which Cyrillic words may contain, inside long runs of Katakana, which are one
 * word ("ション" alone means nothing), and inside numbers ("22.5").
 */
function withWholeWords(tagged: TaggedWords, text: string): TaggedWords {
  const { start, end } = tagged.value;
  const value = text.slice(start, end);
  const before = text.slice(Math.max(0, start - 21), start);
  const after = text.slice(end, end + 21);
  const head = cutWords.find(({ begins }) => begins.test(value))?.head.exec(before)?.[0] ?? '';
  const tail = cutWords.find(({ ends }) => ends.test(value))?.tail.exec(after)?.[0] ?? '';
  return { ...tagged, value: { start: start - head.length, end: end + tail.length } };
}

/** How a value that begins or ends inside a word looks, and the rest of that word before or after it. */
const cutWords = [
  {
    begins: /^\p{sc=Cyrl}+$/u,
    head: /\p{sc=Cyrl}{1,20}['’\u02BC]$/u,
    ends: /^\p{sc=Cyrl}+$/u,
    tail: /^['’\u02BC]\p{sc=Cyrl}{1,20}/u,
  },
  {
    begins: /^[\p{sc=Kana}\u30FC]/u,
    head: /[\p{sc=Kana}\u30FC]{1,20}$/u,
    ends: /[\p{sc=Kana}\u30FC]$/u,
    tail: /^[\p{sc=Kana}\u30FC]{1,20}/u,
  },
  { begins: /^\p{Nd}/u, head: /\p{Nd}{1,20}[.,]$/u, ends: /\p{Nd}$/u, tail: /^[.,]\p{Nd}{1,20}/u },
] as const;

/** One character out of a Japanese word of several: "勤" of "転勤" is no value. */
function isPartOfWord({ start, end }: TaggedWords['value'], text: string): boolean {
  if (!/^\p{sc=Han}$/u.test(text.slice(start, end)) || languageOf(text) !== 'ja') return false;
  return /\p{sc=Han}/u.test(text.slice(Math.max(0, start - 1), start) + text.slice(end, end + 1));
}

const mostRead = 20_000;

/** In years, or weeks or days for a small child. A larger number is not an age. */
const oldestAge = 130;

/** Whether a value consists only of function words of the message's language. */
function saysNothing(value: string, text: string): boolean {
  const functionWords = stopTermsOf(languageOf(text));
  const terms = queryTerms(value);
  return terms.length > 0 && terms.every((term) => functionWords.has(term));
}

/** States of a fact that does not hold now. */
const over = new Set(['ended', 'past', 'negated']);

/** The predicate of a relation; undefined when it is not a fact. */
function predicateOf({ relation, state, subject, isAboutOther }: TaggedWords, text: string): string | undefined {
  if (state === 'hypothetical') return undefined;
  if (state === 'planned' && relation !== 'goal' && relation !== 'appointment') return 'plans';
  if (relation === 'name' && isAboutOther) {
    const who = subject === undefined ? '' : text.slice(subject.start, subject.end).toLowerCase();
    // "my sister Fiona" is the name of the user's sister. A subject that is not a common noun has a name of its own.
    return /^\p{Ll}[\p{L}-]*$/u.test(who) ? 'known_as' : 'profile_name';
  }
  return predicates[relation];
}

/** The subject, in the words of the message. */
function subjectOf({ isAboutOther, subject }: TaggedWords, text: string): string | undefined {
  if (!isAboutOther || subject === undefined) return undefined;
  const words = trimmed(text.slice(subject.start, subject.end).replace(/['’]s?$/u, ''));
  return words === '' || words.length > longestSubject ? undefined : words;
}

const longestSubject = 40;

function trimmed(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replace(/^[\s\p{P}]+/u, '')
    .slice(0, 200)
    .replace(/[\s.,;:!?。，！？、)\]}"'”’]+$/u, '')
    .replace(hangingAnd(), '');
}

/** "allergic to eggs and" goes on with something that is not a part of the value. */
const hangingAnd = derived(() => new RegExp(`\\s+(?:${alternatives(({ facts }) => facts?.values?.listJoint)})$`, 'iu'));

const predicates: Readonly<Record<string, string>> = {
  name: 'profile_name',
  relationship: 'relationship',
  job: 'profile_role',
  employer: 'profile_employer',
  location: 'profile_location',
  origin: 'profile_origin',
  partner: 'relation_partner',
  family: 'family',
  age: 'profile_age',
  birthday: 'profile_birthday',
  pet: 'owns_pet',
  species_breed: 'breed',
  allergy: 'allergic_to',
  condition: 'profile_condition',
  medication: 'takes',
  dose: 'dose',
  diet: 'diet',
  like: 'likes',
  dislike: 'dislikes',
  favourite: 'likes',
  hobby: 'hobby',
  sport: 'plays',
  instrument: 'plays',
  language: 'speaks',
  education: 'studied',
  skill: 'knows',
  tool: 'uses',
  device: 'owns_device',
  vehicle: 'owns_vehicle',
  home: 'home',
  possession: 'owns_item',
  measurement: 'measurement',
  schedule: 'schedule',
  appointment: 'appointment',
  event: 'event',
  trip: 'trip',
  plan: 'plans',
  goal: 'goal',
  price: 'price',
  subscription: 'subscription',
  membership: 'membership',
  religion: 'profile_identity',
  nationality: 'profile_identity',
  habit: 'habit',
  project: 'works_on',
  deadline: 'due',
  contact: 'contact',
  other: 'detail',
};
