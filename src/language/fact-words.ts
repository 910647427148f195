/* How a language states facts. Words are sources of regular expressions unless a comment says otherwise. */

/** Where a value ends and whether it is one; each kind has its rules in `facts/objects.ts`. */
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

/** What is known of things and people in all languages together. */
export interface FactLexicon {
  /** What kind of possession a phrase names, if it is a known one: `car`. */
  ownedItem(phrase: string): string | undefined;
  /** The same for what people say they have, which may be no possession at all. */
  hadItem(phrase: string): string | undefined;
  /** `favorite_color` for "colour" in any language. */
  favourite(name: string): string | undefined;
  /** `relation_wife` or `pet_dog` for a word in any language. */
  relation(word: string): string;
}

/** The predicate of a rule, or what decides it; undefined where the words state nothing. */
export type RulePredicate = string | ((groups: Groups, object: string, lexicon: FactLexicon) => string | undefined);

interface RuleExtra {
  /** The sentence says that it is over. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The same words count when the assistant says them to the user; `as is` where the assistant uses the same words. */
  assistant?: true | 'as is';
  /** The value must not be one of the predicate's `refused` words. */
  checked?: true;
  /** What a sentence must hold where the first words are too common to tell. Prefilters are made from it. */
  holds?: string;
}

/**
 * A rule as a line: the first words of a clause (or `*` for any), the shape, the predicate and the kind of value. In a
 * shape a name in braces stands for an entry of `slots`, and `{}` for the value; a blank is any white space.
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
  /** What `{name}` in a shape stands for, when the user and when the assistant speaks. */
  slots?: Record<'user' | 'assistant', Readonly<Record<string, string>>>;
  /** The first words of a rule when the assistant speaks: `you` for `i`. Not patterns. */
  assistantStarts?: Readonly<Record<string, string>>;
  /** How a value of a predicate may not begin; for rules that are `checked`. */
  refused?: Readonly<Record<string, string>>;
  lexicon?: LexiconWords;
  clauses?: ClauseWords;
  gates?: GateWords;
  values?: ValueWords;
}

/** Things, kinds and people. */
export interface LexiconWords {
  /** Possessions by item. */
  owned?: Readonly<Record<string, string>>;
  /** Words behind an item that make it something else: a car accident. */
  otherThings?: string;
  /** Behind `articles` the last noun is the thing, so a word behind the item makes it another, unless it is one of these. */
  articles?: string;
  behindItem?: string;
  /** In front of the thing itself: a pair of. */
  pairs?: string;
  /** The thing ends before these: a calendar on my phone. */
  headEnds?: string;
  /** What is had without being owned: a question, an idea. */
  notThings?: string;
  /** What is had begins with one of these, in small letters. */
  amounts?: string;
  /** Kinds of favourites, with the word that predicates have. Not patterns. */
  favourites?: Readonly<Record<string, string>>;
  /** Left out of the name of a favourite, and words that name none. */
  favouriteLeads?: string;
  notFavourites?: string;
  /** Relatives and pets, with the word that predicates have; pets begin with `pet:`. Not patterns. */
  relations?: Readonly<Record<string, string>>;
}

/** How sentences are taken apart into the speaker's own statements. */
export interface ClauseWords {
  /** Words that a clause of the speaker begins with, and beginnings of such words. */
  self?: string;
  selfPrefix?: string;
  /** Conjunctions before a new clause. */
  joint?: string;
  now?: string;
  /** What only leads in: greetings, fillers, "from October", corrections of oneself. */
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
  /** The pronoun that later clauses leave out before these verbs, in a script without blanks. */
  impliedSelf?: { self: string; verbs: string };
  /** What a question begins with, and what may precede it. */
  asking?: string;
  askingLead?: string;
  askingJoint?: string;
  askingBareJoint?: string;
  ellipses?: readonly Ellipsis[];
  /** A word without which no ellipsis is looked for, besides a comma. */
  ellipsisJoint?: string;
  /** "I'm 34, married and from Graz": what begins such a row, what joins it, and what can be one of it. */
  traits?: { lead: string; and: string; joint: string; isTrait?: (part: string) => boolean };
  /** "I no longer live in Paris but in Lyon", with the groups `who`, `verb` and `joint`. */
  instead?: readonly RegExp[];
  contrast?: ContrastWords;
  endings?: readonly Ending[];
  /** Words with a capital that name no project. Case matters. */
  notSubjects?: string;
  /** Left out in front of a value that is taken back. */
  correctedLead?: string;
}

/** A clause that leaves out what it shares with the one before. */
export interface Ellipsis {
  /** The speaker, at the beginning of the sentence. */
  speaker: RegExp;
  /** Behind this the next clause begins. */
  joint: RegExp;
  /** What is understood there. */
  put: string;
  /** The clause does not count when this precedes it. */
  unless?: RegExp;
}

/** "Hamburg, not Berlin" and "not Berlin but Hamburg". */
export interface ContrastWords {
  no?: string;
  andNot?: string;
  /** Before the negation, and behind it. */
  lead?: string;
  prepositions?: string;
  /** Behind the negation: "not only" takes nothing back. */
  only?: string;
  /** Behind the denied value. */
  more?: string;
  but?: string;
  behindBut?: string;
}

/** What says that something is over, after the speaker. */
interface Ending {
  /** The groups `over` and `more` are the words to leave out. */
  pattern: RegExp;
  /** Stands at the end of what is left out, where the speaker is part of it. */
  put?: string;
  /** What the clause must hold. The prefilter is made from it. */
  holds: string;
}

/** What makes words anything but a plain statement of the speaker. */
export interface GateWords {
  supposing?: string;
  reporting?: string;
  /** The rest of the message is material to work on. */
  instructing?: string;
  /** After a statement, it makes the statement conditional, unless it is only polite. */
  condition?: string;
  politeCondition?: string;
  /** A message that begins like this has text to work on after a colon. */
  material?: string;
  materialLead?: string;
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

/** Where values end, and what is none. */
interface ValueWords {
  /** Conjunctions that end any value, and those of a script without blanks. */
  link?: string;
  linkSigns?: string;
  /** Words of time and courtesy at the end of a value. */
  tail?: string;
  /** A value that begins so is none. In small letters. */
  negation?: string;
  /** Before the last part of a list. */
  listJoint?: string;
  /** Words separated by blanks, not patterns: articles that do not make another value, and small words within a name. */
  determiners?: string;
  nameParticles?: string;
  /** Words for 0, 1, 2 … and for 20, 30, 40 … separated by blanks. Not patterns. */
  units?: string;
  tens?: string;
  kinds?: Partial<Record<ObjectKind, KindWords>>;
}

export interface KindWords {
  /** The value ends before these words. */
  cut?: string;
  /** The value ends before a comma with one of these behind it. */
  cutBehindComma?: string;
  /** Left out at the beginning. */
  skip?: string;
  /** A value that begins so is none; `refuseSigns` in a script without blanks. */
  refuse?: string;
  refuseSigns?: string;
  /** Words that part a list, what must follow, what may follow a comma, and signs that part one. */
  split?: string;
  splitBefore?: string;
  splitBehindComma?: string;
  splitSigns?: string;
  articles?: string;
  /** The article of something at hand, and what such a thing is called when it answers a proposal. */
  definite?: string;
  proposals?: string;
  /** What is a value in words. */
  accept?: string;
}

/* Predicates of rules that hold no word of any language, for all locales. */

/** An age that people have. */
export function age(_: Groups, object: string): string | undefined {
  return /^[0-9]/.test(object) && (Number(object) < 3 || Number(object) > 120) ? undefined : 'profile_age';
}

/** A favourite, by the word for its kind in the group `what`. */
export function favourite({ what = '' }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return lexicon.favourite(what);
}

/** A relative or pet, by the word in the group `who`. */
export function relation({ who }: Groups, _: string, lexicon: FactLexicon): string | undefined {
  return who === undefined ? undefined : lexicon.relation(who.toLowerCase());
}

/** "I have …" is said of headaches too, so the thing must be one that can be owned. */
export function known(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.hadItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** A possession that is gone. */
export function gone(_: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const item = lexicon.ownedItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}

/** The predicate, where the value is one of the words. */
export function where(pattern: RegExp, predicate: string): (groups: Groups, object: string) => string | undefined {
  return (_, object) => (pattern.test(object) ? predicate : undefined);
}
