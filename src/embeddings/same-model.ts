import { StartupError } from '../model/errors.js';

/** Throws `StartupError` when a thread that starts later finds other files than the embedder was opened with. */
export function checkUnchanged(opened: string, found: string): void {
  if (opened === found) return;
  throw new StartupError('reindex_required', 'The files of the embedding model changed while the service runs.', {
    hint: 'Restart it; it then says what to do.',
  });
}

/** Throws `StartupError` when the configuration wants vectors of another size than the model makes. */
export function checkDimension(model: string, { configured, actual }: { configured: number; actual: number }): void {
  if (configured === actual) return;
  throw new StartupError('config_invalid', `The model ${model} has ${actual} dimensions.`, {
    hint: `Set providers.embedding_dimension to ${actual}.`,
  });
}
