import { isObject } from '../model/json.js';

export const responseFormats = ['concise', 'detailed'] as const;
export type ResponseFormat = (typeof responseFormats)[number];

const longestText = 1_000;

/**
 * Every field of an answer, but conversations without their messages and long texts cut with a marker: a handful of
 * results must not fill a model's context.
 */
export function concise(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value)) return value.map(concise);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !(key === 'messages' && isConversation(value)));
  return Object.fromEntries(kept.map(([key, each]) => [key, concise(each)]));
}

function isConversation(value: Record<string, unknown>): boolean {
  return 'id' in value && 'source' in value && Array.isArray(value.messages);
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  // Not between the two halves of one character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longestText - 1)) ? longestText - 1 : longestText;
  return `${text.slice(0, end)}… [${text.length - end} more characters; response_format "detailed" shows them]`;
}
