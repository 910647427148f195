import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** Contracts may be imported by anyone who works with a store, an embedder or a tokenizer. */
const contracts = [
  'stores/metadata/contract',
  'stores/vector/contract',
  'embeddings/contract',
  'reading/contract',
  'tokenizer/contract',
  'observability/observer',
];

/** Who may import whom. A room may always import itself. */
const mayImport: Record<string, string[]> = {
  model: [],
  language: ['model'],
  facts: ['model', 'language'],
  ingestion: ['model', 'language', 'facts'],
  retrieval: ['model', 'language', 'stores/vector/contract'],
  answers: ['model', 'language', 'tokenizer/contract'],
  'stores/shared': ['model'],
  resilience: ['model'],
  'stores/metadata': ['model', 'stores/shared', 'resilience'],
  'stores/vector': ['model', 'stores/shared', 'resilience'],
  embeddings: ['model', 'resilience'],
  tokenizer: ['model'],
  reading: ['model'],
  observability: ['model'],
  config: ['model'],
  importers: ['model'],
  backup: ['model', 'language', 'facts', 'records', 'stores/metadata/contract'],
  auth: ['model', 'records', 'stores/metadata/contract', 'observability/observer'],
  records: ['model', 'stores/metadata/contract'],
  operations: [
    'model',
    'language',
    'importers',
    'facts',
    'ingestion',
    'retrieval',
    'answers',
    'records',
    'auth',
    'resilience',
    ...contracts,
  ],
  http: ['model', 'auth', 'operations', 'observability', 'records/account-rows'],
  mcp: ['model', 'auth', 'operations', 'observability'],
  app: ['*'],
  cli: [
    'model',
    'backup/draft',
    'auth',
    'ingestion',
    'language',
    'config',
    'operations',
    'importers',
    'records/account-rows',
    'tokenizer',
    'stores/vector/drivers',
    'stores/metadata/drivers',
    'app',
  ],
  sdk: [
    'model',
    'app/by-hand',
    'app/open-runtime',
    'app/reindex',
    'config',
    'observability/observer',
    'operations/operation',
    'operations/table',
  ],
  'main.ts': ['cli'],
};

/** Packages each room may name; Node's own modules are free, except in the pure rooms. */
const packages: Record<string, string[]> = {
  model: ['zod'],
  ingestion: ['ajv', 'ajv-formats'],
  embeddings: ['zod'],
  reading: ['zod'],
  auth: ['zod'],
  operations: ['zod'],
  config: ['zod', 'yaml'],
  http: ['hono', '@hono/node-server', 'zod'],
  mcp: ['@modelcontextprotocol/server', 'zod'],
  cli: ['commander', 'yaml', 'zod'],
  app: ['@photostructure/sqlite'],
  'stores/metadata': ['@photostructure/sqlite'],
  sdk: ['@langchain/core'],
};

const pure = ['model', 'language', 'facts', 'ingestion', 'retrieval', 'answers'];
const pureNodeModules = ['node:crypto'];

/** What stands around the drivers, and owns what they must not have. LanceDB tells a lost race by an error. */
const wrappers = ['observed', 'coalesce', 'guarded', 'lancedb-commit', 'lancedb-verify'].map(
  (name) => `stores/vector/${name}.ts`,
);
const metadataDrivers = ['sqlite', 'postgres', 'mongodb'].map((name) => `stores/metadata/${name}.ts`);

interface Import {
  file: string;
  room: string;
  target: string;
  /** Loaded when the file is loaded: neither `import()` nor a type alone. */
  static: boolean;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'|import\('([^']+)'\)/gm)];
  return found.map(([statement, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? '';
    const target = specifier.startsWith('.')
      ? relative(source, resolve(dirname(join(source, file)), specifier)).replace(/\.js$/, '')
      : specifier;
    return {
      file,
      room: roomOf(file),
      target,
      static: dynamic === undefined && !/^(?:import|export) type/.test(statement),
    };
  });
}

/** Without comments, which may speak of what the code must not do. */
function codeOf(file: string): string {
  return readFileSync(join(source, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function roomOf(path: string): string {
  const parts = path.split('/');
  return parts[0] === 'stores' ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

function isOurs({ target }: Import): boolean {
  return files.includes(`${target}.ts`);
}

describe('the house', () => {
  test('has a rule for every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('imports only in the directions of the architecture', () => {
    const wrong = imports.filter(isOurs).filter(({ room, target }) => {
      const allowed = [room, ...(mayImport[room] ?? [])];
      const own = roomOf(`${target}.ts`);
      return !(allowed.includes('*') || allowed.includes(own) || allowed.includes(target) || own === room);
    });
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('names packages only where they belong, and loads the rest when needed', () => {
    const wrong = imports
      .filter((each) => !isOurs(each) && each.static && !each.target.startsWith('node:'))
      .filter(({ room, target }) => {
        const name = target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
        return !(packages[room] ?? []).includes(name);
      });
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('keeps rules pure: no I/O in them', () => {
    const wrong = imports.filter(
      ({ room, target }) => pure.includes(room) && target.startsWith('node:') && !pureNodeModules.includes(target),
    );
    expect(wrong.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  test('keeps drivers plain: no failure is caught, nothing is logged, counted or tried again', () => {
    const drivers = files.filter(
      (file) =>
        (/^stores\/vector\/[^/]+\.ts$/.test(file) && !wrappers.includes(file)) || metadataDrivers.includes(file),
    );
    const forbidden = /\b(?:try|catch|console|logger|observer|metrics|retry|retries)\b/;
    const wrong = drivers.filter((file) => forbidden.test(codeOf(file)));
    expect(drivers.length).toBeGreaterThan(40);
    expect([...wrappers, ...metadataDrivers].filter((file) => !files.includes(file))).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('keeps drivers short', () => {
    const long = files
      .filter((file) => file.startsWith('stores/'))
      .map((file) => ({ file, lines: readFileSync(join(source, file), 'utf8').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 150);
    expect(long).toEqual([]);
  });

  test('keeps files short', () => {
    const long = files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
