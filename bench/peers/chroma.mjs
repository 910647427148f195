// Chroma in a Python process, without a server. Its own model, all-MiniLM-L6-v2, is downloaded when it is first used; it is
// given our vectors instead. A local Chroma searches by vectors alone.
import { pythonWith } from './install.mjs';
import { encoded, startPython } from './python.mjs';

const version = '1.5.9';
const wanted = { name: 'chroma', packages: [`chromadb==${version}`], oldest: 10 };

export const chroma = {
  name: 'chroma',
  title: 'Chroma',
  model: 'ours',
  givenVectors: true,
  async install(cache) {
    await pythonWith(cache, wanted);
    return `chromadb ${version}`;
  },
  async open({ folder, cache, embedder }) {
    const python = await startPython(await pythonWith(cache, wanted), 'chroma_bridge.py', { folder });
    return {
      async insert({ key, source, messages }) {
        const texts = messages.map(({ text }) => text);
        const vectors = (await embedder.embed(texts)).map(encoded);
        await python.ask({ do: 'insert', key, source, texts, vectors });
      },
      async search({ text, source, limit }) {
        const [vector] = await embedder.embed([text]);
        return python.ask({ do: 'search', vector: encoded(vector), limit, source });
      },
      close: () => python.close(),
    };
  },
};
