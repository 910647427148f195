import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LoadOptions, loadConfig } from '../../src/config/load.js';
import { StartupError } from '../../src/model/errors.js';

/** A fresh folder to load from, with `config.yaml` in it when a text is given; gone after the test. */
export async function aFolder(yaml?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (yaml !== undefined) await writeFile(join(folder, 'config.yaml'), yaml);
  return folder;
}

/** Loads in a fresh folder, apart from the environment of the test run. */
export async function load(options: { yaml?: string } & Partial<LoadOptions> = {}) {
  const { yaml, ...rest } = options;
  const cwd = options.cwd ?? (await aFolder(yaml));
  const loaded = await loadConfig({ environment: {}, ...rest, cwd });
  return { ...loaded, cwd };
}

/** The problems of a configuration that does not load, one text each. */
export async function problemsOf(options: Parameters<typeof load>[0]): Promise<string[]> {
  const message = await messageOf(options);
  return message
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^- /, ''));
}

export async function messageOf(options: Parameters<typeof load>[0]): Promise<string> {
  const failure = await load(options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof StartupError) || failure.code !== 'config_invalid') {
    throw new Error('expected a config_invalid error', { cause: failure });
  }
  return failure.message;
}
