import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aFolder, load, messageOf, problemsOf } from './workspace.js';

describe('the order of sources', () => {
  it('lets the file win over defaults, variables over the file and flags over variables', async () => {
    const yaml = 'api: { port: 1, host: localhost }\nlimits: { max_top_k: 10 }';
    const environment = { THREADKEEP_API__PORT: '2', THREADKEEP_LIMITS__MAX_TOP_K: '20' };
    const { config } = await load({ yaml, environment, flags: { api: { port: 3 } } });
    expect(config.api).toMatchObject({ port: 3, host: 'localhost', auth: 'none' });
    expect(config.limits.maxTopK).toBe(20);
  });

  it('names the file it read, or none', async () => {
    const read = await load({ yaml: 'api: { port: 1 }' });
    expect(read.source).toEqual({ file: join(read.cwd, 'config.yaml') });
    expect((await load()).source).toEqual({});
  });

  it('reads the file that THREADKEEP_CONFIG names unless a flag names another', async () => {
    const cwd = await aFolder('api: { port: 1 }');
    await writeFile(join(cwd, 'variable.yaml'), 'api: { port: 2 }');
    await writeFile(join(cwd, 'flag.yaml'), 'api: { port: 3 }');
    const environment = { THREADKEEP_CONFIG: 'variable.yaml' };
    expect((await load({ cwd, environment })).config.api.port).toBe(2);
    expect((await load({ cwd, environment, file: 'flag.yaml' })).config.api.port).toBe(3);
  });

  it('ignores flags that are not set', async () => {
    const { config } = await load({ yaml: 'api: { port: 1 }', flags: { api: { port: undefined } } });
    expect(config.api.port).toBe(1);
  });

  it('replaces a list whole', async () => {
    const yaml = 'api: { oauth: { scopes_supported: [a, b] } }';
    expect((await load({ yaml })).config.api.oauth.scopesSupported).toEqual(['a', 'b']);
  });

  it('resolves relative paths against the working directory and keeps absolute ones', async () => {
    const yaml = 'paths: { data_dir: memory, logs_dir: /var/log/threadkeep }\nschema: { file: strict.json }';
    const { config, cwd } = await load({ yaml });
    expect(config.paths).toEqual({ dataDir: join(cwd, 'memory'), logsDir: '/var/log/threadkeep' });
    expect(config.schema).toEqual({ file: join(cwd, 'strict.json') });
  });
});

describe('the embedding model', () => {
  it('is a folder below the working directory when it is local and has a slash in it', async () => {
    const { config, cwd } = await load({ yaml: 'providers: { embedding_model: ./models/mine }' });
    expect(config.providers.embeddingModel).toBe(join(cwd, 'models', 'mine'));
  });

  it('is a name when a service has it', async () => {
    const yaml =
      'providers: { embeddings: http, embedding_model: org/model }\nembeddings: { endpoint: "http://localhost:1/v1" }';
    expect((await load({ yaml })).config.providers.embeddingModel).toBe('org/model');
  });
});

describe('the file', () => {
  it('is an error when it was named and does not exist', async () => {
    expect(await messageOf({ file: 'missing.yaml' })).toMatch(/missing\.yaml does not exist\.$/);
  });

  it.each(['- a\n- b', 'just a text', '42'])('is an error when it is not a mapping: %j', async (yaml) => {
    expect(await messageOf({ yaml })).toMatch(/its top level is not a mapping of keys\.$/);
  });

  it('reports broken YAML by its place and never quotes it', async () => {
    const message = await messageOf({ yaml: 'api:\n  port: 1\n  port: hunter2\n' });
    expect(message).toMatch(/line 3, column 3: DUPLICATE_KEY\.$/);
    expect(message).not.toContain('hunter2');
  });

  it('may hold comments alone, sections without keys and keys without values', async () => {
    const { config } = await load();
    expect((await load({ yaml: '# nothing' })).config.api).toEqual(config.api);
    expect((await load({ yaml: 'api:\nmcp: { list_page_size: }' })).config.mcp).toEqual(config.mcp);
  });

  it('is an error when it cannot be read', async () => {
    expect(await messageOf({ file: '.' })).toMatch(/cannot be read \(EISDIR\)\.$/);
  });
});

describe('variables inside the file', () => {
  it('are replaced inside texts and read as the kind of value that is expected', async () => {
    const yaml = `
api: { port: "\${PORT}", host: "\${HOST}", cors_allow_origins: ["http://\${HOST}:5173"] }
storage: { dry_run: "\${DRY}" }
`;
    const { config } = await load({ yaml, environment: { PORT: '9000', HOST: 'localhost', DRY: 'true' } });
    expect(config.api).toMatchObject({ port: 9000, host: 'localhost', corsAllowOrigins: ['http://localhost:5173'] });
    expect(config.storage.dryRun).toBe(true);
  });

  it('are not looked at twice', async () => {
    const yaml = `embedding_endpoint: { api_key: "\${KEY}" }`;
    const { config } = await load({ yaml, environment: { KEY: `\${OTHER}`, OTHER: 'x' } });
    expect(config.embeddingEndpoint.apiKey).toBe(`\${OTHER}`);
  });

  it('are an error that names key and variable when not set', async () => {
    const yaml = `embedding_endpoint: { api_key: "before-\${KEY}" }`;
    expect(await problemsOf({ yaml })).toEqual([
      'embedding_endpoint.api_key refers to the variable KEY, which is not set',
    ]);
  });

  it('are an error that does not quote them when they are not valid names', async () => {
    const yaml = `embedding_endpoint: { api_key: "\${KEY:-hunter2}" }`;
    expect(await problemsOf({ yaml })).toEqual([
      `embedding_endpoint.api_key contains a reference that is not of the form \${NAME}`,
    ]);
  });
});
