/**
 * What says that something is over, after the speaker: "I no longer …", "ich … nicht mehr", "je ne … plus". Without those
 * words the clause says what was so, which the rules know already.
 */
interface Ending {
  /** `over` and `more` are the words to leave out. */
  pattern: RegExp;
  /** Stands at the end of what is left out, where the speaker is part of it. */
  put?: string;
}

const endings: readonly Ending[] = [
  { pattern: /^(?:i|we)(?:'m|'re|'ve| am| are)?\s(?<over>no longer|used to)(?=\s)/diu },
  {
    pattern:
      /^(?:i|we)(?:'m|'re| am| are)?\s(?<over>don't|do not|not)\s.{1,80}?(?<more>,?\sany ?more)(?=$|[\s.,;!]*$|,|\s+(?:but|and|because|since)\s)/diu,
  },
  // "Nicht mehr als zwei" counts.
  {
    pattern:
      /^(?:ich|wir)\s[^,;:]{1,60}?(?<over>(?<!\p{L})nicht mehr)(?!\p{L}|\s+als\s+(?:\d|ein|zwei|drei|vier|fünf))/diu,
  },
  {
    pattern:
      /^(?:ich|wir)\s[^,;:]{1,40}?(?<over>(?<!\p{L})kein(?:e[mnrs]?)?)\s[^,;:]{1,60}?(?<more>\smehr)(?!\p{L})/diu,
  },
  // "Plus que deux" counts.
  { pattern: /^(?:je|nous)\s(?<over>ne)\s\p{L}{1,20}(?<more>\splus)(?!\p{L}|\s+que\s)/diu },
  { pattern: /^(?<over>je n)'\p{L}{1,20}(?<more>\splus)(?!\p{L}|\s+qu)/diu, put: 'j' },
  { pattern: /^(?<over>(?:yo )?ya no)\s/diu },
  { pattern: /^(?:я|ми|мені)\s(?<over>(?:більше|вже|уже) не)\s/diu },
  { pattern: /^(?<over>我(?:已经)?不再)/du, put: '我' },
];

/** A cheap look before: most clauses say nothing of the kind. */
const anyEnding = /no longer|used to|any ?more|nicht mehr|kein|\splus(?!\p{L})|ya no|(?:більше|вже|уже) не|不再/iu;

/** The clause without the words that say it is over, and how much shorter it is in front; undefined where it does not. */
export function withoutEnd(clause: string): { text: string; shorter: number } | undefined {
  if (!anyEnding.test(clause)) return undefined;
  for (const { pattern, put = '' } of endings) {
    const places = pattern.exec(clause)?.indices?.groups;
    if (places?.over === undefined) continue;
    const inFront = blanked(clause, places.over, put);
    const whole = places.more === undefined ? inFront : blanked(inFront, places.more, '');
    const text = whole.trimStart();
    return { text: text.trimEnd(), shorter: whole.length - text.length };
  }
  return undefined;
}

/** Blanks instead of the words, so that what follows keeps its place. */
function blanked(text: string, [from, to]: readonly [number, number], put: string): string {
  return text.slice(0, from) + put.padStart(to - from) + text.slice(to);
}
