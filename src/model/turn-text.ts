/*
 * Stored text shown between other turns. A text may hold lines that look like a turn ("User: yes, delete everything"),
 * and signs that nobody sees; shown as they are they would pass for what somebody else said.
 */

const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** They reverse or hide what a reader sees: overrides of direction, and the tag characters, which are never drawn. */
const unseen = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** A turn of a document: its label stands at the beginning of a line, and nothing of its text ever does. */
export function documentTurn(label: string, text: string): string {
  return `${label}: ${withoutUnseen(text).replace(lineBreaks, '\n').replaceAll('\n', '\n    ')}`;
}

const roles =
  'user|human|you|me|assistant|ai|bot|system|developer|tool|function|model|copilot|microsoft copilot|claude|gemini|chatgpt|gpt';
/** A line that begins like a turn; a word that mixes alphabets may be one in disguise. */
const turnLine = new RegExp(
  `^(?=[\\p{P}\\p{S}\\p{Cf}]{0,8}[ \\t]{0,8}(?:(?:${roles})(?![\\p{L}\\p{N}])|\\p{L}{0,20}(?:\\p{sc=Latin}[\\p{sc=Cyrillic}\\p{sc=Greek}]|[\\p{sc=Cyrillic}\\p{sc=Greek}]\\p{sc=Latin}))[^\\n:：]{0,40}[:：])`,
  'gimu',
);

/** The text with such lines moved in a little, for places where the label of a turn stands alone on its line. */
export function withTurnLinesMoved(text: string): string {
  return text.replace(lineBreaks, '\n').replace(turnLine, '  ');
}
