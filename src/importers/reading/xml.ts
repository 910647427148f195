import { createTimeSlice } from '../../concurrency/yielding.js';

/** An element of an XML file. */
export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: Element[];
  text: string;
}

/**
 * All elements of this name with their content; they do not contain each other. Undefined for one whose end is
 * missing. Takes time in proportion to the length, for well-formed files and for others, and yields to the event
 * loop.
 */
export async function* elementsNamed(xml: string, name: string): AsyncGenerator<Element | undefined> {
  const open: Element[] = [];
  const slice = createTimeSlice();
  for (const token of tokensIn(xml)) {
    if (slice.isOver()) await slice.yield();
    if (token.kind === 'open' && token.name === name && open.length > 0) {
      open.length = 0;
      yield undefined;
    }
    const around = open.at(-1);
    if (token.kind === 'text') {
      if (around !== undefined) around.text += token.text;
    } else if (token.kind === 'open') {
      if (around === undefined && token.name !== name) continue;
      const element = { name: token.name, attributes: attributesIn(token.inside), children: [], text: '' };
      around?.children.push(element);
      if (!token.isEmpty) open.push(element);
      else if (around === undefined) yield element;
    } else if (around !== undefined) {
      const isOurs = around.name === token.name;
      if (isOurs) open.pop();
      else if (token.name === name) {
        open.length = 0;
        yield undefined;
      }
      if (isOurs && open.length === 0) yield around;
    }
  }
  if (open.length > 0) yield undefined;
}

type Token =
  | { kind: 'open'; name: string; inside: string; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** Stops at a tag, comment or quoted value that is not closed. */
function* tokensIn(xml: string): Generator<Token> {
  let at = 0;
  for (;;) {
    const start = xml.indexOf('<', at);
    if (start < 0) return;
    const between = xml.slice(at, start);
    if (between.trim() !== '') yield { kind: 'text', text: decoded(between) };
    const special = specials.find(({ begin }) => xml.startsWith(begin, start));
    if (special !== undefined) {
      const end = xml.indexOf(special.end, start + special.begin.length);
      if (end < 0) return;
      if (special.isText) yield { kind: 'text', text: xml.slice(start + special.begin.length, end) };
      at = end + special.end.length;
      continue;
    }
    const end = tagEnd(xml, start + 1);
    if (end === undefined) return;
    at = end + 1;
    const isClose = xml[start + 1] === '/';
    const isEmpty = xml[end - 1] === '/';
    const inside = xml.slice(start + (isClose ? 2 : 1), isEmpty && !isClose ? end - 1 : end);
    const name = /^[^\s/>]{1,200}/.exec(inside)?.[0] ?? '';
    yield isClose ? { kind: 'close', name } : { kind: 'open', name, inside: inside.slice(name.length), isEmpty };
  }
}

const specials = [
  { begin: '<!--', end: '-->', isText: false },
  { begin: '<![CDATA[', end: ']]>', isText: true },
  { begin: '<?', end: '?>', isText: false },
  { begin: '<!', end: '>', isText: false },
];

/** The offset of the `>` that ends a tag, ignoring those inside quotes. */
function tagEnd(xml: string, from: number): number | undefined {
  for (let at = from; at < xml.length; at++) {
    const character = xml[at];
    if (character === '>') return at;
    if (character !== '"' && character !== "'") continue;
    at = xml.indexOf(character, at + 1);
    if (at < 0) return undefined;
  }
  return undefined;
}

function attributesIn(inside: string): Map<string, string> {
  const found = inside.matchAll(/([^\s=<>"'/]{1,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...found].map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')]));
}

const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
