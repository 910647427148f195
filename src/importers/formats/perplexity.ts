import { runYielding } from '../../concurrency/yielding.js';
import type { Steps } from '../../model/steps.js';
import { type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import { present, wholeText } from '../reading/json.js';
import { firstWords } from '../reading/session-log.js';

/** A Perplexity thread as Markdown: each question is a heading, and its sources follow the answer. */
export const perplexity: Importer = {
  name: 'perplexity',
  label: 'Perplexity',
  howTo: 'In a thread: … > Export as Markdown; give the files',
  accepts: (path) => path.endsWith('.md'),
  recognises: ({ text: head }) => /^\s*<img src="https:\/\/[a-z0-9.]*(perplexity|pplx)[^>]*>/.test(head),
  read: (file) => read(file),
};

async function* read(file: SourceFile): AsyncGenerator<Found> {
  const whole = await wholeText(file.read(), limits.fileBytes);
  if (whole === undefined) {
    yield { kind: 'skipped', place: file.path, reason: 'it is too large' };
    return;
  }
  const judged = await runYielding(readingExchanges(whole));
  const messages = judged.filter((each) => typeof each !== 'string');
  const name = file.path.split('/').at(-1)?.replace(/\.md$/, '');
  yield chatOf(judged, file.path, {
    source: 'perplexity',
    ...present({ title: firstWords({ messages }), timestamp: file.changedAt }),
    metadata: present({ upstream_thread_id: name, importer: 'perplexity', platform: 'perplexity' }),
  });
}

/** The end of an answer's sources, and the line before the next question. */
const separator = /\n---\s*\n(?=# )/;

/** In steps: an answer may have megabytes. */
function* readingExchanges(whole: string): Steps<Judged[]> {
  const body = whole.replace(/^\s*<img[^<>]*>/, '').replaceAll('\r\n', '\n');
  yield;
  const judged: Judged[] = [];
  for (const part of body.split(separator)) {
    yield;
    judged.push(...(yield* readingExchange(part)));
  }
  return judged;
}

function* readingExchange(part: string): Steps<Judged[]> {
  const asked = /^[ \t]*# (.*)$/m.exec(part);
  if (asked === null) return part.trim() === '' ? [] : [notKept.form];
  const answer = part.slice(asked.index + asked[0].length).replace(/^[ \t]*---[ \t]*$/m, '');
  yield;
  const said = yield* withoutSources(answer);
  return [
    (asked[1] ?? '').trim() === '' ? notKept.empty : { role: 'user', text: (asked[1] ?? '').trim() },
    said === '' ? notKept.empty : { role: 'assistant', text: said },
  ];
}

/** Removes source numbers, which mean nothing without their list; the list is kept as URLs. */
function* withoutSources(answer: string): Steps<string> {
  let said = answer;
  for (const [mark, instead] of sourceMarks) {
    said = said.replace(mark, instead);
    yield;
  }
  return said.trim();
}

const sourceMarks: readonly (readonly [RegExp, string])[] = [
  [/<span style="display:none">[^<]*<\/span>/g, ''],
  [/<div align="center">\s*⁂\s*<\/div>/g, ''],
  [/\[\^[\w-]{1,20}\](?!:)/g, ''],
  [/^\[\^[\w-]{1,20}\]:\s*/gm, '- '],
  [/\n{3,}/g, '\n\n'],
];
