import type { Fact } from '../model/fact.js';
import type { ConfidenceLabel } from './confidence.js';

/** What the facts say about a question. */
export interface FactAnswer {
  basis: 'fact_layer' | 'conflict';
  text: string;
  confidence: ConfidenceLabel;
  reason: string;
  /** What the answer states, newest first. */
  facts: readonly Fact[];
  /** What was so before. */
  history: readonly Fact[];
  /** The question asks for more than the value: when, why, where it was said. */
  wantsContext: boolean;
}
