import type { Answer } from '../../answers/answer.js';
import type { Passage } from '../../answers/passages.js';
import type { Fact } from '../../model/fact.js';
import type { Hit } from '../../model/hit.js';
import type { ConversationRow } from '../../records/store.js';
import { presentFact } from '../facts/present.js';
import type { FoundFacts } from './find-facts.js';
import type { AskOutput, ChunkEvidence, Citation, Evidence, FactEvidence } from './shapes.js';

/** The data needed to present an answer. */
export interface Sources {
  conversations: ReadonlyMap<string, ConversationRow>;
  facts: FoundFacts;
  /** The vector distance of a hit, as in search results. */
  scoreOf: (chunkId: string) => number | undefined;
}

/** The sources of the answer: the quoted chunks in the order of the answer, then the facts. */
export function citationsOf(answer: Answer, sources: Sources): Citation[] {
  const facts = usedFacts(answer).map((fact) => factCitation(fact, sources));
  const chunks = answer.passages.flatMap((passage) => passageCitations(passage, sources));
  return [...facts, ...uniqueChunks(chunks)];
}

export function evidenceOf(answer: Answer, { scoreOf }: Sources): Evidence[] {
  if (answer.basis === 'not_found') return [];
  const quoted = new Set(answer.passages.map(({ hit }) => hit.chunkId));
  const hits = answer.hits.map((hit) => chunkEvidence(hit, scoreOf(hit.chunkId), quoted.has(hit.chunkId)));
  const contexts = answer.passages.flatMap(({ context }) => (context === undefined ? [] : [context]));
  const marked = hits.map((each) => markContext(each, contexts));
  // Includes hits that were cut to fit the budget, if the quote is not in the remaining part.
  const others = contexts
    .filter((context) => !marked.some((each) => holds(each, context)))
    .map(({ hit, quote }) => chunkEvidence({ ...hit, text: quote.text }, scoreOf(hit.chunkId), true));
  const used = others.filter(
    (each, at) => others.findIndex((other) => samePlace(each, other) && other.text === each.text) === at,
  );
  return [...factEvidenceOf(answer), ...marked, ...used];
}

export function factEvidenceOf({ facts }: Answer): FactEvidence[] {
  if (facts === undefined) return [];
  return [...facts.facts, ...facts.history].map((fact) => ({
    type: 'fact',
    fact_id: fact.id,
    ...presentFact(fact),
    used_in_answer: true,
  }));
}

/** One entry per conversation that the answer is based on, in the order of the citations. */
export function provenanceOf(citations: readonly Citation[], sources: Sources): AskOutput['provenance'] {
  const conversations = new Map<string, AskOutput['provenance']['conversations'][number]>();
  for (const citation of citations) {
    const row = sources.conversations.get(citation.id) ?? sources.facts.conversations.get(citation.id);
    if (row === undefined) continue;
    const entry = conversations.get(row.id) ?? {
      id: row.id,
      source: row.source,
      ...(row.title === undefined ? {} : { title: row.title }),
      timestamp: row.timestamp,
      ...(row.thread_id === undefined ? {} : { thread_id: row.thread_id }),
      chunk_indexes: [],
      fact_ids: [],
    };
    if (citation.type === 'chunk') entry.chunk_indexes.push(citation.chunk_index);
    else entry.fact_ids.push(citation.fact_id);
    conversations.set(row.id, entry);
  }
  return { conversations: [...conversations.values()] };
}

function usedFacts({ facts }: Answer): Fact[] {
  return facts === undefined ? [] : [...facts.facts, ...facts.history];
}

function factCitation(fact: Fact, { facts }: Sources): Citation {
  const quote = facts.quotes.get(fact.id);
  return {
    type: 'fact',
    id: quote?.conversationId ?? '',
    fact_id: fact.id,
    predicate: fact.predicate,
    text: fact.object_normalized,
    quote: quote?.text ?? '',
    ...(quote === undefined ? {} : { stated_at: quote.statedAt }),
    source_quality: fact.source_quality,
    confidence_reason: fact.confidence_reason,
    last_confirmed_at: fact.last_confirmed_at,
    ...(fact.save_intent === undefined ? {} : { save_intent: fact.save_intent }),
    ...(fact.save_intent_source === undefined ? {} : { save_intent_source: fact.save_intent_source }),
  };
}

function passageCitations({ hit, quote, context, times }: Passage, sources: Sources): Citation[] {
  const own = chunkCitation(hit, quote.text, sources);
  const shown: Citation =
    times.length === 0 || own.type !== 'chunk' ? own : { ...own, times: times.map((time) => ({ ...time })) };
  return context === undefined ? [shown] : [chunkCitation(context.hit, context.quote.text, sources), shown];
}

function chunkCitation(hit: Hit, text: string, { conversations, scoreOf }: Sources): Citation {
  const row = conversations.get(hit.conversationId);
  if (row === undefined) throw new Error('a quoted chunk lost its conversation');
  const score = scoreOf(hit.chunkId);
  return {
    type: 'chunk',
    id: hit.conversationId,
    chunk_index: hit.chunkIndex,
    message_index: hit.messageIndex,
    ...(score === undefined ? {} : { score }),
    text,
    role: hit.role,
    ...(row.title === undefined ? {} : { title: row.title }),
    source: row.source,
    timestamp: hit.timestamp ?? row.timestamp,
  };
}

/** A turn that is quoted both as an answer and as context is cited once, with both quotes. */
function uniqueChunks(citations: readonly Citation[]): Citation[] {
  const unique: Citation[] = [];
  for (const citation of citations) {
    const at = unique.findIndex((other) => samePlace(other, citation));
    const known = unique[at];
    if (known === undefined) unique.push(citation);
    else if (!known.text.includes(citation.text)) unique[at] = { ...known, text: `${known.text} … ${citation.text}` };
  }
  return unique;
}

function samePlace(one: object, other: object): boolean {
  const place = (each: { id?: unknown; conversation_id?: unknown; chunk_index?: unknown }): string =>
    `${each.id ?? each.conversation_id}:${each.chunk_index}`;
  return place(one) === place(other);
}

function chunkEvidence(hit: Hit, score: number | undefined, used: boolean): ChunkEvidence {
  return {
    type: 'chunk',
    conversation_id: hit.conversationId,
    chunk_index: hit.chunkIndex,
    message_index: hit.messageIndex,
    role: hit.role,
    text: hit.text,
    ...(hit.timestamp === undefined ? {} : { timestamp: hit.timestamp }),
    ...(score === undefined ? {} : { score }),
    used_in_answer: used,
    ...(hit.truncated ? { truncated: true } : {}),
  };
}

type Context = NonNullable<Passage['context']>;

function markContext(evidence: ChunkEvidence, contexts: readonly Context[]): ChunkEvidence {
  return contexts.some((context) => holds(evidence, context)) ? { ...evidence, used_in_answer: true } : evidence;
}

function holds(evidence: ChunkEvidence, { hit, quote }: Context): boolean {
  const isSame = samePlace({ id: hit.conversationId, chunk_index: hit.chunkIndex }, evidence);
  return isSame && evidence.text.includes(quote.text);
}
