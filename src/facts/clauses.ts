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
  "(?:i|i'm|im|i've|my|our|we|we're|we've|ich|mein|meine|meinen|wir|je|mon|ma|mes|nous|yo|mi|mis|me|soy|vivo|trabajo|tengo|hablo|odio|prefiero|я|ми|мене|мені|мій|моя|моє|мою)(?![\\p{L}])|j'|у мене(?!\\p{L})";
const joint =
  '(?:and|but|so|because|although|though|whereas|while|plus|und|aber|denn|et|mais|car|y|pero|porque|і|й|та|але|бо)';
/** Where a new clause of the speaker begins: behind a comma or a conjunction. Bare "that I" belongs to a report. */
const turn = new RegExp(`[,;:(–—]\\s*(?:${joint}\\s+)?(?=${self})|\\s(?:-\\s+|${joint}\\s+)(?=${self})`, 'giu');
const ellipsis = /(?:,|\s)\s*(?:and|but)\s+(?=(?:live|work|own|love|hate|speak|play|prefer|enjoy|drive|moved|am)\s)/giu;
/** "I want to travel and work abroad": what follows is wanted too, not so. */
const unfinished =
  /(?<!\p{L})(?:to|will|would|could|can|should|may|might|must|let|going|wish|hope|please)(?!\p{L})|'(?:ll|d)(?!\p{L})/iu;
const chineseComma = /[，；,]\s*/gu;

const greeting = 'hi|hello|hey|hallo|guten tag|bonjour|salut|hola|buenas|привіт|добрий день|你好|您好|大家好';
const filler =
  'well|so|ok|okay|yes|yeah|yep|oh|ah|um|hmm|also|and|but|then|btw|fyi|ps|p\\.s\\.|honestly|basically|personally|currently|nowadays|today|recently|lately|note|remember|please remember|please note|keep in mind|just so you know|so you know|for context|for reference|for the record|for your information|by the way|as you know|as i said|as mentioned|to be clear|to clarify|in fact|in general|i should mention|i should add|i forgot to mention|did i mention|context|background|about me|a bit about me|some background|right now|at the moment|these days|now|remember this|thanks|thank you|luckily|fortunately|unfortunately|sadly|finally|first of all|übrigens|also|zur zeit|derzeit|momentan|au fait|alors|bon|actuellement|por cierto|bueno|actualmente|до речі|отже|зараз|对了|顺便说一下|顺便|目前|现在';
const correction =
  'actually|correction|sorry|my mistake|my bad|oops|no(?=\\s*[,.!:–—-])|wait|scratch that|i meant to say|i misspoke|to correct myself|eigentlich|korrektur|en fait|en realidad|насправді|其实|更正';
const leadIn = new RegExp(
  `^(?:(?<corrects>${correction})|${greeting}|${filler})(?: there| everyone| all| again| team)?(?: that)?(?:\\s*[,!.:;–—-]+\\s*|\\s+|(?=我))`,
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
  if (/^(?:.{0,40}[\s,])?(?:i|i'm|i've)(?!\p{L})/iu.test(declared)) {
    for (const match of declared.matchAll(ellipsis))
      if (!unfinished.test(declared.slice(0, match.index)))
        cuts.push({ at: match.index, to: match.index + match[0].length, put: 'I ' });
  }
  if (/^[^，]{0,6}我/u.test(declared)) {
    for (const match of declared.matchAll(chineseComma)) {
      const to = match.index + match[0].length;
      const put = /^(?:住在|是|在|来自|叫|有|会|喜欢)/u.test(declared.slice(to)) ? '我' : '';
      cuts.push({ at: match.index, to, put });
    }
  }
  cuts.sort((one, other) => one.at - other.at);
  const begins = [{ at: 0, put: '' }, ...cuts.map(({ to, put }) => ({ at: to, put }))];
  return begins.map(({ at, put }, index) => {
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
  return { text: rest.slice(0, longestClause).trimEnd(), skipped: text.length - rest.length, corrects, hedged };
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
