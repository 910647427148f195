// Writes the pages of docs/ and the types of the library, which are made from the code. With --check it writes nothing and fails when one is stale.
// Needs a build, because it reads what ships.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { commandLinePage } from './docs/command-line.mjs';
import { configurationPage } from './docs/configuration.mjs';
import { providersPage } from './docs/providers.mjs';
import { architecturePage } from './docs/rooms.mjs';
import { authPage } from './docs/scopes.mjs';
import { sdkFiles } from './sdk/files.mjs';

const pages = {
  'docs/architecture.md': architecturePage,
  'docs/configuration.md': configurationPage,
  'docs/cli.md': commandLinePage,
  'docs/providers.md': providersPage,
  'docs/auth.md': authPage,
  ...sdkFiles,
};

for (const [name, page] of Object.entries(pages)) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const current = await readFile(file, 'utf8').catch(() => '');
  const wanted = page(current);
  if (!process.argv.includes('--check')) {
    await writeFile(file, wanted);
  } else if (current !== wanted) {
    console.error(`${name} is stale: run "npm run docs"`);
    process.exitCode = 1;
  }
}
