import type { ClauseWords } from '../language/fact-words.js';
import { alternatives, derived, isUnspacedScript } from '../language/languages.js';
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

const patterns = derived((languages) => {
  const any = (part: Pattern): string => alternatives(({ facts }) => facts?.clauses?.[part]);
  const self = `(?:${any('self')})(?![\\p{L}])|${any('selfPrefix')}`;
  const joint = `(?:${any('joint')})`;
  const now = any('now');
  // In German the verb comes first then.
  const begins = `(?:(?:${now}),?\\s+)?(?:${self})|(?:${now})\\s+\\p{L}{2,20}\\s+(?:${any('inverted')})(?!\\p{L})`;
  const since = `(?:${any('sinceLead')}) (?:\\d{4}|${any('sinceTime')})(?: (?:${any('sinceTail')}))?`;
  const leads = `(?<corrects>${any('correction')})|${any('greeting')}|${any('filler')}|${now}|${since}`;
  const implied = languages.flatMap(({ facts }) => facts?.clauses?.impliedSelf ?? []);
  const asking = `(?:${spaced('asking')})(?![\\p{L}])|(?:${unspaced('asking')})`;
  return {
    // Where a new clause of the speaker begins: behind a comma or a conjunction. Bare "that I" belongs to a report.
    turn: new RegExp(`[,;:(–—]\\s*(?:${joint}\\s+)?(?=${begins})|\\s(?:-\\s+|${joint}\\s+)(?=${begins})`, 'giu'),
    leadIn: new RegExp(
      `^(?:${leads})(?: (?:${any('leadInTail')}))?(?: (?:${any('that')}))?(?:\\s*[,!.:;–—-]+\\s*|\\s+|(?=${implied.map((each) => each.self).join('|') || '(?!)'}))`,
      'iu',
    ),
    hedge: new RegExp(`^(?:${any('hedge')})`, 'iu'),
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

/** Rules are regular expressions over people's words: what is longer than this is no statement, and must cost nothing. */
const longestSentence = 800;
const longestClause = 200;

/** Nor does a sentence go on behind such a gap; patterns would try every way to divide it. */
const gap = /(?<=\S)\s{16}/;

function readablePart(sentence: string): string {
  const head = sentence.slice(0, longestSentence);
  return head.slice(0, gap.exec(head)?.index ?? head.length);
}

/** The clauses of a sentence that may be the speaker's own statements; a question leaves what stands before it. */
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
    return { ...clause, text: put + clause.text, start: sentence.start + at + clause.skipped - put.length, before };
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
  // The German for "now live I" says "I live".
  if (skipped > 0) rest = rest.replace(inverted, '$2 $1');
  return { text: rest.slice(0, longestClause).trimEnd(), skipped, corrects, hedged };
}

/** "I live in Berlin, can you recommend a bakery?" states something before it asks. */
function beforeQuestion(text: string): string {
  const { questionStart, questionTurn } = patterns();
  if (questionStart.test(text)) return '';
  const [first] = text.matchAll(questionTurn);
  return first === undefined ? '' : text.slice(0, first.index);
}
