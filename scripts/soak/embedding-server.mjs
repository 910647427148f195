import { createServer } from 'node:http';

/** An OpenAI-compatible embeddings API with the local hash as its model. `behave` makes it fail or fall silent. */
export async function startEmbeddingServer(dimension) {
  const { hashEmbedding } = await import('../../dist/embeddings/local.js');
  let behaviour = 'well';
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    if (behaviour === 'silent') return;
    if (behaviour === 'failing') return response.writeHead(500).end();
    const { input } = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const data = input.map((text, index) => ({ index, embedding: [...hashEmbedding(text, dimension)] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    behave(next) {
      behaviour = next;
      // As a server that is killed: those who wait hear of it.
      if (next === 'well') server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
