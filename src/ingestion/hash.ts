import { createHash } from 'node:crypto';
import type { NormalisedMessage } from './normalise.js';

/*
 * Content hashes of messages and conversations, and the derived ids of chunks and points.
 */

/** Excludes ids, times, titles and metadata: equal content has an equal hash, no matter who captured it. */
export function messageHash(message: NormalisedMessage): string {
  return sha256(`${message.role}\n${message.text}`);
}

/** Includes the project, so that equal content in two projects is stored twice. */
export function conversationHash(messageHashes: readonly string[], projectId: string): string {
  return sha256(`${projectId}\n${sha256(messageHashes.join('\n'))}`);
}

/**
 * A stable UUID (version 5 layout) for the nth chunk of a conversation, because vector services accept only UUIDs. Its
 * last four digits are zero; `pointId` uses them to number the chunk's further windows.
 */
export function chunkId(conversationId: string, chunkIndex: number): string {
  const digest = createHash('sha1').update(`threadkeep:chunk:${conversationId}:${chunkIndex}`).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  digest[14] = 0;
  digest[15] = 0;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/*
 * A chunk has one point in the vector store for each of its windows. The first has the chunk's own id. The others are
 * version 8 UUIDs (custom format) with a counter in the last four digits, where a chunk's id has zeros. So the chunk of
 * a point can be computed from its id, without storing or looking up a mapping.
 */

const version = 14;
const digits = 4;

/** The point id of a window; the first window is 0. */
export function pointId(chunkId: string, window: number): string {
  if (window === 0) return chunkId;
  const number = window.toString(16).padStart(digits, '0');
  return `${chunkId.slice(0, version)}8${chunkId.slice(version + 1, -digits)}${number}`;
}

/** The point ids of a chunk, one for each window. */
export function pointIds({ id, windows = 1 }: { id: string; windows?: number }): string[] {
  return Array.from({ length: windows }, (_, window) => pointId(id, window));
}

/** The chunk a point belongs to. */
export function chunkOfPoint(id: string): string {
  if (id[version] !== '8') return id;
  return `${id.slice(0, version)}5${id.slice(version + 1, -digits)}${'0'.repeat(digits)}`;
}
