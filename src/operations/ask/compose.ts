import type { Answer } from '../../answers/answer.js';
import type { Question } from '../../answers/question.js';
import { languageOf, spokenIn } from '../../language/languages.js';
import { type CheckedSentence, composeAnswer, type Evidence } from '../../language-model/compose.js';
import type { StatedFact } from '../facts/present.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import type { AnswerSentence, AskOutput, Citation } from './shapes.js';

type Composition = NonNullable<AskOutput['composition']>;

export interface ComposeInput {
  question: Pick<Question, 'text' | 'asksPast'>;
  /** The answer found without the language model. */
  answer: Answer;
  citations: readonly Citation[];
  /** Current facts stated in the found messages. */
  stated: readonly StatedFact[];
}

/** The maximum length of all evidence together; far more than an answer quotes, and little for a model. */
const mostCharacters = 24_000;
const longestText = 2_000;

/**
 * The answer as phrased by the model of `ask.model`; undefined when none is configured. Evidence, basis and confidence
 * stay those of the extracted answer. Answers that were not found or are contradictory are not sent to the model.
 */
export async function composeFrom(
  service: Service,
  call: Call,
  { question, answer, citations, stated }: ComposeInput,
): Promise<{ text: string; composition: Composition } | undefined> {
  const { askModel, reading } = service;
  if (askModel === undefined) return undefined;
  const extractive = (reason: Exclude<Composition['reason'], undefined>, dropped = 0) => ({
    text: answer.text,
    composition: { by: 'extraction', reason, sentences_dropped: dropped } as const,
  });
  if (answer.basis === 'not_found' || answer.basis === 'conflict') return extractive(answer.basis);
  const sources = evidenceFor(answer, citations, stated);
  if (sources.length === 0) return extractive('not_found');
  const places = new Map(sources.map(({ evidence, place }) => [evidence.shown.id, place]));
  const shown = ({ text, cites }: CheckedSentence): AnswerSentence => ({
    text,
    evidence: cites.flatMap((id) => places.get(id) ?? []),
  });
  const { onSentence, signal } = call;
  const composed = await composeAnswer(askModel, reading?.reader, {
    question: question.text,
    asksPast: question.asksPast,
    evidence: sources.map(({ evidence }) => evidence),
    signal,
    ...(onSentence === undefined ? {} : { onSentence: (sentence) => onSentence(shown(sentence)) }),
  });
  if (composed.kind === 'failed') {
    service.observer.log('warn', 'answer_not_composed', { reason: composed.reason, dropped: composed.dropped });
    return extractive(composed.reason, composed.dropped);
  }
  const sentences = composed.sentences.map(shown);
  const text = sentences.map((sentence) => sentence.text).join(' ');
  // The model does not know the confidence of the answer, so its text does not express it.
  const hedged = answer.confidence === 'low' ? spokenIn(languageOf(question.text), 'phrases').perhaps(text) : text;
  return {
    text: hedged,
    composition: {
      by: 'model',
      model: askModel.describe().model,
      sentences,
      sentences_dropped: composed.dropped,
      extractive_answer: answer.text,
    },
  };
}

interface Source {
  evidence: Evidence;
  place: AnswerSentence['evidence'][number];
}

/** The cited passages and facts, in the order of the citations, then the other current facts. */
function evidenceFor(answer: Answer, citations: readonly Citation[], stated: readonly StatedFact[]): Source[] {
  const cited = new Set(citations.flatMap((each) => (each.type === 'fact' ? [each.fact_id] : [])));
  const others = stated.filter(({ fact_id }) => !cited.has(fact_id));
  const sources = [
    ...citations.map((citation, at) => sourceOf(citation, at + 1, answer)),
    ...others.map((fact, at) => factSource(fact, citations.length + at + 1)),
  ];
  let characters = 0;
  return sources.filter(({ evidence }) => {
    characters += evidence.shown.text.length;
    return characters <= mostCharacters;
  });
}

function sourceOf(citation: Citation, id: number, { hits, passages, facts }: Answer): Source {
  if (citation.type === 'fact') {
    const { fact_id, predicate, text: value, quote, stated_at, last_confirmed_at } = citation;
    const history = facts?.history.find((fact) => fact.id === fact_id);
    const subject = (history ?? facts?.facts.find((fact) => fact.id === fact_id))?.subject ?? 'user';
    const fact = { id: fact_id, conversationId: citation.id, subject, predicate, value, quote };
    return factEvidence(id, { ...fact, at: stated_at ?? last_confirmed_at, isOver: history !== undefined });
  }
  const { role, timestamp, times = [] } = citation;
  const hit = hits.find((each) => each.conversationId === citation.id && each.chunkIndex === citation.chunk_index);
  const isOver = passages.some((passage) => passage.hit.chunkId === hit?.chunkId && passage.over.length > 0);
  const speaker = hit?.speaker ?? role;
  const text = citation.text.slice(0, longestText);
  const meant = times.map(({ phrase, display }) => ({ phrase, means: display }));
  return {
    place: { id, type: 'chunk', conversation_id: citation.id, message_index: citation.message_index },
    evidence: {
      shown: {
        id,
        kind: 'message',
        said_by: speaker,
        date: timestamp.slice(0, 10),
        text,
        ...(isOver ? { no_longer_so: true } : {}),
        ...(meant.length === 0 ? {} : { times: meant }),
      },
      ground: {
        text: `${speaker}: ${text}`,
        days: [timestamp, ...times.flatMap(({ from, to }) => [from, to])],
      },
      window: { message: { speaker, text } },
    },
  };
}

function factSource(fact: StatedFact, id: number): Source {
  const { fact_id, subject, predicate, value, confirmed_at, conversation_id } = fact;
  const described = { id: fact_id, conversationId: conversation_id, subject, predicate, value, quote: '' };
  return factEvidence(id, { ...described, at: confirmed_at, isOver: false });
}

interface DescribedFact {
  id: string;
  conversationId: string;
  subject: string;
  predicate: string;
  value: string;
  quote: string;
  at: string;
  isOver: boolean;
}

function factEvidence(id: number, fact: DescribedFact): Source {
  const { subject, predicate, value, quote, at } = fact;
  const words = `${subject}, ${predicate.replaceAll('_', ' ')}: ${value}`;
  const text = (quote === '' ? words : `${words} (said: ${quote})`).slice(0, longestText);
  return {
    place: { id, type: 'fact', fact_id: fact.id, conversation_id: fact.conversationId },
    evidence: {
      shown: {
        id,
        kind: 'fact',
        said_by: 'user',
        date: at.slice(0, 10),
        text,
        ...(fact.isOver ? { no_longer_so: true } : {}),
      },
      ground: { text, days: [at] },
      window: { message: { speaker: 'user', text: quote === '' ? words : quote } },
    },
  };
}
