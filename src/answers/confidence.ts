import type { Hit } from '../model/hit.js';
import { isBorneOut, isReply, type Passage } from './passages.js';
import type { Question } from './question.js';
import { isAsking } from './quote.js';
import { thresholds } from './support.js';

export type ConfidenceLabel = 'high' | 'medium' | 'low' | 'none';

export interface Judged {
  confidence: ConfidenceLabel;
  reason: string;
}

export interface JudgeInput {
  question: Question;
  passages: readonly Passage[];
  /** Names in the question that occur nowhere in the searched texts. */
  unknownNames: readonly string[];
  /** Whether a hit is by or about a person named in the question; undefined when it names no speaker. */
  aboutNamed: (hit: Hit) => boolean | undefined;
  /** Names in the question that occur neither in a passage nor around it. */
  unmentioned: (passage: Passage) => readonly string[];
  /** The question is addressed to the assistant's words: "what did you suggest". */
  asksAssistant: boolean;
  /** The question asks what the assistant said, so the user's words do not answer it. */
  asksReply: boolean;
}

/** How well the passages support the answer. `none` means that the memory holds no answer. */
export function judge(input: JudgeInput): Judged {
  const { question, passages, unknownNames } = input;
  const [lead] = passages;
  if (lead === undefined) return none('Nothing in memory matches the question.');
  const { names } = question;
  if (unknownNames.length > 0 && unknownNames.length === names.length) {
    return none(`Nothing in memory mentions ${listed(unknownNames)}.`);
  }
  // Outdated passages do not support a current one.
  const bearing = passages.filter(({ over }) => over.length === 0 || lead.over.length > 0);
  const strongest = Math.max(...bearing.map(({ support }) => support.value));
  // The first quoted passage must itself support the answer; a better one after it does not count.
  if (!isBorneOut(lead)) return none('What was found has too little to do with the question.');
  const doubts = doubtsAbout(lead, input);
  const level = levelOf(strongest) - doubts.length;
  const confidence = labels[Math.max(0, Math.min(level, ceilingOf(lead, input)))] ?? 'low';
  const reasons = [saidBy(lead), strengthOf(strongest), ...doubts.map(({ words }) => words)];
  return { confidence, reason: `${reasons.join('; ')}.` };
}

const labels = ['low', 'medium', 'high'] as const;

function levelOf(value: number): number {
  if (value >= thresholds.high) return 2;
  return value >= thresholds.medium ? 1 : 0;
}

/**
 * Assistant statements are weak evidence about the world or the user, but strong evidence of what the assistant said.
 */
function ceilingOf({ hit, over }: Passage, { asksAssistant, asksReply, unknownNames }: JudgeInput): number {
  if (unknownNames.length > 0 || over.length > 0 || (asksReply && !isReply(hit))) return 0;
  return hit.role === 'assistant' && hit.speaker === undefined && !asksAssistant ? 1 : 2;
}

function doubtsAbout(lead: Passage, input: JudgeInput): { words: string }[] {
  const { question, unknownNames, aboutNamed } = input;
  const unmentioned = input.unmentioned(lead).filter((name) => !unknownNames.includes(name));
  const doubts: { words: string }[] = [];
  if (lead.holdsKind === false) doubts.push({ words: missingKind[question.kind] ?? 'it names nothing of the kind' });
  if (aboutNamed(lead.hit) === false) doubts.push({ words: 'someone else said it' });
  if (unmentioned.length > 0) doubts.push({ words: `it does not mention ${listed(unmentioned)}` });
  if (isAsking(lead.quote.text)) doubts.push({ words: 'it is itself a question' });
  if (lead.over.length > 0) doubts.push({ words: 'it is no longer so' });
  if (isCut(lead)) doubts.push({ words: 'it was cut to fit the token budget' });
  if (unknownNames.length > 0) doubts.push({ words: `nothing mentions ${listed(unknownNames)}` });
  return doubts;
}

const missingKind: Partial<Record<Question['kind'], string>> = {
  when: 'it names no time, so the day it was said has to do',
  how_many: 'it names no number',
  where: 'it names no place',
  who: 'it names no person',
};

/** Whether the quoted sentence itself was cut, and not only the text after it. */
export function isCut({ hit, quote }: Passage): boolean {
  return hit.truncated === true && quote.end === hit.text.length && !/[.!?。！？]["'”’)\]]*$/u.test(quote.text);
}

function saidBy({ hit }: Passage): string {
  if (hit.speaker !== undefined) return `A direct statement by ${hit.speaker}`;
  return hit.role === 'user' ? 'A direct statement by the user' : 'A statement by the assistant';
}

function strengthOf(value: number): string {
  if (value >= thresholds.high) return 'it matches the question closely';
  return value >= thresholds.medium ? 'it matches much of the question' : 'it matches only part of the question';
}

function none(reason: string): Judged {
  return { confidence: 'none', reason };
}

function listed(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(' and ');
}
