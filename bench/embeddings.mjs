// How fast a local model embeds short texts, and how long the event loop is held by it.
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLocalEmbedder } from '../dist/embeddings/local.js';

/** Calls of 512 texts, as the indexer makes them, and of single texts, as questions come. */
export async function benchEmbeddings({ model, dimension, count }) {
  const embedder = await openLocalEmbedder({ model, dimension });
  const texts = shortTexts(count);
  await embedder.embed(texts.slice(0, Math.min(count, 2_000)));
  const many = await watched(count, async () => {
    for (let from = 0; from < count; from += 512) await embedder.embed(texts.slice(from, from + 512));
  });
  const asked = texts.slice(0, Math.min(count, 200));
  const single = await watched(asked.length, async () => {
    for (const text of asked) {
      await embedder.embed([text]);
      await nextTurn();
    }
  });
  await embedder.close();
  const line = (name, { perSecond, perCpuSecond, held }) =>
    `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} texts/s   ${perCpuSecond.toFixed(0).padStart(7)} a processor second   event loop held for ${held.toFixed(1)} ms at most`;
  console.log(
    `\n${model}, ${count.toLocaleString('en')} texts of ${Math.round(texts.join('').length / count)} characters`,
  );
  console.log(line('calls of 512 texts', many));
  console.log(line('one text a call', single));
}

/** Turns of the invented conversations in `eval/suites`, numbered so that no two are the same. */
function shortTexts(count) {
  const lines = readFileSync(new URL('../eval/suites/tiny.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const turns = lines.flatMap((line) => JSON.parse(line).conversation?.messages ?? []).map(({ text }) => text);
  const short = turns.filter((text) => text.length <= 100);
  return Array.from({ length: count }, (_, number) => `${short[number % short.length]} ${number}`);
}

async function watched(count, work) {
  const holding = watchLoop();
  const processor = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  return { perSecond: count / seconds, perCpuSecond: count / ((user + system) / 1e6), held: holding.stop() };
}

/** The most milliseconds of its own that the main thread worked without a turn of the event loop. */
function watchLoop() {
  let held = 0;
  let last = mainThreadMilliseconds();
  const timer = setInterval(() => {
    const now = mainThreadMilliseconds();
    held = Math.max(held, now - last);
    last = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return held;
    },
  };
}

/** Linux counts what the thread computed, so that other programs on the machine do not show; elsewhere it is the clock. */
function mainThreadMilliseconds() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
