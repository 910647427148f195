import { MemoryError } from '../model/errors.js';

/** The model is there and does not take these texts, such as one that is too long for it; others it may take. */
export class TextsRefused extends MemoryError {
  constructor(message: string) {
    super('embedding_unavailable', message);
  }
}
