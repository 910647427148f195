import type { Distance, Where } from '../../contract.js';
import { opaqueList } from '../../shared/opaque.js';
import type { RestService } from '../../shared/rest.js';

/** One page takes this many rows. */
export const ROWS_A_PAGE = 400;

const FEATURE = 'distance(field,vector)';

/** Ours from the raw distance of each metric that a schema may name. */
export const measures = {
  cosine: { metric: 'angular', ours: (theirs: number) => 1 - Math.cos(theirs) }, // the angle
  l2: { metric: 'euclidean', ours: (theirs: number) => theirs }, // |a - b|
  inner_product: { metric: 'dotproduct', ours: (theirs: number) => 1 + theirs }, // 1 + (-dot)
} as const satisfies Record<Distance, { metric: string; ours: (theirs: number) => number }>;

interface Found {
  root: {
    fields?: { totalCount?: number };
    errors?: { code?: number }[];
    children?: { fields: { id: string; matchfeatures?: Record<string, number> } }[];
  };
}

interface Page {
  vector: Float32Array;
  condition: string;
  rows: number;
  offset: number;
  exact: boolean;
}

export interface VespaSearch {
  /** Of the nearest `rows` those from `offset` on, with Vespa's own distance. */
  page(asked: Page): Promise<{ id: string; theirs: number }[]>;
  count(): Promise<number>;
}

/** Questions in Vespa's query language. A failure inside an answer is thrown as one. */
export function vespaSearch(
  service: RestService,
  { schema, profile }: { schema: string; profile: string },
): VespaSearch {
  async function ask(body: object): Promise<Found['root']> {
    const { root } = (await service.send('POST', '/search/', body)) as Found;
    const [error] = root.errors ?? [];
    if (error !== undefined) throw new Error(`Vespa refused the search: ${error.code ?? 'unknown'}.`);
    return root;
  }

  return {
    async page({ vector, condition, rows, offset, exact }) {
      const options = `targetHits:${rows},approximate:${!exact},hnsw.exploreAdditionalHits:500`;
      const { children = [] } = await ask({
        yql: `select id from ${schema} where ({${options}}nearestNeighbor(vector,query_vector)) and ${condition}`,
        'input.query(query_vector)': [...vector],
        ranking: profile,
        hits: Math.min(ROWS_A_PAGE, rows - offset),
        offset,
      });
      return children.map(({ fields }) => ({ id: fields.id, theirs: fields.matchfeatures?.[FEATURE] ?? Number.NaN }));
    },

    async count() {
      const root = await ask({ yql: `select id from ${schema} where true`, hits: 0 });
      return root.fields?.totalCount ?? 0;
    },
  };
}

export function conditionOf({ scopes, conversationIds, ids }: Where): string {
  return [
    isOneOf('scope', opaqueList(scopes)),
    ...(conversationIds ? [isOneOf('conversation_id', opaqueList(conversationIds))] : []),
    ...(ids ? [isOneOf('id', ids)] : []),
  ].join(' and ');
}

function isOneOf(field: string, words: readonly string[]): string {
  return `${field} in (${words.map((word) => `"${word}"`).join(',')})`;
}
