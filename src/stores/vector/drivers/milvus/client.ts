/** The part of Milvus's client that the driver uses. */
export const needs = { package: '@zilliz/milvus2-sdk-node', range: '3.0.6' };

export interface Status {
  error_code?: string | number;
  code?: number;
}

export type Answer<Body = object> = Promise<Body & ({ status: Status } | Status)>;

export interface Client {
  connectPromise: Promise<unknown>;
  hasCollection(request: object): Answer<{ value: unknown }>;
  describeCollection(request: object): Answer<{
    schema: { fields: { name: string; type_params?: { key: string; value: string }[] }[] };
  }>;
  describeIndex(request: object): Answer<{ index_descriptions: { params: { key: string; value: string }[] }[] }>;
  createCollection(request: object): Answer;
  loadCollectionSync(request: object): Answer;
  dropCollection(request: object): Answer;
  upsert(request: object): Answer;
  search(request: object): Answer<{ results: { id: string; score: number }[] }>;
  delete(request: object): Answer;
  count(request: object): Answer<{ data: number | string }>;
  closeConnection(): Promise<unknown>;
}

export interface Library {
  MilvusClient: new (options: object) => Client;
}
