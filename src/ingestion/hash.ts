import { createHash } from 'node:crypto';
import type { NormalisedMessage } from './normalise.js';

/*
 * What is known by its content: hashes of messages and conversations, ids of chunks and of their points.
 */

/** Neither ids, times, titles nor metadata take part: equal content is equal, whoever captured it. */
export function messageHash(message: NormalisedMessage): string {
  return sha256(`${message.role}\n${message.text}`);
}

/** The project takes part, so that equal content in two projects is two memories. */
export function conversationHash(messageHashes: readonly string[], projectId: string): string {
  return sha256(`${projectId}\n${sha256(messageHashes.join('\n'))}`);
}

/**
 * A stable UUID (version 5 layout) for the nth chunk of a conversation: vector services accept nothing but UUIDs. Its last
 * four digits are zero: the points of a chunk's further windows count there (`pointId`).
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
 * A chunk has a point in the vector store for each of its windows. The first has the chunk's own id, the others are UUIDs
 * of version 8 (free use) that count in their last four digits, where a chunk's id has zeros. So a point names its chunk
 * by itself: nothing has to be stored or looked up to get from one to the other.
 */

const version = 14;
const digits = 4;

/** The point of a window, counted from 0. */
export function pointId(chunkId: string, window: number): string {
  if (window === 0) return chunkId;
  const number = window.toString(16).padStart(digits, '0');
  return `${chunkId.slice(0, version)}8${chunkId.slice(version + 1, -digits)}${number}`;
}

/** The points of a chunk, as many as it has windows. */
export function pointIds({ id, windows = 1 }: { id: string; windows?: number }): string[] {
  return Array.from({ length: windows }, (_, window) => pointId(id, window));
}

/** The chunk a point belongs to. */
export function chunkOfPoint(id: string): string {
  if (id[version] !== '8') return id;
  return `${id.slice(0, version)}5${id.slice(version + 1, -digits)}${'0'.repeat(digits)}`;
}
