// How fast a local model embeds short texts, and how long the event loop waits for it meanwhile.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openLocalEmbedder } from '../dist/embeddings/local.js';

/** One call of `count` texts, as an import makes it, and single texts, as questions come. */
export async function benchEmbeddings({ model, dimension, count }) {
  const embedder = await openLocalEmbedder({ model, dimension });
  const texts = shortTexts(count);
  await embedder.embed(texts.slice(0, Math.min(count, 2_000)));
  const many = await watched(count, () => embedder.embed(texts));
  const asked = texts.slice(0, Math.min(count, 200));
  const single = await watched(asked.length, async () => {
    for (const text of asked) await embedder.embed([text]);
  });
  await embedder.close();
  const line = (name, { perSecond, perCpuSecond, p99, max }) =>
    `${name.padEnd(22)} ${perSecond.toFixed(0).padStart(7)} texts/s   ${perCpuSecond.toFixed(0).padStart(7)} a processor second   event loop late by p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(1)} ms`;
  console.log(
    `\n${model}, ${count.toLocaleString('en')} texts of ${Math.round(texts.join('').length / count)} characters`,
  );
  console.log(line('one call', many));
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
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const processor = process.cpuUsage();
  const started = performance.now();
  delay.enable();
  await work();
  delay.disable();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  // What the timer itself waits for, its resolution, is not the loop's fault.
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - 1);
  return {
    perSecond: count / seconds,
    perCpuSecond: count / ((user + system) / 1e6),
    p99: late(delay.percentile(99)),
    max: late(delay.max),
  };
}
