import type { FactWords } from './fact-words.js';

/*
 * A human language as data. Everything Threadkeep knows about one language is a folder under `locales/` that exports one
 * `Language`; the engines in `language/`, `facts/`, `answers/` and `ingestion/` contain no word of any language. Every part
 * may be absent: a language with nothing but function words can be searched, one with `time` has its dates read, and so on.
 *
 * Words are sources of regular expressions unless a comment says otherwise. Alternatives are separated by `|`.
 */

/** How a language is written. Determines word boundaries and the stemmer for the words of the script. */
export type Script = 'latin' | 'cyrillic' | 'arabic' | 'han' | 'kana';

export interface Language {
  /** ISO 639-1, for example `de`. */
  code: string;
  script: Script;
  words?: Words;
  time?: TimeWords;
  questions?: QuestionWords;
  answers?: AnswerWords;
  facts?: FactWords;
  /** Words and two-word phrases that show what a text is about, by topic, separated by commas. Not patterns. */
  topics?: Readonly<Record<string, string>>;
  transcripts?: TranscriptWords;
}

/** Words and endings for search. */
export interface Words {
  /** Words that carry grammar rather than content, separated by white space. Not patterns. */
  functionWords?: string;
  /** A stemmer for every word of the script, whatever its language. One language of each script has it. */
  scriptStem?: (word: string) => string;
  /** The stem that a word shares with its other forms, as a separate term; undefined for a word without one. */
  stem?: (word: string) => string | undefined;
  /** An article or preposition that is joined to the next word. */
  prefix?: RegExp;
  /** Verbs whose forms share no stem: the forms separated by spaces, the verbs by `|` or a line break. Not patterns. */
  irregularVerbs?: string;
  /** Everyday synonyms, one group per line. Not patterns. */
  otherNames?: readonly string[];
  /** Number words. */
  numbers?: string;
  dots?: DotWords;
  unspaced?: UnspacedWords;
  names?: NameWords;
}

/** Capitalized words beside names. Lists of lower-case words separated by white space, unless they are patterns. */
export interface NameWords {
  /** Words before a name that say who the person is, such as neighbour or colleague. They are not part of the name. */
  roles?: string;
  /** Words before a noun, where nouns are capitalized: a kilo of carrots is not a name. */
  measures?: string;
  /** An ordinary word at the beginning of a sentence, before a noun. A pattern over the whole word. */
  openers?: RegExp;
  /** Words besides the function words that begin sentences or headings, or are capitalized without being part of a name. */
  ordinary?: string;
  /** Function words that may occur inside a name, but not at its beginning or end. Titles write them in lower case. */
  inside?: string;
  /** More words that titles write in lower case. */
  inTitles?: string;
  articles?: string;
  /** Words that are capitalized everywhere and are not part of a name. */
  alwaysCapital?: string;
  /** Words that join two parts of one name, with the articles that may follow: the Department of the Interior. */
  links?: Readonly<Record<string, string>>;
  /** A word joined to the next one by an apostrophe: Les Demoiselles d'Avignon. A pattern. */
  elided?: string;
  /** Endings of adjectives and of peoples: Puerto Rican. A pattern, as are all that follow. */
  peoples?: string;
  /** Directions, which make a people of a place: South Italian. */
  compass?: string;
  /** Endings of words made from places. */
  ofPlaces?: string;
  /** The last part of a compound that describes, whatever its first part: Spa-Inspired. */
  compounds?: string;
  /** Endings of verbs and adjectives that may begin a sentence. */
  openerEndings?: string;
  /** Both sides are parts of one name: the National Plan for the Control of … */
  joining?: string;
  /** What follows the number of an ordinal or an amount: 3rd, 200 g. */
  amounts?: string;
  /** Endings of adjectives, which do not end a name: the Cultural and Heritage Festival. */
  describing?: string;
  also?: string;
  /** A title goes on after its owner and one word: Tolstoy's War and Peace. */
  afterOwner?: string;
  /** Abbreviations inside names: St. Peter's Basilica. */
  abbreviated?: string;
  streets?: string;
  /** What comes before "and" belongs to the name: the Belt and Road Initiative. */
  firstHalf?: string;
  /** Between a title and who made it: "Space Oddity" by David Bowie. */
  author?: string;
}

/** How a pasted conversation names its speakers. Lists of lower-case words separated by white space. */
interface TranscriptWords {
  user?: string;
  assistant?: string;
  /** After a speaker alone on its line: "You said:". */
  said?: string;
}

/** Words for dots that do not end a sentence. Lists of lower-case words separated by white space. */
interface DotWords {
  /** Abbreviations regardless of the next word: Dr. Chen. */
  abbreviations?: string;
  /** Abbreviations that are also words: they count only before a number (No. 5). */
  beforeNumbers?: string;
  /** The same, at the end of a compound: Hauptstr. 5. */
  endings?: string;
  /** Single letters that are words rather than initials. */
  letters?: string;
  /** A number with a dot is an ordinal before these words, capitalized. A pattern. */
  ordinalBefore?: string;
  /** A number with a dot is an ordinal after these words. A pattern. */
  ordinalBehind?: string;
}

/** Characters without content in a script without spaces. */
interface UnspacedWords {
  /** Question words and particles that are removed from a query. */
  asking: string;
  /** Characters that join words: pairs that contain one are not searched. Not a pattern. */
  particles?: string;
  /** Characters too common to be searched alone. Not a pattern. */
  small?: string;
}

/** How a time phrase is read; each meaning has one rule in `time/meanings.ts`. */
export type Meaning =
  | 'date'
  | 'month'
  | 'season'
  | 'quarter'
  | 'year'
  | 'loneYear'
  | 'day'
  | 'weekday'
  | 'beforeLast'
  | 'previous'
  | 'current'
  | 'next'
  | 'ago'
  | 'past'
  | 'ahead';

export type Unit = 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/**
 * How a language expresses time. Every word is a regular expression over folded text: lower case, without Latin accents
 * (`märz` is `marz`, `año` is `ano`), with the plain apostrophe.
 *
 * A phrase is a regular expression too, in which a space matches any white space and a name in braces is a slot:
 * `{day} {month} {year} {weekday} {season} {quarter} {number} {few} {unit} {dayWord} {yearWord} {weekWord}` match a word
 * of that list, `{monthNumber}` 1 to 12, `{shortYear}` two or four digits, `{count}` a number or "a few", `{period}` a
 * unit, weekday, season or month, `{plainMonth} {plainWeekday} {plainPeriod}` none of the careful words, and `{prep}` and
 * `{seasonPrep}` require a preceding preposition. A slot occurs once in a phrase. Write conditions on the text before a
 * word as a lookbehind after it (`morgen(?<!guten morgen)`): before it, they would be tried at every letter of a text.
 */
export interface TimeWords {
  /** January first. */
  months?: readonly string[];
  /** Monday first. */
  weekdays?: readonly string[];
  /** Spring first. */
  seasons?: readonly string[];
  quarters?: readonly string[];
  units?: Partial<Record<Unit, string>>;
  /** One to twelve. */
  numbers?: readonly string[];
  /** The days of a month, where they are written in words. */
  monthDays?: readonly string[];
  few?: string;
  /** Words for a day, week or year by their offset from the current one: yesterday is -1. */
  dayWords?: Readonly<Record<string, string>>;
  weekWords?: Readonly<Record<string, string>>;
  yearWords?: Readonly<Record<string, string>>;
  /** Months and weekdays that are also other words: they count only next to a number or a preposition. */
  careful?: string;
  /** Careful months as capitalized, by month from 0; capitalized, they also count in the middle of a sentence. */
  capitalMonths?: Readonly<Record<string, string>>;
  prepositions?: string;
  seasonPrepositions?: string;
  phrases: Partial<Record<Meaning, readonly string[]>>;
  /** Words next to a phrase that make it open-ended; after it in scripts without spaces, before it elsewhere. */
  limits?: Record<'before' | 'after' | 'since', string>;
  range?: RangeWords;
  dates?: DateWords;
  /** The question asks for a time. Matched with accents in lower case, because `cuándo` asks and `cuando` may not. */
  asksWhen?: RegExp;
  tense?: TenseWords;
}

/** Words that make two phrases, or two days of a month, the ends of one range. */
interface RangeWords {
  /** Before the first end. */
  from: string;
  /** Before the second end. */
  to: string;
  /** The article of a date after `to`: before the whole second date, and before its day alone. */
  article?: string;
  dayArticle?: string;
  /** The suffix of a day number: 23rd. */
  ordinal?: string;
  /** Between two days written without spaces, and after the second one. */
  joint?: string;
  dayEnd?: string;
}

/** How a whole date is written, over folded text. */
export interface DateWords {
  /** The months as answers spell them, January first, separated by spaces. Not a pattern. */
  monthNames?: string;
  /** Before the date: on the 5th. */
  lead?: string;
  weekday?: string;
  /** Between a month and its day: May the 5th. */
  beforeDay?: string;
  /** The suffix of a day number: 5th. */
  ordinal?: string;
  /** Between a day and its month: 5 of May. */
  beforeMonth?: string;
  beforeYear?: string;
  afterYear?: string;
  /** A whole date in a shape of its own, with the groups `year`, `month` and `day` in digits. */
  shape?: string;
}

/**
 * How a language distinguishes past and future: expressions over lower-case text, matched as whole words. Only as much
 * as dates need: unknown verbs are ignored, and a date next to none of these words is assumed to be in the future.
 */
export interface TenseWords {
  /** With its participle: "is booked" is not past tense. */
  coming: string;
  past: string;
  /** Recurring: there is no single date. */
  again: string;
  /** Directly before a weekday, it means every one of them. */
  everyOne?: string;
  /** Directly before a date: the date is in the future even after a verb in the past tense ("booked for Friday"). */
  aim: string;
}

/** How a language asks questions. The expressions are matched against the lower-case question. */
export interface QuestionWords {
  /** It asks for a time. Only for a language without `time`, which has these words. */
  when?: RegExp;
  where?: RegExp;
  who?: RegExp;
  howMany?: RegExp;
  why?: RegExp;
  yesNo?: RegExp;
  /** It asks for more than one thing. */
  list?: RegExp;
  /** It asks for a former state that may no longer hold. */
  past?: RegExp;
  /** It asks about an event: the newest statement is not necessarily the right one. */
  event?: RegExp;
  /** It asks for a number: a price, an amount, a length. */
  number?: string;
  person?: PersonWords;
  /** The start of a second question after the first: "…, and which club did he join?". */
  second?: RegExp;
  /** A question word: both halves of a compound question have one. */
  asking?: RegExp;
}

/** Words that show whose words a question is about, in lower case. */
export interface PersonWords {
  /** It is addressed to the assistant: "did you". */
  assistant?: string;
  /** It asks for something the assistant said: "your suggestion", "what did the AI recommend". */
  replies?: string;
  /** It asks how to do something, which is asked of assistants: "how can I mend it". */
  advice?: string;
  /** The user refers to themselves. */
  user?: string;
}

/** How questions about facts are phrased, what answers them, and how an answer is phrased. */
export interface AnswerWords {
  phrases?: AnswerPhrases;
  /** The locale for writing days, if it differs from the language's code. */
  dayFormat?: string;
  /** Every noun is capitalized, so capitals do not indicate names. */
  capitalNouns?: true;
  /** Words for an amount or a frequency. */
  quantities?: string;
  /** Prepositions of place, and words that are themselves a place. */
  placeLeads?: string;
  places?: string;
  /** Words for people. Case matters. */
  people?: string;
  /** What rejects the value before or after it: "the 19th, not the 16th", 16日じゃなくて. */
  rejecting?: { before?: string; after?: string };
  /** Replies without content of their own: "yes, exactly". */
  bareReplies?: string;
  /** Words with which assistants acknowledge a message, separated by white space. Not patterns. */
  acknowledgements?: string;
  /** Words of questions with no topic, such as "what did I say", separated by whitespace. Not patterns. */
  whatever?: string;
  /** The same as characters, for a script without spaces. Not a pattern. */
  whateverSigns?: string;
  /** Capitalised words that are not names of people, written in lower case, separated by whitespace. Not patterns. */
  notNames?: string;
  /** The question asks for more than the value: why, or where it was said. */
  wantsContext?: string;
  /** Words after the thing that is asked about: my favourite food these days. */
  trailing?: string;
  /** Other names of relatives, pets and categories as search terms, mapped to the term used in predicates. */
  termNames?: Readonly<Record<string, string>>;
  /** Maps spelling variants of a search term to one form. */
  spelled?: (term: string) => string;
  /**
   * The expansion of `{i}`, `{do}`, `{am}`, `{was}`, `{my}` and `{mine}` in `asks`; `{name}` is the person asked about.
   */
  persons?: Record<'first' | 'third', Readonly<Record<string, string>>>;
  /**
   * How facts are asked for, by the route in `answers/fact-match.ts`: expressions over the lower-case question. The
   * group `x` completes a family of predicates (my favourite x).
   */
  asks?: Readonly<Record<string, readonly string[]>>;
  facts?: FactSentences;
  spans?: SpanPhrases;
}

/** The phrases of an answer besides its quotations. */
export interface AnswerPhrases {
  you: string;
  assistant: string;
  /** Wraps an answer that is more likely right than wrong, but not certain. */
  perhaps: (answer: string) => string;
  yes: string;
  no: string;
  /** Used when no message clearly answers. */
  unclear: string;
  /** Introduces the nearest results, which may not answer. */
  nearest: string;
  notFound: string;
  /** Introduces something that is no longer true. */
  before: string;
  /** Introduces the day on which something was said. */
  saidOn: (day: string) => string;
}

/** Templates for a time longer than a day; `{}`, `{from}` and `{to}` are days or months. */
export interface SpanPhrases {
  range: string;
  weekOf: string;
  weekendOf: string;
  about: string;
  between: string;
}

/** Templates for facts; `{}` is one or more values, `{what}` the words of a predicate, `{who}` the subject. */
export interface FactSentences {
  /** By predicate, or by the prefix of a family. */
  sentences: Readonly<Record<string, string>>;
  /**
   * What `{what}` is in this language: `sister=Schwester`, separated by `|`. A predicate that is missing is shown in its
   * own words, which are English. Not a pattern.
   */
  nouns?: string;
  /** A single value of a naming predicate: your sister is Eva. */
  is: string;
  /** Any other fact about the user. */
  list: string;
  /** A fact about another person. */
  of: string;
  /** Before the last of several values. */
  and: string;
  /** A value that was true on a day, and one that was stated on a day. */
  on: string;
  saidOn: string;
  before: string;
  atThatTime: string;
  thenAndNow: string;
  now: string;
  disagree: string;
}

/** Removes an ending. A stem keeps at least four letters; shorter words are unchanged. */
export function withoutEnding(word: string, ending: RegExp): string {
  if (word.length < 5) return word;
  const stem = word.replace(ending, '');
  return stem.length >= 4 ? stem : word.slice(0, Math.max(4, word.length - 1));
}
