import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MetadataDriver } from '../../src/stores/metadata/contract.js';
import { metadataDrivers } from '../../src/stores/metadata/drivers.js';
import type { VectorDriver } from '../../src/stores/vector/contract.js';
import { vectorDrivers } from '../../src/stores/vector/drivers.js';

const all: (VectorDriver | MetadataDriver)[] = [
  ...Object.values(vectorDrivers),
  metadataDrivers.postgres,
  metadataDrivers.mongodb,
];
const withClient = all.flatMap(({ name, needs }) => (needs === undefined ? [] : [{ name, needs }]));

describe('a client package that is not installed', () => {
  it('stops the opening of its driver with the command that installs it', async () => {
    const script = fileURLToPath(new URL('./without-clients.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
    expect(JSON.parse(stdout)).toEqual(
      withClient.map(({ name, needs }) => ({
        name,
        code: 'package_missing',
        hint: `npm install ${needs.package}@${needs.range}`,
      })),
    );
    expect(withClient.length).toBe(15);
  });

  it('is named with the version that the tests use', () => {
    const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> };
    const installed = (name: string): string | undefined => packages[`node_modules/${name}`]?.version;
    const tested = withClient.filter(({ needs }) => installed(needs.package) !== undefined);
    expect(tested.filter(({ needs }) => installed(needs.package) !== needs.range)).toEqual([]);
    expect(tested.length).toBeGreaterThan(8);
  });
});
