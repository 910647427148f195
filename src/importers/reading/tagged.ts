/*
 * Sections that programs put into a message between tags: `<system-reminder> … </system-reminder>`.
 */

export interface Tagged {
  /** Matches the opening tag, with its name as the first group. Needs the flag `g`. */
  opening: RegExp;
  /** What stands instead of a section; without it, nothing. */
  instead?: (inside: string) => string;
  /** The space after a section goes with it. */
  after?: 'with space';
}

/**
 * The text without the sections between these tags. An unclosed one stays. A closing tag that is missing once is not
 * searched again, so that the time grows linearly with the length.
 */
export function withoutTagged(said: string, { opening, instead = () => '', after }: Tagged): string {
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let at = 0;
  for (const { index, 0: tag, 1: name = '' } of said.matchAll(opening)) {
    if (index < at || unclosed.has(name)) continue;
    const from = index + tag.length;
    const closing = `</${name}>`;
    const end = said.indexOf(closing, from);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    kept.push(said.slice(at, index), instead(said.slice(from, end)));
    at = end + closing.length;
    if (after === 'with space') at += spaceAt(said, at);
  }
  return [...kept, said.slice(at)].join('');
}

/** The text in the first section between these tags. */
export function firstTagged(said: string, name: string): string | undefined {
  const from = said.indexOf(`<${name}>`);
  const end = from < 0 ? -1 : said.indexOf(`</${name}>`, from);
  return end < 0 ? undefined : said.slice(from + name.length + 2, end);
}

/** The number of white-space characters there. */
function spaceAt(said: string, at: number): number {
  const space = /\s*/y;
  space.lastIndex = at;
  return space.exec(said)?.[0].length ?? 0;
}
