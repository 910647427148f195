import type { Role } from './conversation.js';

/** A chunk that a search found: where it is, who said it and when. Every stage of a search passes this and adds to it. */
export interface FoundChunk {
  chunkId: string;
  conversationId: string;
  chunkIndex: number;
  messageIndex: number;
  role: Role;
  /** The name in front of the turn, in a conversation between people. */
  speaker?: string;
  text: string;
  /** When it was said, UTC. */
  at: string;
  /** The timestamp that the message was sent with; absent where the conversation's is used. */
  timestamp?: string;
}

/** A found chunk after ranking. The optional fields are what an answer adds to it. */
export interface Hit extends FoundChunk {
  /** The fused score that orders the results, higher is better. */
  relevance: number;
  /** A reply that only repeats or praises this message: its words for the thing count as part of the message. */
  echo?: string;
  /** Cut to fit a token budget. */
  truncated?: true;
  /** 0 to 1; absent without a model. */
  similarity?: number;
}
