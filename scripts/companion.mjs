// Builds the browser companion into companion/build, the folder to load as an unpacked extension.
//   npm run companion [-- --out FOLDER]
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { makeInstalled, root } from './ready.mjs';

const source = join(root, 'companion');
/** Each becomes one script without imports: scripts in pages cannot be modules. */
const scripts = ['background', 'popup', 'options', 'inject-reader', 'watch-page'];
const files = ['popup.html', 'options.html', 'look.css', '_locales', 'icons'];

/**
 * `granted` moves the access that users give while they work into the manifest, for browsers that no person sits at;
 * `language` keeps that language alone, for browsers that do not have it.
 */
export async function buildCompanion({ out = join(source, 'build'), granted = false, language } = {}) {
  makeInstalled();
  const { build } = await import('vite');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const name of scripts)
    await build({
      configFile: false,
      root: source,
      logLevel: 'warn',
      publicDir: false,
      build: {
        outDir: out,
        emptyOutDir: false,
        target: 'chrome120',
        minify: false,
        modulePreload: false,
        reportCompressedSize: false,
        rolldownOptions: {
          input: join(source, `${name}.ts`),
          output: { format: 'iife', entryFileNames: `${name}.js` },
        },
      },
    });
  for (const file of files) cpSync(join(source, file), join(out, file), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8'));
  if (granted) manifest.host_permissions.push(...manifest.optional_host_permissions.splice(0));
  if (language !== undefined) {
    manifest.default_locale = language;
    for (const other of readdirSync(join(out, '_locales')))
      if (other !== language) rmSync(join(out, '_locales', other), { recursive: true });
  }
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return out;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const out = await buildCompanion(values.out === undefined ? {} : { out: resolve(values.out) });
  console.log(`Built. Open chrome://extensions, turn on developer mode and load this folder:\n${out}`);
}
