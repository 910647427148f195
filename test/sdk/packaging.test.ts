import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { memoryRoutes } from '../../src/http/routes.js';
import { paths } from '../../src/sdk/transport.js';
import { aFolder } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The program of the README, as a stranger writes it: nothing but what the package exports. */
const embeddedProgram = `
import { MemoryError, openMemory } from 'threadkeep';
import type { Memory, SearchInput } from 'threadkeep';
const memory = await openMemory({ dataDir: './memory' });
await memory.insert({ messages: [{ role: 'user', text: 'My bicycle is blue.' }] });
const texts: string[] = (await memory.search('bicycle')).results.map((hit) => hit.text);
const answer: string = (await memory.ask('What colour is my bicycle?')).answer;
const input: SearchInput = { query: 'bicycle', top_k: 3 };
for await (const hit of memory.searchAll({ ...input, result_mode: 'compact' })) hit.snippet.length;
// @ts-expect-error: a compact result has no text
for await (const hit of memory.searchAll({ query: 'x', result_mode: 'compact' })) hit.text;
const same: Memory = memory;
await same.close().catch((error: unknown) => error instanceof MemoryError && error.code === 'not_found');
console.log(texts, answer);
`;

const clientProgram = `
import { ConnectionError, connectMemory } from 'threadkeep/client';
const memory = connectMemory({ url: 'http://127.0.0.1:8000', token: async () => 'x' });
for await (const piece of memory.export({ format: 'markdown' })) piece.length;
const report = await memory.import(new Blob(['[]']), { format: 'json' }, { signal: AbortSignal.timeout(1000) });
const read: number = report.read;
try { await memory.facts.supersede({ fact_id: 'a', superseded_by: 'b' }); } catch (error) {
  if (error instanceof ConnectionError) error.httpStatus;
}
// @ts-expect-error: only a memory in this process is indexed anew
memory.reindex();
export { read };
`;

describe('the package', () => {
  it.each([
    ['node16', 'Node16', { types: ['node'], lib: ['es2023'], skipLibCheck: true }],
    ['bundler', 'ESNext', { types: [], lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] }],
  ])('has types for programs that resolve like %s', async (moduleResolution, module, options) => {
    const folder = await aFolder();
    await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
    await symlink(root, join(folder, 'node_modules', 'threadkeep'));
    await symlink(join(root, 'node_modules', '@types', 'node'), join(folder, 'node_modules', '@types', 'node'));
    await symlink(join(root, 'node_modules', 'undici-types'), join(folder, 'node_modules', 'undici-types'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'client.ts'), clientProgram);
    await writeFile(join(folder, 'embedded.ts'), embeddedProgram);
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', moduleResolution, module, ...options };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((failure) => failure);
    expect(stdout).toBe('');
  });

  it('has a client that is small and needs nothing but fetch', async () => {
    const { rolldown } = await import('rolldown');
    const bundle = await rolldown({
      input: join(root, 'dist', 'sdk', 'client.js'),
      platform: 'browser',
      onLog: (_level, log) => {
        throw new Error(log.message);
      },
    });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    expect(output).toHaveLength(1);
    const { code } = output[0];
    expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\b|\bBuffer\b/);
    expect(gzipSync(code).length).toBeLessThan(15_000);
    // What is not used goes: importing it for its errors alone leaves little.
    const part = await rolldown({
      input: 'entry',
      platform: 'browser',
      plugins: [
        {
          name: 'entry',
          resolveId: (id: string) => (id === 'entry' ? id : null),
          load: (id: string) =>
            id === 'entry'
              ? `export { ConnectionError } from ${JSON.stringify(join(root, 'dist/sdk/client.js'))}`
              : null,
        },
      ],
    });
    const shaken = await part.generate({ format: 'esm', minify: true });
    expect(shaken.output[0].code.length).toBeLessThan(1_000);
  });

  it('reaches every operation where the server has it', () => {
    const served = new Map(
      memoryRoutes.map(({ method = 'POST', path, operation }) => [operation.name, `${method} ${path}`]),
    );
    for (const [name, path] of Object.entries(paths))
      expect({ name, path }).toEqual({ name, path: served.get(name as never) });
    const left = [...served.keys()].filter((name) => !(name in paths));
    expect(left).toEqual(['token_list', 'token_revoke']);
  });

  it('opens nothing when it is imported', async () => {
    const script = `
      await import(${JSON.stringify(join(root, 'dist/sdk/index.js'))});
      await import(${JSON.stringify(join(root, 'dist/sdk/client.js'))});
      console.log(process.getActiveResourcesInfo().filter((name) => /Timeout|MessagePort|Socket|Server|Event/.test(name)).join());`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout.trim()).toBe('');
  });

  it('says what to do when it was made part of a bundle', async () => {
    const folder = await aFolder();
    const { rolldown } = await import('rolldown');
    const bundle = await rolldown({
      input: join(root, 'dist', 'sdk', 'index.js'),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
      onLog() {},
    });
    await bundle.write({ dir: join(folder, 'out'), format: 'esm' });
    const script = `const { openMemory } = await import(${JSON.stringify(join(folder, 'out', 'index.js'))});
      await openMemory({ dataDir: ${JSON.stringify(folder)} }).catch(({ code, hint }) => console.log(code, hint));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toContain('package_missing Keep threadkeep out of the bundle');
  });

  it('names every entry point that its exports promise', async () => {
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { types: string; default: string }>;
    };
    for (const entry of Object.values(exports)) {
      for (const file of typeof entry === 'string' ? [entry] : [entry.types, entry.default]) {
        await expect(readFile(join(root, file), 'utf8')).resolves.not.toBe('');
      }
    }
  });
});
