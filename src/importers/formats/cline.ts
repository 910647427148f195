import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import {
  joined,
  list,
  nothing,
  object,
  present,
  readJsonFile,
  type Shape,
  saidAt,
  text,
  time,
} from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const roots = ['.config', 'Library/Application Support', 'AppData/Roaming'];
const extensions = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline', 'kilocode.kilo-code'];
const stored = extensions.map((extension) => `User/globalStorage/${extension}/tasks`);

/** Cline and its forks Roo Code and Kilo Code: one file per task with the messages shown on screen. */
export const cline: Importer = {
  name: 'cline',
  label: 'Cline and Roo Code',
  howTo: 'They keep their tasks in the globalStorage folder of the editor; give the folder tasks',
  accepts: (path) => /(^|\/)(ui_messages|claude_messages)\.json$/.test(path),
  recognises: ({ text: head }) =>
    /^\s*\[\s*\{/.test(head) && /"ts"\s*:\s*\d/.test(head) && /"(say|ask)"\s*:\s*"/.test(head),
  places: [
    ...editors.flatMap((editor) => roots.flatMap((root) => stored.map((place) => `${root}/${editor}/${place}`))),
    '.cline/data/tasks',
  ],
  rewrites: true,
  read: (file) => readJsonFile(file, found),
};

function* found(value: unknown, file: SourceFile): Generator<Found> {
  if (!Array.isArray(value)) {
    yield nothing(file.path);
    return;
  }
  const records = value.map(object);
  const judged = records.map((record, index) => turnOf(record, index));
  const messages = judged.filter((each) => typeof each !== 'string');
  // The folder is named after the task.
  const id = (file.onDisk ?? file.path).replaceAll('\\', '/').split('/').at(-2);
  const platform = /roo-cline/.test(file.onDisk ?? file.path) ? 'roo-code' : 'cline';
  yield chatOf(judged, file.path, {
    source: platform,
    ...present({ title: firstWords({ messages }), timestamp: time(records[0]?.ts) ?? file.changedAt }),
    metadata: present({ upstream_thread_id: id, importer: 'cline', platform }),
  });
}

/** Messages from and to the user. The first text of a task is the task itself. */
function turnOf(record: Shape, index: number): Judged {
  const { type, say, ask, partial } = record;
  const kind = text(type === 'ask' ? ask : say) ?? '';
  const written = text(record.text);
  const images = [
    ...list(record.images).map(() => '[image]'),
    ...list(record.files).map((name) => `[file: ${String(name)}]`),
  ];
  const at = saidAt(record.ts);
  const isPerson = kind === 'task' || /^user_feedback/.test(kind) || (index === 0 && type === 'say' && kind === 'text');
  if (isPerson) {
    const said = joined([kind === 'user_feedback_diff' ? undefined : written, ...images]);
    return said === '' ? notKept.empty : { role: 'user', text: said, ...at };
  }
  const isSaid =
    kind === 'text' || kind === 'completion_result' || kind === 'followup' || /^plan_mode_respond/.test(kind);
  if (!isSaid) return kind === 'reasoning' ? notKept.thinking : notKept.tool;
  if (partial === true) return notKept.underWay;
  const said = questionIn(written ?? '');
  return said === '' ? notKept.empty : { role: 'assistant', text: said, ...at };
}

/** Questions with suggested answers, and plans, are JSON; older versions used plain text. */
function questionIn(written: string): string {
  const plain = written.replace(/HAS_CHANGES$/, '').trim();
  if (!plain.startsWith('{')) return plain;
  try {
    const { question, response, options, suggest } = object(JSON.parse(plain));
    const choices = list(options ?? suggest).map((each) => text(each) ?? text(object(each).answer));
    const asked = text(question) ?? text(response);
    return asked === undefined ? plain : joined([asked, choices.map((choice) => `- ${choice}`).join('\n')]);
  } catch {
    // Plain text that begins with a brace.
    return plain;
  }
}
