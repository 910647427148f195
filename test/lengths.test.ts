import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');

/** The files and folders that a list of vitest.config.ts names. */
function listed(name: string): string[] {
  const [, list = ''] = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(read('vitest.config.ts')) ?? [];
  return [...list.matchAll(/'([^'*]+)/g)].map(([, path = '']) => path);
}

it('is all run by CI: what npm test leaves out, and what it tries less often', () => {
  expect(read('.ci/run')).toMatch(/^stage .+ npm test$/m);
  expect(read('.ci/run')).toMatch(/^stage .+ npm run test:long$/m);
  expect(listed('longOnly').length).toBeGreaterThan(10);
  const files = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'));
  // The fuzz tests take their number of runs from their settings.
  const shortened = files.filter(
    (file) =>
      file.endsWith('.test.ts') &&
      /\/support\/length\.js'|\b(?:runs|share)\b.* from '\.\/settings\.js'/.test(read(file)),
  );
  expect(shortened.length).toBeGreaterThan(5);
  const whole = new Set([...listed('inBoth'), ...listed('longOnly')]);
  expect(shortened.filter((file) => !whole.has(file))).toEqual([]);
});

it('is told in test/README.md, file by file', () => {
  const told = read('test/README.md');
  const untold = listed('longOnly').filter((file) => !told.includes(file.replace(/^test\/|\.test\.ts$/g, '')));
  expect(untold).toEqual([]);
});
