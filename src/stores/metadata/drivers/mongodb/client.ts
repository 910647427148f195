import { loadPackage } from '../../../shared/load-package.js';

/** The parts of the official client that this driver uses, declared here so that the source builds without the package. */
export const mongodbNeeds = { package: 'mongodb', range: '7.8.0' };

export type Document = { _id: string } & { [field: string]: unknown };

interface Cursor<Item> {
  sort(order: Record<string, 1 | -1>): Cursor<Item>;
  limit(count: number): Cursor<Item>;
  toArray(): Promise<Item[]>;
}

/** Absent outside a transaction or a snapshot. */
export interface InSession {
  session?: Session;
}

export interface Session {
  withTransaction<Result>(work: () => Promise<Result>): Promise<Result>;
  endSession(): Promise<void>;
}

export interface Collection {
  find(filter: object, options: InSession & { projection?: object }): Cursor<Document>;
  countDocuments(filter: object, options: InSession): Promise<number>;
  aggregate<Item>(pipeline: object[], options: InSession): Cursor<Item>;
  insertMany(documents: readonly Document[], options: InSession): Promise<unknown>;
  bulkWrite(operations: object[], options: InSession & { ordered: boolean }): Promise<unknown>;
  updateMany(filter: object, update: object, options: InSession): Promise<unknown>;
  deleteMany(filter: object, options: InSession): Promise<unknown>;
  createIndex(keys: Record<string, 1>, options: object): Promise<unknown>;
}

export interface Database {
  command(command: object): Promise<Record<string, unknown>>;
  collection(name: string): Collection;
  listCollections(filter: object, options: object): Cursor<{ name: string }>;
  createCollection(name: string): Promise<unknown>;
}

export interface Client {
  db(name: string): Database;
  startSession(options?: object): Session;
  close(): Promise<void>;
}

interface Library {
  MongoClient: new (uri: string, options: object) => Client;
}

export async function openMongoClient(uri: string): Promise<Client> {
  const { MongoClient } = await loadPackage<Library>(mongodbNeeds);
  return new MongoClient(uri, {
    appName: 'threadkeep',
    serverSelectionTimeoutMS: 10_000,
    // What was acknowledged is on the disks of most members, and what is read cannot be rolled back.
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
  });
}
