import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import { present, wholeText } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/**
 * A conversation exported as Markdown by Windsurf's Cascade or by Antigravity. Their own files are encrypted and cannot
 * be read by other programs.
 */
export const windsurf: Importer = {
  name: 'windsurf',
  label: 'Windsurf',
  howTo: 'In a Cascade chat: … > Download trajectory; give the Markdown files',
  accepts: (path) => path.endsWith('.md'),
  recognises: ({ text: head }) =>
    /^### User Input\s*$/m.test(head) && /^# .{0,40}Chat Conversation/m.test(head.slice(0, 2_000)),
  read: (file) => read(file),
};

const heading = /^### (User Input|Planner Response)[ \t]*\r?$/gm;

async function* read(file: SourceFile): AsyncGenerator<Found> {
  const whole = await wholeText(file.read(), limits.fileBytes);
  if (whole === undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  const marks = [...whole.matchAll(heading)];
  const judged = marks.map(({ index, 0: mark, 1: speaker }, at): Judged => {
    const section = whole.slice(index + mark.length, marks[at + 1]?.index ?? whole.length);
    const isAnswer = speaker === 'Planner Response';
    const said = isAnswer ? withoutWork(section) : section.trim();
    if (said === '') return isAnswer && section.trim() !== '' ? notKept.tool : notKept.empty;
    return { role: isAnswer ? 'assistant' : 'user', text: said };
  });
  const messages = judged.filter((each) => typeof each !== 'string');
  const name = file.path.split('/').at(-1)?.replace(/\.md$/, '');
  yield chatOf(judged, file.path, {
    source: 'windsurf',
    ...present({ title: firstWords({ messages }) ?? name, timestamp: file.changedAt }),
    metadata: present({ upstream_thread_id: name, importer: 'windsurf', platform: 'windsurf' }),
  });
}

/** Lines in italics record files viewed, searches and commands. */
const work =
  /^\*(Viewed|Listed|Grep|Edited|Searched|Ran|Checked|User (accepted|rejected)|Analyzed|Created|Deleted|Found|Read)\b.*\*[ \t]*\r?$/gm;

function withoutWork(section: string): string {
  return section
    .replace(work, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
