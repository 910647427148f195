import { createHash } from 'node:crypto';

/**
 * A text as hexadecimal digits of its UTF-8 bytes, for services whose filters split, fold or quote words: no letter of
 * it means anything to a query language, and equal texts alone are equal.
 */
export function opaque(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

export function opaqueList(texts: readonly string[]): string[] {
  return texts.map(opaque);
}

/** As `opaque`, but of one length whatever the text: for services that cut long words. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 40);
}
