// `npm run bench -- peers`: other ways to keep and search the same conversations, beside Threadkeep, in one run.
// docs/benchmarks.md says what the figures mean.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scoreAnswer, summarise } from '../../eval/metrics.mjs';
import { readSuite, suitesIn } from '../../eval/suite.mjs';
import { corpus } from '../corpus.mjs';
import { bytesIn, textBytes } from '../disk.mjs';
import { startHost } from './host.mjs';
import { cacheFolder } from './install.mjs';
import { peerNamed, peerNames } from './peers.mjs';

const ownSuites = fileURLToPath(new URL('../../eval/suites', import.meta.url));
const turns = 10;
const warming = 20;
const searches = 100;
const limit = 10;
const columns = ['recall@10', 'any@5', 'session any@5', 'session all@10'];

/**
 * One entry for each peer: its figures, or why there are none. With `chunks` 0, only the suites are measured. A run takes
 * minutes, so `onReport` is told after each peer what is known so far.
 */
export async function benchPeers({ chunks, only = peerNames, data, suites = [], cache = cacheFolder(), onReport }) {
  const files = suiteFiles(data, suites);
  const chosen = await Promise.all(only.map(peerNamed));
  mkdirSync(cache, { recursive: true });
  const report = [];
  for (const peer of chosen) {
    report.push(await reportOf(peer, { chunks, files, cache }));
    onReport?.(report);
  }
  print(report, chunks);
  return report;
}

async function reportOf(peer, { chunks, files, cache }) {
  const { name, title, model, level = 'message' } = peer;
  const about = { name, title, model, level };
  try {
    about.version = await peer.install(cache);
  } catch (error) {
    console.log(`skipped: ${title}, because ${error.message}`);
    return { ...about, skipped: error.message };
  }
  console.log(`${title}: ${about.version}, vectors: ${model}`);
  try {
    const speed = chunks > 0 ? await speedOf(peer, { chunks, cache }) : undefined;
    const recall = [];
    for (const file of files) recall.push(await recallOf(peer, { suite: readSuite(file), cache }));
    return { ...about, ...(speed && { speed }), recall };
  } catch (error) {
    console.log(`failed: ${title}: ${error.message}`);
    return { ...about, failed: error.message };
  }
}

/** The suites of the project and of the folder; only the named ones when names are given. */
function suiteFiles(data, names) {
  const files = [ownSuites, ...(data === undefined ? [] : [data])].flatMap((folder) => suitesIn(folder));
  const nameOf = (file) => basename(file).replace(/\.jsonl(\.gz)?$/, '');
  const missing = names.filter((name) => !files.some((file) => nameOf(file) === name));
  if (missing.length > 0) throw new Error(`no suite is named ${missing.join(', ')}`);
  return files.filter((file) => names.length === 0 || names.includes(nameOf(file)));
}

/** Filled by one process and searched by another, so that what is searched was read from disk. */
async function speedOf({ name }, { chunks, cache }) {
  const fill = corpus(1);
  const conversations = Array.from({ length: chunks / turns }, (_, number) => ({
    key: `bench-${number}`,
    ...fill.conversation(turns),
  }));
  const asked = corpus(3);
  const queries = (count) => Array.from({ length: count }, () => ({ text: asked.query(), limit }));
  return inFolder(async (folder) => {
    const filled = await withHost({ name, folder, cache, filling: true }, async (host) => {
      const { perSecond } = await host.insert(conversations);
      await host.settle();
      return { messagesPerSecond: perSecond * turns, residentFilled: host.resident() };
    });
    const disk = bytesIn(folder);
    const searched = await withHost({ name, folder, cache, filling: false }, async (host) => {
      await host.settle();
      await host.search(queries(warming));
      const { p50, p95, hits } = await host.search(queries(searches));
      if (hits.every((each) => each.length === 0)) throw new Error('no search found anything');
      return { p50, p95, resident: host.resident() };
    });
    return { ...filled, ...searched, disk, diskShare: disk / textBytes(conversations) };
  });
}

/** Means over all questions of a suite, by the definitions of eval/metrics.mjs. */
async function recallOf({ name, level }, { suite, cache }) {
  const { conversations, questions } = suite;
  const hits = await inFolder((folder) =>
    withHost({ name, folder, cache, filling: false }, async (host) => {
      await host.insert(conversations.map(({ key, conversation }) => ({ key, ...conversation })));
      await host.settle();
      return (await host.search(questions.map(({ text, filter }) => ({ text, limit, ...filter })))).hits;
    }),
  );
  const places = ({ key, keys = [key], index = -1 }) => keys.map((each) => [each, index]);
  const { all } = summarise(questions.map((question, at) => scoreAnswer(question, hits[at].map(places))));
  // Whoever answers conversations has found no message.
  const told = columns.filter((column) => level !== 'conversation' || column.startsWith('session'));
  return {
    suite: suite.name,
    questions: questions.length,
    ...Object.fromEntries(told.map((each) => [each, all[each]])),
  };
}

async function withHost(options, work) {
  const host = await startHost(options);
  try {
    return await work(host);
  } finally {
    await host.stop();
  }
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-peers-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function print(report, chunks) {
  const measured = report.filter(({ speed }) => speed !== undefined);
  if (measured.length > 0) {
    console.log(`\n${chunks.toLocaleString('en')} messages in conversations of ${turns}, one writer, one searcher`);
    console.log(
      row('', ['messages/s', 'p50 ms', 'p95 ms', 'filled MiB', 'search MiB', 'disk MiB', '× text', 'vectors']),
    );
    for (const { title, model, speed } of measured) {
      const { messagesPerSecond, p50, p95, residentFilled, resident, disk, diskShare } = speed;
      const whole = [messagesPerSecond, residentFilled, resident, disk / 2 ** 20].map((value) => value.toFixed(0));
      const [rate, filled, searching, onDisk] = whole;
      console.log(
        row(title, [rate, p50.toFixed(1), p95.toFixed(1), filled, searching, onDisk, diskShare.toFixed(1), model]),
      );
    }
  }
  for (const { suite, questions } of report.find(({ recall }) => recall?.length > 0)?.recall ?? []) {
    console.log(`\n${suite}: ${questions} questions, ten results each`);
    console.log(row('', ['recall@10', 'any@5', 'conv any@5', 'conv all@10']));
    for (const { title, recall = [], level } of report) {
      const found = recall.find((each) => each.suite === suite);
      if (found === undefined) continue;
      const cells = columns.map((column) => found[column]?.toFixed(3) ?? '–');
      console.log(`${row(title, cells)}${level === 'conversation' ? '   results are conversations' : ''}`);
    }
  }
}

function row(name, cells) {
  return [name.padEnd(26), ...cells.map((cell) => cell.padStart(12))].join('');
}
