import type { MetadataStore } from './contract.js';

/** Where a store lives: the driver's own settings block, and a file path for those that keep a file. */
export interface MetadataPlace {
  settings: Record<string, unknown>;
  path: string;
  /** Open what exists and change nothing; `write` rejects. */
  readOnly?: boolean;
}

/** What a driver file exports. `name` is the configuration value; `create` does no work before `open`. */
export interface MetadataDriver {
  name: string;
  /** Other machines may work on the same data at the same time, and no file of this one holds it. */
  remote?: true;
  needs?: { package: string; range: string };
  create(place: MetadataPlace): MetadataStore;
}
