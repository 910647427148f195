import type { Role } from '../model/conversation.js';

/*
 * How a conversation is cut for search: chunks, and the windows of a long one.
 */

export type ChunkingStrategy = 'message' | 'token';

/** A chunk is a slice of one message: it holds positions, not a second copy of the text. */
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
 * no chunk, but keeps its number: with one chunk per message, the chunk is numbered like its message.
 */
export function chunkMessages(
  messages: readonly { role: Role; text: string }[],
  settings: ChunkSettings,
  first: { messageIndex: number; chunkIndex: number } = { messageIndex: 0, chunkIndex: 0 },
): ChunkSlice[] {
  let chunkIndex = first.chunkIndex;
  return messages.flatMap(({ role, text }, offset) =>
    slicesOf(text, settings)
      .map(({ start, end }) => ({
        chunkIndex: chunkIndex++,
        messageIndex: first.messageIndex + offset,
        role,
        start,
        end,
      }))
      .filter(({ start, end }) => /\S/.test(text.slice(start, end))),
  );
}

function slicesOf(text: string, settings: ChunkSettings): { start: number; end: number }[] {
  if (settings.strategy === 'message') return [{ start: 0, end: text.length }];
  return settings.tokenizer.windows(text, { size: settings.maxTokens, overlap: settings.overlapTokens });
}

/*
 * A vector of four thousand words is near to nothing in particular, so a long text is embedded as several windows. They
 * are of about equal length, because a window of three words left over at the end would be near to everything that
 * mentions them, and they end where a thought does.
 */

/** Shorter texts stay whole: cutting those too finds single sentences and loses what they are about. */
const longText = 3_000;
/** Letters of a window: a paragraph must be able to make up half of it. */
const windowLength = 800;
/** A limit for what one message may cost; beyond it windows grow longer. */
const mostWindows = 1_000;
/** How far from its place a cut may move to find the end of a thought, as a share of a window. */
const reach = 0.15;
/** Letters that a window may repeat of the one before, so that a thought on the border is whole in one of them. */
const overlap = 150;

/** How many windows a text is worth; 1 for all but long ones. */
export function windowCount(text: string): number {
  // Most turns are so short that nothing has to be counted.
  if (text.length * wideWeight < longText) return 1;
  const weight = weightOf(text);
  return weight < longText ? 1 : Math.min(mostWindows, Math.round(weight / windowLength));
}

/** The text in `count` windows. */
export function windowsOf(text: string, count: number): string[] {
  return windowSpans(text, count).map(({ start, end }) => text.slice(start, end));
}

/** Where each window begins and ends: each where the one before ends or a little earlier, so that nothing is lost. */
export function windowSpans(text: string, count: number): { start: number; end: number }[] {
  if (count <= 1) return [{ start: 0, end: text.length }];
  const cuts = cutsOf(text, count);
  const starts = [0, ...cuts.map((cut) => overlappingStart(text, cut))];
  const ends = [...cuts, text.length];
  return starts.map((start, index) => ({ start, end: ends[index] ?? text.length }));
}

/** One sign of these scripts says about as much as this many letters. */
const wideWeight = 2.5;

/** Han, kana and Hangul syllables, as far as they are one UTF-16 unit; the rest counts as two letters. */
function unitWeight(unit: number): number {
  return (unit >= 0x3040 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3) ? wideWeight : 1;
}

function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) weight += unitWeight(text.charCodeAt(at));
  return weight;
}

/** The places between windows, in order: evenly spread, each moved to the best end of a thought nearby. */
function cutsOf(text: string, count: number): number[] {
  const share = weightOf(text) / count;
  const cuts: number[] = [];
  let weight = 0;
  for (let at = 0; at < text.length && cuts.length < count - 1; at++) {
    weight += unitWeight(text.charCodeAt(at));
    if (weight < share * (cuts.length + 1)) continue;
    const letters = share / unitWeight(text.charCodeAt(at));
    cuts.push(bestCut(text, at + 1, Math.floor(letters * reach)));
  }
  return cuts;
}

/** What ends a thought, the clearest sign first. */
const thoughtEnds = [/\n\s*\n/g, /\n/g, /[.!?…؟۔][\p{Pe}\p{Pf}"']*(?=\s)|[。！？｡]\p{Pe}*/gu, /\s/g];

function bestCut(text: string, place: number, distance: number): number {
  const from = Math.max(0, place - distance);
  const around = text.slice(from, place + distance);
  for (const end of thoughtEnds) {
    const places = [...around.matchAll(end)].map((match) => from + match.index + match[0].length);
    const nearest = places.sort((one, other) => Math.abs(one - place) - Math.abs(other - place))[0];
    if (nearest !== undefined) return wholeCharacter(text, nearest);
  }
  return wholeCharacter(text, place);
}

/** The start of the last thought before a cut, if it is not far. */
function overlappingStart(text: string, cut: number): number {
  const from = Math.max(0, cut - overlap);
  const before = text.slice(from, cut).trimEnd();
  for (const end of thoughtEnds) {
    const places = [...before.matchAll(end)].map((match) => match.index + match[0].length);
    const last = places.filter((place) => place < before.length).at(-1);
    if (last !== undefined) return wholeCharacter(text, from + last);
  }
  return wholeCharacter(text, from);
}

function wholeCharacter(text: string, place: number): number {
  const insidePair = (text.codePointAt(place - 1) ?? 0) > 0xffff;
  return insidePair ? place - 1 : place;
}
