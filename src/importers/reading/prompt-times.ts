import type { ImportedMessage } from '../contract.js';

/** Where a program notes only when it began to answer: the prompt was sent at that moment. */
export function withPromptTimes(messages: readonly ImportedMessage[]): ImportedMessage[] {
  return messages.map((message, index) => {
    const answer = messages[index + 1];
    if (message.role !== 'user' || message.timestamp !== undefined) return message;
    return answer?.role === 'assistant' && answer.timestamp !== undefined
      ? { ...message, timestamp: answer.timestamp }
      : message;
  });
}
