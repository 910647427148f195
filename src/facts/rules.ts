import type {
  FactLexicon,
  FactWords,
  LexiconWords,
  ObjectKind,
  RuleLine,
  RulePredicate,
} from '../language/fact-words.js';
import { alternatives, derived } from '../language/languages.js';
import type { Role } from '../model/conversation.js';
import { leavesOutSelf, longestSentence } from './clauses.js';

/*
 * The compiled rules of all languages, the index that selects the rules worth trying on a clause, and the words that
 * the rules share.
 */

export interface Rule {
  /** The first words of a clause that it may match, in lower case and without anything after an apostrophe. */
  starts: readonly string[];
  /** Matches from the beginning of a clause in lower case; the group `object` holds the value. */
  pattern: () => RegExp;
  /** Whether the pattern may match a clause in lower case. Much cheaper than to try. */
  mayMatch: (small: string) => boolean;
  predicate: RulePredicate;
  kind: ObjectKind;
  /** The sentence says that the fact has ended. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The value must not be one of the predicate's refused words. */
  checked?: true;
  /** Words that the sentence must contain where its first words are too common to decide. */
  holds?: string;
}

/** A cheap pre-check before a sentence is split, over the part that would be read, after the speaker's name. */
export function mayStateSomething(role: Role, sentence: string): boolean {
  const read = sentence.slice(0, 2 * longestSentence);
  return tables()[role].mayState(read) || leavesOutSelf(read);
}

/** The rules that may match a clause, and the clause as they read it. */
export function rulesFor(role: Role, clause: string): { rules: readonly Rule[]; small: string } {
  const { byStart, anyStart } = tables()[role];
  const first = /^\p{sc=Han}|^\p{L}+/u.exec(clause)?.[0].toLowerCase();
  const direct = (first === undefined ? undefined : byStart.get(first)) ?? none;
  const open = (anyStart.test(clause) ? byStart.get('*') : undefined) ?? none;
  if (direct.length === 0 && open.length === 0) return { rules: none, small: '' };
  const small = smallLetters(clause);
  return { rules: [...direct, ...open].filter(({ mayMatch }) => mayMatch(small)), small };
}

const none: readonly Rule[] = [];

/** Every letter keeps its offset. Rules are in lower case and contain no long s. */
function smallLetters(text: string): string {
  const small = text.toLowerCase().replaceAll('\u017f', 's');
  if (small.length === text.length) return small;
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  }).join('');
}

interface RuleTable {
  /** Rules by the first word of a clause, so that most clauses need no rule at all. */
  byStart: ReadonlyMap<string, readonly Rule[]>;
  /** Whether a sentence may state a fact. */
  mayState: (sentence: string) => boolean;
  /** Rules that may begin with any word are tried only when one of their own words occurs. */
  anyStart: RegExp;
}

const tables = derived(
  (languages): Record<Role, RuleTable> => ({
    user: tableOf(languages.flatMap(({ facts = {} }) => rulesOf(facts, 'user'))),
    assistant: tableOf(languages.flatMap(({ facts = {} }) => rulesOf(facts, 'assistant'))),
  }),
);

function tableOf(rules: readonly Rule[]): RuleTable {
  const byStart = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const start of rule.starts) byStart.set(start, [...(byStart.get(start) ?? []), rule]);
  }
  const open = [...new Set((byStart.get('*') ?? []).flatMap(({ holds }) => holds ?? []))];
  return { byStart, mayState: prefilter(rules), anyStart: new RegExp(open.join('|') || '(?!)', 'iu') };
}

/**
 * Looks up each word, because trying hundreds of alternatives at each letter would be half the work for a long
 * message.
 */
function prefilter(rules: readonly Rule[]): (sentence: string) => boolean {
  const telling = rules.flatMap(({ holds, starts }) => (holds === undefined ? starts : []));
  const words = new Set(telling.filter((word) => !isHan.test(word)));
  const signs = [...new Set(telling.filter((word) => isHan.test(word)))];
  const held = [...new Set(rules.flatMap(({ holds }) => holds ?? []))];
  const anywhere = new RegExp([...signs, ...held].join('|') || '(?!)', 'iu');
  return (sentence) => {
    for (const word of sentence.match(letters) ?? []) if (words.has(word.toLowerCase())) return true;
    return anywhere.test(sentence);
  };
}

const isHan = /\p{sc=Han}/u;
/** Plain letters come first, because looking up a letter in a Unicode class takes twice as long. */
const letters = /(?:[A-Za-z]+|\p{L}+)+/gu;

/** The rules of a language for one role; the assistant refers to the user with different words. */
function rulesOf(words: FactWords, role: Role): Rule[] {
  return (words.rules ?? []).flatMap((line) => {
    const { assistant } = line[4] ?? {};
    if (role === 'user' || assistant === 'as is') return ruleOf(line, words, 'user');
    return assistant === undefined ? [] : ruleOf(line, words, 'assistant');
  });
}

function ruleOf(line: RuleLine, { slots, assistantStarts = {} }: FactWords, person: Role): Rule {
  const [starts, shape, predicate, kind, { assistant: _, ...extra } = {}] = line;
  const words = starts.split(' ').map((word) => (person === 'user' ? word : (assistantStarts[word] ?? word)));
  const source = once(() => sourceOf(shape, slots?.[person] ?? {}));
  return {
    ...extra,
    predicate,
    kind,
    starts: words,
    pattern: once(() => new RegExp(source(), 'du')),
    mayMatch: matcherOf(once(() => neededIn(source()))),
  };
}

/*
 * Compiled on first use, because most commands never read a message. The rules match lower-case text instead of
 * ignoring case: a case-insensitive pattern takes ten times as long to compile, which added half a second to the
 * first long message.
 */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function sourceOf(shape: string, slots: Readonly<Record<string, string>>): string {
  const text = shape
    .replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole)
    .replaceAll('{}', '(?<object>.+)')
    .replaceAll(' ?', '\\s?')
    .replaceAll(' ', '\\s+')
    // Matches either case of a letter, like a case-insensitive pattern.
    .replaceAll('\\p{Lu}', '[\\p{CWU}\\p{Lu}]');
  return `^${text}`;
}

/**
 * What a text must contain for a pattern to match it: one word of each list, the most telling list first.
 * `(?:i|we)\s+(?:now\s+)?(?:plan|intend)\s+to` needs "plan" or "intend", and "to". Most rules fail on this, so that
 * their patterns are neither compiled nor tried.
 */
export function neededIn(source: string): string[][] {
  let at = 0;
  return alternation()
    .map((words) => words.filter((word) => !words.some((other) => other !== word && word.includes(other))))
    .map((words) => [...new Set(words)])
    .filter((words) => tellingOf(words) > 1 && words.length <= mostAlternatives)
    .sort((one, other) => tellingOf(other) - tellingOf(one));

  function alternation(): string[][] {
    const found = [sequence()];
    for (; source[at] === '|'; found.push(sequence())) at += 1;
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    // A text that matches one alternative contains a word of its best list.
    const best = found.map((lists) => lists.toSorted((one, other) => tellingOf(other) - tellingOf(one))[0]);
    return best.includes(undefined) ? [] : [best.flatMap((words) => words ?? [])];
  }

  function sequence(): string[][] {
    const lists: string[][] = [];
    let word = '';
    const end = (): void => {
      if (word !== '') lists.push([word]);
      word = '';
    };
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const group = /\((?<kind>\?(?::|<?[=!]|<\w+>))?/y;
      group.lastIndex = at;
      const opened = group.exec(source);
      if (opened !== null) {
        at += opened[0].length;
        const inner = alternation();
        at += 1;
        end();
        if (!quantified().isOptional && !opened.groups?.kind?.endsWith('!')) lists.push(...inner);
        continue;
      }
      const letter = single();
      const { isOptional, isRepeated } = quantified();
      if (letter === undefined || isOptional) end();
      if (letter !== undefined && !isOptional) word += letter;
      if (isRepeated) end();
    }
    end();
    return lists;
  }

  /** One letter, class or assertion; undefined unless it is one certain letter. */
  function single(): string | undefined {
    const part = /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u(?:\{[^}]*\}|.{4})|\\x..|\\c.|\\k<[^>]*>|\\[0-9]+|\\.|./suy;
    part.lastIndex = at;
    const text = part.exec(source)?.[0] ?? '';
    at += text.length;
    if (/^\\[^\p{L}\p{N}]$/u.test(text)) return text.slice(1);
    return /^[[\\.^$]/.test(text) ? undefined : text;
  }

  function quantified(): { isOptional: boolean; isRepeated: boolean } {
    const quantifier = /(?:[*+?]|\{[\d,]+\})\??/y;
    quantifier.lastIndex = at;
    const found = quantifier.exec(source);
    if (found === null) return { isOptional: false, isRepeated: false };
    at += found[0].length;
    return { isOptional: /^[*?]|^\{0+\D/.test(found[0]), isRepeated: true };
  }
}

function matcherOf(needed: () => readonly (readonly string[])[]): (small: string) => boolean {
  return (small) => needed().every((words) => words.some((word) => small.includes(word)));
}

/** A longer list takes as long as the pattern. */
const mostAlternatives = 40;

/** The length of the shortest word. A character of a script without spaces tells as much as two letters. */
function tellingOf(words: readonly string[]): number {
  return Math.min(...words.map((word) => (/[^\p{sc=Latin}\p{ASCII}]/u.test(word) ? 2 * word.length : word.length)));
}

type Pattern = Exclude<keyof LexiconWords, 'owned' | 'favourites' | 'relations'>;

const words = derived((languages) => {
  const lexicons = languages.flatMap(({ facts }) => facts?.lexicon ?? []);
  const any = (part: Pattern): string => alternatives(({ facts }) => facts?.lexicon?.[part]);
  const items = [...new Set(lexicons.flatMap(({ owned = {} }) => Object.keys(owned)))];
  const owned = items.map((item) => ({
    item,
    words: lexicons.flatMap(({ owned: known }) => known?.[item] ?? []).join('|'),
  }));
  return {
    owned: owned.map(({ item, words: source }) => ({
      item,
      pattern: new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu'),
      mayMatch: matcherOf(once(() => neededIn(source.toLowerCase()))),
    })),
    ownedHan: owned.flatMap(({ item, words: source }) =>
      source
        .split('|')
        .filter((word) => /\p{sc=Han}/u.test(word))
        .map((word) => ({ item, pattern: new RegExp(word, 'u'), mayMatch: () => true })),
    ),
    otherThing: new RegExp(`^\\s+(?:${any('otherThings')})`, 'iu'),
    article: new RegExp(`^(?:${any('articles')})\\s`, 'iu'),
    behindItem: new RegExp(`^\\s+(?!${any('behindItem')})\\p{Ll}`, 'u'),
    pair: new RegExp(`^(?:${any('pairs')})\\s+`, 'iu'),
    headEnd: new RegExp(`\\s(?:${any('headEnds')})\\s`, 'iu'),
    notThing: new RegExp(`(?<!\\p{L})(?:${any('notThings')})(?!\\p{L})`, 'iu'),
    amount: new RegExp(`^(?:\\p{Lu}|\\p{Lo}|\\d|(?:${any('amounts')})\\s|\\p{sc=Cyrillic})`, 'u'),
    favourites: new Map(lexicons.flatMap(({ favourites = {} }) => Object.entries(favourites))),
    favouriteLead: new RegExp(`(?<!\\p{L})(?:${any('favouriteLeads')})(?!\\p{L})`, 'gu'),
    notFavourite: new RegExp(`^(?:${any('notFavourites')})$`),
    relations: new Map(lexicons.flatMap(({ relations = {} }) => Object.entries(relations))),
  };
});

/** The last noun is the head: a "dog bed" is not a dog, a "car accident" is not a car, a "Honda Civic" is a Honda. */
function isPartOfOther(text: string, end: number): boolean {
  const { otherThing, article, behindItem } = words();
  const behind = text.slice(end);
  return otherThing.test(behind) || (article.test(text) && behindItem.test(behind));
}

/** The kind of possession that a phrase names, if known. */
export function ownedItem(phrase: string): string | undefined {
  const { owned, ownedHan, pair, headEnd } = words();
  // The head of the phrase decides: "a calendar on my phone" is a calendar.
  const text = phrase.replace(pair, '').split(headEnd)[0] ?? '';
  const small = smallLetters(text);
  const found = (/\p{sc=Han}/u.test(text) ? ownedHan : owned).flatMap(({ item, pattern, mayMatch }) => {
    const match = mayMatch(small) ? pattern.exec(text) : null;
    return match === null || isPartOfOther(text, match.index + match[0].length) ? [] : [{ item, at: match.index }];
  });
  // "a house with a piano": the first noun is the possession, the rest describes it.
  return found.sort((one, other) => one.at - other.at)[0]?.item;
}

/** The word lists shared by the rules of all languages. */
export const lexicon: FactLexicon = {
  ownedItem,
  hadItem(phrase) {
    const { notThing, amount } = words();
    return notThing.test(phrase) || !amount.test(phrase) ? undefined : ownedItem(phrase);
  },
  favourite(name) {
    const { favouriteLead, notFavourite, favourites } = words();
    const parts = name
      .toLowerCase()
      .replace(favouriteLead, ' ')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');
    if (parts.length === 0 || parts.length > 4) return undefined;
    if (parts.some((word) => notFavourite.test(word))) return undefined;
    return `favorite_${parts.map((word) => favourites.get(word) ?? word).join('_')}`;
  },
  relation(word) {
    const known = words().relations.get(word) ?? word.replaceAll(' ', '_');
    return known.startsWith('pet:') ? `pet_${known.slice('pet:'.length)}` : `relation_${known}`;
  },
};
