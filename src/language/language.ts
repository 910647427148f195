import type { FactWords } from './fact-words.js';

/*
 * A human language as data. Everything Threadkeep knows about one language is a folder under `locales/` that exports one
 * `Language`; the engines in `language/`, `facts/` and `answers/` hold no word of any language. Every part may be absent:
 * a language with nothing but function words can be searched, one with `time` has its dates read, and so on.
 *
 * Words are sources of regular expressions unless a comment says otherwise. Alternatives are separated by `|`.
 */

/** How a language is written. It decides where words end and which stem every word of the script gets. */
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
}

/** Words and endings for search. */
export interface Words {
  /** Words that say how something is asked rather than what about, separated by white space. Not patterns. */
  functionWords?: string;
  /** Cuts the inflection off any word of the script, whatever its language. One language of each script has it. */
  scriptStem?: (word: string) => string;
  /** What a word has in common with its other forms, as a term of its own; undefined for a word without one. */
  stem?: (word: string) => string | undefined;
  /** An article or preposition that grows together with the word behind it. */
  prefix?: RegExp;
  /** Verbs whose forms share no stem: the forms separated by blanks, the verbs by `|` or a line break. Not patterns. */
  irregularVerbs?: string;
  /** Everyday words for the same thing, one group a line. Not patterns. */
  otherNames?: readonly string[];
  /** Words for a number that a text may hold. */
  numbers?: string;
  dots?: DotWords;
  unspaced?: UnspacedWords;
}

/** Where a dot does not end a sentence. Lists are words separated by white space, in lower case. */
interface DotWords {
  /** Abbreviations, whatever follows them: Dr. Chen. */
  abbreviations?: string;
  /** Words of their own as well: they are abbreviations before a number only (No. 5). */
  beforeNumbers?: string;
  /** The same, at the end of a compound: Hauptstr. 5. */
  endings?: string;
  /** Single letters that are words and not initials. */
  letters?: string;
  /** A number with a dot is an ordinal before these, with their capital. A pattern. */
  ordinalBefore?: string;
  /** A number with a dot is an ordinal behind these. A pattern. */
  ordinalBehind?: string;
}

/** What says nothing about the subject in a script without blanks. */
interface UnspacedWords {
  /** Question words and particles that are cut out of a query. */
  asking: string;
  /** Characters that join words: a pair with one of them says nothing. Not a pattern. */
  particles?: string;
  /** Characters too common to be looked for alone. Not a pattern. */
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
 * How a language speaks of time. Every word is a regular expression over folded text: lower case, without Latin accents
 * (`märz` is `marz`, `año` is `ano`), with the plain apostrophe.
 *
 * A phrase is a regular expression too, in which a blank stands for any white space and a name in braces for a slot:
 * `{day} {month} {year} {weekday} {season} {quarter} {number} {few} {unit} {dayWord} {yearWord} {weekWord}` take a word
 * of that list, `{monthNumber}` 1 to 12, `{shortYear}` two digits or four, `{count}` a number or a few, `{period}` a unit,
 * weekday, season or month, `{plainMonth} {plainWeekday} {plainPeriod}` none of the careful words, and `{prep}` and
 * `{seasonPrep}` ask that a preposition precedes. A slot occurs once in a phrase. What must or must not precede a word is
 * written behind it (`morgen(?<!guten morgen)`): in front it would be looked for at every letter of a text.
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
  /** Words for a day, week or year by their distance from the present one: yesterday is -1. */
  dayWords?: Readonly<Record<string, string>>;
  weekWords?: Readonly<Record<string, string>>;
  yearWords?: Readonly<Record<string, string>>;
  /** Months and weekdays that are also other words: they count beside a number or a preposition only. */
  careful?: string;
  /** Careful months as written with a capital, by month from 0; so they count in the middle of a sentence. */
  capitalMonths?: Readonly<Record<string, string>>;
  prepositions?: string;
  seasonPrepositions?: string;
  phrases: Partial<Record<Meaning, readonly string[]>>;
  /** Words beside a phrase that open it to one side; behind it in scripts without blanks, before it elsewhere. */
  limits?: Record<'before' | 'after' | 'since', string>;
  range?: RangeWords;
  dates?: DateWords;
  /** The question asks for a time. Over lower-case text with its accents, because `cuándo` asks and `cuando` may not. */
  asksWhen?: RegExp;
  tense?: TenseWords;
}

/** Words that make two phrases, or two days of a month, the ends of one span. */
interface RangeWords {
  /** Before the first end. */
  from: string;
  /** Before the second end. */
  to: string;
  /** The article of a date, behind `to`: before the whole second date, and before its day alone. */
  article?: string;
  dayArticle?: string;
  /** What may be written behind the number of a day: 23rd. */
  ordinal?: string;
  /** Between two days that are written without blanks, and behind the second one. */
  joint?: string;
  dayEnd?: string;
}

/** How a whole date is written, over folded text. */
export interface DateWords {
  /** The months as an answer spells them, January first, separated by blanks. Not a pattern. */
  monthNames?: string;
  /** Before the date: on the 5th. */
  lead?: string;
  weekday?: string;
  /** Between a month and its day: May the 5th. */
  beforeDay?: string;
  /** Behind the number of a day: 5th. */
  ordinal?: string;
  /** Between a day and its month: 5 of May. */
  beforeMonth?: string;
  beforeYear?: string;
  afterYear?: string;
  /** A whole date of its own shape, with the groups `year`, `month` and `day` in figures. */
  shape?: string;
}

/**
 * How a language tells the past from what comes: expressions over lower-case words, found as whole words. Only what a date
 * needs: unknown verbs say nothing, and a date beside none of these words is taken for one to come.
 */
export interface TenseWords {
  /** With its participle: "is booked" is not past tense. */
  coming: string;
  past: string;
  /** Recurring: there is no single date. */
  again: string;
  /** Directly before a weekday it makes it every one of them. */
  everyOne?: string;
  /** Directly before a date: the date is in the future even after a verb in the past tense ("booked for Friday"). */
  aim: string;
}

/** How a language asks. The expressions are tried on the question in lower case. */
export interface QuestionWords {
  /** A time is wanted. Only in a language without `time`, which has the words for it. */
  when?: RegExp;
  where?: RegExp;
  who?: RegExp;
  howMany?: RegExp;
  why?: RegExp;
  yesNo?: RegExp;
  /** More than one thing is wanted. */
  list?: RegExp;
  /** What was so before and may not be so any more. */
  past?: RegExp;
  /** Something that happened, whenever: newer is not truer. */
  event?: RegExp;
  /** A number is wanted: a price, an amount, a length. */
  number?: string;
  person?: PersonWords;
  /** Where a second question begins behind a first one: "…, and which club did he join?". */
  second?: RegExp;
  /** A word that asks: both halves of a question with two parts have one. */
  asking?: RegExp;
}

/** Whose words a question is about. */
export interface PersonWords {
  /** It is put to the assistant: "did you". */
  assistant?: string;
  /** It asks for something the assistant said. */
  reply?: string;
  /** The assistant's words, named as such: "your suggestion". */
  replies?: string;
  /** How something is done, which assistants are asked for: "how can I mend it". */
  advice?: string;
  /** The user speaks of themselves. */
  user?: string;
}

/** How questions about facts are put, what answers them, and how an answer reads. */
export interface AnswerWords {
  phrases?: AnswerPhrases;
  /** The locale in which days are written, where it is not the language's code. */
  dayFormat?: string;
  /** Every noun has a capital, so that a capital tells no name. */
  capitalNouns?: true;
  /** Words for an amount or a frequency. */
  quantities?: string;
  /** Prepositions of place, and words that are themselves a place. */
  placeLeads?: string;
  places?: string;
  /** Words for people. Case matters. */
  people?: string;
  /** Replies that answer and tell nothing: "yes, exactly". */
  bareReplies?: string;
  /** How assistants acknowledge what they were told, separated by white space. Not patterns. */
  acknowledgements?: string;
  /** Words of questions with no topic, such as "what did I say", separated by whitespace. Not patterns. */
  whatever?: string;
  /** The same as characters, in a script without blanks. Not a pattern. */
  whateverSigns?: string;
  /** Capitalised words that are not names of people, written in lower case, separated by whitespace. Not patterns. */
  notNames?: string;
  /** The question asks for more than the value: why, or where it was said. */
  wantsContext?: string;
  /** Words behind the thing that is asked about: my favourite food these days. */
  trailing?: string;
  /** Other names of relatives, pets and kinds, as search terms, with the term that predicates have. */
  termNames?: Readonly<Record<string, string>>;
  /** Makes two spellings of a search term one. */
  spelled?: (term: string) => string;
  /** What `{i}`, `{do}`, `{am}`, `{was}`, `{my}` and `{mine}` in `asks` stand for; `{name}` is the person asked about. */
  persons?: Record<'first' | 'third', Readonly<Record<string, string>>>;
  /**
   * How facts are asked for, by the route in `answers/fact-match.ts`: expressions over the question in lower case. The
   * group `x` is what a family of predicates is about (my favourite x).
   */
  asks?: Readonly<Record<string, readonly string[]>>;
  facts?: FactSentences;
}

/** The few words of its own that an answer has, beside what it quotes. */
export interface AnswerPhrases {
  you: string;
  assistant: string;
  /** In front of an answer that is likelier right than wrong, and no more. */
  perhaps: (answer: string) => string;
  yes: string;
  no: string;
  /** Where no message clearly answers. */
  unclear: string;
  /** In front of what was found, where it may not answer. */
  nearest: string;
  notFound: string;
  /** Introduces something that is no longer true. */
  before: string;
  /** In front of a day on which something was said. */
  saidOn: (day: string) => string;
}

/** How facts read; `{}` is a value or several of them, `{what}` the words of a predicate, `{who}` whom it is about. */
export interface FactSentences {
  /** By predicate, or by the beginning of a family. */
  sentences: Readonly<Record<string, string>>;
  /** One value that a predicate names: your sister is Eva. */
  is: string;
  /** Any other fact about the user. */
  list: string;
  /** A fact about another person. */
  of: string;
  /** Before the last of several values. */
  and: string;
  /** A value that was true on a day, and one that was said on a day. */
  on: string;
  saidOn: string;
  before: string;
  atThatTime: string;
  thenAndNow: string;
  now: string;
  disagree: string;
}

/** A word without its ending. A stem keeps at least four letters; shorter words stay as they are. */
export function withoutEnding(word: string, ending: RegExp): string {
  if (word.length < 5) return word;
  const stem = word.replace(ending, '');
  return stem.length >= 4 ? stem : word.slice(0, Math.max(4, word.length - 1));
}
