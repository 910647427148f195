/** The part of MongoDB's driver that the driver uses. */
export const needs = { package: 'mongodb', range: '7.8.0' };

export interface BinaryVector {
  toFloat32Array(): Float32Array;
}

export interface SearchIndex {
  name: string;
  status?: string;
  queryable?: boolean;
  latestDefinition?: { fields?: Record<string, unknown>[] };
}

export interface Cursor<Item> {
  toArray(): Promise<Item[]>;
}

export interface Collection {
  listSearchIndexes(name: string): Cursor<SearchIndex>;
  createSearchIndex(description: object): Promise<unknown>;
  updateSearchIndex(name: string, definition: object): Promise<unknown>;
  bulkWrite(operations: object[], options: object): Promise<unknown>;
  aggregate<Item>(pipeline: object[]): Cursor<Item>;
  findOne(filter: object, options: object): Promise<{ write?: unknown } | null>;
  deleteMany(filter: object): Promise<unknown>;
  countDocuments(filter: object, options?: object): Promise<number>;
}

export interface Library {
  MongoClient: new (uri: string, options: object) => Client;
  Binary: { fromFloat32Array(vector: Float32Array): BinaryVector };
}

export interface Client {
  db(name: string): {
    listCollections(filter: object): Cursor<object>;
    createCollection(name: string): Promise<unknown>;
    collection(name: string): Collection;
  };
  close(): Promise<void>;
}
