import type { SearchOutput } from '../../operations/search/output.js';
import { composeNotice } from '../instructions.js';
import type { ToolAnswer } from '../tool.js';
import { toldFacts } from './facts.js';
import { shownResults } from './results.js';

/** What was found, for a model to read: each message once, and what it states that is still so. */
export function compactSearch(answer: object): ToolAnswer {
  const { results, current_facts = [], ...rest } = answer as SearchOutput;
  const shown = shownResults(results);
  const facts = toldFacts([], current_facts);
  return {
    fields: { ...rest, results: shown.map(({ fields }) => fields), current_facts, guidance: composeNotice },
    told: {
      ...rest,
      guidance: composeNotice,
      results: shown.map(({ told }) => told),
      ...(facts.length === 0 ? {} : { facts }),
    },
  };
}
