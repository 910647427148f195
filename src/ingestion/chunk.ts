import type { Role } from '../model/conversation.js';
import { finished, type Steps } from '../model/steps.js';

/*
 * Splits a conversation for search: into chunks, and long chunks into windows.
 */

export type ChunkingStrategy = 'message' | 'token';

/** A chunk is a slice of one message: it holds offsets, not a second copy of the text. */
export interface ChunkSlice {
  chunkIndex: number;
  messageIndex: number;
  role: Role;
  start: number;
  end: number;
}

interface Windows {
  windows(text: string, options: { size: number; overlap: number }): { start: number; end: number }[];
}

interface ChunkSettings {
  strategy: ChunkingStrategy;
  maxTokens: number;
  overlapTokens: number;
  tokenizer: Windows;
}

/**
 * `first` continues the numbering of a stored conversation when messages are appended to it. A slice without text is
 * not a chunk but keeps its number: with one chunk per message, a chunk has the same number as its message.
 */
export function chunkMessages(...given: Parameters<typeof slicing>): ChunkSlice[] {
  return finished(slicing(...given));
}

/** The same in steps, one for each message: there may be thousands. */
export function* slicing(
  messages: readonly { role: Role; text: string }[],
  settings: ChunkSettings,
  first: { messageIndex: number; chunkIndex: number } = { messageIndex: 0, chunkIndex: 0 },
): Steps<ChunkSlice[]> {
  const slices: ChunkSlice[] = [];
  let chunkIndex = first.chunkIndex;
  for (const [offset, { role, text }] of messages.entries()) {
    for (const { start, end } of slicesOf(text, settings)) {
      const slice = { chunkIndex: chunkIndex++, messageIndex: first.messageIndex + offset, role, start, end };
      if (/\S/.test(text.slice(start, end))) slices.push(slice);
    }
    yield;
  }
  return slices;
}

function slicesOf(text: string, settings: ChunkSettings): { start: number; end: number }[] {
  if (settings.strategy === 'message') return [{ start: 0, end: text.length }];
  return settings.tokenizer.windows(text, { size: settings.maxTokens, overlap: settings.overlapTokens });
}

/*
 * A single vector for four thousand words is close to nothing in particular, so a long text is embedded as several
 * windows. They have about equal length, because a three-word remainder would be close to everything that mentions
 * those words, and they end at sentence or paragraph boundaries.
 */

/** Shorter texts stay whole: splitting them finds single sentences but loses their context. */
const longText = 3_000;
/** Letters per window: short enough that one paragraph can make up half of it. */
const windowLength = 800;
/** Limits the cost of one message; beyond it, windows grow longer. */
const mostWindows = 1_000;
/** How far a cut may move to reach a boundary, as a share of a window. */
const reach = 0.15;
/** Letters that a window may repeat from the one before, so that a sentence at the border is whole in one of them. */
const overlap = 150;

/** The number of windows for a text; 1 for all but long ones. */
export function windowCount(text: string): number {
  // Shortcut: most turns are too short to need counting.
  if (text.length * wideWeight < longText) return 1;
  const weight = weightOf(text);
  return weight < longText ? 1 : Math.min(mostWindows, Math.round(weight / windowLength));
}

/** The text split into `count` windows. */
export function windowsOf(text: string, count: number): string[] {
  return finished(cuttingWindows(text, count));
}

/** The same in steps: a message may have a megabyte. */
export function* cuttingWindows(text: string, count: number): Steps<string[]> {
  const spans = yield* findingWindows(text, count);
  return spans.map(({ start, end }) => text.slice(start, end));
}

/** The offsets of each window. Each starts at or slightly before the end of the previous one, so no text is skipped. */
export function windowSpans(text: string, count: number): { start: number; end: number }[] {
  return finished(findingWindows(text, count));
}

function* findingWindows(text: string, count: number): Steps<{ start: number; end: number }[]> {
  if (count <= 1) return [{ start: 0, end: text.length }];
  const cuts = yield* findingCuts(text, count);
  const starts = [0];
  for (const cut of cuts) {
    starts.push(overlappingStart(text, cut));
    yield;
  }
  const ends = [...cuts, text.length];
  return starts.map((start, index) => ({ start, end: ends[index] ?? text.length }));
}

/** One character of these scripts contains about as much as this many letters. */
const wideWeight = 2.5;

/** Han, kana and Hangul syllables that are a single UTF-16 unit; others count as two letters. */
function unitWeight(unit: number): number {
  return (unit >= 0x3040 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3) ? wideWeight : 1;
}

function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) weight += unitWeight(text.charCodeAt(at));
  return weight;
}

/** The cuts between windows, in order: evenly spaced, each moved to the best boundary nearby. */
function* findingCuts(text: string, count: number): Steps<number[]> {
  const share = weightOf(text) / count;
  const cuts: number[] = [];
  let weight = 0;
  for (let at = 0; at < text.length && cuts.length < count - 1; at++) {
    weight += unitWeight(text.charCodeAt(at));
    if (weight < share * (cuts.length + 1)) continue;
    const letters = share / unitWeight(text.charCodeAt(at));
    cuts.push(bestCut(text, at + 1, Math.floor(letters * reach)));
    yield;
  }
  return cuts;
}

/** Boundaries to cut at, the strongest first. */
const thoughtEnds = [/\n\s*\n/g, /\n/g, /[.!?…؟۔][\p{Pe}\p{Pf}"']*(?=\s)|[。！？｡]\p{Pe}*/gu, /\s/g];

function bestCut(text: string, place: number, distance: number): number {
  const from = Math.max(0, place - distance);
  const around = text.slice(from, place + distance);
  for (const end of thoughtEnds) {
    let nearest: number | undefined;
    for (const match of around.matchAll(end)) {
      const cut = from + match.index + match[0].length;
      if (nearest === undefined || Math.abs(cut - place) < Math.abs(nearest - place)) nearest = cut;
    }
    if (nearest !== undefined) return wholeCharacter(text, nearest);
  }
  return wholeCharacter(text, place);
}

/** The start of the last sentence before a cut, if it is close enough. */
function overlappingStart(text: string, cut: number): number {
  const from = Math.max(0, cut - overlap);
  const before = text.slice(from, cut).trimEnd();
  for (const end of thoughtEnds) {
    let last: number | undefined;
    for (const match of before.matchAll(end)) {
      const place = match.index + match[0].length;
      if (place < before.length) last = place;
    }
    if (last !== undefined) return wholeCharacter(text, from + last);
  }
  return wholeCharacter(text, from);
}

function wholeCharacter(text: string, place: number): number {
  const insidePair = (text.codePointAt(place - 1) ?? 0) > 0xffff;
  return insidePair ? place - 1 : place;
}
