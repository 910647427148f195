import { isLasting } from './lexicon.js';

/** Where a clause begins that leaves out what it shares with the one before, and what is understood there. */
export interface Cut {
  at: number;
  to: number;
  put: string;
}

/** Somebody else may be meant: "I know a guy who moved to Berlin and got a dog". */
const others = '(?<!\\p{L})(?:who|whose|which|that|he|she|they)(?!\\p{L})|,\\s*I (?:think|believe|guess|suppose),';
/** "I would have sold it and bought another". A month has a capital. */
const supposed = `${others}|(?<!\\p{L})(?:will|would|could|should|may|might|must|wish|hope)(?!\\p{L})|'(?:ll|d)(?!\\p{L})`;
/** "I want to travel and work abroad": what follows is wanted too, not so. "To Rome" is a place. */
const unfinished = `${supposed}|(?<!\\p{L})(?:to(?!\\s+\\p{Lu})|can|[Ll]et|going|[Pp]lease)(?!\\p{L})`;

const present = 'live|work|own|love|hate|speak|play|prefer|enjoy|drive|have|study|am';
const past =
  'bought|got|sold|gave|adopted|inherited|joined|quit|became|moved|relocated|started|studied|graduated|switched|turned';
const joint = '(?:,\\s*|\\s+)(?:and|but)\\s+';

interface Shape {
  /** Who speaks, in the beginning of the sentence. */
  speaker: RegExp;
  /** Behind this the next clause begins. */
  joint: RegExp;
  put: string;
  /** The clause is none where this stands before it. */
  unless?: RegExp;
}

const iAm = /^(?:.{0,40}[\s,])?(?:I am|I'm)(?!\p{L})/iu;
const state =
  '(?:also\\s+)?(?:(?:severely|mildly)\\s+)?(?:allergic to|living in|based in|originally from|working (?:as|at|for)|fluent in|married to)\\s';

const shapes: readonly Shape[] = [
  ...(['I', 'We'] as const).flatMap((who): Shape[] => {
    const speaker = new RegExp(`^(?:.{0,40}[\\s,])?${who}(?:'m|'re|'ve)?(?!\\p{L})`, 'iu');
    const put = `${who} `;
    return [
      {
        speaker,
        put,
        joint: after(`${joint}(?:then\\s+|later\\s+)?`, `(?:${present})\\s`),
        unless: new RegExp(unfinished, 'u'),
      },
      {
        speaker,
        put,
        joint: after(`(?:${joint}|,\\s*)(?:then\\s+|later\\s+)?`, `(?:${past})\\s`),
        unless: new RegExp(supposed, 'u'),
      },
      // What is so now is so, whatever was wanted before.
      { speaker, put, joint: after(`(?:${joint}|,\\s*)`, `now\\s+(?:${present})\\s`) },
    ];
  }),
  {
    speaker: /^(?:.{0,40}[\s,])?I(?:'m|'ve)?(?!\p{L})/iu,
    joint: after(`(?:${joint}|,\\s*)`, '(?:now|currently)\\s+(?:living|based|working)\\s'),
    put: "I'm ",
  },
  { speaker: iAm, joint: after(joint, state), put: "I'm ", unless: new RegExp(others, 'u') },
  // "I'm from Graz, living in Linz", but not "I'm visiting Anna, living in Linz".
  { speaker: iAm, joint: after(',\\s*', state), put: "I'm ", unless: /(?:am|'m)\s+(?:\p{L}+ly\s+)?\p{L}+ing\s/u },
  {
    speaker: /^(?:.{0,40}[\s,])?ich(?!\p{L})/iu,
    joint: after(
      '(?:,\\s*|\\s+)(?:und|aber)\\s+',
      '(?:wohne|lebe|arbeite|spreche|spiele|lerne|mag|liebe(?!\\s+gr)|hasse|komme|stamme|bin|habe|heiße|bevorzuge|besitze)\\s',
    ),
    put: 'ich ',
  },
  {
    speaker: /^(?:.{0,40}[\s,])?ich bin(?!\p{L})/iu,
    joint: after('(?:,\\s*|\\s+und\\s+)', 'allergisch\\s'),
    put: 'ich bin ',
  },
  {
    speaker: /^(?:.{0,40}[\s,])?j(?:e\s|')/iu,
    joint: after('\\s+(?:et|mais)\\s+', '(?:travaille|parle|vis|joue|préfère|déteste|viens|suis)\\s'),
    put: 'je ',
  },
  {
    speaker: /^(?:.{0,40}[\s,])?j(?:e\s|')/iu,
    joint: after('\\s+(?:et|mais)\\s+', '(?:habite|aime|adore|apprends|ai)\\s'),
    put: "j'",
  },
  {
    speaker: /^(?:.{0,40}[\s,])?je suis(?!\p{L})/iu,
    joint: after('(?:,\\s*|\\s+et\\s+)', 'allergique\\s'),
    put: 'je suis ',
  },
  {
    speaker: /^(?:.{0,40}[\s,])?soy(?!\p{L})/iu,
    joint: after('(?:,\\s*|\\s+y\\s+)', 'alérgic[oa]\\s'),
    put: 'soy ',
  },
  {
    speaker: /^(?:.{0,40}[\s,])?я(?!\p{L})/iu,
    joint: after(
      '(?:,\\s*|\\s+)(?:і|й|та|але)\\s+',
      '(?:живу|мешкаю|працюю|розмовляю|говорю|вивчаю|вчу|граю|люблю|обожнюю|ненавиджу|маю)\\s',
    ),
    put: 'я ',
  },
];

function after(words: string, next: string): RegExp {
  return new RegExp(`${words}(?=${next})`, 'giu');
}

/** A cheap look before. */
const anyJoint = /,|\s(?:and|but|und|aber|et|mais|y|і|й|та|але)\s/iu;

/** "I live in Wien and work at ÖBB" leaves out "I", "I am vegetarian and allergic to nuts" leaves out "I am". */
export function ellipsesIn(text: string): Cut[] {
  if (!anyJoint.test(text)) return [];
  const found = shapes.flatMap(({ speaker, joint: shape, put, unless }) => {
    if (!speaker.test(text)) return [];
    return [...text.matchAll(shape)]
      .filter(({ index }) => unless?.test(text.slice(0, index)) !== true)
      .map((match) => ({ at: match.index, to: match.index + match[0].length, put }));
  });
  return [...found, ...traitsIn(text)];
}

const being = /^(?:.{0,40}[\s,])?(?<lead>I am|I'm|ich bin|je suis|soy)\s+(?<traits>[^.;:!?]{3,80})/diu;
const between = /,\s*(?:(?:and|und|et|y)\s+)?|\s+(?:and|but|und|et|y)\s+/giu;
/** One word or a word with its article, an age, a country: what can be said in a row of what one is. */
const trait = /^(?:an?\s+[\p{L}-]+(?:\s[\p{L}-]+)?|\d{2}(?:\s+years old)?|from\s+\p{Lu}\p{L}+)$/u;

/** "I'm 34, married and from Graz": each says what one is, as long as each is one. */
function traitsIn(text: string): Cut[] {
  const match = being.exec(text);
  const from = match?.indices?.groups?.traits?.[0];
  const { lead, traits } = match?.groups ?? {};
  if (from === undefined || lead === undefined || traits === undefined) return [];
  const english = /^i/i.test(lead) && !/^ich/i.test(lead);
  const isTrait = (part: string): boolean =>
    english ? isLasting(part) || trait.test(part) : /^\p{L}+$/u.test(part) && part.length > 2;
  const cuts: Cut[] = [];
  let start = 0;
  for (const joint of traits.matchAll(between)) {
    if (!isTrait(traits.slice(start, joint.index).trim())) return cuts;
    start = joint.index + joint[0].length;
    const next = traits.slice(start).split(between)[0]?.trim() ?? '';
    if (!isTrait(next)) return cuts;
    cuts.push({ at: from + joint.index, to: from + start, put: `${lead} ` });
  }
  return cuts;
}
