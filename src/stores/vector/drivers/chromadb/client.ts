/** The few types of the official client that the driver uses, so that the source builds without it. */
export const needs = { package: 'chromadb', range: '3.5.0' };

export interface Collection {
  metadata?: Record<string, unknown>;
  upsert(records: object): Promise<void>;
  query(options: object): Promise<{ ids: string[][]; distances: (number | null)[][] }>;
  get(options: object): Promise<{ ids: string[]; embeddings: number[][] }>;
  delete(options: { ids: readonly string[] }): Promise<unknown>;
  count(): Promise<number>;
}

export interface Client {
  getOrCreateCollection(options: object): Promise<Collection>;
  createCollection(options: object): Promise<Collection>;
  deleteCollection(options: { name: string }): Promise<void>;
  getMaxBatchSize(): Promise<number>;
}

export interface Library {
  ChromaClient: new (options: { host: string; port: number; ssl: boolean }) => Client;
}
