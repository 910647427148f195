/** The part of Weaviate's client that the driver uses. */
export const needs = { package: 'weaviate-client', range: '3.12.1' };

export type Filter = object;

export interface Collection {
  config: { get(): Promise<{ description?: string; vectorizers: Record<string, { indexConfig: unknown }> }> };
  data: {
    insertMany(objects: object[]): Promise<{ hasErrors: boolean }>;
    deleteMany(where: Filter): Promise<unknown>;
  };
  query: {
    nearVector(
      vector: number[],
      options: object,
    ): Promise<{ objects: { uuid: string; metadata?: { distance?: number } }[] }>;
  };
  filter: {
    byProperty(name: string): { containsAny(values: readonly string[]): Filter };
    byId(): { containsAny(values: readonly string[]): Filter };
  };
  length(): Promise<number>;
}

export interface Client {
  collections: {
    exists(name: string): Promise<boolean>;
    create(options: object): Promise<unknown>;
    delete(name: string): Promise<void>;
    use(name: string): Collection;
  };
  close(): Promise<void>;
}

export interface Weaviate {
  connectToCustom(options: object): Promise<Client>;
  ApiKey: new (key: string) => object;
  Filters: { and(...filters: Filter[]): Filter };
  configure: {
    vectors: { selfProvided(options: object): object };
    vectorIndex: { hnsw(options: object): object };
  };
}
