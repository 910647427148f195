// npm run models:check [-- --record]
// Recomputes the checksums of the shipped models, and the figures of the reading model on the part of the training data that
// was kept for validation, with the code that ships. Fails where a checksum or a figure is not the recorded one.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptLives, keptMessages } from './models/corpus.mjs';
import { makeReady, root } from './ready.mjs';

const record = join(root, 'models', 'checks.json');
const files = ['model.bin', 'vocab.txt', 'reader.bin', 'answers.json', 'ranker.json'];
/** Reading every question takes an hour; every sixth shows the same. */
const everySixth = 6;
/** Windows of the same life that are read beside the one that answers. */
const others = 7;

makeReady();
const { openModel } = await import(join(root, 'dist/reading/model.js'));
const { likeness } = await import(join(root, 'dist/reading/model.js'));
const model = await openModel(join(root, 'models/reader.bin'));

const checksums = Object.fromEntries(
  files.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(root, 'models', name)))
      .digest('hex'),
  ]),
);
const figures = { ...readAndFound(), ...tagged() };
const made = { checksums, figures };

for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(52)} ${value.toFixed(3)}`);
if (process.argv.includes('--record')) {
  writeFileSync(record, `${JSON.stringify(made, null, 2)}\n`);
  console.log('recorded in models/checks.json');
} else {
  const known = JSON.parse(readFileSync(record, 'utf8'));
  const changed = ['checksums', 'figures'].flatMap((part) =>
    Object.keys({ ...known[part], ...made[part] }).filter((name) => known[part]?.[name] !== made[part][name]),
  );
  console.log(changed.length === 0 ? 'as recorded' : `not as recorded in models/checks.json: ${changed.join(', ')}`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}

function share(list, isSo) {
  return Math.round((list.filter(isSo).length / Math.max(1, list.length)) * 1_000) / 1_000;
}

/** Whether the answering message is read as the likeliest, its words found, and its vector among the nearest. */
function readAndFound() {
  const read = [];
  const ranks = [];
  let asked = 0;
  for (const { conversations, questions } of keptLives()) {
    const windows = conversations.flatMap((messages, c) =>
      messages.map((message, m) => ({
        place: `${c + 1}.${m + 1}`,
        window: {
          message,
          ...(m > 0 ? { before: messages[m - 1] } : {}),
          ...(m + 1 < messages.length ? { after: messages[m + 1] } : {}),
        },
      })),
    );
    const vectors = model.messageVectors(windows.map(({ window }) => window));
    for (const { text, answers } of questions.filter(({ isAnswered }) => isAnswered)) {
      const right = new Set(answers.map(({ place }) => place));
      const vector = model.questionVector(text);
      const order = windows
        .map((each, at) => ({ ...each, likeness: likeness(vector, vectors[at]), isRight: right.has(each.place) }))
        .sort((one, other) => other.likeness - one.likeness);
      if (windows.length >= 40) ranks.push(order.findIndex(({ isRight }) => isRight));
      asked += 1;
      const answer = answers.find(({ span }) => span !== undefined);
      if (asked % everySixth !== 0 || answer === undefined) continue;
      const gold = order.find(({ place }) => place === answer.place);
      const beside = order.filter(({ isRight }) => !isRight).slice(0, others);
      const readings = model.read(
        text,
        [gold, ...beside].map(({ window }) => window),
      );
      const found = readings[0]?.span;
      const start = gold.window.message.text.indexOf(answer.span);
      read.push({
        isFirst: readings.every(({ relevance }) => relevance <= readings[0].relevance),
        isSpan: found !== undefined && found.start < start + answer.span.length && found.end > start,
      });
    }
  }
  return {
    'search vectors: answering message first': share(ranks, (rank) => rank === 0),
    'search vectors: among the first 5': share(ranks, (rank) => rank < 5),
    'search vectors: among the first 15': share(ranks, (rank) => rank < 15),
    'reader: answering message before its 7 likest others': share(read, ({ isFirst }) => isFirst),
    'reader: best words overlap the labelled ones': share(read, ({ isSpan }) => isSpan),
  };
}

function tagged() {
  let found = 0;
  let right = 0;
  let labels = 0;
  for (const { text, facts } of keptMessages()) {
    const made = model.tag(text, '').filter(({ confidence }) => confidence >= 0.65);
    found += made.length;
    labels += facts.length;
    right += made.filter(({ relation, value }) =>
      facts.some((fact) => fact.relation === relation && fact.start < value.end && fact.end > value.start),
    ).length;
  }
  const rounded = (value) => Math.round(value * 1_000) / 1_000;
  return {
    'tagger: precision of relation and value': rounded(right / Math.max(1, found)),
    'tagger: recall of relation and value': rounded(right / Math.max(1, labels)),
  };
}
