import type { HostileUnit } from './hostile-units.js';

/*
 * What a regular expression could stumble over, made from the expression itself: for everything in it that may repeat, a
 * text that repeats it behind what has to come before; and the whole of it, again and again, always without its end.
 */

interface Sampled {
  text: string;
  /** What repeats in it, with all that comes before. */
  units: HostileUnit[];
}

/** From here on a limit is no limit worth the name. */
const many = 32;
const mostUnits = 12;

export function unitsOf(pattern: RegExp): HostileUnit[] {
  const { text, units } = createSampler(pattern).alternatives();
  const whole = [text, text.slice(0, -1), `${text.slice(0, -1)} `].filter((unit) => unit.trim() !== '');
  const found = [...units, ...whole.map((unit) => ({ unit }))].filter(({ unit }) => unit !== '');
  return found.slice(0, mostUnits);
}

/** Reads the source of an expression from left to right and makes a text that it matches, or nearly. */
function createSampler({ source, flags }: RegExp) {
  let at = 0;
  const isSets = flags.includes('v');

  /** Up to the closing bracket or the end. The first alternative stands for all, but the units of each are kept. */
  function alternatives(): Sampled {
    const parts = [sequence()];
    while (source[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    const [first = { text: '' }] = parts;
    return { text: first.text, units: parts.flatMap(({ units }) => units) };
  }

  function sequence(): Sampled {
    let text = '';
    const units: HostileUnit[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const atom = term();
      const { least, most } = quantifier();
      const before = text;
      units.push(...atom.units.map(({ head = '', unit }) => ({ head: before + head, unit })));
      if (most >= many && atom.text !== '') units.push({ head: before, unit: atom.text });
      text += atom.text.repeat(Math.min(Math.max(least, 1), 8));
    }
    return { text, units: units.map(({ head = '', unit }) => ({ ...(head === '' ? {} : { head }), unit })) };
  }

  function term(): Sampled {
    const sign = source.charAt(at);
    if (sign === '(') return group();
    if (sign === '[') return one(classEnd());
    if (sign === '\\') return escaped();
    at += 1;
    if (sign === '^' || sign === '$') return nothing;
    if (sign !== '.') return { text: sign, units: [] };
    return { text: 'a', units: [] };
  }

  function group(): Sampled {
    const opening = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0] ?? '(';
    at += opening.length;
    const inside = alternatives();
    at += 1;
    // What must not be there is no part of a match; what must follow is.
    return opening.endsWith('!') ? { text: '', units: inside.units } : inside;
  }

  function classEnd(): number {
    let depth = 0;
    for (let end = at; end < source.length; end++) {
      if (source[end] === '\\') end += 1;
      else if (source[end] === '[' && (isSets || depth === 0)) depth += 1;
      else if (source[end] === ']' && --depth === 0) return end + 1;
    }
    return source.length;
  }

  function escaped(): Sampled {
    const rest = source.slice(at);
    const [sign = ''] =
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|c[A-Za-z]|\d+|[\s\S])/.exec(rest) ?? [];
    const end = at + sign.length;
    if (/^\\(?:[bB]|k<|[1-9])/.test(sign)) {
      at = end;
      return nothing;
    }
    return one(end);
  }

  /** A character that the part of the source up to `end` matches. */
  function one(end: number): Sampled {
    const part = source.slice(at, end);
    at = end;
    const matcher = new RegExp(`^(?:${part})$`, flags.replace(/[gy]/g, ''));
    const text = likely.find((each) => matcher.test(each)) ?? anyMatching(matcher);
    return { text, units: [] };
  }

  function quantifier(): { least: number; most: number } {
    const [given = '', , least, comma, most] = /^(?:[*+?]|(\{(\d+)(,?)(\d*)\}))\??/.exec(source.slice(at)) ?? [];
    at += given.length;
    if (given.startsWith('*') || given.startsWith('+')) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (least === undefined) return { least: 1, most: 1 };
    const unlimited = comma === '' ? Number(least) : Number.POSITIVE_INFINITY;
    return { least: Number(least), most: most === '' || most === undefined ? unlimited : Number(most) };
  }

  return { alternatives };
}

const nothing: Sampled = { text: '', units: [] };
const likely = ['a', 'A', '1', ' ', '.', '-', '"', "'", '\n', '\t', '_', '漢', 'é', '\u0301'];

function anyMatching(matcher: RegExp): string {
  for (let code = 0; code < 0x1_1000; code++) {
    const text = String.fromCodePoint(code);
    if (matcher.test(text)) return text;
  }
  return '';
}
