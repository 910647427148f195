import { type Fact, type FactConfidence, type FactSource, isPlainlySaid, type SourceQuality } from '../model/fact.js';
import type { JsonObject } from '../model/json.js';
import { detachedFrom, pinnedSince } from './by-hand.js';
import type { Verdict } from './timeline.js';
import { readValue } from './values.js';

/** The fact with all fields derived from its sources and its verdict. */
export function described(fact: Fact, verdict: Verdict): Fact {
  const statements = fact.sources.filter(({ ends }) => !ends);
  const byUser = statements.filter(isPlainlySaid);
  const endings = fact.sources.filter(({ ends, corrects }) => ends || corrects !== undefined);
  const voices = byUser.length > 0 ? byUser : statements.length > 0 ? statements : fact.sources;
  const newest = voices.at(-1) ?? fact.sources.at(-1);
  const detached = detachedFrom(fact).map(({ conversation_id }) => conversation_id);
  if (newest === undefined) return detached.length === 0 ? fact : unstated(fact, detached);
  const carrier = mostTrusted(voices) ?? newest;
  const all = statements.length > 0 ? statements : fact.sources;
  const value = readValue(fact.predicate, newest.object_raw);
  const quality = qualityOf(newest);
  const stated_at = all.at(-1)?.stated_at ?? newest.stated_at;
  const {
    superseded_at: _,
    superseded_by: __,
    ended_at: ___,
    save_intent: ____,
    save_intent_source: _____,
    pinned_at: ______,
    ...kept
  } = fact;
  const lastEnd = endings.at(-1)?.stated_at;
  const superseded = verdict.status === 'superseded';
  const pinned_at = superseded ? undefined : pinnedSince(fact);
  const heard = fact.sources.filter(({ by_hand }) => !by_hand);
  return {
    ...kept,
    object_raw: newest.object_raw,
    object_normalized: value.normalized,
    qualifiers: qualifiersOf(fact.predicate, newest, value.normalization),
    source_quality: quality,
    ...confidenceOf(carrier, quality, { times: voices.length, isContested: verdict.isContested === true }),
    status: verdict.status,
    stated_at,
    created_at: fact.sources[0]?.stated_at ?? stated_at,
    updated_at: [stated_at, lastEnd ?? '', verdict.at ?? ''].sort().at(-1) ?? stated_at,
    last_confirmed_at: newest.stated_at,
    ...(superseded && verdict.at !== undefined ? { superseded_at: verdict.at } : {}),
    ...(superseded && verdict.by !== undefined ? { superseded_by: verdict.by } : {}),
    ...(lastEnd === undefined ? {} : { ended_at: lastEnd }),
    ...(pinned_at === undefined ? {} : { pinned_at }),
    ...(carrier.save_intent === undefined ? {} : { save_intent: carrier.save_intent }),
    ...(carrier.save_intent_source === undefined ? {} : { save_intent_source: carrier.save_intent_source }),
    source_names: [...new Set(heard.map(({ source }) => source))].sort(),
    // Also those it was detached from, so that forgetting one of them finds the fact.
    conversation_ids: [...new Set([...heard.map(({ conversation_id }) => conversation_id), ...detached])].sort(),
  };
}

/** A fact that nothing states any more, because every sentence was detached from it. */
function unstated(fact: Fact, conversationIds: readonly string[]): Fact {
  const { superseded_by: _, pinned_at: __, ...kept } = fact;
  const at = fact.changes?.findLast(({ kind }) => kind === 'detached')?.at ?? fact.updated_at;
  return {
    ...kept,
    status: 'superseded',
    superseded_at: at,
    updated_at: at,
    source_names: [],
    conversation_ids: [...new Set(conversationIds)].sort(),
  };
}

function qualityOf(source: FactSource): SourceQuality {
  if (source.inferred) return 'inferred_from_conversation';
  if (source.role === 'assistant') return 'assistant_statement';
  return source.correction ? 'corrected_by_user' : 'direct_user_statement';
}

const levels: readonly FactConfidence[] = ['low', 'medium', 'high'];

/** A plain statement of the user is high; hedging, an automatic save and the assistant each lower it by one step. */
function levelOf(source: FactSource): number {
  if (source.pasted || source.guessed) return 0;
  const steps = [
    source.role === 'assistant' || source.inferred === true,
    source.hedged === true,
    source.save_intent === 'client_auto_save',
  ];
  return Math.max(0, 2 - steps.filter(Boolean).length);
}

function mostTrusted(sources: readonly FactSource[]): FactSource | undefined {
  const best = sources.reduce((most, source) => Math.max(most, levelOf(source)), 0);
  return sources.findLast((source) => levelOf(source) === best);
}

const reasons: Record<SourceQuality, string> = {
  direct_user_statement: 'The user said so',
  corrected_by_user: 'The user said so as a correction',
  assistant_statement: 'The assistant said so; the user did not',
  inferred_from_conversation: 'Inferred from what the conversations are about',
};

const entered = { added: 'The user entered it', corrected: 'The user corrected it' };

function confidenceOf(
  carrier: FactSource,
  quality: SourceQuality,
  { times, isContested }: { times: number; isContested: boolean },
): Pick<Fact, 'confidence' | 'confidence_reason'> {
  const reason = carrier.by_hand ? entered[quality === 'corrected_by_user' ? 'corrected' : 'added'] : reasons[quality];
  const said = times > 1 && !carrier.by_hand ? `${reason}, ${times} times` : reason;
  const doubts = [
    ...(carrier.pasted ? ['in text that may be pasted or quoted'] : []),
    ...(carrier.guessed ? ['as the tagging model reads it'] : []),
    ...(carrier.hedged ? ['with a doubt'] : []),
    ...(carrier.save_intent === 'client_auto_save' ? ['saved automatically by the client'] : []),
    ...(isContested ? ['something said later may have replaced it'] : []),
  ];
  const confidence = isContested ? 'low' : (levels[levelOf(carrier)] ?? 'low');
  return { confidence, confidence_reason: `${[said, ...doubts].join('; ')}.` };
}

function qualifiersOf(predicate: string, source: FactSource, normalization: JsonObject | undefined): JsonObject {
  const item = /^(?:owns|pet|favorite|date|relation)_(.+)$/.exec(predicate)?.[1];
  return {
    ...(item === undefined || item === 'item' ? {} : { item: item.replaceAll('_', ' ') }),
    ...(source.corrects === undefined ? {} : { corrects: source.corrects }),
    ...(normalization === undefined ? {} : { normalization }),
    source_role: source.role,
  };
}
