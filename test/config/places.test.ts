import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '../../src/config/active.js';
import { earlierData, quickPlace, userFolders } from '../../src/config/places.js';
import { aFolder, load } from './workspace.js';

describe('the folders of a person', () => {
  it.each([
    [
      'linux',
      {},
      '/home/me/.config/threadkeep',
      '/home/me/.local/share/threadkeep',
      '/home/me/.local/state/threadkeep/logs',
    ],
    [
      'linux',
      { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: 'relative' },
      '/c/threadkeep',
      '/d/threadkeep',
      '/home/me/.local/state/threadkeep/logs',
    ],
    [
      'darwin',
      { XDG_DATA_HOME: '/d' },
      '/home/me/Library/Application Support/Threadkeep',
      '/home/me/Library/Application Support/Threadkeep/data',
      '/home/me/Library/Logs/Threadkeep',
    ],
    [
      'win32',
      { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
      'C:\\Users\\me\\AppData\\Local\\Threadkeep',
      'C:\\Users\\me\\AppData\\Local\\Threadkeep\\data',
      'C:\\Users\\me\\AppData\\Local\\Threadkeep\\logs',
    ],
  ] as const)('on %s with %j', (platform, environment, config, data, logs) => {
    expect(userFolders({ platform, environment, home: '/home/me' })).toMatchObject({ config, data, logs });
  });
});

async function aPerson() {
  const home = await aFolder();
  return { home, folders: userFolders({ platform: 'linux', environment: {}, home }) };
}

describe('where data and logs are', () => {
  it('is the user folder by default, also next to a file that names none', async () => {
    const { folders } = await aPerson();
    for (const yaml of [undefined, 'api: { port: 1 }']) {
      const { config, places } = await load({ folders, ...(yaml === undefined ? {} : { yaml }) });
      expect(config.paths).toEqual({ dataDir: folders.data, logsDir: folders.logs });
      expect(places).toMatchObject({ data: { rule: 'user' }, logs: { rule: 'user' } });
    }
  });

  it('is what the file says, a variable before it, a flag before both; logs go with the data', async () => {
    const { folders } = await aPerson();
    const yaml = 'paths: { data_dir: ./memory }';
    const file = await load({ folders, yaml });
    expect(file.places).toMatchObject({
      config: { path: join(file.cwd, 'config.yaml'), rule: 'default' },
      data: { path: join(file.cwd, 'memory'), rule: 'file' },
      logs: { path: join(file.cwd, 'memory', 'logs'), rule: 'data' },
    });
    const environment = { THREADKEEP_PATHS__DATA_DIR: '/srv/memory' };
    expect((await load({ folders, yaml, environment })).places.data).toEqual({ path: '/srv/memory', rule: 'variable' });
    const flags = { paths: { data_dir: '/flag' } };
    expect((await load({ folders, yaml, environment, flags })).places.data).toEqual({ path: '/flag', rule: 'flag' });
  });

  it('can be named in the configuration file of the person, beginning at its folder', async () => {
    const { folders } = await aPerson();
    await mkdir(folders.config, { recursive: true });
    await writeFile(join(folders.config, 'config.yaml'), 'paths: { data_dir: memory }\napi: { port: 9 }');
    const { config, places } = await load({ folders });
    expect(config.api.port).toBe(9);
    expect(places).toMatchObject({
      config: { rule: 'user' },
      data: { path: join(folders.config, 'memory'), rule: 'file' },
    });
    const other = await load({ folders, yaml: 'api: { port: 8 }' });
    expect(other.config.api.port).toBe(8);
  });
});

describe('data of an earlier version', () => {
  it('is named when the folder of the person is used, and only then', async () => {
    const cwd = await aFolder();
    const data = { path: '/else', rule: 'user' } as const;
    await mkdir(join(cwd, 'data'));
    expect(earlierData(cwd, data)).toBeUndefined();
    await writeFile(join(cwd, 'data', 'metadata.sqlite3'), '');
    expect(earlierData(cwd, data)).toBe(join(cwd, 'data'));
    expect(earlierData(cwd, { path: '/else', rule: 'flag' })).toBeUndefined();
    expect(earlierData(cwd, { path: join(cwd, 'data'), rule: 'user' })).toBeUndefined();
  });
});

describe('the quick look for the data folder', () => {
  it.each([
    [undefined, {}],
    ['api: { port: 1 }', {}],
    ['paths: { data_dir: ./memory }', {}],
    ['paths: { data_dir: /srv/memory }', {}],
    ['# data_dir: ./memory\napi: { port: 1 }', {}],
    ['paths: { data_dir: ./memory }', { THREADKEEP_PATHS__DATA_DIR: './other' }],
    ['paths: { data_dir: ./memory }', { threadkeep_paths__data_dir: './other' }],
  ])('finds what the whole configuration finds: %j with %j', async (yaml, variables) => {
    const { home } = await aPerson();
    const environment = { ...variables, XDG_CONFIG_HOME: join(home, 'c'), XDG_DATA_HOME: join(home, 'd') };
    const folders = userFolders({ environment });
    const { places, cwd } = await load({ folders, environment: variables, ...(yaml === undefined ? {} : { yaml }) });
    expect((await quickPlace({ cwd, environment }))?.data).toEqual(places.data);
  });

  it('leaves to the whole configuration what it cannot be sure of', async () => {
    const environment = { XDG_CONFIG_HOME: await aFolder() };
    expect(await quickPlace({ cwd: await aFolder(`paths: { data_dir: "\${X}" }`), environment })).toBeUndefined();
    expect(await quickPlace({ cwd: await aFolder('data_dir: [}'), environment })).toBeUndefined();
    expect(await quickPlace({ config: 'none.yaml', cwd: await aFolder(), environment })).toBeUndefined();
  });

  it('distinguishes only settings that change a result', async () => {
    const cwd = await aFolder(`embedding_endpoint: { api_key: "\${KEY}" }`);
    const home = await aFolder();
    const settings = async (environment: Record<string, string>) =>
      (await quickPlace({ cwd, environment: { XDG_CONFIG_HOME: home, KEY: 'a', ...environment } }))?.settings;
    const usual = await settings({});
    expect(await settings({ THREADKEEP_API__PORT: '9', THREADKEEP_TOKEN: 'x', OTHER: 'y' })).toBe(usual);
    expect(await settings({ THREADKEEP_STORAGE__DRY_RUN: 'true' })).not.toBe(usual);
    expect(await settings({ KEY: 'b' })).not.toBe(usual);
  });

  it('distinguishes working directories only where a path may begin there', async () => {
    const home = await aFolder();
    const settings = async (environment: Record<string, string> = {}) =>
      (await quickPlace({ cwd: await aFolder(), environment: { XDG_CONFIG_HOME: home, ...environment } }))?.settings;
    expect(await settings()).toBe(await settings());
    const model = { THREADKEEP_PROVIDERS__EMBEDDING_MODEL: './mine' };
    expect(await settings(model)).not.toBe(await settings(model));
    await mkdir(join(home, 'threadkeep'));
    await writeFile(join(home, 'threadkeep', 'config.yaml'), 'retrieval: { rerank: true }');
    expect(await settings()).toBe(await settings());
    await writeFile(join(home, 'threadkeep', 'config.yaml'), 'providers: { embedding_model: ./mine }');
    expect(await settings()).not.toBe(await settings());
  });
});

describe('the effective settings', () => {
  const effective = async (options: Parameters<typeof load>[0]) => effectiveSettings((await load(options)).config);

  it('are the same for any spelling, folder and server', async () => {
    const usual = await effective({});
    for (const yaml of [
      'paths: { data_dir: ./memory, logs_dir: /var/log/threadkeep }',
      'api: { port: 9, auth: bearer_token }\nobservability: { log_level: debug }\ninterfaces: { mcp: false }',
      'storage: { vector: { distance: COSINE }, vector_providers: { qdrant: { url: http://127.0.0.1:1 } } }',
      'storage: { metadata_providers: { sqlite: { path: ./data/metadata.sqlite3 } } }',
      'limits: { max_connections: 3 }\nmcp: { max_sessions: 2 }',
    ]) {
      expect(await effective({ yaml }), yaml).toBe(usual);
    }
  });

  it.each([
    'storage: { dry_run: true }',
    'storage: { metadata_providers: { sqlite: { path: ./other.sqlite3 } } }',
    'providers: { vector_db: qdrant }',
    'providers: { embedding_model: local-hash }',
    'memory: { secret_policy: redact }',
    'limits: { max_top_k: 5 }',
    'ask: { model: { base_url: http://127.0.0.1:1/v1, model: mine } }',
    'schema: { file: ./schema.json }',
  ])('differ with %s', async (yaml) => {
    expect(await effective({ yaml })).not.toBe(await effective({}));
  });
});
