// A worker whose vectors can be checked by hand and that misbehaves on demand; it runs what was built, as the tests do.
import { serveEmbeddings } from '../../../dist/embeddings/worker/serve.js';
import { StartupError } from '../../../dist/model/errors.js';

await serveEmbeddings(async ({ refuse }) => {
  if (refuse) throw new StartupError('driver_unavailable', 'It cannot be opened.', { hint: 'Do something.' });
  let asked = 0;
  return {
    ready: { dimension: 2 },
    async embed(texts) {
      if (texts.includes('die')) process.exit(1);
      if (texts.includes('fail')) throw new Error('it was asked to');
      const turn = asked++;
      return texts.map((text) => Float32Array.of(text.length, turn));
    },
  };
});
