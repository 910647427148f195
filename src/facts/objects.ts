import { blot } from './foreign.js';

/** Where a value ends and whether it is one, for each kind of value. */
export type ObjectKind = keyof typeof kinds;

export interface FoundObject {
  text: string;
  /** Where it begins in what the rule matched. */
  offset: number;
}

interface Kind {
  /** The value ends before this. */
  cut: RegExp;
  /** The same where capitals matter. */
  cutCased?: RegExp;
  accept: (text: string, casual: boolean) => boolean;
  /** A list of values is split here; in a list another end counts. */
  split?: RegExp;
  listCut?: RegExp;
  /** Said of what is meant before anything is left out: "the idea" is refused, "the Beatles" stay. */
  refuse?: (text: string) => boolean;
  /** A list whose parts have more words than this is one value. */
  whole?: number;
  /** Left out at the beginning. */
  skip?: RegExp;
  /** May begin with a negation: "never eats meat" is a habit. */
  denies?: true;
  /** Words of time and courtesy at the end belong to the value. */
  keepTail?: true;
}

const clauseEnd = `[;(\\[${blot}]|\\s+[-–—]\\s+|:(?!\\d)|\\.\\.\\.|…`;
const linkWords =
  'because|since|but|so|which|who|whose|when|(?<!\\ba\\s+)while|although|though|if|unless|until|whereas|weil|aber|sondern|seit|obwohl|depuis|mais|parce|qui|desde|pero|sino|porque|але|бо|тому';
/** The comma of "1,649 euros" ends nothing. */
const comma = '(?<!\\d),|,(?!\\d)|，';
const cutAt = (words: string, signs = `${comma}|、`): RegExp =>
  new RegExp(
    `\\s*(?:${clauseEnd}${signs === '' ? '' : `|${signs}`})|\\s+(?:${linkWords}${words === '' ? '' : `|${words}`})(?!\\p{L})|因为|但是?|所以`,
    'iu',
  );

const month = 'january|february|march|april|may|june|july|august|september|october|november|december';
const tail = new RegExp(
  `(?:,?\\s+(?:now|right now|currently|at the moment|these days|nowadays|today|yesterday|tonight|lately|recently|already|too|as well|again|anymore|any more|though|actually|instead|please|thanks|lol|btw|by the way|a lot|so much|very much|myself|personally|together|by trade|by profession|von beruf|last (?:week|month|year|summer|spring|fall|autumn|winter|night|${month})|this (?:week|month|year|summer|spring|fall|autumn|winter|morning|afternoon|evening|${month})|next (?:week|month|year|summer|spring|fall|autumn|winter|${month})|tomorrow|soon|a (?:few|couple of) (?:years|months|weeks|days) ago|(?:[a-z]+|\\d+) (?:years?|months?|weeks?|days?) ago|for (?:about |over |almost |nearly |the past |the last )?(?:[a-z]+ |\\d+ )?(?:years?|months?|weeks?|days?|decades?|now|work|a while|ages|life)(?: now)?|in (?:${month}|\\d{4})|on (?:weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|jetzt|zurzeit|maintenant|ahora|зараз))+$|了$`,
  'iu',
);

/** What something was bought for. */
const price = '(?:about |around |only |just |nearly |almost |under |over )?[€$£]?\\d';
/** A value that begins so is none, in any language. In small letters: "No Man's Sky" is a game. */
const negation =
  /^(?:no|not|never|neither|kein(?:e[mnrs]?)?|nicht|nie|niemals|pas|ne|jamais|aucune?|nunca|ning[uú]na?|не|ніколи|жодн\p{L}*)(?![\p{L}-])/u;

const letters = /\p{L}/u;
const capital = /^(?:[^\p{L}]*)(?:\p{Lu}|\p{Lo})/u;
const anyCapital = /(?<!\p{L})\p{Lu}|\p{Lo}/u;
const fewWords = (most: number) => (text: string) => letters.test(text) && text.split(/\s+/).length <= most;

const notName =
  /^(?:not|on|in|at|a|an|the|very|so|too|that|this|it|what|under|from|of|going|being|now|here|there|unknown|irrelevant|important|also|nicht|kein|pas|no|не|不|什么|谁)(?!\p{L})/iu;
const notPlace =
  /^(?:fear|peace|hope|harmony|denial|sin|hell|luxury|poverty|pain|style|here|there|it|that|this|my|your|his|her|their|one|which|what|哪|那|这|не|not|nicht|pas|no)(?!\p{L})/iu;
const notOrg =
  /^(?:home|night|nights|weekends?|day|days|once|present|least|work|all|it|that|this|myself|free|fun|money|him|her|them|me|you|a living|the weekend|the moment|the office|the best|the same|the top|the end|the bottom|the beginning|full|part|hours|remote|lot|my)(?!\p{L})/iu;
/** "I like the template": something at hand, no lasting taste. */
const definite = /^the \p{Ll}/u;
/** "I like the Spritz idea" answers a proposal. */
const proposal =
  /^the .*(?<!\p{L})(?:ideas?|themes?|options?|suggestions?|approach|concept|look|sound|recipe|version|plan|style|one)$/iu;
const notTopic =
  /^(?:it|that|this|these|those|them|him|her|you|your|how|when|where|what|why|who|to (?:know|see|be|think|have|get|hear|point|say|ask|make sure|thank)|to$|i|we|being|a lot|a ton|so|everything|nothing|anything|something|working with you|both|all|each|not|my|his|her|their|our|one|das|dies|dich|es|ihn|sie|ça|cela|ce|eso|esto|él|це|цe|те|тебе|这|那|你|它|她|他)(?!\p{L})|^(?:这|那|你|它|她|他)/iu;
const notPhrase = /^(?:it|that|this|so|not sure|nothing|me|him|her|them|you|what)[\s.,!]*$/iu;

const topicEnd =
  'that|as|at all|very|over|more than|better than|every|whenever|with my|with you|especially|particularly|such as|including|like';
const nameEnd = 'at|well|very|with|from|for|in|on|a bit|fluently|every|better|more|quite';
/** "tea, coffee and hot chocolate": commas that part a list, not clauses. */
const listShape = /^[^,.;:]{1,40}(?:,[^,.;:]{1,40})+,?\s(?:and|or|und|et|y|і|та|й)\s[^,.;:]{1,40}[.!]*$/iu;

const kinds = {
  person: {
    cut: cutAt('and|und|et|y|і|та|from|but|by|with|or|as|in|at|on|und ich|lives?|is|works?|和'),
    accept: (text) => fewWords(5)(text) && !notName.test(text) && !/[0-9@/\\]/.test(text) && text.length <= 60,
  },
  proper: {
    cut: cutAt('and|und|et|y|і|та|from|but|by|with|or|as|in|at|on|lives?|is|works?|has|was|turns?|和'),
    accept: (text) => fewWords(4)(text) && !notName.test(text) && text.split(/\s+/).every((word) => capital.test(word)),
  },
  place: {
    cut: cutAt(
      `with|and|or|for|now|where|together|as|by|at|last|this|next|again|anymore|alone|on|after|before|to|from|in (?:${month}|\\d{4})|mit|und|für|avec|et|pour|con|y|para|з|та|і|和`,
      '、',
    ),
    cutCased: /\s*[,，](?!\s*\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*){0,2}[\s.!]*$)/u,
    accept: (text, casual) =>
      fewWords(8)(text) &&
      !notPlace.test(text) &&
      (anyCapital.test(text) || (casual && /^\p{Ll}+(?: \p{Ll}+)?$/u.test(text) && !/^(?:an?|the|some) /.test(text))),
  },
  organisation: {
    cut: cutAt('and|as|in|on|where|to|with|full[- ]time|part[- ]time|for|from|doing|und|als|et|comme|y|como|і|та|和'),
    accept: (text) =>
      fewWords(7)(text) &&
      !notOrg.test(text) &&
      (capital.test(text) || /^(?:an?|the|one of|eine[rmn]?|une?|una?) \p{L}/iu.test(text)),
  },
  properOrganisation: {
    cut: cutAt(
      'and|as|in|on|where|to|with|full[- ]time|part[- ]time|for|from|doing|a|the|because|next|tomorrow|als|und|ab|im|comme|et|en|como|y',
    ),
    accept: (text) => fewWords(5)(text) && !notOrg.test(text) && capital.test(text),
  },
  role: {
    cut: cutAt(
      'at|for|in|with|by|from|and|on|to|where|bei|und|für|chez|dans|et|pour|en|y|para|von|de profession|в|у|на|和',
    ),
    skip: /^(?:an?|the|un|une|una|ein|eine|als)\s+/iu,
    accept: (text) => fewWords(5)(text) && /^\p{L}/u.test(text) && text.length <= 60 && !notRole.test(text),
  },
  thing: {
    cut: cutAt(`that|to|and I|as|where|from (?:my|a|the)|in my|for (?:my|sale|${price})`, comma),
    split:
      /\s+(?:and|und|et|y|і|та)\s+(?=(?:an?|one|two|three|four|five|some|my|\d+|eine?n?|une?|una?|двоє|одну?)\s)/giu,
    accept: (text) =>
      fewWords(10)(text) &&
      text.length <= 80 &&
      !/^(?:no|not|never|to|been|had|it|that|this|these|kein|pas|не|my (?:mistakes?|words?|own))(?!\p{L})/iu.test(text),
  },
  topics: {
    cut: cutAt(topicEnd),
    listCut: cutAt(topicEnd, ''),
    split: /\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|und|et|y|і|та|й)\s+|[、和]/giu,
    skip: /^(?:to|the|das|den|die|le|la|les|l'|el|los|las)\s*(?<=\s|')/iu,
    accept: (text) => fewWords(7)(text) && text.length <= 80 && !notTopic.test(text),
    refuse: (text) => notTopic.test(text) || definite.test(text) || proposal.test(text),
    whole: 3,
  },
  topic: {
    cut: cutAt('over|to|than|instead|rather|because|when|as|gegenüber|que|à'),
    skip: /^(?:the|das|den|die|le|la|les|l'|el|los|las)\s*(?<=\s|')/iu,
    accept: (text) => fewWords(8)(text) && text.length <= 80 && !notTopic.test(text),
  },
  names: {
    cut: cutAt(nameEnd),
    listCut: cutAt(nameEnd, ''),
    split: /\s*,\s*(?:and\s+)?|\s+(?:and|as well as|und|et|y|і|та|й)\s+|[、和]/giu,
    skip: /^(?:fluent|basic|some|a (?:little|bit of)|a little bit of|good|conversational|fließend|un peu|couramment|un poco de)\s+/iu,
    accept: (text) =>
      fewWords(3)(text) &&
      !/^(?:to|up|from|at|with|for|in|on|what|that|how|it|this|why|who|where|when|a|the|you|your|my|about|not|too|of|all|every|everything|nothing|so|enough|lot)(?!\p{L})/iu.test(
        text,
      ),
  },
  favourite: {
    cut: cutAt('and I|and my|and it|as|but|for (?:now|the moment)|by far|probably|和我', comma),
    skip: /^(?:the|das|der|die|le|la|les|l'|el|los|las|probably|definitely|still|currently|now|—|-)\s*(?<=[\s'—-])/u,
    accept: (text) =>
      fewWords(8)(text) &&
      text.length <= 80 &&
      !/^(?:not|when|how|what|that|where|missing|broken|gone|the one|it|there|here|never|unknown|hard|nicht|pas|no|не|isn't)(?!\p{L})/iu.test(
        text,
      ),
  },
  phrase: {
    cut: cutAt(
      "and (?:need|want|was|am|were|would|could|wonder|looking|have|had|it's|that's|then)",
      ',\\s*(?:but|and|so|because|which|then)\\s',
    ),
    accept: (text) =>
      letters.test(text) && text.length <= 140 && !notPhrase.test(text) && text.split(/\s+/).length <= 22,
    keepTail: true,
    denies: true,
  },
  date: {
    cut: /[;(]|,(?!\s*[12]\d{3})|\s+(?:and|but|so|at|und|et|y)(?!\p{L})/iu,
    skip: /^(?:on|am|den|le|el|the|в|at)\s+/iu,
    accept: (text) => /[0-9]/.test(text) && text.length <= 40,
  },
  number: {
    cut: /(?<=.)[^\p{L}\p{N}-]/u,
    accept: (text) =>
      /^(?:[0-9]{1,4}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\p{L}+)?|\p{L}+teen)$/iu.test(text),
  },
  word: {
    cut: /(?<=.)[\s,;]/u,
    accept: (text) =>
      /^[\p{L}\p{N}_./+-]{1,40}$/u.test(text) && !/^(?:not|a|the|wrong|too|failing|broken|unclear)$/i.test(text),
    skip: /^['"]/,
  },
  email: {
    cut: /(?<=\S)[\s,;，。！]/u,
    accept: (text) => /^[^\s@<>()"]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}$/u.test(text),
  },
  short: {
    cut: cutAt('and I|and my|as|for now', comma),
    accept: (text) =>
      fewWords(6)(text) &&
      text.length <= 80 &&
      !/^(?:not|very|too|still|un|unclear|missing|broken|tight|wrong|being|what|that|how|to be|up|under|going|great|good|bad|fine|simple|working|failing|a (?:mess|disaster|pain|bit)|the same|on|in|at|killing|boring|hiring|nicht|pas|no|не)(?!\p{L})/iu.test(
        text,
      ),
  },
} satisfies Record<string, Kind>;

const notRole =
  /^(?:bit|little|lot|few|huge|big|great|good|new|total|complete|kind|sort|mess|one|part|not|no|team|slave|volunteer in|hard|it|that|dog|horse|usual|well|expected|intended|before|always|follows)(?!\p{L})/iu;

/** The values in what a rule matched, as slices of it; none when it is no value of that kind. */
export function readObjects(kind: ObjectKind, raw: string, casual: boolean): FoundObject[] {
  const { cut, cutCased, accept, split, listCut, skip, keepTail, denies, refuse, whole: most }: Kind = kinds[kind];
  const at = listCut !== undefined && listShape.test(raw) ? listCut : cut;
  const ends = [at, cutCased].map((each) => each?.exec(` ${raw}`)?.index ?? raw.length + 1);
  const end = Math.min(...ends);
  // With the blank in front, a value that begins with a word to cut at is empty.
  const whole = raw.slice(0, Math.max(0, end - (end > 0 ? 1 : 0)));
  if (refuse?.(whole.trim())) return [];
  const parts = partsOf(whole, split, most);
  const read = parts.map((part) => trimmed(part, skip, keepTail === true));
  // "German and no French": what is denied, and what follows it, is not said.
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
  if (!keepTail) text = trim(text.replace(tail, ''));
  // A title in quotation marks at the end keeps its second one.
  if (/^[^"]*"[^"]*$/.test(text) && part.text.slice(offset - part.offset + text.length).startsWith('"')) text += '"';
  return { text, offset };
}
