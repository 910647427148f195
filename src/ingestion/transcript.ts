import { derived, wordList } from '../language/languages.js';
import type { Role } from '../model/conversation.js';
import { invalidInput, MemoryError } from '../model/errors.js';

export interface TranscriptMessage {
  role: Role;
  text: string;
}

/** `strict` accepts only `User:` and `Assistant:`; `common` also the names and spellings that people paste. */
export type TranscriptLabels = 'strict' | 'common';

export const maxTranscriptBytes = 5_000_000;

/**
 * Parses a pasted conversation into messages. A message begins at a line with a speaker label and ends at the next one;
 * a label inside a fenced code block is text. Throws `invalid_input` with the line for text before the first label, a
 * missing label, or a message without text.
 */
export function parseTranscript(transcript: string, labels: TranscriptLabels): TranscriptMessage[] {
  if (Buffer.byteLength(transcript) > maxTranscriptBytes) {
    throw new MemoryError('payload_too_large', `The transcript is larger than ${maxTranscriptBytes} bytes`);
  }
  const lines = transcript.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const messages: OpenMessage[] = [];
  const endOfFence = fenceFinder(lines);
  let fenceEnd = -1;
  for (const [index, line] of lines.entries()) {
    const label = index <= fenceEnd ? undefined : labelOf(line, labels);
    if (label !== undefined) messages.push({ role: label.role, labelLine: index + 1, lines: [label.rest] });
    else addLine(messages.at(-1), line, index + 1);
    if (index > fenceEnd) fenceEnd = endOfFence(index, label?.rest ?? line) ?? fenceEnd;
  }
  if (messages.length === 0) throw invalidInput('transcript', 'is empty');
  return messages.map(finished);
}

/** Whether a text begins like a pasted conversation, with a speaker label on its first line that is not blank. */
export function beginsLikeTranscript(text: string): boolean {
  const [, line = ''] = /^\uFEFF?\s*([^\r\n]*)/.exec(text) ?? [];
  return labelOf(line, 'common') !== undefined;
}

interface OpenMessage {
  role: Role;
  labelLine: number;
  lines: string[];
}

function addLine(message: OpenMessage | undefined, line: string, number: number): void {
  if (message !== undefined) message.lines.push(line);
  else if (isText(line)) {
    throw invalidInput(`line ${number}`, 'comes before the first speaker label; start with one such as "User:"');
  }
}

/** Blank lines around a message come from the page it was copied from; those inside belong to the message. */
function finished({ role, labelLine, lines }: OpenMessage): TranscriptMessage {
  const first = lines.findIndex(isText);
  if (first < 0) throw invalidInput(`line ${labelLine}`, 'begins a message without text');
  return { role, text: lines.slice(first, lines.findLastIndex(isText) + 1).join('\n') };
}

function isText(line: string): boolean {
  return /\S/.test(line);
}

/** Names of programs, which are the same in every language. */
const programs = ['copilot', 'microsoft copilot', 'claude', 'gemini', 'chatgpt', 'gpt'];

const labelForms = derived((languages) => {
  const words = languages.map(({ transcripts = {} }) => transcripts);
  const of = (role: Role, names: string[]) => names.map((name): [string, Role] => [name, role]);
  const speakers = new Map([
    ...of('user', ['user', ...words.flatMap(({ user = '' }) => wordList(user))]),
    ...of('assistant', ['assistant', ...words.flatMap(({ assistant = '' }) => wordList(assistant)), ...programs]),
  ]);
  const names = [...speakers.keys()].join('|');
  const said = words.flatMap((each) => wordList(each.said ?? '')).join('|') || '(?!)';
  const patterns: Record<TranscriptLabels, readonly RegExp[]> = {
    strict: [/^(user|assistant):(.*)$/is],
    common: [
      new RegExp(`^(${names}):(.*)$`, 'is'),
      // Markdown bold, with the colon inside or outside of it.
      new RegExp(`^\\*\\*(${names})(?::\\*\\*|\\*\\*:)(.*)$`, 'is'),
      // The form that web pages use; only alone on its line, because "You said: …" may also begin a sentence.
      new RegExp(`^(${names}) (?:${said}):(\\s*)$`, 'is'),
    ],
  };
  return { speakers, patterns };
});

function labelOf(line: string, labels: TranscriptLabels): { role: Role; rest: string } | undefined {
  const { speakers, patterns } = labelForms();
  for (const pattern of patterns[labels]) {
    const [, name = '', rest = ''] = pattern.exec(line) ?? [];
    const role = speakers.get(name.toLowerCase());
    if (role !== undefined) return { role, rest: rest.replace(/^[ \t]+/, '') };
  }
  return undefined;
}

/**
 * Finds the line that closes a code block. A fence that is never closed opens nothing: otherwise one stray mark would
 * swallow the rest of the conversation.
 */
function fenceFinder(lines: readonly string[]): (start: number, text: string) => number | undefined {
  // The shortest fence of each kind known to be unclosed, so that a page of stray marks is not searched once for each.
  const endless: Record<string, number> = {};
  return (start, text) => {
    const [, mark = ''] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(text) ?? [];
    const kind = mark.charAt(0);
    if (mark === '' || mark.length >= (endless[kind] ?? Number.POSITIVE_INFINITY)) return undefined;
    for (let index = start + 1; index < lines.length; index++) {
      const [, closing = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lines[index] ?? '') ?? [];
      if (closing.startsWith(mark)) return index;
    }
    endless[kind] = mark.length;
    return undefined;
  };
}
