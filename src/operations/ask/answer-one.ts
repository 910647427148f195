import { type Answer, type AnswerInput, answering as answeringInSteps } from '../../answers/answer.js';
import { type Budget, createBudget, fitHits, withoutEchoes } from '../../answers/budget.js';
import { type Question, type QuestionPart, readingQuestion, saidThen } from '../../answers/question.js';
import { answeringByReading } from '../../answers/read-answer.js';
import { supportRules } from '../../answers/support.js';
import { visibilityOf } from '../../auth/access.js';
import { refuseIfGone, runYielding, yieldOnce } from '../../concurrency/yielding.js';
import { asksForReply } from '../../language/query-terms.js';
import { headingOf } from '../../language/terms.js';
import type { Hit } from '../../model/hit.js';
import type { ConversationFilter } from '../../records/conversations.js';
import { unrelatedDistance } from '../../retrieval/candidate.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { momentOf, serviceAsOf } from '../as-of.js';
import { presentFact, statedFacts } from '../facts/present.js';
import { countWanted, saidFilterOf } from '../fields.js';
import type { Call } from '../operation.js';
import type { Plan } from '../search/gather.js';
import { planFor } from '../search/plan.js';
import { entriesOf, presentEntries } from '../search/present.js';
import { type SearchOutput, usualTopK } from '../search/shapes.js';
import type { Service } from '../service.js';
import { composeFrom } from './compose.js';
import {
  type FoundFacts,
  type FoundSuperseded,
  findFacts,
  findSuperseded,
  messagePlace,
  nothingSuperseded,
  quotesOf,
} from './find-facts.js';
import { type FoundHits, findHits, hitOf, type ReadRequest, readHits } from './find-hits.js';
import { citationsOf, evidenceOf, factEvidenceOf, provenanceOf, type Sources } from './present.js';
import type { AskInput, AskOutput } from './shapes.js';

/** Answers one question: searches for it and reads the hits. */
export async function answerOne(
  current: Service,
  call: Call,
  input: AskInput,
  asked: QuestionPart,
): Promise<AskOutput> {
  const until = momentOf(input.as_of);
  const seen = visibilityOf(call.principal, { projectId: input.project_id, status: input.memory_status });
  const service = serviceAsOf(current, seen, until);
  const topK = countWanted(service, input.top_k, { field: 'top_k', usual: usualTopK });
  const question = await runYielding(readingQuestion(asked.text, input.reference_date ?? service.now()));
  const filter = saidUntil(saidFilterOf(input), until);
  const searched = withinTimes(filter, question);
  const pageSize = Math.max(topK, leastGathered);
  const plan = await planFor(
    service,
    call,
    { ...input, query: asked.query },
    { filter: searched, pageSize, deep: input.rerank && !question.isTimeAlone },
  );
  refuseIfGone(call.signal);
  const [found, facts] = await Promise.all([
    findHits(service, plan, { question, filter: searched, topK }),
    findFacts(service, plan.visibility, { question, filter }),
  ]);
  refuseIfGone(call.signal);
  const before = ({ chunkId }: Hit): Hit | undefined => found.before.get(chunkId);
  const asksAssistant = plan.traits.role === 'assistant';
  const asksReply = asksForReply(asked.text);
  const ranked = found.ranked.map((chunk) => hitOf(service, chunk));
  const best = (question.isTimeAlone ? saidThen(ranked, { asksAssistant }) : ranked).slice(0, topK);
  const hits = asksReply ? best : withoutEchoes(best, { terms: plan.terms, before });
  await yieldOnce();
  const budget = budgetFor(service, input);
  // Only states can be outdated; events cannot. Where facts answer and fit the budget, nothing else is checked.
  const factsAlone = facts.answer !== undefined && !facts.answer.wantsContext && budget === undefined;
  const mayBeOver = question.asksPresent && !factsAlone;
  const superseded = mayBeOver ? await findSuperseded(service, plan.visibility, { hits, filter }) : nothingSuperseded;
  const answering: AnswerInput = {
    question,
    terms: found.terms,
    hits,
    similarities: ranked.flatMap(({ similarity }) => similarity ?? []),
    trust: service.embedder.trust,
    timeFit: plan.traits.timeFit,
    before,
    heading: ({ conversationId }) => headingIn(found.conversations, conversationId),
    superseded: superseded.of,
    people: plan.traits.people,
    unknownNames: found.unknownNames,
    asksAssistant,
    asksReply,
    ...(facts.answer === undefined ? {} : { facts: facts.answer }),
    ...(budget === undefined ? {} : { budget }),
  };
  const answer = await answerFor(service, answering, {
    visibility: plan.visibility,
    candidates: ranked,
    conversations: found.conversations,
    rerank: input.rerank,
    signal: call.signal,
    isOfOther: ({ conversationId, messageIndex }) => facts.ofOthers.has(messagePlace(conversationId, messageIndex)),
    endedIn: superseded.endedIn,
  });
  await yieldOnce();
  refuseIfGone(call.signal);
  // A caller who counts tokens does not want whole conversations beside what was counted.
  const shown = budget === undefined ? input : { ...input, include_messages: false };
  const present = (how: AskInput) => resultsOf(service, answer.hits, found, { input: how, plan });
  const results = await present(shown);
  const distances = new Map(found.ranked.map(({ chunkId, distance }) => [chunkId, distance]));
  const unrelated = unrelatedDistance[service.settings.distance];
  const sources: Sources = {
    conversations: found.conversations,
    facts: await sourcesOf(service, answer, { facts, superseded, filter }),
    scoreOf: (chunkId) => (distances.has(chunkId) ? (distances.get(chunkId) ?? unrelated) : undefined),
  };
  const citations = citationsOf(answer, sources);
  const wantsFacts = input.include_facts || (service.askModel !== undefined && budget === undefined);
  const stated = wantsFacts ? await statedFacts(service, plan.visibility, answer.hits) : [];
  const composing = { question, answer, citations, stated: budget === undefined ? stated : [] };
  const composed = await composeFrom(service, call, composing);
  return {
    status: 'ok',
    answer: composed?.text ?? answer.text,
    answer_basis: answer.basis,
    confidence: answer.confidence,
    confidence_reason: answer.reason,
    ...(answer.score === undefined ? {} : { confidence_score: Math.round(answer.score * 1_000) / 1_000 }),
    citations,
    provenance: provenanceOf(citations, sources),
    evidence: evidenceOf(answer, sources),
    structured_evidence: {
      facts: factEvidenceOf(answer),
      results: answer.basis === 'not_found' ? [] : await chunksOf(results, shown, present),
    },
    facts: (answer.facts?.facts ?? []).map(presentFact),
    ...(input.include_facts ? { current_facts: stated } : {}),
    ...(composed === undefined ? {} : { composition: composed.composition }),
    results,
    ...(budget === undefined ? {} : budgetReport(budget, answer)),
    ...(input.explain ? { explanation: explanationOf(answer), ...readOf(answer) } : {}),
    ...(plan.vector === undefined ? { diagnostics: { embedding: 'unavailable', retrieval: 'keywords' } } : {}),
  };
}

/** Uses the reading model if there is one, and the words alone if there is none or it failed. */
async function answerFor(
  service: Service,
  input: AnswerInput,
  asked: Pick<ReadRequest, 'visibility' | 'conversations' | 'rerank' | 'signal'> & {
    candidates: readonly Hit[];
    isOfOther: (hit: Hit) => boolean;
    endedIn: (hit: Hit) => readonly string[];
  },
): Promise<Answer> {
  const model = service.reading;
  const { visibility, conversations, rerank, candidates, isOfOther, endedIn, signal } = asked;
  if (model === undefined || input.question.isTimeAlone || input.question.text.trim() === '')
    return runYielding(answeringInSteps(input), { signal });
  const { coverageOf } = supportRules(input);
  // Within a token budget, only text that fits may be quoted.
  const fitted = input.budget === undefined ? undefined : fitHits(input.hits, input.budget);
  const hits = fitted?.hits ?? input.hits;
  try {
    const reads = await readHits(service, model.reader, {
      visibility,
      question: input.question.text,
      hits: fitted?.hits ?? [
        ...hits,
        ...candidates.filter(({ chunkId }) => !hits.some((hit) => hit.chunkId === chunkId)),
      ],
      conversations,
      coverageOf,
      rerank,
      signal,
    });
    const { weights } = model;
    const dropped = fitted?.dropped ?? 0;
    const reading = { ...input, hits, reads, weights, dropped, isOfOther, endedIn };
    return await runYielding(answeringByReading(reading), { signal });
  } catch (error) {
    refuseIfGone(signal);
    service.observer.log('warn', 'ask_without_reading', {}, error);
    return notRead(await runYielding(answeringInSteps(input), { signal }));
  }
}

/** Matching words cannot tell whether a message answers, so an answer that should have been read is at most `low`. */
function notRead(answer: Answer): Answer {
  if (answer.confidence === 'none') return answer;
  const reason = `The reading model failed or took too long, so this was found by matching words alone. ${answer.reason}`;
  return { ...answer, confidence: 'low', reason };
}

/** For a question about a time alone, restricts the search to that time. The caller's own dates take precedence. */
function withinTimes(filter: ConversationFilter, { isTimeAlone, times }: Question): ConversationFilter {
  const [time] = times;
  if (!isTimeAlone || time === undefined || filter.saidFrom !== undefined || filter.saidTo !== undefined) return filter;
  return { ...filter, saidFrom: time.from, saidTo: time.to };
}

/** Excludes conversations after that time as well. */
function saidUntil(filter: ConversationFilter, until: string | undefined): ConversationFilter {
  const { saidTo } = filter;
  return until === undefined || (saidTo !== undefined && saidTo < until) ? filter : { ...filter, saidTo: until };
}

function headingIn(conversations: FoundHits['conversations'], id: string): string {
  const row = conversations.get(id);
  return row === undefined ? '' : headingOf(row);
}

/** Facts that answer as successors of a found statement come with their own conversations. */
async function sourcesOf(
  service: Service,
  { facts: used }: Answer,
  { facts, superseded, filter }: { facts: FoundFacts; superseded: FoundSuperseded; filter: ConversationFilter },
): Promise<FoundFacts> {
  if (used === undefined || used === facts.answer) return facts;
  const { conversations } = superseded;
  return { ...facts, answer: used, conversations, quotes: await quotesOf(service, used, { conversations, filter }) };
}

/** Fewer candidates give no background to compare the best ones with. */
const leastGathered = 10;

/** Tokens are counted when the request or the configuration sets a budget, or the exact tokenizer is enabled. */
export function budgetFor(service: Service, input: AskInput): Budget | undefined {
  const configured = service.settings.ask.budgetAlways ? service.settings.ask.maxContextTokens : undefined;
  const most = input.max_context_tokens ?? configured;
  return most === undefined ? undefined : createBudget(most, service.tokenizer);
}

function budgetReport(budget: Budget, { hits, dropped }: Answer) {
  return {
    context_tokens_used: budget.used(),
    chunks_selected: hits.length,
    chunks_dropped: dropped,
    tokenizer_used: budget.tokenizerUsed,
  };
}

function explanationOf({ support, features }: Answer): Record<string, number> {
  if (features !== undefined) return { ...features };
  if (support === undefined) return {};
  const { value, coverage, closeness } = support;
  return { support: value, coverage, ...(closeness === undefined ? {} : { closeness }) };
}

function readOf({ read }: Answer): Pick<AskOutput, 'read'> {
  if (read === undefined) return {};
  return {
    read: read.map(({ hit, probability, features }) => ({
      conversation_id: hit.conversationId,
      message_index: hit.messageIndex,
      probability: Math.round(probability * 1_000) / 1_000,
      components: features,
    })),
  };
}

/** Evidence consists of chunks in every mode; other result modes do not include whole conversations beside it. */
async function chunksOf(
  results: SearchOutput['results'],
  input: AskInput,
  present: (how: AskInput) => Promise<SearchOutput['results']>,
): Promise<SearchOutput['results']> {
  return input.result_mode === 'chunks'
    ? results
    : present({ ...input, result_mode: 'chunks', include_messages: false });
}

/** The hits in the requested result mode; the answer itself is always made from chunks. */
async function resultsOf(
  service: Service,
  hits: readonly Hit[],
  found: FoundHits,
  { input, plan: { terms, asked } }: { input: AskInput; plan: Pick<Plan, 'terms' | 'asked'> },
): Promise<SearchOutput['results']> {
  const { ranked, conversations } = found;
  const texts = new Map(hits.map(({ chunkId, text }) => [chunkId, text]));
  const used = ranked.flatMap((chunk): RankedHit[] => {
    const text = texts.get(chunk.chunkId);
    return text === undefined ? [] : [{ ...chunk, text }];
  });
  const entries = entriesOf(ranked, { mode: input.result_mode, conversations, shown: used });
  return presentEntries(service, entries, input, { terms, asked });
}
