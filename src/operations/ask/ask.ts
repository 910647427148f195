import { questionParts } from '../../answers/question.js';
import { refuseIfGone } from '../../concurrency/yielding.js';
import { askPatience, mostAwaited } from '../../indexing/conversation-queue.js';
import type { Operation } from '../operation.js';
import { partRead } from '../search/plan.js';
import type { Service } from '../service.js';
import { answerOne, budgetFor } from './answer-one.js';
import { type AskInput, type AskOutput, askInput, askOutput } from './shapes.js';

export const ask: Operation<AskInput, AskOutput> = {
  name: 'ask',
  summary: 'Answer a question from memory, with evidence, or say that the memory has no answer',
  input: askInput,
  output: askOutput,
  async run(service, call, given) {
    const input = { ...given, question: partRead(given.question) };
    await Promise.all([
      service.tagging?.settled(askPatience, mostAwaited),
      service.encoding?.settled(askPatience, mostAwaited),
    ]);
    refuseIfGone(call.signal);
    const whole = { text: input.question, query: input.question };
    const parts = answersParts(service, input) ? questionParts(input.question) : [whole];
    const [first, ...others] = await Promise.all(
      parts.map(async (part) => ({ question: part.text, output: await answerOne(service, call, input, part) })),
    );
    if (first === undefined) return answerOne(service, call, input, whole);
    return others.length === 0 ? first.output : joined([first, ...others]);
  },
};

/**
 * Questions are not split for a language model, which sees both parts at once, or a token budget, which asks for one
 * short answer.
 */
function answersParts(service: Service, input: AskInput): boolean {
  return service.askModel === undefined && budgetFor(service, input) === undefined;
}

interface PartAnswer {
  question: string;
  output: AskOutput;
}

/** Joins the answers to the parts of a question. The confidence is that of the least certain part. */
function joined(parts: readonly [PartAnswer, ...PartAnswer[]]): AskOutput {
  const outputs = parts.map(({ output }) => output);
  const [first] = outputs.toSorted((one, other) => labels.indexOf(one.confidence) - labels.indexOf(other.confidence));
  const least = first ?? parts[0].output;
  const isAnswered = outputs.some(({ answer_basis }) => answer_basis !== 'not_found');
  const bases = new Set(outputs.map(({ answer_basis }) => answer_basis));
  const scores = outputs.flatMap(({ confidence_score }) => confidence_score ?? []);
  const currentFacts = outputs.flatMap(({ current_facts = [] }) => current_facts);
  return {
    ...least,
    answer: parts.map(({ question, output }) => `${question}\n${output.answer}`).join('\n\n'),
    answer_basis: bases.size === 1 ? least.answer_basis : 'mixed',
    confidence: isAnswered && least.confidence === 'none' ? 'low' : least.confidence,
    confidence_reason: parts.map(({ question, output }) => `${question} ${output.confidence_reason}`).join(' '),
    ...(scores.length === 0 ? {} : { confidence_score: Math.min(...scores) }),
    parts: parts.map(({ question, output }) => ({
      question,
      answer: output.answer,
      answer_basis: output.answer_basis,
      confidence: output.confidence,
    })),
    citations: once(
      outputs.flatMap(({ citations }) => citations),
      (each) => (each.type === 'fact' ? each.fact_id : `${each.id} ${each.chunk_index} ${each.text}`),
    ),
    provenance: { conversations: mergedSources(outputs) },
    evidence: once(
      outputs
        .flatMap(({ evidence }) => evidence)
        .sort((one, other) => Number(other.used_in_answer) - Number(one.used_in_answer)),
      (each) => (each.type === 'fact' ? each.fact_id : `${each.conversation_id} ${each.chunk_index}`),
    ),
    structured_evidence: {
      facts: once(
        outputs.flatMap(({ structured_evidence }) => structured_evidence.facts),
        ({ fact_id }) => fact_id,
      ),
      results: once(
        outputs.flatMap(({ structured_evidence }) => structured_evidence.results),
        placeOf,
      ),
    },
    facts: once(
      outputs.flatMap(({ facts }) => facts),
      ({ id }) => id,
    ),
    ...(least.current_facts === undefined ? {} : { current_facts: once(currentFacts, ({ fact_id }) => fact_id) }),
    results: once(
      outputs.flatMap(({ results }) => results),
      placeOf,
    ),
  };
}

const labels = ['none', 'low', 'medium', 'high'] as const;

/** Removes duplicates; the first item with a key wins. */
function once<T>(things: readonly T[], keyOf: (thing: T) => string): T[] {
  const found = new Map<string, T>();
  for (const thing of things) if (!found.has(keyOf(thing))) found.set(keyOf(thing), thing);
  return [...found.values()];
}

function placeOf(result: AskOutput['results'][number]): string {
  return `${result.id} ${'chunk_index' in result ? result.chunk_index : ''}`;
}

function mergedSources(outputs: readonly AskOutput[]): AskOutput['provenance']['conversations'] {
  const found = new Map<string, AskOutput['provenance']['conversations'][number]>();
  for (const source of outputs.flatMap(({ provenance }) => provenance.conversations)) {
    const known = found.get(source.id);
    found.set(source.id, {
      ...source,
      chunk_indexes: [...new Set([...(known?.chunk_indexes ?? []), ...source.chunk_indexes])],
      fact_ids: [...new Set([...(known?.fact_ids ?? []), ...source.fact_ids])],
    });
  }
  return [...found.values()];
}
