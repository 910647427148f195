/** The part of Pinecone's client that the driver uses. */
export const needs = { package: '@pinecone-database/pinecone', range: '8.2.0' };

export interface Index {
  upsert(options: { records: object[] }): Promise<void>;
  query(options: object): Promise<{ matches: { id: string; score?: number }[] }>;
  fetch(options: { ids: string[] }): Promise<{ records: Record<string, { metadata?: { write?: unknown } }> }>;
  deleteMany(options: { ids: readonly string[] }): Promise<void>;
  deleteAll(): Promise<void>;
  describeIndexStats(): Promise<{ namespaces?: Record<string, { recordCount: number }> }>;
}

export interface Description {
  name: string;
  dimension?: number;
  metric: string;
  host: string;
}

export interface Client {
  listIndexes(): Promise<{ indexes?: { name: string }[] }>;
  describeIndex(name: string): Promise<Description>;
  createIndex(options: object): Promise<unknown>;
  deleteIndex(name: string): Promise<void>;
  index(options: { host: string; namespace: string }): Index;
}

export interface Library {
  Pinecone: new (options: object) => Client;
}
