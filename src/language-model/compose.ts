/*
 * Phrases an answer with the user's own language model and keeps only the sentences that can be verified. The model
 * gets the numbered evidence of an answer that was already found, and has to cite it in each sentence. A sentence is
 * dropped when it cites nothing, an unknown number or only outdated evidence, when its words do not come from the
 * evidence it cites (grounding.ts), or when the built-in reader finds it unrelated to that evidence.
 */
import type { Reader, Window } from '../reading/contract.js';
import { type FailureReason, type LanguageModel, ModelFailure } from './contract.js';
import { type Ground, isGrounded } from './grounding.js';
import { answerPrompt, noAnswer, type ShownEvidence } from './prompt.js';
import { citedIn, createSentenceReader, withoutCitations } from './sentences.js';

export interface Evidence {
  shown: ShownEvidence;
  ground: Ground;
  /** The message as input for the reader. */
  window: Window;
}

/** A verified sentence, with the ids of the evidence it cites. */
export interface CheckedSentence {
  text: string;
  cites: readonly number[];
}

export interface ComposeRequest {
  question: string;
  /** The question asks about a former state. */
  asksPast: boolean;
  evidence: readonly Evidence[];
  /** Called for each sentence as soon as it is verified. */
  onSentence?: ((sentence: CheckedSentence) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type Composed =
  | { kind: 'composed'; sentences: readonly CheckedSentence[]; dropped: number }
  | { kind: 'failed'; reason: FailureReason | 'unsupported'; dropped: number };

/**
 * The reader was trained on questions. Given a statement instead, it scores messages that support it above this, and
 * unrelated ones far below. It cannot tell a wrong value from the right one; grounding does that.
 */
export const leastRelevance = -3.5;

/** More sentences than a useful answer has. */
const mostSentences = 20;

/** Never throws: if the model fails, there is still an answer without it. */
export async function composeAnswer(
  model: LanguageModel,
  reader: Reader | undefined,
  { question, asksPast, evidence, onSentence, signal }: ComposeRequest,
): Promise<Composed> {
  const known = new Map(evidence.map((each) => [each.shown.id, each]));
  const reading = createSentenceReader();
  const kept: CheckedSentence[] = [];
  let seen = 0;
  let saidNothing = false;

  async function take(sentences: readonly string[]): Promise<void> {
    for (const text of sentences) {
      if (text.includes(noAnswer)) saidNothing = true;
      if (saidNothing || seen >= mostSentences) return;
      seen += 1;
      const cites = citedIn(text);
      const cited = cites.flatMap((id) => known.get(id) ?? []);
      if (cites.length === 0 || cited.length < cites.length) continue;
      // No check can tell "you live in Paris" from "you lived in Paris" in every language, so both are dropped.
      if (!asksPast && cited.every(({ shown }) => shown.no_longer_so)) continue;
      if (!(await isSupported(withoutCitations(text), cited))) continue;
      const sentence = { text, cites };
      kept.push(sentence);
      if (signal?.aborted !== true) onSentence?.(sentence);
    }
  }

  async function isSupported(statement: string, cited: readonly Evidence[]): Promise<boolean> {
    if (!isGrounded(statement, { question, cited: cited.map(({ ground }) => ground) })) return false;
    if (reader === undefined) return true;
    const windows = cited.map(({ window }) => window);
    // A sentence that cannot be checked counts as failed.
    const readings = await reader.read(statement, windows, signal === undefined ? {} : { signal }).catch(() => []);
    return readings.some(({ relevance }) => relevance >= leastRelevance);
  }

  try {
    const shown = evidence.map((each) => each.shown);
    const ending = await model.stream(answerPrompt(question, shown), {
      onText: (text) => take(reading.push(text)),
      signal,
    });
    // A truncated last sentence may not mean what the model was going to say.
    if (ending === 'stop') await take(reading.end());
  } catch (error) {
    const reason = error instanceof ModelFailure ? error.reason : 'failed';
    return { kind: 'failed', reason, dropped: seen - kept.length };
  }
  const dropped = seen - kept.length;
  if (kept.length > 0 && !saidNothing) return { kind: 'composed', sentences: kept, dropped };
  return { kind: 'failed', reason: saidNothing || seen === 0 ? 'refused' : 'unsupported', dropped };
}
