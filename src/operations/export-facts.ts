import { visibilityOf } from '../auth/access.js';
import { described } from '../facts/describe.js';
import type { MemoryStatus } from '../model/conversation.js';
import type { Fact } from '../model/fact.js';
import type { ConversationFilter } from '../records/conversations.js';
import type { Call } from './operation.js';
import type { Service } from './service.js';

/** Which conversations an export holds. */
interface Part {
  projectId: string;
  filter: ConversationFilter;
  status: MemoryStatus | 'all';
}

const pageSize = 50;

/** The facts of an export, newest statement first: of a part only what its own conversations state. */
export async function* exportedFacts({ records }: Service, call: Call, part: Part): AsyncGenerator<Fact> {
  const isWhole = part.status === 'all' && Object.keys(part.filter).length === 0;
  const visibility = visibilityOf(call.principal, { projectId: part.projectId });
  const exported = visibilityOf(call.principal, { projectId: part.projectId, status: part.status });
  let after: { value: string; id: string } | undefined;
  do {
    const facts = await records.facts.search(visibility, {}, { limit: pageSize, after });
    if (isWhole) yield* facts;
    else {
      const ids = [...new Set(facts.flatMap(({ conversation_ids }) => conversation_ids))];
      const rows = await records.conversations.byIds(exported, ids, part.filter);
      const there = new Set(rows.map(({ id }) => id));
      for (const fact of facts) yield* statedBy(fact, there);
    }
    const last = facts.at(-1);
    after = last === undefined || facts.length < pageSize ? undefined : { value: last.stated_at, id: last.id };
  } while (after !== undefined);
}

/** The fact as these conversations state it; none when they do not. */
function statedBy(fact: Fact, conversationIds: ReadonlySet<string>): Fact[] {
  const sources = fact.sources.filter(({ conversation_id }) => conversationIds.has(conversation_id));
  if (sources.length === 0) return [];
  if (sources.length === fact.sources.length) return [fact];
  const { status, superseded_at: at, superseded_by: by } = fact;
  const verdict = { status, ...(at === undefined ? {} : { at }), ...(by === undefined ? {} : { by }) };
  return [described({ ...fact, sources }, verdict)];
}
