import { z } from 'zod';
import { type Fact, factConfidences, factStatuses, sourceQualities } from '../../model/fact.js';

/** A fact as the outside sees it: without owners and comparison keys. */
export const factOutput = z.object({
  id: z.string(),
  subject: z.string(),
  predicate: z.string(),
  object_raw: z.string(),
  object_normalized: z.string(),
  source_quality: z.enum(sourceQualities),
  confidence: z.enum(factConfidences),
  confidence_reason: z.string(),
  status: z.enum(factStatuses),
  stated_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  last_confirmed_at: z.string(),
  superseded_at: z.string().optional(),
  superseded_by: z.string().optional(),
  save_intent: z.string().optional(),
  save_intent_source: z.string().optional(),
  sources: z.array(
    z.object({
      conversation_id: z.string(),
      message_index: z.number().int(),
      chunk_index: z.number().int(),
      source: z.string(),
      stated_at: z.string(),
    }),
  ),
});

export type FactOutput = z.infer<typeof factOutput>;

export function presentFact(fact: Fact): FactOutput {
  return {
    id: fact.id,
    subject: fact.subject,
    predicate: fact.predicate,
    object_raw: fact.object_raw,
    object_normalized: fact.object_normalized,
    source_quality: fact.source_quality,
    confidence: fact.confidence,
    confidence_reason: fact.confidence_reason,
    status: fact.status,
    stated_at: fact.stated_at,
    created_at: fact.created_at,
    updated_at: fact.updated_at,
    last_confirmed_at: fact.last_confirmed_at,
    ...(fact.superseded_at === undefined ? {} : { superseded_at: fact.superseded_at }),
    ...(fact.superseded_by === undefined ? {} : { superseded_by: fact.superseded_by }),
    ...(fact.save_intent === undefined ? {} : { save_intent: fact.save_intent }),
    ...(fact.save_intent_source === undefined ? {} : { save_intent_source: fact.save_intent_source }),
    sources: fact.sources.map(({ conversation_id, message_index, chunk_index, source, stated_at }) => ({
      conversation_id,
      message_index,
      chunk_index,
      source,
      stated_at,
    })),
  };
}
