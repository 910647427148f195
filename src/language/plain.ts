/**
 * Most text has no letters or digits beyond ASCII (quotation marks, dashes and emoji are none) and is several times
 * faster to cut without Unicode classes.
 */
export function isPlain(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text) || !/(?!\p{ASCII})(?:[\p{L}\p{N}]|\p{M}(?<!\uFE0F))/u.test(text);
}

/** Lower case, with the typographic apostrophe as the plain one: all that plain text needs. */
export function plainFold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}
