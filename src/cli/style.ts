import { withoutUnseen } from '../model/turn-text.js';

/** How words stand out: plain unless the output is a terminal that wants colours. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  match(text: string): string;
}

export const plainStyle: Style = { strong: same, faint: same, match: same };

const colourStyle: Style = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  match: (text) => `\u001b[33m${text}\u001b[39m`,
};

/**
 * Colours only for a person at a terminal who has not said NO_COLOR (any value but the empty one); FORCE_COLOR asks for
 * them anywhere, or for none with 0.
 */
export function styleFor(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): Style {
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plainStyle : colourStyle;
  const wanted = stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
  return wanted ? colourStyle : plainStyle;
}

/** Stored text may hold anything; what would move the cursor or recolour a terminal is taken out before it is shown. */
export function printable(text: string): string {
  return withoutUnseen(text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, ''));
}

/** Lines of a name and a value, the values in one column. Entries without a value are left out. */
export function columns(
  entries: readonly (readonly [name: string, value: string | undefined])[],
  style: Style,
): string {
  const shown = entries.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${style.faint(name.padEnd(width))}  ${value}`).join('\n');
}

/** `1 chunk`, `2 chunks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function same(text: string): string {
  return text;
}
