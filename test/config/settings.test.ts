import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, settingsOf } from '../../src/config/load.js';
import { describeKeys } from '../../src/config/tree.js';

async function settingsFor({
  file = '',
  environment = {},
  flags = {},
}: {
  file?: string;
  environment?: Record<string, string>;
  flags?: object;
}) {
  const cwd = await mkdtemp(join(tmpdir(), 'threadkeep-settings-'));
  try {
    await writeFile(join(cwd, 'config.yaml'), file);
    const { config, sourceOf } = await loadConfig({ cwd, environment, flags });
    return new Map(settingsOf(config, sourceOf).map((setting) => [setting.key, setting]));
  } finally {
    await rm(cwd, { recursive: true });
  }
}

describe('the settings in force', () => {
  it('say where each value comes from: the strongest layer that gives it', async () => {
    const settings = await settingsFor({
      file: 'api:\n  port: 8100\n  host: 127.0.0.1\nlimits:\n  max_top_k: 50\n',
      environment: { THREADKEEP_API__PORT: '8200', THREADKEEP_LIMITS__MAX_TOP_K: '60' },
      flags: { api: { port: 8300 } },
    });
    expect(settings.get('api.port')).toMatchObject({ value: 8300, source: 'flag', default: 8000 });
    expect(settings.get('limits.max_top_k')).toMatchObject({
      value: 60,
      source: 'environment',
      variable: 'THREADKEEP_LIMITS__MAX_TOP_K',
    });
    expect(settings.get('api.host')).toMatchObject({ value: '127.0.0.1', source: 'file' });
    expect(settings.get('retrieval.rerank')).toMatchObject({ source: 'default' });
    expect(settings.get('paths.data_dir')).toMatchObject({ source: 'default' });
  });

  it('have every key that the documentation has', async () => {
    const settings = await settingsFor({});
    expect([...settings.keys()]).toEqual(describeKeys().map(({ path }) => path));
  });

  it('hide secrets wherever they come from', async () => {
    const file = 'storage:\n  vector_providers:\n    qdrant:\n      api_key: opensesame-one\n';
    const settings = await settingsFor({
      file,
      environment: { THREADKEEP_EMBEDDING_ENDPOINT__API_KEY: 'opensesame-two' },
    });
    expect(settings.get('embedding_endpoint.api_key')).toMatchObject({ secret: true, source: 'environment' });
    expect(settings.get('storage.vector_providers.qdrant.api_key')).toMatchObject({ source: 'file', in_use: false });
    expect(JSON.stringify([...settings.values()])).not.toContain('opensesame');
  });

  it('have a key below a chosen name once for each name', async () => {
    const file =
      'api:\n  connect:\n    providers:\n      work:\n        issuer: https://id.example.com\n        client_id: one\n        client_secret: opensesame\n';
    const settings = await settingsFor({ file });
    expect(settings.get('api.connect.providers.work.issuer')).toMatchObject({
      value: 'https://id.example.com',
      source: 'file',
    });
    expect(settings.get('api.connect.providers.work.client_secret')).toMatchObject({ secret: true });
    expect(JSON.stringify([...settings.values()])).not.toContain('opensesame');
    expect(settings.has('api.connect.providers.<name>.issuer')).toBe(false);
  });
});
