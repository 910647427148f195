/** How a phrase is to be read; each has one rule in `meanings.ts`. */
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

export type Script = 'latin' | 'cyrillic' | 'han' | 'any';

export type Unit = 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/**
 * One language as data. Every word is a regular expression over folded text: lower case, without Latin accents
 * (`märz` is `marz`, `año` is `ano`), with the plain apostrophe.
 *
 * A phrase is a regular expression too, in which a blank stands for any white space and a name in braces for a slot:
 * `{day} {month} {year} {weekday} {season} {quarter} {number} {few} {unit} {dayWord} {yearWord} {weekWord}` take a word
 * of that list, `{monthNumber}` 1 to 12, `{shortYear}` two digits or four, `{count}` a number or a few, `{period}` a unit,
 * weekday, season or month, `{plainMonth} {plainWeekday} {plainPeriod}` none of the careful words, and `{prep}` and
 * `{seasonPrep}` ask that a preposition stands before. A slot occurs once in a phrase. What must or must not stand before a
 * word is written behind it (`morgen(?<!guten morgen)`): in front it would be looked for at every letter of a text.
 */
export type TimeLanguage = {
  script: Script;
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
  /** Words beside a phrase that open it to one side; they stand behind it in Chinese, before it elsewhere. */
  limits?: Record<'before' | 'after' | 'since', string>;
  /** Words before the first and before the second of two phrases that make them the ends of one span. */
  range?: Record<'from' | 'to', string>;
  /** The question asks for a time. Over lower-case text with its accents, because `cuándo` asks and `cuando` may not. */
  asksWhen?: RegExp;
};
