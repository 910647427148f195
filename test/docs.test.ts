import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** Targets of Markdown links to files of this repository, from its root. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target))
    .map((target) => join(dirname(page), target.replace(/#.*$/, '')));
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });

/** Whether a path exists: from the root, from `src/` or `test/`, or as the end of the path of a source file. */
function isSource(path: string): boolean {
  const places = [root, join(root, 'src'), join(root, 'test')];
  return places.some((place) => existsSync(join(place, path))) || sources.some((file) => file.endsWith(`/${path}`));
}

describe('the documentation', () => {
  test.each(pages)('links to files that exist: %s', (page) => {
    expect(linksOf(page).filter((target) => !existsSync(join(root, target)))).toEqual([]);
  });

  test.each(['CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md', 'docs/reading-guide.md', 'test/README.md'])(
    'names source files that exist: %s',
    (page) => {
      const text = readFileSync(join(root, page), 'utf8');
      const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|sh|json|jsonl|yaml))`/g)];
      const missing = named.map(([, path = '']) => path).filter((path) => !isSource(path));
      expect(missing).toEqual([]);
    },
  );

  test('has a reading guide that names functions where they are', () => {
    const guide = readFileSync(join(root, 'docs/reading-guide.md'), 'utf8').replaceAll(/\s+/g, ' ');
    const named = [...guide.matchAll(/`(\w+)` in \[`(src\/[\w/.-]+)`\]/g)];
    const missing = named.filter(
      ([, name, file]) =>
        !new RegExp(`export [\\w* ]+\\b${name}\\b`).test(readFileSync(join(root, file ?? ''), 'utf8')),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(missing.map(([match]) => match)).toEqual([]);
  });

  test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'])('leads to the reading guide from %s', (page) => {
    expect(linksOf(page)).toContain('docs/reading-guide.md');
  });
});
