// Threadkeep as its users meet it: the built server over HTTP, with the configuration that ships.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startMeasured } from '../service.mjs';

/** No peer reads what was stored for facts or encodes it a second time, and that goes on for minutes after a fill. */
const searching = [
  ['models.tagger', 'false'],
  ['models.deep_index', 'false'],
];

export const threadkeep = {
  name: 'threadkeep',
  title: 'Threadkeep',
  model: 'ours',
  async install() {
    const file = new URL('../../package.json', import.meta.url);
    return `threadkeep ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  },
  async open({ folder, filling }) {
    const service = await startMeasured(folder, filling ? [] : searching);
    const keys = new Map();
    return {
      // The process around it is only its client.
      pids: [service.pid],
      async insert({ key, ...conversation }) {
        const { id } = await service.insert(conversation);
        keys.set(id, [...(keys.get(id) ?? []), key]);
      },
      async search({ text, source, limit }) {
        const filter = source === undefined ? {} : { source };
        const { results } = await service.search({ query: text, top_k: limit, result_mode: 'chunks', ...filter });
        // Identical conversations are stored once, so a hit may stand for several.
        return results.map(({ id, chunk_index: index, text }) => ({ keys: keys.get(id) ?? [id], index, text }));
      },
      /** It joins files and indexes vectors in the background, once a burst of writes pauses. */
      settle: () => (filling ? delay(10_000) : service.idle()),
      close: () => service.stop(),
    };
  },
};
