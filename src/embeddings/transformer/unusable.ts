import { StartupError } from '../../model/errors.js';

/** The model's files are there but not such as we can run: says what is wrong with them. */
export function unusable(what: string, cause?: unknown): StartupError {
  return new StartupError('driver_unavailable', `The embedding model cannot be used: ${what}.`, {
    hint: 'docs/retrieval.md, "Models", says what a model folder needs; or set providers.embedding_model to another model.',
    ...(cause === undefined ? {} : { cause }),
  });
}
