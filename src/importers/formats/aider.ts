import { textLines } from '../../model/text.js';
import { type Found, type ImportedMessage, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import { present, saidAt, time } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/** Aider's chat history: one append-only Markdown file for all sessions in a folder. */
export const aider: Importer = {
  name: 'aider',
  label: 'Aider',
  howTo:
    'It keeps its chats in .aider.chat.history.md of each repository; give that file, or the folder with your repositories',
  accepts: (path) => /(^|\/)\.aider\.chat\.history\.md$/.test(path),
  recognises: ({ text: head }) => /^# aider chat started at \d{4}-/m.test(head.slice(0, 2_000)),
  async *read(file) {
    let session: SessionOfLines | undefined;
    let number = 0;
    for await (const lines of textLines(file.read(), limits.lineBytes)) {
      for (const line of lines) {
        const began =
          line === undefined ? null : /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/.exec(line);
        if (began !== null) {
          if (session !== undefined) yield session.finish();
          number += 1;
          session = sessionOf(`${file.path} session ${number}`, began[1] ?? '', file);
        } else if (line === undefined) yield { kind: 'skipped', place: file.path, reason: 'a line is too long' };
        else session?.line(line);
      }
    }
    yield session?.finish() ?? { kind: 'skipped', place: file.path, reason: 'it has no messages' };
  },
};

interface SessionOfLines {
  line(line: string): void;
  finish(): Found;
}

/**
 * `#### ` begins a line typed by the user, `> ` a line written by the program; the rest is the answer. Both end with two
 * blanks, unlike headings and quotations in an answer; an editor may have removed them.
 */
function sessionOf(place: string, began: string, file: SourceFile): SessionOfLines {
  const judged: Judged[] = [];
  let speaker: 'user' | 'assistant' | 'program' | undefined;
  let said: string[] = [];
  let isFenced = false;
  let hasBlanks = false;
  // Local time without a zone.
  const timestamp = time(began.replace(' ', 'T'));
  const end = (): void => {
    const whole = said.join('\n').trim();
    if (speaker === 'program' && whole !== '') judged.push(notKept.program);
    else if (speaker !== undefined && speaker !== 'program' && whole !== '') {
      judged.push({ role: speaker, text: whole, ...saidAt(timestamp) });
    }
    said = [];
  };
  const become = (next: 'user' | 'assistant' | 'program'): void => {
    if (speaker === next) return;
    end();
    speaker = next;
  };
  return {
    line(line) {
      if (speaker === 'assistant' && /^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
      const isAnswer = isFenced || (speaker === 'assistant' && hasBlanks && !line.endsWith('  '));
      if (!isAnswer && line.startsWith('#### ')) {
        hasBlanks ||= line.endsWith('  ');
        become('user');
        said.push(line.slice(5).replace(/ {2}$/, ''));
      } else if (!isAnswer && /^>( |$)/.test(line)) {
        become('program');
        said.push(line.slice(2));
      } else if (line.trim() !== '') {
        become('assistant');
        said.push(line);
      } else if (said.length > 0) said.push('');
    },
    finish() {
      end();
      const messages = judged.filter((each): each is ImportedMessage => typeof each !== 'string');
      return chatOf(judged, place, {
        source: 'aider',
        ...present({ title: firstWords({ messages }), timestamp: timestamp ?? file.changedAt }),
        metadata: present({ upstream_thread_id: threadOf(file, began), importer: 'aider', platform: 'aider' }),
      });
    },
  };
}

/** Sessions have no id, so the file and the start time identify them. */
function threadOf({ onDisk, path }: SourceFile, began: string): string {
  return `${(onDisk ?? path).replaceAll('\\', '/').split('/').slice(-2, -1).join('/')} ${began}`.trim();
}
