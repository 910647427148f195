import { MemoryError } from '../model/errors.js';
import type { Steps } from '../model/steps.js';

/*
 * Parses JSON in steps. `JSON.parse` blocks until it is done, for a body of the default limit up to seconds. The result is
 * the same; more values or keys than a conversation can have are rejected before they are held in memory.
 */

/** Ten thousand messages with a dozen fields each have fewer, and so have metadata that describe a conversation. */
const mostValues = 200_000;
/** A larger object is slow to extend, all of it at once. */
const mostKeys = 20_000;
/** Letters of a string that are parsed at once. */
const portionLength = 65_536;

type Container = { items: unknown[] } | { entries: Map<string, unknown>; key: string | undefined };

/** Throws a SyntaxError where `JSON.parse` would. */
export function* parsingJson(text: string): Steps<unknown> {
  const containers: Container[] = [];
  let at = 0;
  let values = 0;
  for (;;) {
    at = skipBlanks(text, at);
    const inside = containers.at(-1);
    if (inside !== undefined && 'entries' in inside && inside.key === undefined) {
      // Before a key: the object has just begun, or a comma came.
      const key = yield* readString(text, at);
      inside.key = key.value;
      at = skipBlanks(text, key.end);
      if (text[at] !== ':') throw malformed();
      at = skipBlanks(text, at + 1);
    }
    values += 1;
    if (values > mostValues) throw tooMany(`more than ${mostValues} values`);
    const begins = text[at];
    let value: unknown;
    if (begins === '{' || begins === '[') {
      const first = skipBlanks(text, at + 1);
      if (text[first] !== (begins === '{' ? '}' : ']')) {
        containers.push(begins === '{' ? { entries: new Map(), key: undefined } : { items: [] });
        at = first;
        yield;
        continue;
      }
      value = begins === '{' ? {} : [];
      at = first + 1;
    } else {
      const read: { value: unknown; end: number } = begins === '"' ? yield* readString(text, at) : readWord(text, at);
      value = read.value;
      at = read.end;
    }
    yield;
    // Ends every container that ends here.
    for (;;) {
      at = skipBlanks(text, at);
      const container = containers.at(-1);
      if (container === undefined) {
        if (at < text.length) throw malformed();
        return value;
      }
      add(container, value);
      const follows = text[at];
      at += 1;
      if (follows === ',') break;
      if (follows !== ('items' in container ? ']' : '}')) throw malformed();
      containers.pop();
      // From entries, so that a key such as __proto__ is one like any other.
      value = 'items' in container ? container.items : Object.fromEntries(container.entries);
      yield;
    }
  }
}

function add(container: Container, value: unknown): void {
  if ('items' in container) {
    container.items.push(value);
    return;
  }
  container.entries.set(container.key ?? '', value);
  container.key = undefined;
  if (container.entries.size > mostKeys) throw tooMany(`an object with more than ${mostKeys} keys`);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
  }
  return at;
}

function* readString(text: string, from: number): Steps<{ value: string; end: number }> {
  if (text[from] !== '"') throw malformed();
  let value = '';
  let start = from + 1;
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (Number.isNaN(unit)) throw malformed();
    if (unit === quote) return { value: value + parsed(`"${text.slice(start, at)}"`), end: at + 1 };
    // Never cut inside an escape.
    at += unit === backslash ? (text[at + 1] === 'u' ? 6 : 2) : 1;
    if (at - start < portionLength) continue;
    value += parsed(`"${text.slice(start, at)}"`);
    start = at;
    yield;
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** A number, true, false or null. */
function readWord(text: string, from: number): { value: unknown; end: number } {
  word.lastIndex = from;
  const [found] = word.exec(text) ?? [];
  if (found === undefined) throw malformed();
  return { value: parsed(found), end: from + found.length };
}

// No number that a client writes is longer.
const word = /[-+.\w]{1,1000}/y;

function parsed(json: string): unknown {
  return JSON.parse(json);
}

function malformed(): SyntaxError {
  return new SyntaxError('not valid JSON');
}

function tooMany(what: string): MemoryError {
  return new MemoryError('payload_too_large', `The body contains ${what}; send less at once`);
}
