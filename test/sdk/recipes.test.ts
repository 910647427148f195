import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { aFolder } from '../support/service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Copies the recipe to an empty project that has the package installed, and runs it there. */
async function project() {
  const folder = await aFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'threadkeep'));
  await cp(join(root, 'docs', 'recipes'), folder, { recursive: true });
  return async (name: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(folder, name),
      join(folder, 'memory'),
      ...args,
    ]);
    return stdout;
  };
}

describe('the recipes', () => {
  it('remember what was said in an earlier run', async () => {
    const run = await project();
    expect(await run('chat-bot.mjs', 'My bicycle is blue.')).toBe('Tell me more.\n');
    expect(await run('chat-bot.mjs', 'What colour is my bicycle?')).toContain('You told me: My bicycle is blue.');
  });

  it("keep an agent's notes", async () => {
    const run = await project();
    const printed = await run('memory-tool.mjs');
    expect(printed).toContain('     1\tUse npm 10.\n     2\tTests need a build first.\n');
    expect(printed).toContain('is_error: Error: The path /memories/missing.md does not exist.');
  });

  it("find by mem0's names", async () => {
    const run = await project();
    expect(await run('from-mem0.mjs')).toBe('I am allergic to walnuts.\n');
  });

  it('are all run', async () => {
    const names = await readdir(join(root, 'docs', 'recipes'));
    expect(names.sort()).toEqual(['chat-bot.mjs', 'from-mem0.mjs', 'memory-tool.mjs']);
  });
});
