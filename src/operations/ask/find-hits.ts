import { mostCounted, type Name, type Question, type WeightedTerm, weightOf } from '../../answers/question.js';
import type { ReadHit } from '../../answers/quote.js';
import { createTimeSlice, runYielding } from '../../concurrency/yielding.js';
import { chunkId } from '../../ingestion/hash.js';
import { mentioning, nameTerms, otherSpellings } from '../../language/names.js';
import { distinctTerms, headingOf, queryTerms } from '../../language/terms.js';
import type { Visibility } from '../../model/access.js';
import type { Hit } from '../../model/hit.js';
import type { Reader } from '../../reading/contract.js';
import type { ConversationFilter } from '../../records/conversations.js';
import { type ConversationRow, messageId } from '../../records/store.js';
import { similarityOf } from '../../retrieval/candidate.js';
import { deepest } from '../../retrieval/cursor.js';
import type { RankedHit } from '../../retrieval/rank.js';
import { gather, type Plan } from '../search/gather.js';
import { hitsBeside, hitsRead, hitsReranked, likeliest, windowsOf } from '../search/hit-windows.js';
import { hydrate, rankFound } from '../search/hydrate.js';
import type { Service } from '../service.js';

/*
 * Finds the hits that may answer a question, reads them with the model if there is one, and detects unknown names.
 */

/** The hits for a question, and the data needed to judge them. */
export interface FoundHits {
  /** All hits, best first. */
  ranked: RankedHit[];
  conversations: Map<string, ConversationRow>;
  /** The turns before the best hits, by the id of the hit's chunk. */
  before: ReadonlyMap<string, Hit>;
  terms: WeightedTerm[];
  unknownNames: string[];
}

/** The maximum number of deeper searches for the requested number of hits, once there are any. */
const mostRounds = 5;

/** Limits the terms of a pasted page: its first distinct words are enough. */
const mostTerms = 24;

export async function findHits(
  service: Service,
  plan: Plan,
  request: { question: Question; filter: ConversationFilter; topK: number },
): Promise<FoundHits> {
  const { ranked, conversations } = await rankedFor(service, plan, request);
  const [before, counts] = await Promise.all([
    turnsBefore(service, plan, { ranked, conversations, topK: request.topK }),
    countsOf(service, plan, ranked),
  ]);
  const { isTimeAlone, timeTerms } = request.question;
  const wanted = isTimeAlone ? [...timeTerms] : plan.terms;
  const terms = wanted.slice(0, mostTerms).map((term): WeightedTerm => {
    const isTime = timeTerms.has(term);
    const forms = plan.verbForms.get(term);
    return {
      term,
      count: counts(term),
      weight: weightOf(counts(term), { isTime }),
      ...(forms === undefined ? {} : { forms }),
      ...(isTime ? { isTime } : {}),
    };
  });
  const unknownNames = await unknownAmong(service, plan, { question: request.question, ranked, conversations });
  return { ranked, conversations, before, terms, unknownNames };
}

/** Converts a ranked chunk for the answer rules. */
export function hitOf(service: Service, chunk: RankedHit): Hit {
  const { distance, deep: _, bm25: __, metadataMatch: ___, shares: ____, ...hit } = chunk;
  return distance === undefined ? hit : { ...hit, similarity: similarityOf[service.settings.distance](distance) };
}

async function rankedFor(
  service: Service,
  plan: Plan,
  { filter, topK }: { filter: ConversationFilter; topK: number },
): Promise<{ ranked: RankedHit[]; conversations: Map<string, ConversationRow> }> {
  if (plan.conversationIds?.length === 0) return { ranked: [], conversations: new Map() };
  for (let depth = 0; ; depth++) {
    const gathered = await gather(service, plan, depth);
    const { candidates, conversations } = await hydrate(service, plan, gathered, filter);
    const isFar = depth >= deepest || (candidates.length > 0 && depth + 1 >= mostRounds);
    if (candidates.length >= topK || gathered.exhausted || isFar)
      return { ranked: await rankFound(service, plan, candidates), conversations };
  }
}

/** A short reply can only be understood with the turn before it. */
async function turnsBefore(
  service: Service,
  plan: Plan,
  { ranked, conversations, topK }: Pick<FoundHits, 'ranked' | 'conversations'> & { topK: number },
): Promise<Map<string, Hit>> {
  const known = ranked.map((chunk) => hitOf(service, chunk));
  const hits = known.slice(0, topK);
  const beside = await hitsBeside(service, plan.visibility, { hits, known, conversations, offsets: [-1] });
  const before = new Map<string, Hit>();
  for (const hit of hits) {
    const previous = beside.get(chunkId(hit.conversationId, hit.chunkIndex - 1));
    if (previous !== undefined && previous.messageIndex !== hit.messageIndex) before.set(hit.chunkId, previous);
  }
  return before;
}

/** The number of searched chunks that contain each term; a store without text lookup counts only the found ones. */
async function countsOf(service: Service, plan: Plan, ranked: readonly RankedHit[]): Promise<(term: string) => number> {
  const { visibility, conversationIds } = plan;
  const counts = await Promise.all(
    plan.terms.slice(0, mostTerms).map(async (term): Promise<[string, number]> => {
      const terms = [term, ...(plan.verbForms.get(term)?.others ?? [])];
      const hits = await service.records.chunks.searchText(visibility, { terms, conversationIds, limit: mostCounted });
      return [term, hits?.length ?? (await countIn(ranked, terms))];
    }),
  );
  const known = new Map(counts);
  return (term) => known.get(term) ?? 0;
}

async function countIn(ranked: readonly RankedHit[], terms: readonly string[]): Promise<number> {
  const slice = createTimeSlice();
  let count = 0;
  for (const { text } of ranked) {
    const found = await runYielding(distinctTerms(text), { slice });
    if (terms.some((term) => found.has(term))) count++;
  }
  return count;
}

/** Concurrent questions share one thread; after this time a question is answered by the words alone. */
const patienceMs = 15_000;

export interface ReadRequest {
  visibility: Visibility;
  question: string;
  hits: readonly Hit[];
  conversations: ReadonlyMap<string, ConversationRow>;
  coverageOf: (text: string) => number;
  /** Rank more hits first, at half the cost of reading, and read the best of them. */
  rerank: boolean;
  /** Aborts when the caller no longer waits for the answer. */
  signal: AbortSignal | undefined;
}

/** Reads the best hits for a question, each with its neighbours, in search order. */
export async function readHits(service: Service, reader: Reader, request: ReadRequest): Promise<ReadHit[]> {
  const { visibility, question, conversations, coverageOf, rerank } = request;
  const hits = request.hits.slice(0, rerank ? hitsReranked : hitsRead);
  const all = await windowsOf(service, visibility, { hits, conversations, coverageOf });
  const patience = AbortSignal.timeout(patienceMs);
  const signal = request.signal === undefined ? patience : AbortSignal.any([patience, request.signal]);
  const windows = all.map(({ window }) => window);
  const readings =
    hits.length > hitsRead
      ? (await reader.readChosen(question, windows, (ranks) => likeliest(all, ranks), { signal })).map(
          ({ reading }) => reading,
        )
      : await reader.read(question, windows, { signal });
  const best = new Map<Hit, ReadHit>();
  for (const [place, { hit, before, after, start }] of all.entries()) {
    const reading = readings[place];
    if (reading === undefined) continue;
    const { relevance, polarity, span } = reading;
    const known = best.get(hit);
    if (known !== undefined && known.relevance >= relevance) continue;
    best.set(hit, {
      hit,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      relevance,
      polarity,
      ...(span === undefined ? {} : { span: { ...span, start: start + span.start, end: start + span.end } }),
    });
  }
  return [...best.values()];
}

/** How many matches of a name are read to verify it. */
const mostRead = 200;

interface Searched {
  question: Question;
  ranked: readonly RankedHit[];
  conversations: ReadonlyMap<string, ConversationRow>;
}

/**
 * The names in a question that occur nowhere in the searched data, neither as a speaker nor in a text, title, tag or
 * summary. The index contains only stems, for which Tim and time are equal, so the texts themselves are read.
 */
async function unknownAmong(service: Service, plan: Plan, searched: Searched): Promise<string[]> {
  const { question, ranked, conversations } = searched;
  const spoken = new Set(ranked.flatMap(({ speaker }) => (speaker === undefined ? [] : nameTerms(speaker))));
  const near = [...ranked.map(({ text }) => text), ...[...conversations.values()].map(headingOf)];
  const unknown = await Promise.all(
    question.names.map(async (name) => {
      if (name.terms.some((term) => spoken.has(term)) || (await isMentioned(near, name))) return [];
      return (await standsInText(service, plan, name)) ? [] : [name.written];
    }),
  );
  return unknown.flat();
}

async function isMentioned(texts: readonly string[], { written }: Name): Promise<boolean> {
  const slice = createTimeSlice();
  for (const text of texts) if (await runYielding(mentioning(text, written), { slice })) return true;
  return false;
}

async function standsInText(service: Service, plan: Plan, name: Name): Promise<boolean> {
  const { visibility, conversationIds } = plan;
  const { chunks, conversations } = service.records;
  const spellings = otherSpellings(name.written).flatMap((spelling) => queryTerms(spelling));
  const query = { terms: [...new Set([...name.terms, ...spellings])], conversationIds, limit: mostRead };
  const hits = await chunks.searchText(visibility, query);
  if (hits === undefined) return false;
  // With this many matches the name is assumed to occur.
  if (hits.length === mostRead) return true;
  const rows = await chunks.byIds(
    visibility,
    hits.map(({ id }) => id),
  );
  const messages = await conversations.messagesAt(rows);
  const texts = rows.flatMap(({ conversation_id, message_index }) => {
    const message = messages.get(messageId(conversation_id, message_index));
    return message === undefined ? [] : [message.text];
  });
  return isMentioned(texts, name);
}
