import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Peer, type PeerConversation, peerNamed, peerNames } from '../../bench/peers/peers.mjs';
import { benchPeers } from '../../bench/peers/run.mjs';
import { openLocalEmbedder } from '../../src/embeddings/local.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'threadkeep-peers-test-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function aConversation(key: string, source: string, ...texts: string[]): PeerConversation {
  const messages = texts.map((text, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', text }));
  return { key, source, title: key, timestamp: '2026-05-02T18:30:00Z', messages };
}

const conversations = [
  aConversation('lisbon', 'travel', 'Nora booked a table at Cervejaria Ramiro.', 'Enjoy the prawns there!'),
  aConversation('garden', 'home', 'The tomatoes on the balcony have blight.', "Remove the leaves; it's a fungus."),
  aConversation('bicycle', 'home', 'My bicycle has a flat tyre.', 'A patch from the repair kit closes the hole.'),
];

async function opened(peer: Peer) {
  const model = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
  const embedder = { embed: (texts: readonly string[]) => model.embed([...texts]), dimension: 256 };
  return peer.open({ folder, cache: folder, embedder, filling: true });
}

const places = (hits: readonly { key?: string; index?: number }[]) => hits.map(({ key, index }) => [key, index]);

/** Those whose packages Threadkeep itself depends on. */
describe.each(['fts5', 'lancedb'])('the peer %s', (name) => {
  test('finds the message that was asked about, with its place and its text', async () => {
    const peer = await peerNamed(name);
    const store = await opened(peer);
    try {
      for (const conversation of conversations) await store.insert(conversation);
      await store.settle?.();
      const hits = await store.search({ text: 'what repair does the flat tyre of the bicycle need?', limit: 2 });
      expect(hits[0]).toEqual({ key: 'bicycle', index: 0, text: 'My bicycle has a flat tyre.' });
      expect(hits).toHaveLength(2);
      expect(places(await store.search({ text: "Remove the leaves; it's a fungus", limit: 1 }))).toEqual([
        ['garden', 1],
      ]);
    } finally {
      await store.close();
    }
  });

  test('searches one source alone', async () => {
    const store = await opened(await peerNamed(name));
    try {
      for (const conversation of conversations) await store.insert(conversation);
      await store.settle?.();
      const query = { text: 'the bicycle tyre, the tomatoes and the prawns', limit: 10 };
      const keys = async (source?: string) => {
        const hits = await store.search({ ...query, ...(source === undefined ? {} : { source }) });
        return new Set(hits.map(({ key }) => key));
      };
      expect(await keys('travel')).toEqual(new Set(['lisbon']));
      expect(await keys('home')).toEqual(new Set(['garden', 'bicycle']));
      expect(await keys()).toEqual(new Set(['lisbon', 'garden', 'bicycle']));
    } finally {
      await store.close();
    }
  });

  test('finds after a restart what was inserted before it', async () => {
    const peer = await peerNamed(name);
    const before = await opened(peer);
    for (const conversation of conversations) await before.insert(conversation);
    await before.settle?.();
    await before.close();
    const after = await opened(peer);
    try {
      expect(places(await after.search({ text: 'Cervejaria Ramiro', limit: 1 }))).toEqual([['lisbon', 0]]);
    } finally {
      await after.close();
    }
  });
});

describe('benchPeers', () => {
  test('measures speed, memory and disk, and recall by the metrics of the evaluation', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const [report] = await benchPeers({ chunks: 200, only: ['fts5'], suites: ['tiny'], cache: folder });
    expect(report?.failed).toBeUndefined();
    const { speed, recall } = report ?? {};
    expect(speed?.messagesPerSecond).toBeGreaterThan(10);
    expect(speed?.p95).toBeGreaterThanOrEqual(speed?.p50 ?? Number.NaN);
    // The text is in the table, and its words are in the index.
    expect(speed?.diskShare).toBeGreaterThan(1);
    if (process.platform === 'linux') expect(speed?.resident).toBeGreaterThan(20);
    expect(recall).toEqual([
      {
        suite: 'tiny',
        questions: 30,
        'recall@10': expect.closeTo(0.77, 1),
        'any@5': expect.closeTo(0.73, 1),
        'session any@5': expect.closeTo(0.97, 1),
        'session all@10': expect.closeTo(0.97, 1),
      },
    ]);
  });

  test('says why a peer cannot be had, and goes on with the others', async () => {
    const said: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => said.push(String(line)));
    vi.stubEnv('PEERS_PYTHON', join(folder, 'no-python'));
    const report = await benchPeers({ chunks: 0, only: ['chroma', 'fts5'], suites: ['tiny'], cache: folder });
    const reason = 'chroma needs Python 3.10 or newer: install it, or name it in PEERS_PYTHON';
    expect(said).toContain(`skipped: Chroma, because ${reason}`);
    expect(report.map(({ name, skipped }) => [name, skipped])).toEqual([
      ['chroma', reason],
      ['fts5', undefined],
    ]);
    expect(report[1]?.recall).toHaveLength(1);
  });

  test('leaves nothing of an installation that failed', async () => {
    // An empty file of npm's settings, and a registry that refuses connections.
    writeFileSync(join(folder, 'npmrc'), '');
    vi.spyOn(console, 'log').mockImplementation(() => {});
    vi.stubEnv('npm_config_userconfig', join(folder, 'npmrc'));
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_cache', join(folder, 'npm-cache'));
    vi.stubEnv('npm_config_fetch_retries', '0');
    const [report] = await benchPeers({ chunks: 0, only: ['sqlite-vec'], suites: ['tiny'], cache: folder });
    expect(report?.skipped).toMatch(/^npm install failed: /);
    expect(existsSync(join(folder, 'sqlite-vec'))).toBe(false);
  });

  test('refuses names it does not know', async () => {
    await expect(benchPeers({ chunks: 0, only: ['chrome'], cache: folder })).rejects.toThrow(
      `no peer is named chrome: choose from ${peerNames.join(', ')}`,
    );
    await expect(benchPeers({ chunks: 0, only: ['fts5'], suites: ['large'], cache: folder })).rejects.toThrow(
      'no suite is named large',
    );
  });
});
