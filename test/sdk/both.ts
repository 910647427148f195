import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMemory } from '../../src/sdk/client.js';
import { openMemory } from '../../src/sdk/index.js';
import type { Memory } from '../../src/sdk/memory.js';
import { startServer } from '../support/server.js';

export interface Opened {
  memory: Memory;
  remove(): Promise<void>;
}

type Settings = Parameters<typeof startServer>[0];

/** The same memory, once in this process and once behind a real server; both without models, which have tests of their own. */
export const kinds: Record<string, (settings?: Settings) => Promise<Opened>> = {
  async 'in this process'(settings = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'threadkeep-sdk-'));
    const small = { providers: { vector_db: 'memory' }, models: { reader: false, tagger: false, deep_index: false } };
    const memory = await openMemory({ dataDir, settings: { ...small, ...settings } });
    return {
      memory,
      async remove() {
        await memory.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
  async 'over HTTP'(settings = {}) {
    const server = await startServer(settings);
    const memory = connectMemory({ url: server.url });
    return {
      memory,
      async remove() {
        await memory.close();
        await server.remove();
      },
    };
  },
};
