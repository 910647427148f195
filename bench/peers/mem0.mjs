// mem0 as a store of messages as they were said (infer=False), in a Python process. Its usual way asks a language model what
// to keep, which is another kind of memory. Its keyword search needs models that it downloads, so it searches by vectors.
import { pythonWith } from './install.mjs';
import { encoded, startPython } from './python.mjs';

const version = '2.2.1';
const wanted = { name: 'mem0', packages: [`mem0ai==${version}`], oldest: 10 };

export const mem0 = {
  name: 'mem0',
  title: 'mem0, verbatim',
  model: 'ours',
  givenVectors: true,
  async install(cache) {
    await pythonWith(cache, wanted);
    return `mem0ai ${version}`;
  },
  async open({ folder, cache, embedder }) {
    const variables = { MEM0_DIR: folder, MEM0_TELEMETRY: 'False', DIMENSION: String(embedder.dimension) };
    const python = await startPython(await pythonWith(cache, wanted), 'mem0_bridge.py', { folder, variables });
    return {
      async insert({ key, source, messages }) {
        const vectors = (await embedder.embed(messages.map(({ text }) => text))).map(encoded);
        await python.ask({ do: 'insert', key, source, messages, vectors });
      },
      async search({ text, source, limit }) {
        const [vector] = await embedder.embed([text]);
        return python.ask({ do: 'search', text, vector: encoded(vector), limit, source });
      },
      close: () => python.close(),
    };
  },
};
