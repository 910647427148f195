// node scripts/models/fit-answers.mjs [--every 3] [--read FILE]... [--write]
// Fits the regressions of models/answers.json: that a message answers, and that the answer as a whole is right. Asks the
// questions of the lives that no model was trained on, with the code that ships; `--every 3` asks a third of them. Prints
// what lives that were left out of the fit give, and what all of them give. `--read` adds questions that were read elsewhere:
// lines of {set, at, isAnswered, question, reads: [{date, isRight, components}]}.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from '../ready.mjs';
import { keptLives } from './corpus.mjs';

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '3' },
    read: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});
makeReady();
const { openMemory } = await import(join(root, 'dist/sdk/index.js'));
const { answerFeatures, logistic } = await import(join(root, 'dist/answers/read-answer.js'));
const { orderOf } = await import(join(root, 'dist/answers/evidence.js'));
const { readingQuestion } = await import(join(root, 'dist/answers/question.js'));
const { finished } = await import(join(root, 'dist/model/steps.js'));

const file = join(root, 'models/answers.json');
const shipped = JSON.parse(readFileSync(file, 'utf8'));
/** Facts seldom decide in these lives, so the weights about them are kept as they are. */
const kept = ['agrees', 'contested'];
const hitNames = Object.keys(shipped.hit).filter((name) => name !== 'bias');
const answerNames = Object.keys(shipped.answer).filter((name) => name !== 'bias' && !kept.includes(name));

const asked = values.read.flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
);
for (const [number, life] of keptLives().entries()) asked.push(...(await readIn(life, number)));

const sets = [...new Set(asked.map(({ set }) => set))];
const apart = sets.flatMap((set) => {
  const weights = fitted(asked.filter((each) => each.set !== set));
  return asked.filter((each) => each.set === set).map((each) => judged(each, weights));
});
for (const from of [0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.87]) {
  const share = (some, isSo) => (some.filter(isSo).length / Math.max(1, some.length)).toFixed(3);
  const answered = apart.filter(({ isAnswered }) => isAnswered);
  const others = apart.filter(({ isAnswered }) => !isAnswered);
  const sure = apart.filter(({ score }) => score >= from);
  console.log(
    `from ${from}: sure and right ${share(answered, (each) => each.score >= from && each.isRight)}, sure and wrong ` +
      `${share(answered, (each) => each.score >= from && !each.isRight)}, sure without an answer ` +
      `${share(others, (each) => each.score >= from)}, right when sure ${share(sure, (each) => each.isRight)} of ${sure.length}`,
  );
}
const weights = fitted(asked);
console.log(JSON.stringify(weights, null, 2));
if (values.write) writeFileSync(file, `${JSON.stringify(weights, null, 2)}\n`);

/** What was read for every third question, and which of it answers. */
async function readIn({ conversations, questions }, number) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-fit-'));
  const memory = await openMemory({ dataDir: folder });
  const places = new Map();
  for (const [c, conversation] of conversations.entries()) {
    const { date, source, title } = conversation;
    const messages = conversation.map(({ speaker, text }) =>
      speaker === 'user' || speaker === 'assistant'
        ? { role: speaker, text }
        : { role: 'user', text: `${speaker}: ${text}` },
    );
    const { id } = await memory.insert({ source, title, timestamp: `${date}T12:00:00Z`, messages });
    places.set(id, { c: c + 1, date });
  }
  // Waits until the messages are tagged.
  await memory.people();
  const found = [];
  for (const { text, isAnswered, now } of questions.filter((_, place) => place % Number(values.every) === 0)) {
    const { read } = await memory.ask({ question: text, explain: true });
    if (read === undefined || read.length === 0) continue;
    const right = new Set(now.map(({ place }) => place));
    const reads = read.map(({ conversation_id, message_index, components }) => {
      const { c, date } = places.get(conversation_id);
      return { date, isRight: right.has(`${c}.${message_index + 1}`), components };
    });
    found.push({ set: `life ${number}`, isAnswered, question: text, reads });
  }
  await memory.close();
  rmSync(folder, { recursive: true });
  return found;
}

function fitted(some) {
  const hits = some.flatMap(({ reads }) => reads);
  const hit = regression(
    hits.map(({ components, isRight }) => ({ row: components, isRight })),
    hitNames,
    2,
  );
  const answers = some.map((each) => judged(each, { hit, answer: shipped.answer }));
  const answer = regression(
    answers.map(({ features, isRight }) => ({ row: features, isRight })),
    answerNames,
    3,
  );
  for (const name of kept) answer[name] = shipped.answer[name];
  return { hit, answer };
}

/** The best message by these weights, and how sure they are of it. */
function judged({ isAnswered, question: text, reads }, { hit, answer }) {
  const question = finished(readingQuestion(text, new Date().toISOString()));
  const evidence = reads.map(({ date, components, isRight }) => ({
    read: { hit: { at: date } },
    features: components,
    probability: logistic(hit, components),
    isRight,
  }));
  const ordered = orderOf(evidence, question);
  const features = answerFeatures(ordered, undefined, { question });
  return { isAnswered, isRight: ordered[0].isRight, features, score: logistic(answer, features) };
}

/** Logistic regression by Newton's method; `hold` draws all weights but the bias to zero. */
function regression(rows, names, hold) {
  const size = names.length + 1;
  const points = rows.map(({ row, isRight }) => ({ x: [...names.map((name) => row[name]), 1], y: isRight ? 1 : 0 }));
  const weights = new Array(size).fill(0);
  for (let round = 0; round < 40; round++) {
    const slope = weights.map((weight, i) => (i < size - 1 ? hold * weight : 0));
    const bend = weights.map((_, i) => weights.map((__, j) => (i === j ? (i < size - 1 ? hold : 1e-3) : 0)));
    for (const { x, y } of points) {
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * weights[i], 0)));
      for (let i = 0; i < size; i++) {
        slope[i] += (p - y) * x[i];
        for (let j = 0; j < size; j++) bend[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    for (const [i, step] of solved(bend, slope).entries()) weights[i] -= step;
  }
  const named = [...names, 'bias'].map((name, i) => [name, Math.round(weights[i] * 1_000) / 1_000]);
  return Object.fromEntries(named);
}

/** Gaussian elimination; the matrix is positive definite, so no pivots are needed. */
function solved(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (const [i, row] of rows.entries()) {
    for (const other of rows.slice(i + 1)) {
      const factor = other[i] / row[i];
      for (let j = i; j < row.length; j++) other[j] -= factor * row[j];
    }
  }
  const found = [];
  for (let i = rows.length - 1; i >= 0; i--) {
    let value = rows[i].at(-1);
    for (let j = i + 1; j < rows.length; j++) value -= rows[i][j] * found[j];
    found[i] = value / rows[i][i];
  }
  return found;
}
