/** The few types of the official client that the driver uses, so that the source builds without it. */
export const needs = { package: '@qdrant/js-client-rest', range: '1.18.0' };

export interface Client {
  collectionExists(name: string): Promise<{ exists: boolean }>;
  getCollection(name: string): Promise<{ config: { params: { vectors?: unknown } } }>;
  createCollection(name: string, options: object): Promise<unknown>;
  deleteCollection(name: string): Promise<unknown>;
  createPayloadIndex(name: string, options: object): Promise<unknown>;
  upsert(name: string, options: object): Promise<unknown>;
  query(name: string, options: object): Promise<{ points: { id: string | number; score: number }[] }>;
  scroll(name: string, options: object): Promise<{ points: { id: string | number }[]; next_page_offset?: unknown }>;
  delete(name: string, options: object): Promise<unknown>;
  count(name: string, options: object): Promise<{ count: number }>;
}

export interface Library {
  QdrantClient: new (options: object) => Client;
}
