import { describe, expect, it } from 'vitest';
import { parseTranscript, type TranscriptLabels, type TranscriptMessage } from '../../src/ingestion/transcript.js';
import { MemoryError } from '../../src/model/errors.js';
import fc from '../support/properties.js';

const userNames = ['User', 'You', 'Human', 'Me'];
const assistantNames = ['Assistant', 'AI', 'Bot', 'Copilot', 'Microsoft Copilot', 'Claude', 'Gemini', 'ChatGPT', 'GPT'];

describe('parseTranscript', () => {
  it.each([...userNames.map((name) => [name, 'user']), ...assistantNames.map((name) => [name, 'assistant'])])(
    'knows the speaker %s in any case',
    (name, role) => {
      for (const label of [name, name.toUpperCase(), name.toLowerCase()]) {
        expect(parseTranscript(`${label}: hello`, 'common')).toEqual([{ role, text: 'hello' }]);
      }
    },
  );

  it('keeps the lines and the blank lines of a message, and drops those around it', () => {
    const messages = parseTranscript('\n\nUser: one\n\n  two\n\n\nAssistant:\n\n  indented\nlast  \n\n', 'common');
    expect(messages).toEqual([
      { role: 'user', text: 'one\n\n  two' },
      { role: 'assistant', text: '  indented\nlast  ' },
    ]);
  });

  it('reads turns as web pages announce them', () => {
    const messages = parseTranscript('You said:\nIs it blue?\n\nChatGPT said:\n\nIt is.\n', 'common');
    expect(messages).toEqual([
      { role: 'user', text: 'Is it blue?' },
      { role: 'assistant', text: 'It is.' },
    ]);
  });

  it('takes "You said: …" inside a message for a sentence', () => {
    const messages = parseTranscript('AI: Well.\nYou said: maybe.\nThe user: unknown.', 'common');
    expect(messages).toEqual([{ role: 'assistant', text: 'Well.\nYou said: maybe.\nThe user: unknown.' }]);
  });

  it('reads labels in bold, with the colon on either side', () => {
    expect(parseTranscript('**User:** a\n**Claude**: b', 'common')).toEqual([
      { role: 'user', text: 'a' },
      { role: 'assistant', text: 'b' },
    ]);
  });

  it('leaves labels inside a fenced code block alone', () => {
    const code = '```yaml\nUser: root\n~~~\nAssistant: none\n```';
    expect(parseTranscript(`User: ${code}\nAI: ok\n~~~\nMe: no\n~~~~`, 'common')).toEqual([
      { role: 'user', text: code },
      { role: 'assistant', text: 'ok\n~~~\nMe: no\n~~~~' },
    ]);
  });

  it('does not let a fence without an end swallow the rest', () => {
    expect(parseTranscript('User: ```\nAI: closed?\n~~~\nUser: no', 'common')).toEqual([
      { role: 'user', text: '```' },
      { role: 'assistant', text: 'closed?\n~~~' },
      { role: 'user', text: 'no' },
    ]);
  });

  it('reads a file with a byte order mark and any line ends', () => {
    expect(parseTranscript('\uFEFFUser: a\r\nb\rAI: c', 'common')).toEqual([
      { role: 'user', text: 'a\nb' },
      { role: 'assistant', text: 'c' },
    ]);
  });

  it('knows only User and Assistant when it is strict', () => {
    expect(parseTranscript('user: a\nClaude: b\n**AI:** c\nYou said:\nASSISTANT: d', 'strict')).toEqual([
      { role: 'user', text: 'a\nClaude: b\n**AI:** c\nYou said:' },
      { role: 'assistant', text: 'd' },
    ]);
    expect(failure('Claude: b', 'strict').message).toContain('line 1');
  });

  it.each([
    ['text before the first label', '\n \nhello\nUser: hi', 'line 3 comes before the first speaker label'],
    ['no label at all', 'just words', 'line 1 comes before the first speaker label'],
    ['a message without text', 'User: hi\nAI:\n  \nUser: there?', 'line 2 begins a message without text'],
    ['a last message without text', 'User: hi\nAI said:', 'line 2 begins a message without text'],
    ['nothing', ' \n\n', 'transcript is empty'],
  ])('refuses %s and names the line', (_, transcript, message) => {
    const error = failure(transcript);
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('hello');
  });

  it('refuses more than five million bytes', () => {
    expect(failure(`User: ${'ä'.repeat(2_500_000)}`).code).toBe('payload_too_large');
  });

  it('stays quick on a page of stray code marks', () => {
    const messages = parseTranscript(`User: a\n${'```js\n'.repeat(800_000)}`, 'common');
    expect(messages).toHaveLength(1);
  });

  it('gives back the messages that were written as labelled lines', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1 }), fc.constantFrom('\n', '\r\n'), (messages, lineEnd) => {
        const lines = messages.flatMap(({ label, message: { text } }) => [label + text, '']);
        const parsed = parseTranscript(lines.join('\n').replaceAll('\n', lineEnd), 'common');
        expect(parsed).toEqual(messages.map((each) => each.message));
      }),
    );
  });

  it('returns messages with text or throws', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), label, fence, fc.constant('')), { maxLength: 20 }), (lines) => {
        try {
          const messages = parseTranscript(lines.join('\n'), 'common');
          expect(messages.every(({ text }) => /\S/.test(text))).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_input' });
        }
      }),
    );
  });
});

const allNames = [...userNames, ...assistantNames];
const fence = fc.constantFrom('```', '````', '~~~', '```js');
const label = fc
  .constantFrom(...allNames)
  .chain((name) => fc.constantFrom(`${name}: `, `${name}:\n`, `**${name}:** `, `**${name}**: `, `${name} said:\n`));

/** A line that can be neither a label nor a fence, with text. */
const plainLine = fc
  .string({ unit: 'grapheme' })
  .filter((line) => /\S/.test(line) && !/[\r\n:`~]/.test(line))
  .map((line) => line.replace(/^[ \t]+/, ''))
  .filter((line) => line !== '' && !line.startsWith('\uFEFF'));

/** Code whose lines look like labels. */
const codeBlock = fc
  .tuple(
    fc.constantFrom('```', '~~~~'),
    fc.array(
      fc.oneof(
        plainLine,
        label.map((text) => `${text.trim()} x`),
      ),
    ),
  )
  .map(([mark, lines]) => [mark, ...lines, mark].join('\n'));

const text = fc
  .array(fc.oneof(plainLine, codeBlock, fc.constant('\n')), { minLength: 1 })
  .map((parts) => parts.join('\n').replace(/^\s+|\n\s*$/g, ''))
  .filter((whole) => /\S/.test(whole));

const message = fc.tuple(label, text).map(([spoken, body]) => {
  const name = spoken.replaceAll('*', '').replace(/( said)?:\s*$/, '');
  const role = userNames.includes(name) ? 'user' : 'assistant';
  return { label: spoken, message: { role, text: body } as TranscriptMessage };
});

function failure(transcript: string, labels: TranscriptLabels = 'common'): MemoryError {
  try {
    parseTranscript(transcript, labels);
  } catch (error) {
    if (error instanceof MemoryError) return error;
  }
  throw new Error('expected the transcript to be refused');
}
