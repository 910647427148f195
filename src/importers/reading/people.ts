import type { ImportedMessage } from '../contract.js';
import { saidAt } from './shape.js';

/**
 * A message between people. Its speaker stands before the text, as in every conversation with more than two voices: who
 * of them is the owner of the memory is told by no export.
 */
export function spoken(name: string, said: string, at?: unknown): ImportedMessage {
  return { role: 'user', text: `${speakerOf(name)}: ${said}`, ...saidAt(at) };
}

/** The name as a label that is recognised as one: up to three words of letters, the first letters large. */
export function speakerOf(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{M}'’.-]+/gu) ?? [];
  const label = words
    .map((word) => word.replace(/^[^\p{L}]+/u, ''))
    .filter((word) => word !== '')
    .slice(0, 3)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return label.length === 0 ? 'Somebody' : label.join(' ');
}
