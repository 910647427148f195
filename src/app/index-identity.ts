import { isDeepStrictEqual } from 'node:util';
import type { Embedder } from '../embeddings/contract.js';
import { type FingerprintDescription, fingerprint } from '../embeddings/open.js';
import { StartupError } from '../model/errors.js';
import type { Records } from '../records/open.js';
import type { Distance } from '../stores/vector/contract.js';
import type { OpenedVectors } from './open-vectors.js';

/** What the settings store about the vector index. */
interface StoredIdentity {
  digest: string;
  description: FingerprintDescription;
  /** An unfinished rebuild: conversations up to this id are done. */
  rebuild?: { after?: string };
}

const settingKey = 'vector_index';

export type IndexIdentity = ReturnType<typeof indexIdentity>;

/**
 * Records which model, dimension and distance the stored vectors were made with. Vectors of two models must never be
 * compared, so a store whose vectors do not match the configuration refuses to start until it is rebuilt.
 */
export function indexIdentity(
  records: Records,
  embedder: Embedder,
  { vectors, distance }: { vectors: OpenedVectors; distance: Distance },
) {
  const current = fingerprint({
    embedding: embedder.describe(),
    vectorIndex: { provider: vectors.provider, id: 'chunks', distance },
  });

  async function stored(): Promise<StoredIdentity | undefined> {
    return (await records.settings.get(settingKey)) as StoredIdentity | undefined;
  }

  async function remember(rebuild?: { after?: string }): Promise<void> {
    const identity = { ...current, ...(rebuild === undefined ? {} : { rebuild }) };
    await records.settings.set(settingKey, identity);
  }

  return {
    current,
    remember,

    /** Where an interrupted rebuild with the same configuration continues; undefined when there is none. */
    async openRebuild(): Promise<{ after?: string } | undefined> {
      const known = await stored();
      return known?.digest === current.digest ? known.rebuild : undefined;
    },

    /**
     * `fresh`: nothing is indexed yet, and the identity is recorded now. `same`: nothing to do. `extended`: the vectors
     * come from an older table of the same model, comparable but worse in languages other than English. `changed`: the
     * store holds vectors of another model. `interrupted`: a rebuild did not finish.
     */
    async state(): Promise<'fresh' | 'same' | 'extended' | 'changed' | 'interrupted'> {
      const known = await stored();
      if (known?.digest === current.digest && vectors.shapeMismatch === undefined) {
        return known.rebuild === undefined ? 'same' : 'interrupted';
      }
      if (vectors.shapeMismatch !== undefined) return 'changed';
      if ((await vectors.store.count()) === 0) return 'fresh';
      return known?.rebuild === undefined && isExtended(known?.description, current.description)
        ? 'extended'
        : 'changed';
    },
  };
}

/** Whether two descriptions differ only in the rows that a static table has for languages other than English. */
function isExtended(stored: FingerprintDescription | undefined, current: FingerprintDescription): boolean {
  if (stored === undefined) return false;
  const english = ({ embedding: { options } }: FingerprintDescription) => options.english ?? options.checksum;
  const rest = ({ embedding: { options: _, ...embedding }, vector_index }: FingerprintDescription) => [
    embedding,
    vector_index,
  ];
  return (
    current.embedding.options.english !== undefined &&
    english(stored) === english(current) &&
    isDeepStrictEqual(rest(stored), rest(current))
  );
}

export function reindexRequired(state: 'changed' | 'interrupted'): StartupError {
  const message =
    state === 'changed'
      ? 'The vector index was made with another embedding model, dimension or distance: it must be rebuilt.'
      : 'A rebuild of the vector index was interrupted and must be finished.';
  return new StartupError('reindex_required', message, {
    hint: 'Run `threadkeep reindex` with this configuration (it resumes where it stopped), or go back to the old settings.',
  });
}
