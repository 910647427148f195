import type { FactOutput } from '../../operations/facts/present.js';
import type { StatedFact } from '../../operations/stated-facts.js';
import { cutTo } from './shorten.js';

const longestValue = 160;

/** A current fact as a model reads it: what is so, since when, when it was last said, and where. */
export interface ToldFact {
  fact_id: string;
  fact: string;
  since: string;
  confirmed?: string;
  id?: string;
  message_index?: number;
}

/** Facts that answer come first; each is told once. Days are enough for a validity. */
export function toldFacts(used: readonly FactOutput[], current: readonly StatedFact[]): ToldFact[] {
  const answering = used.map(statedIn);
  const known = new Set(answering.map(({ fact_id }) => fact_id));
  return [...answering, ...current.filter(({ fact_id }) => !known.has(fact_id))].map(told);
}

type Stated = Omit<StatedFact, 'confidence' | 'conversation_id' | 'message_index'> &
  Partial<Pick<StatedFact, 'conversation_id' | 'message_index'>>;

function statedIn(fact: FactOutput): Stated {
  const newest = fact.sources.find(({ stated_at }) => stated_at === fact.stated_at) ?? fact.sources[0];
  return {
    fact_id: fact.id,
    subject: fact.subject,
    predicate: fact.predicate,
    value: fact.object_normalized,
    valid_from: fact.created_at,
    confirmed_at: fact.last_confirmed_at,
    ...(newest === undefined ? {} : { conversation_id: newest.conversation_id, message_index: newest.message_index }),
  };
}

function told({ fact_id, subject, predicate, value, valid_from, confirmed_at, ...place }: Stated): ToldFact {
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
