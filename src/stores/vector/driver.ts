import type { Distance, VectorStore } from './contract.js';

export interface DriverPlace {
  /** The driver's own configuration block, already validated. */
  settings: Record<string, unknown>;
  /** Folder of an embedded store; services ignore it. */
  path: string;
}

/** One vector back end as data: what it is called, what it can measure, what it needs, how it is made. */
export interface VectorDriver {
  /** The configuration value that selects it. */
  name: string;
  /** Rows survive the process. */
  persistent: boolean;
  distances: readonly Distance[];
  /** It lives in a folder of this machine (`DriverPlace.path`), not behind an address. */
  embedded?: true;
  /** The npm package loaded inside `open`. */
  needs?: { package: string; range: string };
  /** What its user should know beyond that, for the manual: in a few words. */
  limits?: string;
  /** Makes a store without touching anything: connecting and creating happen in `open`. */
  create(place: DriverPlace): VectorStore;
  /** Removes what `open` called damaged. Nothing lives in a vector store alone, so it is only made again. */
  discard?(place: DriverPlace): Promise<void>;
}
