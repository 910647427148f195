import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeKeys } from '../../src/config/tree.js';

const root = join(import.meta.dirname, '..', '..');

describe('the generated pages of docs/', () => {
  it('are what the code says today', async () => {
    const check = promisify(execFile)(process.execPath, [join(root, 'scripts', 'docs.mjs'), '--check']);
    await expect(check).resolves.toEqual({ stdout: '', stderr: '' });
  });

  it('name every key of the configuration', async () => {
    const page = await readFile(join(root, 'docs', 'configuration.md'), 'utf8');
    expect(describeKeys().filter((key) => !page.includes(`| \`${key.path}\` |`))).toEqual([]);
  });
});
