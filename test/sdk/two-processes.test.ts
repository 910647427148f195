import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { openMemory } from '../../src/sdk/index.js';
import { aFolder } from '../support/service.js';

const run = promisify(execFile);

/** A program of its own that opens the same folder, saves one message and prints what it finds. */
const program = `
  const { openMemory } = await import(process.argv[1]);
  const memory = await openMemory({ dataDir: process.argv[2] });
  await memory.insert({ messages: [{ role: 'user', text: 'The ferry to Texel leaves at seven.' }] });
  const { results } = await memory.search('bicycle');
  console.log(JSON.stringify(results.map(({ text }) => text)));
  await memory.close();
`;

it('opens one folder in two processes, and each finds what the other stored', async () => {
  const dataDir = await aFolder();
  const memory = await openMemory({ dataDir });
  onTestFinished(() => memory.close());
  await memory.insert({ messages: [{ role: 'user', text: 'My bicycle is blue.' }] });
  const library = pathToFileURL(resolve('dist/sdk/index.js')).href;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, library, dataDir]);
  expect(JSON.parse(stdout)).toContain('My bicycle is blue.');
  const { results } = await memory.search('ferry');
  expect(results[0]).toMatchObject({ text: 'The ferry to Texel leaves at seven.' });
});
