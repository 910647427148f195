import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const json = (path: string): unknown => JSON.parse(readFileSync(at(path), 'utf8'));

interface Sbom {
  serialNumber: string;
  components: { name: string; version: string; purl: string; hashes?: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
const { sbomOf } = (await import(at('scripts/release/sbom.mjs'))) as {
  sbomOf(lock: unknown, about: { at: string; digest: string }): Sbom;
};
const { closeChangelog } = (await import(at('scripts/release/changelog.mjs'))) as {
  closeChangelog(text: string, release: { version: string; date: string }): string;
};
const about = { at: '2026-05-02T00:00:00.000Z', digest: 'ab12' };

describe('the list of what a release installs', () => {
  it('names each package once, with what it needs, as Node finds it', () => {
    const lock = {
      packages: {
        '': { name: 'threadkeep', version: '1.0.0', license: 'MIT', dependencies: { a: '1', '@x/b': '2' } },
        'node_modules/a': {
          version: '1.0.0',
          integrity: 'sha512-AAE=',
          license: 'MIT',
          dependencies: { c: '1' },
          peerDependencies: { absent: '1' },
        },
        'node_modules/a/node_modules/c': { version: '1.5.0' },
        'node_modules/@x/b': { version: '2.0.0', license: 'MIT OR ISC', dependencies: { c: '3' } },
        'node_modules/c': { version: '3.0.0', optional: true },
        'node_modules/tool': { version: '9.0.0', dev: true },
      },
    };
    const sbom = sbomOf(lock, about);
    expect(sbom.dependencies).toEqual([
      { ref: 'pkg:npm/%40x/b@2.0.0', dependsOn: ['pkg:npm/c@3.0.0'] },
      { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/c@1.5.0'] },
      { ref: 'pkg:npm/c@1.5.0', dependsOn: [] },
      { ref: 'pkg:npm/c@3.0.0', dependsOn: [] },
      { ref: 'pkg:npm/threadkeep@1.0.0', dependsOn: ['pkg:npm/%40x/b@2.0.0', 'pkg:npm/a@1.0.0'] },
    ]);
    expect(sbom.components[1]).toEqual({
      'bom-ref': 'pkg:npm/a@1.0.0',
      type: 'library',
      name: 'a',
      version: '1.0.0',
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: '0001' }],
      licenses: [{ license: { id: 'MIT' } }],
      purl: 'pkg:npm/a@1.0.0',
    });
  });

  it('is the same for the same lockfile, has every dependency of ours and no tool', () => {
    const lock = json('package-lock.json');
    const sbom = sbomOf(lock, about);
    expect(sbomOf(lock, about)).toEqual(sbom);
    expect(sbomOf(lock, { ...about, digest: 'cd34' }).serialNumber).not.toBe(sbom.serialNumber);
    const { dependencies } = z.object({ dependencies: z.record(z.string(), z.string()) }).parse(json('package.json'));
    const names = sbom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).not.toContain('vitest');
    expect(names).not.toContain('js-tiktoken');
  });
});

describe('the changelog of a release', () => {
  const release = { version: '0.2.0', date: '2026-05-02' };

  it('has what was unreleased under the version', () => {
    expect(closeChangelog('# Changelog\n\n## Unreleased\n\n- x\n\n## 0.1.0 (2026-01-01)\n', release)).toBe(
      '# Changelog\n\n## 0.2.0 (2026-05-02)\n\n- x\n\n## 0.1.0 (2026-01-01)\n',
    );
  });

  it.each([
    '# Changelog\n\n## 0.1.0 (2026-01-01)\n',
    '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n',
    '# Changelog\n\n## Unreleased\n',
    '# Changelog\n\n## Unreleased\n\n- x\n\n## 0.2.0 (2026-01-01)\n',
  ])('is refused when there is nothing to release: %j', (text) => {
    expect(() => closeChangelog(text, release)).toThrow('CHANGELOG.md has');
  });
});

describe('a workflow', () => {
  const step = z.union([
    z.strictObject({
      uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/),
      with: z.record(z.string(), z.unknown()).optional(),
    }),
    z.strictObject({
      name: z.string().optional(),
      run: z.string(),
      env: z.record(z.string(), z.string()).optional(),
    }),
  ]);
  /** The keys of a workflow that we use, and no others: a typing error is one more. */
  const workflow = z.strictObject({
    name: z.string(),
    on: z.record(z.string(), z.unknown()),
    permissions: z.strictObject({ contents: z.literal('read') }),
    jobs: z.record(
      z.string(),
      z.strictObject({
        'runs-on': z.string(),
        'timeout-minutes': z.int(),
        environment: z.string().optional(),
        permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
        steps: z.array(step),
      }),
    ),
  });

  it.each(readdirSync(at('.github/workflows')))('%s has the form that GitHub knows and runs what CI runs', (name) => {
    const { jobs } = workflow.parse(parse(readFileSync(at(`.github/workflows/${name}`), 'utf8')));
    const commands = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap((each) => ('run' in each ? each.run : [])),
    );
    expect(commands).toContain('.ci/run');
  });
});
