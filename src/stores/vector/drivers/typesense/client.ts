/** The part of Typesense's client that the driver uses. */
export const needs = { package: 'typesense', range: '3.1.0' };

export interface Field {
  name: string;
  num_dim?: number;
  vec_dist?: string;
}

export interface Collection {
  exists(): Promise<boolean>;
  retrieve(): Promise<{ num_documents: number; fields: Field[] }>;
  delete(): Promise<unknown>;
  documents(): {
    import(documents: object[], options: object): Promise<{ success: boolean }[]>;
    delete(options: { filter_by: string }): Promise<unknown>;
  };
}

export interface Answer {
  error?: string;
  code?: number;
  hits?: { document: { id: string }; vector_distance?: number }[];
}

export interface Client {
  collections(name: string): Collection;
  collections(): { create(schema: object): Promise<unknown> };
  multiSearch: { perform(searches: { searches: object[] }, common: object): Promise<{ results: Answer[] }> };
}

export interface Library {
  Client: new (options: object) => Client;
}
