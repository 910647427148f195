import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { aNote } from '../support/conversation.js';
import { aSession } from '../support/mcp.js';
import { aServer } from '../support/server.js';

const clients = 500;

describe('many sessions at once', () => {
  it('get each its own answers, in bounded memory', { timeout: 400_000 }, async () => {
    const server = await aServer({ mcp: { max_sessions: clients }, observability: { access_logs: false } });
    const service = { app: { request: (path: string, init?: RequestInit) => fetch(server.url + path, init) } };
    const words = ['anvil', 'barrel', 'candle', 'dagger', 'easel', 'feather', 'goblet', 'hammer', 'inkwell', 'jug'];
    for (const word of words) await server.post('/memory/insert', aNote(`The ${word} is on the shelf.`));

    const wordOf = (client: number): string => words[client % words.length] ?? '';
    async function ask(client: number): Promise<string> {
      const session = await aSession(service);
      const [pinged, found] = await Promise.all([
        session.request('ping'),
        session.call('memory_search', { query: wordOf(client), top_k: 1 }),
      ]);
      expect(pinged).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      expect(found.results).toMatchObject([{ text: `The ${wordOf(client)} is on the shelf.` }]);
      return session.id;
    }

    const ids = await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
    expect(new Set(ids).size).toBe(clients);

    // Clients that come and go without a word cost no more than the bound allows.
    const before = heapUsed();
    await Promise.all(Array.from({ length: 200 }, (_, client) => ask(client)));
    const grown = heapUsed() - before;
    expect(grown).toBeLessThan(20 * 1024 * 1024);
  });
});

/** What is really held: after a collection, which a test run has to ask for by a flag. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
