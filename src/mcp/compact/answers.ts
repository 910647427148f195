import { z } from 'zod';
import { isObject } from '../../model/json.js';
import { type AskOutput, askOutput, type Citation, type Evidence } from '../../operations/ask/shapes.js';
import { type FactOutput, factSummary, type StatedFact } from '../../operations/facts/present.js';
import { type SearchOutput, searchOutput } from '../../operations/search/shapes.js';
import { composeNotice } from '../prompts.js';
import type { Asked, ToolAnswer } from '../tool.js';
import { cutTo, type FocusIn, rounded, type ShownResult, shownResults } from './results.js';

/** Current facts of both answer formats: the compact one has them with fewer fields. */
const eitherFacts = z
  .array(z.looseObject({ fact_id: z.string() }))
  .optional()
  .describe('Facts stated by the messages shown that are still current');

export const searchAnswer = searchOutput.extend({ current_facts: eitherFacts });

/** The fields of both answer formats: the compact one omits from an entry what another entry already contains. */
export const askAnswer = z.object({
  ...askOutput.shape,
  current_facts: eitherFacts,
  citations: z
    .array(z.looseObject({ type: z.enum(['chunk', 'fact']), id: z.string() }))
    .describe('The messages and facts the answer is made from'),
  evidence: z.array(z.looseObject({ type: z.enum(['chunk', 'fact']), used_in_answer: z.boolean() })),
  structured_evidence: z.object({ facts: z.array(z.looseObject({})), results: z.array(z.looseObject({})) }),
  facts: z.array(z.looseObject({ subject: z.string(), predicate: z.string() })),
});

/**
 * Evidence from which a model composes its own answer, because many clients hand it the text block, the structured
 * content or both. The structured content has every field of the interface and each message's text once, in `results`;
 * everything else refers to it. The text block has the answer, its confidence, and each piece of evidence with date,
 * speaker, title and id.
 */
export function compactAsk(answer: object, asked: Asked): ToolAnswer {
  const whole = answer as AskOutput;
  const shown = shownResults(whole.results, focusOn(whole.citations));
  const facts = factLines(whole.facts, (whole.current_facts ?? []).slice(0, mostFacts));
  const results = shown.map(({ told }) => (isCited(told, whole.citations) ? { ...told, cited: true } : told));
  const sent = withinBudget(whole, { results, facts }, asked);
  return { fields: fieldsOf(whole, shown.slice(0, sent.results.length), sent), told: toldOf(whole, sent) };
}

/** Keeps the quoted words visible, or else what matches the question. */
function focusOn(citations: readonly Citation[]): FocusIn {
  const quotes = new Map(citations.flatMap((each) => (each.type === 'chunk' ? [[keyOf(each), each.text]] : [])));
  return ({ id, message_index, text, excerpt }) => {
    const [quote = ''] = quotes.get(keyOf({ id, message_index }))?.split(' … ') ?? [];
    const start = quote === '' ? -1 : text.indexOf(quote);
    return start < 0 ? (excerpt ?? { start: 0, end: 0 }) : { start, end: start + quote.length };
  };
}

/**
 * Removes repetition between the answer and the results: lines below the answer's first one that a result already
 * quotes, and all but the start of a long result that the rest quotes in full.
 */
function withoutRepetition(answer: string, results: readonly object[]): Pick<Sent, 'answer' | 'results'> {
  const [first = '', ...lines] = answer.split('\n');
  const texts = results.flatMap(textsIn).map(oneLine);
  const isTold = (line: string): boolean => {
    const quote = oneLine(line.slice(line.indexOf(': ') + 1)).replace(/^…|…$/g, '');
    return quote !== '' && texts.some((text) => text.includes(quote));
  };
  const left = lines.filter((line) => !isTold(line));
  // A heading such as "The nearest mentions:" that has no lines left below it.
  while (/[:：]$/.test(left.at(-1) ?? '')) left.pop();
  const kept = [first, ...left].join('\n');
  return { answer: kept, results: results.map((result) => withoutRepeated(result, kept)) };
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const own = typeof value.text === 'string' ? [value.text] : [];
  return [...own, ...textsIn(value.messages), ...textsIn(value.conversations)];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const longRepeat = 120;

function withoutRepeated(result: object, answer: string): object {
  if (!('text' in result) || typeof result.text !== 'string') return result;
  if (result.text.length <= longRepeat || !oneLine(answer).includes(oneLine(result.text))) return result;
  return { ...result, text: cutTo(result.text, longRepeat / 2) };
}

/** The text that counts against a token budget: the answer, the evidence and the facts as sent. */
interface Sent {
  answer: string;
  results: object[];
  facts: FactLine[];
  report?: Budgeted;
}

type Budgeted = Required<
  Pick<AskOutput, 'context_tokens_used' | 'chunks_selected' | 'chunks_dropped' | 'tokenizer_used'>
>;

/** Drops results and then facts from the end until everything fits; the answer itself already does. */
function withinBudget(whole: AskOutput, all: Pick<Sent, 'results' | 'facts'>, { service, given }: Asked): Sent {
  const { tokenizer_used, chunks_dropped = 0 } = whole;
  if (tokenizer_used === undefined) return { ...withoutRepetition(whole.answer, all.results), facts: all.facts };
  const asked = given.max_context_tokens;
  const most = typeof asked === 'number' ? asked : service.settings.ask.maxContextTokens;
  const [results, facts] = [[...all.results], [...all.facts]];
  for (;;) {
    // A dropped result's text may return to the answer, so both are rebuilt.
    const sent = { ...withoutRepetition(whole.answer, results), facts };
    const isBare = results.length + facts.length === 0;
    const used = service.tokenizer.count(isBare ? sent.answer : JSON.stringify(sent));
    if (used <= most || isBare) {
      const dropped = chunks_dropped + all.results.length - results.length;
      const report = { context_tokens_used: used, chunks_selected: results.length, chunks_dropped: dropped };
      return { ...sent, report: { ...report, tokenizer_used } };
    }
    if (results.length > 0) results.pop();
    else facts.pop();
  }
}

function toldOf(whole: AskOutput, { answer, results, facts, report }: Sent): object {
  const { status, answer_basis, confidence, confidence_reason, citations, explanation, diagnostics, composition } =
    whole;
  // Results are marked where they are cited; the rest is listed by its place.
  const shown = new Set(results.map(keyOf));
  const elsewhere = citations.filter((each) => each.type === 'fact' || !shown.has(keyOf(each)));
  return {
    status,
    answer,
    answer_basis,
    confidence,
    confidence_reason,
    ...(composition === undefined ? {} : { composition: { by: composition.by } }),
    guidance: composeNotice,
    ...(facts.length === 0 ? {} : { facts }),
    results,
    ...(elsewhere.length === 0 ? {} : { citations: elsewhere.map(citedPlace) }),
    ...report,
    ...(explanation === undefined ? {} : { explanation }),
    ...(diagnostics === undefined ? {} : { diagnostics }),
  };
}

function isCited(result: object, citations: readonly Citation[]): boolean {
  return citations.some((each) => each.type === 'chunk' && keyOf(each) === keyOf(result));
}

/** The message that a result or a citation is about. */
function keyOf(place: object): string {
  return 'id' in place && 'message_index' in place ? `${place.id}\n${place.message_index}` : '';
}

function citedPlace(citation: Citation): object {
  if (citation.type === 'fact') return { id: citation.id, fact_id: citation.fact_id };
  const { id, message_index } = citation;
  return { id, message_index };
}

function fieldsOf(whole: AskOutput, shown: readonly ShownResult[], { report }: Sent): object {
  const { results, evidence, structured_evidence, citations, facts, composition, current_facts, ...rest } = whole;
  const { extractive_answer: _, ...composed } = composition ?? {};
  // Results are dropped from the end, so the first ones are the ones sent.
  const sent = new Set(results.slice(0, shown.length).flatMap(chunkPlaces));
  const isSent = (each: Evidence): boolean =>
    each.type === 'fact' || each.used_in_answer || sent.has(`${each.conversation_id}\n${each.chunk_index}`);
  return {
    ...rest,
    ...(composition === undefined ? {} : { composition: composed }),
    citations: citations.map(shortCitation),
    evidence: evidence.filter(isSent).map(shortEvidence),
    structured_evidence: {
      facts: structured_evidence.facts.map(factWords),
      results: structured_evidence.results
        .filter((item) => chunkPlaces(item).some((place) => sent.has(place)))
        .flatMap(chunkShaped),
    },
    facts: facts.map(shortFact),
    ...(current_facts === undefined ? {} : { current_facts: current_facts.slice(0, mostFacts).map(shortStated) }),
    results: shown.map(({ fields }) => fields),
    ...report,
    guidance: composeNotice,
  };
}

type Item = AskOutput['results'][number];

function chunkPlaces(item: Item): string[] {
  if ('thread_id' in item) return item.conversations.map(({ id, chunk_index }) => `${id}\n${chunk_index}`);
  const chunks = 'chunks' in item ? item.chunks : [item];
  return chunks.map(({ chunk_index }) => `${item.id}\n${chunk_index}`);
}

const shortQuote = 100;
const shortText = 60;

/** Its place and its first words: the full text is in the results, and that of a fact is the fact itself. */
function shortCitation(citation: Citation): object {
  if (citation.type === 'fact') {
    const { type, id, fact_id, predicate, text } = citation;
    return { type, id, fact_id, predicate, text: cutTo(text, shortQuote) };
  }
  const { type, id, chunk_index, message_index, times, text } = citation;
  const place = { type, id, chunk_index, message_index, text: cutTo(text, shortText) };
  return times === undefined ? place : { ...place, times };
}

/** Refers to the text instead of repeating it. */
function shortEvidence(evidence: Evidence): object {
  const { type, used_in_answer } = evidence;
  if (evidence.type === 'fact') return { type, fact_id: evidence.fact_id, used_in_answer };
  const { conversation_id, chunk_index, truncated } = evidence;
  return { type, conversation_id, chunk_index, used_in_answer, ...(truncated === undefined ? {} : { truncated }) };
}

function factWords(fact: FactOutput & { fact_id: string }): object {
  const { fact_id, subject, predicate, object_normalized, confidence, status } = fact;
  return { fact_id, subject, predicate, object_normalized: cutTo(object_normalized, shortQuote), confidence, status };
}

function chunkShaped(item: Item): object[] {
  if (!('chunk_index' in item && 'text' in item)) return [];
  const { id, score, chunk_index, message_index, role, text } = item;
  return [{ id, score: rounded(score), chunk_index, message_index, role, text: cutTo(text, shortText) }];
}

/** Limit on source sentences per fact; `memory_fact_search` returns all of them. */
const mostSources = 3;

function shortFact({ sources, object_raw, object_normalized, ...fact }: FactOutput): object {
  return {
    ...fact,
    object_raw: cutTo(object_raw, shortQuote),
    object_normalized: cutTo(object_normalized, shortQuote),
    sources: sources.slice(0, mostSources).map(({ conversation_id, message_index, stated_at, role }) => ({
      conversation_id,
      message_index,
      stated_at,
      role,
    })),
  };
}

/** Search results for a model: each message once, and the current facts it states. */
export function compactSearch(answer: object): ToolAnswer {
  const { results, current_facts = [], ...rest } = answer as SearchOutput;
  const shown = shownResults(results);
  const stated = current_facts.slice(0, mostFacts);
  const facts = factLines([], stated);
  return {
    fields: {
      ...rest,
      results: shown.map(({ fields }) => fields),
      current_facts: stated.map(shortStated),
      guidance: composeNotice,
    },
    told: {
      ...rest,
      guidance: composeNotice,
      results: shown.map(({ told }) => told),
      ...(facts.length === 0 ? {} : { facts }),
    },
  };
}

const longestValue = 160;

/** Facts that the messages happen to state besides those that answer; `memory_fact_search` returns all. */
const mostFacts = 2;

function shortStated({ fact_id, subject, predicate, value, valid_from, conversation_id, message_index }: StatedFact) {
  const since = valid_from.slice(0, 10);
  return {
    fact_id,
    subject,
    predicate,
    value: cutTo(value, shortQuote),
    valid_from: since,
    conversation_id,
    message_index,
  };
}

/** A current fact for a model: its value, since when, when it was last stated, and where. */
interface FactLine {
  fact_id: string;
  fact: string;
  since: string;
  confirmed?: string;
  id?: string;
  message_index?: number;
}

/** Facts that answer come first; each appears once. Validity is given in days. */
function factLines(used: readonly FactOutput[], current: readonly StatedFact[]): FactLine[] {
  const answering = used.map(statedIn);
  const known = new Set(answering.map(({ fact_id }) => fact_id));
  return [...answering, ...current.filter(({ fact_id }) => !known.has(fact_id))].map(factLine);
}

type Stated = ReturnType<typeof factSummary> & Partial<Pick<StatedFact, 'conversation_id' | 'message_index'>>;

function statedIn(fact: FactOutput): Stated {
  const newest = fact.sources.find(({ stated_at }) => stated_at === fact.stated_at) ?? fact.sources[0];
  return {
    ...factSummary(fact),
    ...(newest === undefined ? {} : { conversation_id: newest.conversation_id, message_index: newest.message_index }),
  };
}

function factLine({ fact_id, subject, predicate, value, valid_from, confirmed_at, ...place }: Stated): FactLine {
  const [since, confirmed] = [valid_from.slice(0, 10), confirmed_at.slice(0, 10)];
  return {
    fact_id,
    fact: cutTo(`${subject} ${predicate}: ${value}`, longestValue),
    since,
    ...(confirmed > since ? { confirmed } : {}),
    ...(place.conversation_id === undefined ? {} : { id: place.conversation_id }),
    ...(place.message_index === undefined ? {} : { message_index: place.message_index }),
  };
}
