// The validation part of the training data, read as models/train/reader/lives.py reads it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const corpus = new URL('../../models/train/corpus/', import.meta.url).pathname;
const label = /\[\[([^\]|]+)\|([^\]|]+)\|([^\]|]+)\|([^\]|]+)\]\]/g;
const speakers = { u: 'user', a: 'assistant' };

/** Lives numbered 04 and 09 and every tenth history, which no model is trained on. */
export function keptLives() {
  const files = (folder, isKept) =>
    readdirSync(join(corpus, folder))
      .filter((name) => isKept.test(name))
      .sort()
      .map((name) => readLife(readFileSync(join(corpus, folder, name), 'utf8')));
  return [...files('lives', /-(04|09)\.txt$/), ...files('histories', /0\.txt$/)];
}

/** Every tenth message of a file. */
export function keptMessages() {
  return readdirSync(join(corpus, 'messages'))
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) =>
      readFileSync(join(corpus, 'messages', name), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !/^(#|```)/.test(line))
        .map((line) => labelled(line.slice(line.indexOf(' | ') + 3)))
        .filter((_, place) => place % 10 === 4),
    );
}

function labelled(raw) {
  let text = '';
  let at = 0;
  const facts = [];
  for (const found of raw.matchAll(label)) {
    text += raw.slice(at, found.index);
    const [, value = '', subject = '', relation = '', state = ''] = found.map((part) => part.trim());
    facts.push({ start: text.length, end: text.length + value.length, subject, relation, state });
    text += value;
    at = found.index + found[0].length;
  }
  return { text: text + raw.slice(at), facts };
}

function readLife(file) {
  const conversations = [];
  const questions = [];
  for (const line of file.split('\n')) {
    const head = /^== c\d+ (\d{4}-\d\d-\d\d) (\S+) \| (.*)/.exec(line);
    if (head) conversations.push(Object.assign([], { date: head[1], source: head[2], title: head[3] }));
    else if (/^[QN] /.test(line)) questions.push(readQuestion(line));
    else {
      const [, who, raw] = /^([^:：[]{1,24})[:：] ?(.*)$/.exec(line) ?? [];
      if (who !== undefined && conversations.length > 0)
        conversations.at(-1).push({ speaker: speakers[who] ?? who, text: labelled(raw).text });
    }
  }
  return { conversations, questions };
}

/** `answers` are the places that say it, outdated ones included; `now` are those that still hold. */
function readQuestion(line) {
  const [, text = '', ...parts] = line.slice(2).split(' | ');
  const placesIn = (some) =>
    some.flatMap((part) =>
      [...part.matchAll(/c(\d+)\.(\d+)(?:\s+"([^"]+)")?/g)].map(([, c, m, span]) => ({ place: `${c}.${m}`, span })),
    );
  const isAnswered = line.startsWith('Q ');
  const now = isAnswered ? placesIn(parts.filter((part) => !part.trim().startsWith('old'))) : [];
  return { text: text.trim(), isAnswered, answers: isAnswered ? placesIn(parts) : [], now };
}
