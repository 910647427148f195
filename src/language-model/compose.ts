/*
 * An answer in the words of the user's own language model, of which only what can be checked is kept. The model sees the
 * evidence of an answer that was already found, numbered, and has to cite it sentence by sentence. A sentence is dropped
 * when it cites nothing, something that does not exist or only what is no longer so, when its words do not come from what it cites (grounding.ts), or
 * when the built-in reader finds that it has nothing to do with that.
 */
import type { Reader, Window } from '../reading/contract.js';
import { type FailureReason, type LanguageModel, ModelFailure } from './contract.js';
import { type Ground, isGrounded } from './grounding.js';
import { answerPrompt, noAnswer, type ShownEvidence } from './prompt.js';
import { citedIn, createSentenceReader, withoutCitations } from './sentences.js';

export interface Evidence {
  shown: ShownEvidence;
  ground: Ground;
  /** The message as the reader gets it. */
  window: Window;
}

/** A sentence that passed, with the ids of the evidence it cites. */
export interface CheckedSentence {
  text: string;
  cites: readonly number[];
}

export interface ComposeRequest {
  question: string;
  /** It asks for what was so before. */
  asksPast: boolean;
  evidence: readonly Evidence[];
  /** Called for each sentence as soon as it passed. */
  onSentence?: ((sentence: CheckedSentence) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type Composed =
  | { kind: 'composed'; sentences: readonly CheckedSentence[]; dropped: number }
  | { kind: 'failed'; reason: FailureReason | 'unsupported'; dropped: number };

/**
 * The reader was made for questions; read as one, a statement that a message supports scores above this, and one about
 * something else far below. It cannot tell a wrong value from the right one: that is what grounding is for.
 */
export const leastRelevance = -3.5;

/** More sentences than anybody wants to read, and to check. */
const mostSentences = 20;

/** Never throws: whatever the model does, there is an answer without it. */
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
      // Nobody could tell "you live in Paris" from "you lived in Paris" in every language, so neither is told.
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
    // A sentence that cannot be checked is treated like one that failed the check.
    const readings = await reader.read(statement, windows, signal === undefined ? {} : { signal }).catch(() => []);
    return readings.some(({ relevance }) => relevance >= leastRelevance);
  }

  try {
    const shown = evidence.map((each) => each.shown);
    const ending = await model.stream(answerPrompt(question, shown), {
      onText: (text) => take(reading.push(text)),
      signal,
    });
    // Cut in the middle, the last sentence may mean something else than it was going to.
    if (ending === 'stop') await take(reading.end());
  } catch (error) {
    const reason = error instanceof ModelFailure ? error.reason : 'failed';
    return { kind: 'failed', reason, dropped: seen - kept.length };
  }
  const dropped = seen - kept.length;
  if (kept.length > 0 && !saidNothing) return { kind: 'composed', sentences: kept, dropped };
  return { kind: 'failed', reason: saidNothing || seen === 0 ? 'refused' : 'unsupported', dropped };
}
