import { factTerms } from '../../facts/fact-terms.js';
import { queryTerms, termCounter } from '../../language/terms.js';
import type { Visibility } from '../../model/access.js';
import type { Fact } from '../../model/fact.js';
import type { FactFilter } from '../../records/facts.js';
import { badCursor, decodeCursor, decodePageEnd, encodeCursor, encodePageEnd } from '../page-cursor.js';
import type { Service } from '../service.js';

interface Request {
  visibility: Visibility;
  filter: FactFilter;
  query?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** What the cursor belongs to. */
  of: object;
}

/** One page of facts, newest statement first, or best match first when there is a query. */
export async function factPage(service: Service, request: Request): Promise<{ facts: Fact[]; cursor: string | null }> {
  return request.query === undefined ? byTime(service, request) : byMatch(service, request, request.query);
}

async function byTime(service: Service, request: Request): Promise<{ facts: Fact[]; cursor: string | null }> {
  const after = decodePageEnd(request.cursor, request.of);
  if (after !== undefined && !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(after.value)) throw badCursor();
  const { visibility, filter, limit } = request;
  const found = await service.records.facts.search(visibility, filter, { limit: limit + 1, after });
  const facts = found.slice(0, limit);
  const last = facts.at(-1);
  const more = found.length > limit && last !== undefined;
  return { facts, cursor: more ? encodePageEnd({ value: last.stated_at, id: last.id }, request.of) : null };
}

async function byMatch(
  service: Service,
  request: Request,
  query: string,
): Promise<{ facts: Fact[]; cursor: string | null }> {
  const position = decodeCursor(request.cursor, request.of) ?? '0';
  if (!/^\d{1,6}$/.test(position)) throw badCursor();
  const offset = Number(position);
  const { visibility, filter, limit } = request;
  const terms = queryTerms(query);
  const wanted = offset + limit + 1;
  const found =
    (await service.records.facts.matching(visibility, filter, { terms, limit: wanted })) ??
    (await scan(service, request, terms));
  const facts = found.slice(offset, offset + limit);
  return { facts, cursor: found.length > offset + limit ? encodeCursor(String(offset + limit), request.of) : null };
}

const mostScanned = 5_000;

/** For a store without text lookup: the newest facts are read and counted here. */
async function scan(service: Service, { visibility, filter }: Request, terms: string[]): Promise<Fact[]> {
  const count = termCounter(terms);
  const facts = await service.records.facts.search(visibility, filter, { limit: mostScanned });
  return facts
    .map((fact) => ({ fact, score: count(factTerms(fact).join(' ')) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ fact }) => fact);
}
