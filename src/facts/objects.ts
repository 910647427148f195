import type { KindWords, ObjectKind } from '../language/fact-words.js';
import { alternatives, derived, isUnspacedScript } from '../language/languages.js';
import { blot } from './gates.js';
import { readDate } from './values.js';

export interface FoundObject {
  text: string;
  /** The offset in the text that the rule matched. */
  offset: number;
}

interface Kind {
  /** The value ends before this. */
  cut: RegExp;
  /** The same, case-sensitive. */
  cutCased?: RegExp;
  accept: (text: string, casual: boolean) => boolean;
  /** Splits a list of values; the values of a list end at other separators. */
  split?: RegExp;
  listCut?: RegExp;
  /** Applied to the whole text before anything is removed: "the idea" is refused, "the Beatles" is kept. */
  refuse?: (text: string) => boolean;
  /** A list whose parts have more words than this is a single value. */
  whole?: number;
  /** Removed at the beginning. */
  skip?: RegExp;
  /** May begin with a negation: "never eats meat" is a habit. */
  denies?: true;
  /** Keep words of time and courtesy at the end. */
  keepTail?: true;
}

const clauseEnd = `[;(\\[${blot}]|\\s+[-–—]\\s+|:(?!\\d)|\\.\\.\\.|…`;
/** The comma in "1,649 euros" does not end a value. */
const comma = '(?<!\\d),|,(?!\\d)|，';

const letters = /\p{L}/u;
const capital = /^(?:[^\p{L}]*)(?:\p{Lu}|\p{Lo})/u;
const anyCapital = /(?<!\p{L})\p{Lu}|\p{Lo}/u;
const fewWords = (most: number) => (text: string) => letters.test(text) && text.split(/\s+/).length <= most;

function wordsFor(kind: ObjectKind, part: keyof KindWords): string {
  return alternatives(({ facts }) => facts?.values?.kinds?.[kind]?.[part]);
}

/** Where a value of the kind ends: at punctuation, a conjunction, or one of the kind's own words. */
function cutFor(kind: ObjectKind, signs = `${comma}|、`): RegExp {
  const link = alternatives(({ facts }) => facts?.values?.link);
  const linkSigns = alternatives(({ facts }) => facts?.values?.linkSigns);
  const marks = `${clauseEnd}${signs === '' ? '' : `|${signs}`}`;
  return new RegExp(`\\s*(?:${marks})|\\s+(?:${link}|${wordsFor(kind, 'cut')})(?!\\p{L})|${linkSigns}`, 'iu');
}

/** Removed at the beginning: whole words, or an elided article with its apostrophe. */
function skipFor(kind: ObjectKind): RegExp {
  return new RegExp(`^(?:${wordsFor(kind, 'skip')})\\s*(?<=\\s|')`, 'iu');
}

/** Text that begins with these words is not a value. */
function refusalOf(kind: ObjectKind): RegExp {
  return new RegExp(`^(?:${wordsFor(kind, 'refuse')})(?!\\p{L})|^(?:${wordsFor(kind, 'refuseSigns')})`, 'iu');
}

function listSplit(kind: ObjectKind): RegExp {
  const [behindComma, words, signs] = [
    wordsFor(kind, 'splitBehindComma'),
    wordsFor(kind, 'split'),
    wordsFor(kind, 'splitSigns'),
  ];
  return new RegExp(`\\s*,\\s*(?:(?:${behindComma})\\s+)?|\\s+(?:${words})\\s+|、|${signs}`, 'giu');
}

const patterns = derived(() => ({
  kinds: kindTable(),
  tail: new RegExp(
    `(?:,?\\s+(?:${alternatives(({ script, facts }) => (isUnspacedScript(script) ? undefined : facts?.values?.tail))}))+$|(?:${alternatives(({ script, facts }) => (isUnspacedScript(script) ? facts?.values?.tail : undefined))})$`,
    'iu',
  ),
  // Case-sensitive: "No Man's Sky" is a game.
  negation: new RegExp(`^(?:${alternatives(({ facts }) => facts?.values?.negation)})(?![\\p{L}-])`, 'u'),
  // "tea, coffee and hot chocolate": commas that separate list items rather than clauses.
  listShape: new RegExp(
    `^[^,.;:]{1,40}(?:,[^,.;:]{1,40})+,?\\s(?:${alternatives(({ facts }) => facts?.values?.listJoint)})\\s[^,.;:]{1,40}[.!]*$`,
    'iu',
  ),
}));

function kindTable(): Record<ObjectKind, Kind> {
  const notName = refusalOf('person');
  const notPlace = refusalOf('place');
  const notOrganisation = refusalOf('organisation');
  const notRole = refusalOf('role');
  const notThing = refusalOf('thing');
  const notTopic = refusalOf('topics');
  const notNamed = refusalOf('names');
  const notFavourite = refusalOf('favourite');
  const notShort = refusalOf('short');
  const notPhrase = new RegExp(`^(?:${wordsFor('phrase', 'refuse')})[\\s.,!]*$`, 'iu');
  const notWord = new RegExp(`^(?:${wordsFor('word', 'refuse')})$`, 'i');
  const placeArticle = new RegExp(`^(?:${wordsFor('place', 'articles')}) `);
  const organisationArticle = new RegExp(`^(?:${wordsFor('organisation', 'articles')}) \\p{L}`, 'iu');
  const the = wordsFor('topics', 'definite');
  // "I like the template" is about something at hand, not a lasting preference.
  const definite = new RegExp(`^(?:${the}) \\p{Ll}`, 'u');
  // "I like the Spritz idea" answers a proposal.
  const proposal = new RegExp(`^(?:${the}) .*(?<!\\p{L})(?:${wordsFor('topics', 'proposals')})$`, 'iu');
  const number = new RegExp(`^(?:[0-9]{1,4}|${wordsFor('number', 'accept')})$`, 'iu');
  return {
    person: {
      cut: cutFor('person'),
      accept: (text) => fewWords(5)(text) && !notName.test(text) && !/[0-9@/\\]/.test(text) && text.length <= 60,
    },
    proper: {
      cut: cutFor('proper'),
      accept: (text) =>
        fewWords(4)(text) && !notName.test(text) && text.split(/\s+/).every((word) => capital.test(word)),
    },
    place: {
      cut: cutFor('place', '、'),
      cutCased: /\s*[,，](?!\s*\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*){0,2}[\s.!]*$)/u,
      accept: (text, casual) =>
        fewWords(8)(text) &&
        !notPlace.test(text) &&
        (anyCapital.test(text) || (casual && /^\p{Ll}+(?: \p{Ll}+)?$/u.test(text) && !placeArticle.test(text))),
    },
    organisation: {
      cut: cutFor('organisation'),
      accept: (text) =>
        fewWords(7)(text) && !notOrganisation.test(text) && (capital.test(text) || organisationArticle.test(text)),
    },
    properOrganisation: {
      cut: cutFor('properOrganisation'),
      accept: (text) => fewWords(5)(text) && !notOrganisation.test(text) && capital.test(text),
    },
    role: {
      cut: cutFor('role'),
      skip: new RegExp(`^(?:${wordsFor('role', 'skip')})\\s+`, 'iu'),
      accept: (text) => fewWords(5)(text) && /^\p{L}/u.test(text) && text.length <= 60 && !notRole.test(text),
    },
    thing: {
      cut: cutFor('thing', comma),
      split: new RegExp(
        `\\s+(?:${wordsFor('thing', 'split')})\\s+(?=(?:${wordsFor('thing', 'splitBefore')})\\s)`,
        'giu',
      ),
      accept: (text) => fewWords(10)(text) && text.length <= 80 && !notThing.test(text),
    },
    topics: {
      cut: cutFor('topics'),
      listCut: cutFor('topics', ''),
      split: listSplit('topics'),
      skip: skipFor('topics'),
      accept: (text) => fewWords(7)(text) && text.length <= 80 && !notTopic.test(text),
      refuse: (text) => notTopic.test(text) || definite.test(text) || proposal.test(text),
      whole: 3,
    },
    topic: {
      cut: cutFor('topic'),
      skip: skipFor('topic'),
      accept: (text) => fewWords(8)(text) && text.length <= 80 && !notTopic.test(text),
    },
    names: {
      cut: cutFor('names'),
      listCut: cutFor('names', ''),
      split: listSplit('names'),
      skip: new RegExp(`^(?:${wordsFor('names', 'skip')})\\s+`, 'iu'),
      accept: (text) => fewWords(3)(text) && !notNamed.test(text),
    },
    favourite: {
      cut: cutFor('favourite', comma),
      skip: new RegExp(`^(?:${wordsFor('favourite', 'skip')}|—|-)\\s*(?<=[\\s'—-])`, 'u'),
      accept: (text) => fewWords(8)(text) && text.length <= 80 && !notFavourite.test(text),
    },
    phrase: {
      cut: cutFor('phrase', `,\\s*(?:${wordsFor('phrase', 'cutBehindComma')})\\s`),
      accept: (text) =>
        letters.test(text) && text.length <= 140 && !notPhrase.test(text) && text.split(/\s+/).length <= 22,
      keepTail: true,
      denies: true,
    },
    date: {
      cut: new RegExp(`[;(]|,(?!\\s*[12]\\d{3})|\\s+(?:${wordsFor('date', 'cut')})(?!\\p{L})`, 'iu'),
      skip: new RegExp(`^(?:${wordsFor('date', 'skip')})\\s+`, 'iu'),
      accept: (text) => /[0-9]/.test(text) && text.length <= 40 && readDate(text) !== undefined,
    },
    number: { cut: /(?<=.)[^\p{L}\p{N}-]/u, accept: (text) => number.test(text) },
    word: {
      cut: /(?<=.)[\s,;]/u,
      accept: (text) => /^[\p{L}\p{N}_./+-]{1,40}$/u.test(text) && !notWord.test(text),
      skip: /^['"]/,
    },
    email: {
      cut: /(?<=\S)[\s,;，。！]/u,
      accept: (text) => /^[^\s@<>()"]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}$/u.test(text),
    },
    short: {
      cut: cutFor('short', comma),
      accept: (text) => fewWords(6)(text) && text.length <= 80 && !notShort.test(text),
    },
  };
}

/** The values in the text that a rule matched, as slices of it; empty when it is not a value of that kind. */
export function readObjects(kind: ObjectKind, raw: string, casual: boolean): FoundObject[] {
  const { kinds, listShape, negation } = patterns();
  const { cut, cutCased, accept, split, listCut, skip, keepTail, denies, refuse, whole: most }: Kind = kinds[kind];
  const at = listCut !== undefined && listShape.test(raw) ? listCut : cut;
  const ends = [at, cutCased].map((each) => each?.exec(` ${raw}`)?.index ?? raw.length + 1);
  const end = Math.min(...ends);
  // The leading space makes a value empty when it begins with a word that ends values.
  const whole = raw.slice(0, Math.max(0, end - (end > 0 ? 1 : 0)));
  if (refuse?.(whole.trim())) return [];
  const parts = partsOf(whole, split, most);
  const read = parts.map((part) => trimmed(part, skip, keepTail === true));
  // "German and no French": the negated item and the items after it are not stated.
  const denied = denies ? -1 : read.findIndex(({ text }) => negation.test(text));
  const values = denied < 0 ? read : read.slice(0, denied);
  return values.every(({ text }) => text !== '' && accept(text, casual) && !text.includes(blot)) ? values : [];
}

function partsOf(text: string, split: RegExp | undefined, most: number | undefined): FoundObject[] {
  const whole = [{ text, offset: 0 }];
  if (split === undefined) return whole;
  const parts = splitAt(text, split);
  const long = parts.some((part) => part.text.trim().split(/\s+/).length > (most ?? Number.POSITIVE_INFINITY));
  return long ? whole : parts;
}

function splitAt(text: string, at: RegExp): FoundObject[] {
  const parts: FoundObject[] = [];
  let start = 0;
  for (const match of text.matchAll(at)) {
    parts.push({ text: text.slice(start, match.index), offset: start });
    start = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(start), offset: start }];
}

function trimmed(part: FoundObject, skip: RegExp | undefined, keepTail: boolean): FoundObject {
  let { text, offset } = part;
  const drop = (length: number): void => {
    text = text.slice(length);
    offset += length;
  };
  drop(/^[\s"'“„«*_「『]*/u.exec(text)?.[0].length ?? 0);
  if (skip !== undefined) drop(skip.exec(text)?.[0].length ?? 0);
  drop(/^[\s"'“„«*_]*/u.exec(text)?.[0].length ?? 0);
  const trim = (value: string): string => value.replace(/[\s.!?,;:"'”“»*_。！？」』]+$/u, '');
  text = trim(text);
  if (!keepTail) text = trim(text.replace(patterns().tail, ''));
  // A title in quotation marks at the end keeps its closing mark.
  if (/^[^"]*"[^"]*$/.test(text) && part.text.slice(offset - part.offset + text.length).startsWith('"')) text += '"';
  return { text, offset };
}
