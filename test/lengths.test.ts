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

it('says in test/README.md why each skipped test is skipped', () => {
  const [, section = ''] = read('test/README.md').split(/^## Skipped tests$/m);
  const rows = section.split(/^## /m)[0]?.match(/^\| `.*$/gm) ?? [];
  const explained = new Set(
    rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)),
  );
  // The suites of the drivers and `describeRealStore` skip for the files that use them.
  const mechanisms = /^(?:conformance\/|support\/real-store\.ts|rings\/|lengths\.test\.ts)/;
  const skips = /\.(?:skip|skipIf|runIf|fails|todo)\b|\b(?:skip|leaveOut): \[|\bskip: |describeRealStore\(/;
  const skipping = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !mechanisms.test(file) && skips.test(read(`test/${file}`)))
    .map((file) => file.replace(/\.test\.ts$/, ''));
  expect(skipping.sort()).toEqual([...explained].sort());
});
