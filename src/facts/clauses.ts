import type { ClauseWords, ContrastWords } from '../language/fact-words.js';
import { isInnerDot } from '../language/inner-dot.js';
import { alternatives, derived, isUnspacedScript } from '../language/languages.js';
import { withoutForeign } from './gates.js';

/*
 * Splits a message into sentences and clauses, restores elided words, and finds the words that retract a value or say
 * that it has ended.
 */

/** A part of a sentence that may state a fact. */
export interface Clause {
  /** Without introductory words ("by the way,"), and with an elided subject restored at the front. */
  text: string;
  /** The offset of `text` in the message, minus the length of a restored subject, which is not in the message. */
  start: number;
  /** The words before it in the sentence. */
  before: string;
  corrects: boolean;
  hedged: boolean;
}

const patterns = derived((languages) => {
  const any = (part: Pattern): string => alternatives(({ facts }) => facts?.clauses?.[part]);
  const self = `(?:${any('self')})(?![\\p{L}])|${any('selfPrefix')}`;
  const joint = `(?:${any('joint')})`;
  const now = any('now');
  // After such words, German puts the verb first.
  const begins = `(?:(?:${now}),?\\s+)?(?:${self})|(?:${now})\\s+\\p{L}{2,20}\\s+(?:${any('inverted')})(?!\\p{L})`;
  const since = `(?:${any('sinceLead')}) (?:\\d{4}|${any('sinceTime')})(?: (?:${any('sinceTail')}))?`;
  const leads = `(?<corrects>${any('correction')})|${any('greeting')}|${any('filler')}|${now}|${since}`;
  const implied = languages.flatMap(({ facts }) => facts?.clauses?.impliedSelf ?? []);
  const asking = `(?:${spaced('asking')})(?![\\p{L}])|(?:${unspaced('asking')})`;
  return {
    // A new clause of the speaker begins after a comma or a conjunction. A bare "that I" belongs to reported speech.
    turn: new RegExp(`[,;:(–—]\\s*(?:${joint}\\s+)?(?=${begins})|\\s(?:-\\s+|${joint}\\s+)(?=${begins})`, 'giu'),
    leadIn: new RegExp(
      `^(?:${leads})(?: (?:${any('leadInTail')}))?(?: (?:${any('that')}))?(?:\\s*[,!.:;–—-]+\\s*|\\s+|(?=${implied.map((each) => each.self).join('|') || '(?!)'}))`,
      'iu',
    ),
    hedge: new RegExp(`^(?:${any('hedge')})`, 'iu'),
    leftOut: languages
      .flatMap(({ facts }) => facts?.clauses?.leftOut ?? [])
      .map(({ begins, put }) => ({ put, begins: new RegExp(`^(?:${begins})`, 'iu') })),
    inverted: new RegExp(`^(\\p{L}{2,20})\\s(${any('inverted')})(?=\\s)`, 'iu'),
    implied: implied.map(({ self: put, verbs }) => ({
      put,
      speaker: new RegExp(`^[^，]{0,6}${put}`, 'u'),
      verb: new RegExp(`^(?:${verbs})`, 'u'),
    })),
    questionStart: new RegExp(`^[\\s¿"'(]*(?:(?:${any('askingLead')}),?\\s+)?(?:${asking})`, 'iu'),
    questionTurn: new RegExp(
      `[,;:–—，]\\s*(?:(?:${any('askingJoint')})\\s+)?¿?(?=${asking})|\\s+(?:${any('askingBareJoint')})\\s+(?=${asking})|\\s*¿`,
      'giu',
    ),
  };
});

type Pattern = {
  [Part in keyof ClauseWords]-?: NonNullable<ClauseWords[Part]> extends string ? Part : never;
}[keyof ClauseWords];

function spaced(part: Pattern): string {
  return alternatives(({ script, facts }) => (isUnspacedScript(script) ? undefined : facts?.clauses?.[part]));
}

function unspaced(part: Pattern): string {
  return alternatives(({ script, facts }) => (isUnspacedScript(script) ? facts?.clauses?.[part] : undefined));
}

const unspacedComma = /[，；,]\s*/gu;

/** Rules are regular expressions over user text, so longer sentences are skipped to bound their cost. */
export const longestSentence = 800;
const longestClause = 200;

/** A sentence also ends at such a gap, because patterns would try every way to divide it. */
const gap = /(?<=\S)\s{16}/;

function readablePart(sentence: string): string {
  const head = sentence.slice(0, longestSentence);
  return head.slice(0, gap.exec(head)?.index ?? head.length);
}

/** Whether a sentence may have left out its subject, which `clausesOf` restores. */
export function leavesOutSelf(sentence: string): boolean {
  return leftOutOf(led(sentence.slice(0, longestSentence)).text) !== '';
}

function leftOutOf(clause: string): string {
  return patterns().leftOut.find(({ begins }) => begins.test(clause))?.put ?? '';
}

/** The clauses of a sentence that may be the speaker's own statements; of a question, the part before it remains. */
export function clausesOf(sentence: Sentence): Clause[] {
  const text = readablePart(sentence.text);
  const declared = sentence.asks ? beforeQuestion(text) : text;
  if (declared === '') return [];
  const cuts = [...declared.matchAll(patterns().turn)].map((match) => ({
    at: match.index,
    to: match.index + match[0].length,
    put: '',
  }));
  cuts.push(...ellipsesIn(declared), ...insteadIn(declared));
  for (const { put: self, speaker, verb } of patterns().implied) {
    if (!speaker.test(declared)) continue;
    for (const match of declared.matchAll(unspacedComma)) {
      const to = match.index + match[0].length;
      cuts.push({ at: match.index, to, put: verb.test(declared.slice(to)) ? self : '' });
    }
  }
  cuts.sort((one, other) => one.at - other.at);
  const starts = [{ at: 0, put: '' }, ...cuts.map(({ to, put }) => ({ at: to, put }))];
  return starts.map(({ at, put }, index) => {
    const clause = led(declared.slice(at, cuts[index]?.at ?? declared.length));
    const before = declared.slice(0, at);
    const restored = index === 0 ? leftOutOf(clause.text) : put;
    const text = restored + clause.text;
    return { ...clause, text, start: sentence.start + at + clause.skipped - restored.length, before };
  });
}

function led(text: string): { text: string; skipped: number; corrects: boolean; hedged: boolean } {
  const { leadIn, hedge, inverted } = patterns();
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
  // German "now live I" becomes "I live".
  if (skipped > 0) rest = rest.replace(inverted, '$2 $1');
  return { text: rest.slice(0, longestClause).trimEnd(), skipped, corrects, hedged };
}

/** "I live in Berlin, can you recommend a bakery?" states a fact before the question. */
function beforeQuestion(text: string): string {
  const { questionStart, questionTurn } = patterns();
  if (questionStart.test(text)) return '';
  const [first] = text.matchAll(questionTurn);
  return first === undefined ? '' : text.slice(0, first.index);
}

/** A slice of a message. `text` has the same length as the slice, with foreign text blotted out. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  asks: boolean;
}

/** The sentences of a message with their offsets, without code, quotations and quoted lines. */
export function sentencesOf(message: string): Sentence[] {
  const text = withoutForeign(message);
  const sentences: Sentence[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].trimEnd().length;
    if (isAbbreviation(text, start, match)) continue;
    add(start, end);
    start = match.index + match[0].length;
  }
  add(start, text.length);
  return sentences;

  function add(from: number, to: number): void {
    const raw = text.slice(from, to);
    const lead = listMark.exec(raw)?.[0].length ?? 0;
    const body = raw.slice(lead).trimEnd();
    if (!/[\p{L}]/u.test(body)) return;
    sentences.push({
      text: plainSigns(body),
      start: from + lead,
      end: from + lead + body.length,
      asks: /[?？]\s*$/.test(body),
    });
  }
}

const boundary = /(?<![.!?…])[.!?…]+["'”’)\]*_]*(?=\s|$)\s*|[。！？]+[”」』）]*\s*|\n+/gu;
// The repetition is bounded: otherwise a line of thousands of asterisks would be retried from each of them.
const listMark = /^(?:\s|[-*+•–—#]{1,20}\s|[0-9]{1,3}[.)]\s|\*\*|__)*/;

function isAbbreviation(text: string, start: number, match: RegExpExecArray): boolean {
  if (!match[0].startsWith('.') || match[0].includes('\n') || match[0].startsWith('..')) return false;
  return isInnerDot(text, { from: start, dot: match.index, next: match.index + match[0].length });
}

/** Normalizes apostrophes and spaces, so that rules need to match only one form of each. */
function plainSigns(text: string): string {
  return text.replace(/[’\u02bc‘`´]/g, "'").replace(/[\u00a0\u2009\u202f\t\n]/g, ' ');
}

/** The clause of a sentence that states a value: "I live in Kyiv and my bicycle is blue" states two. */
export function clauseOf(sentence: string, value: string): string {
  const [read] = sentencesOf(sentence);
  const at = sentence.indexOf(value);
  if (read === undefined || at < 0) return sentence;
  const starts = clausesOf(read).map(({ before }) => read.start + before.length);
  const start = starts.findLast((each) => each <= at) ?? 0;
  return sentence.slice(start, starts.find((each) => each > at) ?? sentence.length).trim();
}

/** The start of an elliptical clause, and the words to restore there. */
interface Cut {
  at: number;
  to: number;
  put: string;
}

/** "I live in Vienna and work at Bosch" elides "I"; "I am vegetarian and allergic to nuts" elides "I am". */
function ellipsesIn(text: string): Cut[] {
  if (!ellipsisPatterns().anyJoint.test(text)) return [];
  const found = ellipsisPatterns().shapes.flatMap(({ speaker, joint: shape, put, unless }) => {
    if (!speaker.test(text)) return [];
    return [...text.matchAll(shape)]
      .filter(({ index }) => unless?.test(text.slice(0, index)) !== true)
      .map((match) => ({ at: match.index, to: match.index + match[0].length, put }));
  });
  return [...found, ...traitsIn(text)];
}

const ellipsisPatterns = derived((languages) => {
  const traits = languages.flatMap(({ facts }) => facts?.clauses?.traits ?? []);
  const any = (part: 'lead' | 'and' | 'joint'): string => traits.map((each) => each[part]).join('|') || '(?!)';
  return {
    shapes: languages.flatMap(({ facts }) => facts?.clauses?.ellipses ?? []),
    // Cheap pre-check.
    anyJoint: new RegExp(`,|\\s(?:${alternatives(({ facts }) => facts?.clauses?.ellipsisJoint)})\\s`, 'iu'),
    being: new RegExp(`^(?:.{0,40}[\\s,])?(?<lead>${any('lead')})\\s+(?<traits>[^.;:!?]{3,80})`, 'diu'),
    between: new RegExp(`,\\s*(?:(?:${any('and')})\\s+)?|\\s+(?:${any('joint')})\\s+`, 'giu'),
    traits: traits.map(({ lead, isTrait }) => ({ lead: new RegExp(`^(?:${lead})$`, 'iu'), isTrait })),
  };
});

/** "I'm 34, married and from Graz": every part must be a trait for any of them to count. */
function traitsIn(text: string): Cut[] {
  const { being, between, traits: rows } = ellipsisPatterns();
  const match = being.exec(text);
  const from = match?.indices?.groups?.traits?.[0];
  const { lead, traits } = match?.groups ?? {};
  if (from === undefined || lead === undefined || traits === undefined) return [];
  const row = rows.find((each) => each.lead.test(lead));
  const isTrait = row?.isTrait ?? ((part: string): boolean => /^\p{L}+$/u.test(part) && part.length > 2);
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

/**
 * "I no longer live in Paris but in Lyon": the clause after the conjunction elides subject and verb, without the
 * negation. Where the value itself is negated ("not Berlin but Hamburg"), `contrastIn` reads both values.
 */
function insteadIn(text: string): Cut[] {
  const { shapes, anyJoint } = insteadPatterns();
  if (!anyJoint.test(text)) return [];
  return shapes.flatMap((shape) => {
    const match = shape.exec(text);
    const place = match?.indices?.groups?.joint;
    if (match === null || place === undefined) return [];
    const { who = '', verb = '' } = match.groups ?? {};
    const understood = verb.startsWith("'") || who === '' || verb === '' ? who + verb : `${who} ${verb}`;
    return [{ at: place[0], to: place[1], put: `${understood} ` }];
  });
}

const insteadPatterns = derived((languages) => ({
  shapes: languages.flatMap(({ facts }) => facts?.clauses?.instead ?? []),
  // Cheap pre-check.
  anyJoint: new RegExp(`\\s(?:${alternatives(({ facts }) => facts?.clauses?.contrast?.but)})\\s`, 'iu'),
}));

const contrastPatterns = derived(() => {
  const any = (part: keyof ContrastWords): string => alternatives(({ facts }) => facts?.clauses?.contrast?.[part]);
  const no = any('no');
  const andNot = any('andNot');
  return {
    butNot: new RegExp(
      `^(?<said>.+?)(?:,| -| –)?\\s+(?:(?:${any('lead')}) )?(?:${no}|${andNot})\\s+(?:(?:${any('prepositions')}) )?(?<not>.+)$`,
      'iu',
    ),
    notBut: new RegExp(
      `^(?:${no})\\s+(?!(?:${any('only')})\\s)(?<not>.+?)(?:\\s(?:${any('more')}))?,?\\s+(?:${any('but')})\\s+(?:(?:${any('behindBut')}) )?(?<said>.+)$`,
      'iu',
    ),
    denies: new RegExp(`,\\s*(?:${no}|${andNot})\\s`, 'iu'),
  };
});

/** "Hamburg, not Berlin" and "not Berlin but Hamburg" state one value and retract another. */
export function contrastIn(raw: string): { said: string; offset: number; not?: string } {
  const { notBut, denies, butNot } = contrastPatterns();
  const match = notBut.exec(raw) ?? (denies.test(raw) ? butNot.exec(raw) : null);
  const said = match?.groups?.said;
  const not = match?.groups?.not?.replace(/[\s.!,;]+$/u, '');
  if (said === undefined || not === undefined) return { said: raw, offset: 0 };
  // The stated value comes first in one form and last in the other.
  return { said, offset: raw.startsWith(said) ? 0 : raw.length - said.length, not };
}

/*
 * Words that say something has ended: "I no longer …". Without them the clause states the former fact, which the
 * ordinary rules can read.
 */

/** The clause without its ending words, and how much shorter its front became; undefined when it has none. */
export function withoutEnd(clause: string): { text: string; shorter: number } | undefined {
  const { endings, anyEnding } = endingPatterns();
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

/** Replaces the words with spaces, so that later offsets stay valid. */
function blanked(text: string, [from, to]: readonly [number, number], put: string): string {
  return text.slice(0, from) + put.padStart(to - from) + text.slice(to);
}

const endingPatterns = derived((languages) => {
  const endings = languages.flatMap(({ facts }) => facts?.clauses?.endings ?? []);
  // Cheap pre-check: most clauses contain no ending words.
  return { endings, anyEnding: new RegExp(endings.map(({ holds }) => holds).join('|') || '(?!)', 'iu') };
});
