// What a question costs beside a search, without the model that reads what was found: it is measured elsewhere, and its time
// would hide everything else. With `models.reader: false` nothing of it is loaded.
import { startMeasured } from './service.mjs';
import { measure } from './timing.mjs';

const settings = [
  ['models.reader', 'false'],
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];
const rounds = 5;
const perRound = 20;

/** `asked.query` makes the texts. Questions and searches take turns; answers the median of each in milliseconds. */
export async function askPair(folder, asked) {
  const service = await startMeasured(folder, settings);
  try {
    await service.idle();
    const asks = [];
    const searches = [];
    // The first round warms both up.
    for (let round = 0; round <= rounds; round++) {
      const texts = Array.from({ length: perRound }, asked.query);
      let at = 0;
      const ask = await measure(perRound, 1, () => service.ask({ question: texts[at++] }));
      at = 0;
      const search = await measure(perRound, 1, () => service.search({ query: texts[at++], top_k: 10 }));
      if (round === 0) continue;
      asks.push(ask.p50);
      searches.push(search.p50);
    }
    const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
    return { ask: median(asks), search: median(searches) };
  } finally {
    await service.stop();
  }
}
