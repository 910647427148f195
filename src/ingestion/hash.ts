import { createHash } from 'node:crypto';
import type { NormalisedMessage } from './normalise-messages.js';

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
 * four digits are zero: the points of a chunk's further windows count there (point-ids.ts).
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
