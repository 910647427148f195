import type { IndexShape } from '../../contract.js';

/** What Elasticsearch and OpenSearch have in common: nearly everything but the words for a vector and for its query. */
export interface Cluster {
  request(call: ClusterCall): Promise<unknown>;
  close(): Promise<void>;
}

export interface ClusterCall {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  querystring?: Record<string, string>;
  body?: object;
  /** Lines of a bulk request, each one JSON document. */
  bulkBody?: object[];
}

export interface ClusterWords {
  connect(): Promise<Cluster>;
  index: string;
  /** Settings of the index, and the mapping of its field `vector`. */
  settings: object;
  vectorMapping(shape: IndexShape): object;
  /** The search for the nearest `rows` among what `filter` lets through. */
  query(asked: { vector: number[]; rows: number; filter: object }): object;
}

/** The header of a user and a password; none without a user. */
export function basicAuthorization(username: string, password: string): { headers?: { authorization: string } } {
  if (username === '') return {};
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { headers: { authorization: `Basic ${credentials}` } };
}
