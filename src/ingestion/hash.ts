import { hash } from 'node:crypto';
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
  const digest = hash('sha1', `threadkeep:chunk:${conversationId}:${chunkIndex}`, 'hex');
  const variant = variants[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 28)}0000`;
}

const variants = '89ab';

function sha256(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
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
