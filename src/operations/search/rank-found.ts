import type { Candidate } from '../../retrieval/candidate.js';
import { type RankedHit, rank } from '../../retrieval/rank.js';
import { similarityOf } from '../../retrieval/similarity.js';
import type { Service } from '../service.js';
import type { Plan } from './gather.js';

/** The candidates in the order of their relevance, by the service's settings. */
export function rankFound(service: Service, plan: Plan, candidates: readonly Candidate[]): RankedHit[] {
  const { keywordWeight, metadataWeight, weights, deepWeight } = service.settings.retrieval;
  return rank(candidates, plan.traits, {
    trust: service.embedder.trust,
    keywordWeight,
    metadataWeight,
    weights,
    deepWeight,
    similarity: similarityOf[service.settings.distance],
  });
}
