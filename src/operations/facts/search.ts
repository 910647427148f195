import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { factsPatience } from '../../indexing/facts/tagging.js';
import { momentOf, serviceAsOf } from '../as-of.js';
import type { Operation } from '../operation.js';
import { countWanted } from '../paging.js';
import { type FactSearchInput, factFilter, factSearchInput, usualFacts } from './input.js';
import { factPage } from './page.js';
import { factOutput, presentFact } from './present.js';

const output = z.object({
  status: z.literal('ok'),
  results: z.array(factOutput),
  cursor: z.string().nullable().describe('Pass it back to get the next page; null at the end'),
});

export type FactSearchOutput = z.infer<typeof output>;

export const searchFacts: Operation<FactSearchInput, FactSearchOutput> = {
  name: 'facts_search',
  summary: 'Facts the memory holds, newest statement first',
  input: factSearchInput,
  output,
  async run(service, call, input) {
    await service.tagging?.settled(factsPatience);
    const visibility = visibilityOf(call.principal, { projectId: input.project_id });
    const { cursor, query, limit: asked, ...rest } = input;
    const limit = countWanted(service, asked, { field: 'limit', usual: usualFacts.search });
    const of = { query, limit, ...rest };
    const then = serviceAsOf(service, visibility, momentOf(input.as_of));
    const page = await factPage(then, { visibility, filter: factFilter(input), query, limit, cursor, of });
    return { status: 'ok', results: page.facts.map(presentFact), cursor: page.cursor };
  },
};
