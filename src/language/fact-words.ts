/* How a language states facts. Words are sources of regular expressions unless a comment says otherwise. */

/** Kinds of values. The rules for where a value ends and whether it is valid are in `facts/objects.ts`. */
export type ObjectKind =
  | 'person'
  | 'proper'
  | 'place'
  | 'organisation'
  | 'properOrganisation'
  | 'role'
  | 'thing'
  | 'topics'
  | 'topic'
  | 'names'
  | 'favourite'
  | 'phrase'
  | 'date'
  | 'number'
  | 'word'
  | 'email'
  | 'short';

export type Groups = Readonly<Record<string, string | undefined>>;

/** Lookups over the things and people of all languages. */
export interface FactLexicon {
  /** The kind of possession that a phrase names, if known: `car`. */
  ownedItem(phrase: string): string | undefined;
  /** The same for things people "have", which may not be possessions. */
  hadItem(phrase: string): string | undefined;
  /** `favorite_color` for "colour" in any language. */
  favourite(name: string): string | undefined;
  /** `relation_wife` or `pet_dog` for a word in any language. */
  relation(word: string): string;
}

/** The predicate of a rule, or a function that determines it; undefined where the words state nothing. */
export type RulePredicate = string | ((groups: Groups, object: string, lexicon: FactLexicon) => string | undefined);

interface RuleExtra {
  /** The sentence says that the fact has ended. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The rule also applies when the assistant addresses the user; `as is` where the assistant uses the same words. */
  assistant?: true | 'as is';
  /** The value must not be one of the predicate's `refused` words. */
  checked?: true;
  /** Words that the sentence must contain where its first words are too common. Used to build prefilters. */
  holds?: string;
}

/**
 * A rule: the first words of a clause (or `*` for any), the pattern, the predicate and the kind of value. In a pattern,
 * a name in braces refers to an entry of `slots`, `{}` is the value, and a space matches any white space.
 */
export type RuleLine = readonly [
  starts: string,
  shape: string,
  predicate: RulePredicate,
  kind: ObjectKind,
  extra?: RuleExtra,
];

export interface FactWords {
  rules?: readonly RuleLine[];
  /** The expansion of `{name}` in a pattern, by who speaks. */
  slots?: Record<'user' | 'assistant', Readonly<Record<string, string>>>;
  /** The first words of a rule when the assistant speaks: `you` for `i`. Not patterns. */
  assistantStarts?: Readonly<Record<string, string>>;
  /** Beginnings that are not allowed for a value of a predicate; for rules that are `checked`. */
  refused?: Readonly<Record<string, string>>;
  lexicon?: LexiconWords;
  clauses?: ClauseWords;
  gates?: GateWords;
  values?: ValueWords;
}

/** Words for things, categories and people. */
export interface LexiconWords {
  /** Possessions by item. */
  owned?: Readonly<Record<string, string>>;
  /** Words that turn the item before them into something else: a car accident. */
  otherThings?: string;
  /** After `articles`, the last noun is the thing, so a word after the item changes it, unless it is one of these. */
  articles?: string;
  behindItem?: string;
  /** Words before the thing itself: a pair of. */
  pairs?: string;
  /** The thing ends before these: a calendar on my phone. */
  headEnds?: string;
  /** Things people have without owning them: a question, an idea. */
  notThings?: string;
  /** Something people have begins with one of these, in lower case. */
  amounts?: string;
  /** Categories of favourites, mapped to the word used in predicates. Not patterns. */
  favourites?: Readonly<Record<string, string>>;
  /** Words left out of the name of a favourite, and words that are not one. */
  favouriteLeads?: string;
  notFavourites?: string;
  /** Relatives and pets, mapped to the word used in predicates; pets begin with `pet:`. Not patterns. */
  relations?: Readonly<Record<string, string>>;
}

/** Words for splitting sentences into the speaker's own statements. */
export interface ClauseWords {
  /** Words that begin a clause of the speaker, and prefixes of such words. */
  self?: string;
  selfPrefix?: string;
  /** Conjunctions before a new clause. */
  joint?: string;
  now?: string;
  /** Introductory words: greetings, fillers, "from October", self-corrections. */
  greeting?: string;
  filler?: string;
  sinceLead?: string;
  sinceTime?: string;
  sinceTail?: string;
  correction?: string;
  leadInTail?: string;
  that?: string;
  hedge?: string;
  /** Pronouns that follow the verb when something else comes first. */
  inverted?: string;
  /** The pronoun that later clauses omit before these verbs, in a script without spaces. */
  impliedSelf?: { self: string; verbs: string };
  /** Sentences typed without a subject, "finally moved to Leeds": how they begin, and the omitted words. */
  leftOut?: readonly { begins: string; put: string }[];
  /** Words that begin a question, and words that may precede it. */
  asking?: string;
  askingLead?: string;
  askingJoint?: string;
  askingBareJoint?: string;
  ellipses?: readonly Ellipsis[];
  /** Words that indicate a possible ellipsis, besides a comma. */
  ellipsisJoint?: string;
  /** "I'm 34, married and from Graz": the words that begin and join such a list, and what counts as a trait. */
  traits?: { lead: string; and: string; joint: string; isTrait?: (part: string) => boolean };
  /** "I no longer live in Paris but in Lyon", with the groups `who`, `verb` and `joint`. */
  instead?: readonly RegExp[];
  contrast?: ContrastWords;
  endings?: readonly Ending[];
  /** Capitalized words that do not name a project. Case matters. */
  notSubjects?: string;
  /** Removed before a value that is retracted. */
  correctedLead?: string;
}

/** A clause that omits the words it shares with the one before. */
export interface Ellipsis {
  /** The speaker, at the beginning of the sentence. */
  speaker: RegExp;
  /** The next clause begins after this. */
  joint: RegExp;
  /** The omitted words. */
  put: string;
  /** The clause does not count if this precedes it. */
  unless?: RegExp;
}

/** "Hamburg, not Berlin" and "not Berlin but Hamburg". */
export interface ContrastWords {
  no?: string;
  andNot?: string;
  /** Words before and after the negation. */
  lead?: string;
  prepositions?: string;
  /** After the negation: "not only" retracts nothing. */
  only?: string;
  /** After the negated value. */
  more?: string;
  but?: string;
  behindBut?: string;
}

/** Words that say something has ended, after the speaker. */
interface Ending {
  /** The groups `over` and `more` are the words to remove. */
  pattern: RegExp;
  /** Inserted at the end of the removed words, where they include the speaker. */
  put?: string;
  /** Words that the clause must contain. Used to build the prefilter. */
  holds: string;
}

/** Words that make a sentence something other than a plain statement of the speaker. */
export interface GateWords {
  supposing?: string;
  reporting?: string;
  /** Introduces the rest of the message as material to work on. */
  instructing?: string;
  /** After a statement, it makes the statement conditional, unless it is only polite. */
  condition?: string;
  politeCondition?: string;
  /** A message that begins like this contains material to work on after a colon. */
  material?: string;
  materialLead?: string;
  /** A message with these words starts a role play: "you're the waiter, I'm the guest". */
  rolePlay?: string;
  /** A first-person word inside a quotation. */
  quotedSelf?: string;
  /** A line with one of these and a colon introduces text by another author. */
  announces?: string;
  /** Names before a colon in headers and transcripts. */
  headers?: string;
  /** Prompt injection in the user's name: who is addressed, and the commands. */
  assistants?: string;
  commands?: string;
}

/** Words that end values, and words that are not values. */
interface ValueWords {
  /** Conjunctions that end any value, and those of a script without spaces. */
  link?: string;
  linkSigns?: string;
  /** Words of time and courtesy at the end of a value. */
  tail?: string;
  /** Text that begins with these words is not a value. Lower case. */
  negation?: string;
  /** Words before the last item of a list. */
  listJoint?: string;
  /** Words separated by spaces, not patterns: articles that do not change a value, and small words within a name. */
  determiners?: string;
  nameParticles?: string;
  /** Words for 0, 1, 2 … and for 20, 30, 40 … separated by spaces. Not patterns. */
  units?: string;
  tens?: string;
  kinds?: Partial<Record<ObjectKind, KindWords>>;
}

export interface KindWords {
  /** The value ends before these words. */
  cut?: string;
  /** The value ends before a comma followed by one of these. */
  cutBehindComma?: string;
  /** Removed at the beginning. */
  skip?: string;
  /** Text that begins with these words is not a value; `refuseSigns` for a script without spaces. */
  refuse?: string;
  refuseSigns?: string;
  /** Words that separate a list, what must follow them, what may follow a comma, and separator characters. */
  split?: string;
  splitBefore?: string;
  splitBehindComma?: string;
  splitSigns?: string;
  articles?: string;
  /** The definite article, and nouns for a thing that is the answer to a proposal. */
  definite?: string;
  proposals?: string;
  /** Words that are valid values. */
  accept?: string;
}

/* Predicates of rules that contain no words of any language, for all locales. */

/** A plausible human age. */
export function age(_: Groups, object: string): string | undefined {
  return /^[0-9]/.test(object) && (Number(object) < 3 || Number(object) > 120) ? undefined : 'profile_age';
}

/** A favourite, by the word for its category in the group `what`. */
export function favourite({ what = '' }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return lexicon.favourite(what);
}

/** A relative or pet, by the word in the group `who`. */
export function relation({ who }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return who === undefined ? undefined : lexicon.relation(who.toLowerCase());
}

/** "I have …" also applies to headaches, so the thing must be one that can be owned. */
export function known(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.hadItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** A possession that the speaker no longer has. */
export function gone(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.ownedItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** The predicate, if the value matches the pattern. */
export function where(pattern: RegExp, predicate: string): (groups: Groups, object: string) => string | undefined {
  return (_, object) => (pattern.test(object) ? predicate : undefined);
}
