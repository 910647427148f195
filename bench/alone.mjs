// The service without the baseline: for stores so large that filling the bare ones as well takes the better part of an hour.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askPair } from './ask.mjs';
import { corpus } from './corpus.mjs';
import { bytesIn, textBytes, watchBytes } from './disk.mjs';
import { printGoals } from './goals.mjs';
import { startMeasured } from './service.mjs';
import { measure } from './timing.mjs';

/** What reads stored messages goes on for long after a fill, and is not part of a start or a search. */
const settings = [
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];

export async function benchAlone({ chunks, turns }) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-'));
  let service = await startMeasured(folder);
  const show = (name, { p50, p95, perSecond }) =>
    console.log(`${name.padEnd(22)} p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  ${perSecond.toFixed(0)}/s`);
  const searches = (asked) => measure(100, 1, () => service.search({ query: asked.query(), top_k: 10 }));
  try {
    console.log(`\n${chunks.toLocaleString('en')} chunks (conversations of ${turns} turns), without a baseline`);
    const [first, more, asked] = [corpus(1), corpus(2), corpus(3)];
    const data = join(folder, 'data');
    const disk = { text: 0 };
    const insert = () => {
      const conversation = first.conversation(turns);
      disk.text += textBytes([conversation]);
      return service.insert(conversation);
    };
    const watched = watchBytes(data);
    show('fill, 8 writers', await measure(chunks / turns, 8, insert));
    disk.most = watched.stop();
    const filled = service.memory();
    show('search at once', await searches(asked));
    // The service tidies up in the background once a burst of writes pauses.
    await delay(120_000);
    disk.after = bytesIn(data);
    const search = await searches(asked);
    show('search', search);
    show('insert, 1 writer', await measure(100, 1, () => service.insert(more.conversation(turns))));
    show('insert, 8 writers', await measure(400, 8, () => service.insert(more.conversation(turns))));
    const { rss, peak } = service.memory();
    await service.stop();
    service = await startMeasured(folder, settings);
    console.log(`start ${service.startMs.toFixed(0)} ms, resident ${rss} MiB (peak ${peak} MiB)`);
    show('search after a start', await searches(asked));
    await service.idle();
    const started = { ours: service.memory().rss };
    console.log(`resident ${started.ours} MiB`);
    await service.stop();
    const ask = await askPair(folder, asked);
    printGoals({ chunks, search: { ours: search }, cost: { started }, filled, disk, ask });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
