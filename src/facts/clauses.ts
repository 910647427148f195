import { ellipsesIn } from './ellipsis.js';
import { insteadIn } from './instead.js';
import type { Sentence } from './sentences.js';

/** A part of a sentence that may state something. */
export interface Clause {
  /** Without what only leads in ("by the way,"); an understood subject is put in front. */
  text: string;
  /** Where `text` begins in the message; minus the understood subject, which is not there. */
  start: number;
  /** What stands before it in the sentence. */
  before: string;
  corrects: boolean;
  hedged: boolean;
}

const self =
  "(?:i|i'm|im|i've|my|our|we|we're|we've|ich|mein|meine|meinen|wir|je|mon|ma|mes|nous|yo|mi|mis|me|soy|vivo|trabajo|tengo|hablo|toco|odio|prefiero|я|ми|мене|мені|мій|моя|моє|мою)(?![\\p{L}])|j'|у мене(?!\\p{L})";
const joint =
  '(?:and|but|so|because|although|though|whereas|while|plus|und|aber|denn|et|mais|car|y|pero|porque|і|й|та|але|бо)';
const now =
  "now|nowadays|these days|today|jetzt|nun|inzwischen|mittlerweile|heute|seitdem|stattdessen|maintenant|désormais|aujourd'hui|à présent|ahora|hoy en día|тепер|зараз|нині";
/** "Jetzt wohne ich": in German the verb comes first then. */
const begins = `(?:(?:${now}),?\\s+)?(?:${self})|(?:${now})\\s+\\p{L}{2,20}\\s+(?:ich|wir)(?!\\p{L})`;
/** Where a new clause of the speaker begins: behind a comma or a conjunction. Bare "that I" belongs to a report. */
const turn = new RegExp(`[,;:(–—]\\s*(?:${joint}\\s+)?(?=${begins})|\\s(?:-\\s+|${joint}\\s+)(?=${begins})`, 'giu');
const chineseComma = /[，；,]\s*/gu;

const greeting = 'hi|hello|hey|hallo|guten tag|bonjour|salut|hola|buenas|привіт|добрий день|你好|您好|大家好';
const filler =
  'well|so|ok|okay|yes|yeah|yep|oh|ah|um|hmm|also|and|but|then|btw|fyi|ps|p\\.s\\.|honestly|basically|personally|currently|recently|lately|note|remember|please remember|please note|keep in mind|just so you know|so you know|for context|for reference|for the record|for your information|by the way|as you know|as i said|as mentioned|to be clear|to clarify|in fact|in general|i should mention|i should add|i forgot to mention|did i mention|context|background|about me|a bit about me|some background|right now|at the moment|remember this|thanks|thank you|luckily|fortunately|unfortunately|sadly|finally|first of all|übrigens|also|zur zeit|derzeit|momentan|au fait|alors|bon|actuellement|por cierto|bueno|actualmente|до речі|отже|对了|顺便说一下|顺便|目前|现在';
const month =
  'january|february|march|april|may|june|july|august|september|october|november|december|jänner|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember';
/** "From October I start at …", "seit 2015 lebe ich in …" */
const since = `(?:from|since|starting|starting in|as of|in|next|this|seit|ab|im) (?:${month}|\\d{4}|week|month|year|autumn|fall|spring|summer|winter|monday|nächster woche|nächstem monat|\\p{L}+ jahren?)(?: on)?`;
const correction =
  'actually|correction|sorry|my mistake|my bad|oops|no(?=\\s*[,.!:–—-])|wait|scratch that|i meant to say|i misspoke|to correct myself|eigentlich|korrektur|en fait|en realidad|насправді|其实|更正';
const leadIn = new RegExp(
  `^(?:(?<corrects>${correction})|${greeting}|${filler}|${now}|${since})(?: there| everyone| all| again| team)?(?: that)?(?:\\s*[,!.:;–—-]+\\s*|\\s+|(?=我))`,
  'iu',
);
const hedge =
  /^(?:i (?:think|believe|guess|suppose|reckon)(?: that)?,?\s+(?=(?:i|my)(?!\p{L}))|probably\s+|(?:ich glaube|je crois que|creo que|я думаю,? що|我觉得)\s*,?\s*)/iu;

/** Rules are regular expressions over people's words: what is longer than this is no statement, and must cost nothing. */
const longestSentence = 800;
const longestClause = 200;

/** The clauses of a sentence that may be the speaker's own statements; a question leaves what stands before it. */
export function clausesOf(sentence: Sentence): Clause[] {
  const text = sentence.text.slice(0, longestSentence);
  const declared = sentence.asks ? beforeQuestion(text) : text;
  if (declared === '') return [];
  const cuts = [...declared.matchAll(turn)].map((match) => ({
    at: match.index,
    to: match.index + match[0].length,
    put: '',
  }));
  cuts.push(...ellipsesIn(declared), ...insteadIn(declared));
  if (/^[^，]{0,6}我/u.test(declared)) {
    for (const match of declared.matchAll(chineseComma)) {
      const to = match.index + match[0].length;
      const put = /^(?:住在|是|在|来自|叫|有|会|喜欢|对)/u.test(declared.slice(to)) ? '我' : '';
      cuts.push({ at: match.index, to, put });
    }
  }
  cuts.sort((one, other) => one.at - other.at);
  const starts = [{ at: 0, put: '' }, ...cuts.map(({ to, put }) => ({ at: to, put }))];
  return starts.map(({ at, put }, index) => {
    const clause = led(declared.slice(at, cuts[index]?.at ?? declared.length));
    const before = declared.slice(0, at);
    return { ...clause, text: put + clause.text, start: sentence.start + at + clause.skipped - put.length, before };
  });
}

function led(text: string): { text: string; skipped: number; corrects: boolean; hedged: boolean } {
  let rest = text;
  let corrects = false;
  let hedged = false;
  for (let round = 0; round < 6; round++) {
    const match = leadIn.exec(rest) ?? hedge.exec(rest) ?? /^\s+/.exec(rest);
    if (match === null) break;
    corrects ||= match.groups?.corrects !== undefined;
    hedged ||= hedge.test(rest);
    rest = rest.slice(match[0].length);
  }
  const skipped = text.length - rest.length;
  // "Jetzt wohne ich in Köln" says "ich wohne in Köln".
  if (skipped > 0) rest = rest.replace(/^(\p{L}{2,20})\s(ich|wir)(?=\s)/iu, '$2 $1');
  return { text: rest.slice(0, longestClause).trimEnd(), skipped, corrects, hedged };
}

const asking =
  "(?:can|could|would|will|do|does|did|don't|is|are|am|was|were|what|what's|where|when|why|how|who|whose|which|should|shall|any|may|might|has|have you|wie|was|wo|wann|warum|wer|welche[rsn]?|kannst|könntest|kann|soll|hast|gibt|wohne|bin|habe ich|peux|pouvez|quel|quelle|où|comment|pourquoi|est-ce|qui|que|as-tu|avez|puedes|qué|dónde|cómo|cuál|cuándo|quién|чи|як|де|що|коли|чому|хто|яка|який|можеш)(?![\\p{L}])|(?:可以|能|请问|怎么|什么|哪|为什么|有没有|你)";
const questionStart = new RegExp(`^[\\s¿"'(]*(?:(?:so|and|but|well|hi|hey|ok),?\\s+)?(?:${asking})`, 'iu');
const questionTurn = new RegExp(
  `[,;:–—，]\\s*(?:(?:and|but|so|und|et|y)\\s+)?¿?(?=${asking})|\\s+(?:so|and|but)\\s+(?=${asking})|\\s*¿`,
  'giu',
);

/** "I live in Berlin, can you recommend a bakery?" states something before it asks. */
function beforeQuestion(text: string): string {
  if (questionStart.test(text)) return '';
  const [first] = text.matchAll(questionTurn);
  return first === undefined ? '' : text.slice(0, first.index);
}
