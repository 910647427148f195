import type { Role } from '../model/conversation.js';

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
