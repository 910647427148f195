import { describe, expect, it } from 'vitest';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

const other = 'paths: { data_dir: ./other }\n';

describe('migrate', () => {
  it('copies the data folder to the stores of another configuration', async () => {
    const folder = await aFolder({ 'other.yaml': other });
    await threadkeep(folder, ['ingest', '-'], { stdin: JSON.stringify([{ role: 'user', text: 'The walrus sings.' }]) });
    const { code, json } = await threadkeepJson(folder, ['migrate', '--to', 'other.yaml']);
    expect({ code, ...json }).toMatchObject({
      code: 0,
      status: 'ok',
      tables: { conversations: { rows: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
      vectors: { provider: 'lancedb', rows: 1, indexed_chunks: 1 },
    });
    const found = await threadkeepJson(folder, ['search', 'walrus', '--config', 'other.yaml']);
    expect(found.json.results).toHaveLength(1);
    const again = await threadkeep(folder, ['migrate', '--to', 'other.yaml']);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain('not empty');
  }, 120_000);

  it('asks for the destination', async () => {
    const { code, stderr } = await threadkeep(await aFolder(), ['migrate']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('--to');
  });
});
