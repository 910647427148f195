import { MemoryError } from '../model/errors.js';

/** For whoever looked again as often as is reasonable and found it changed each time. */
export function beingWritten(): MemoryError {
  return new MemoryError('duplicate_conflict', 'This conversation is being written by others at once; try again');
}
