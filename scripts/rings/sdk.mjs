// The ring of the library: packs it as it ships, installs the frameworks of its adapters by name into a folder of its own,
// compiles small programs against the real types under both ways to resolve, runs them, and has publint and
// arethetypeswrong look at the package.
//   node scripts/rings/sdk.mjs [--modules FOLDER]    (a folder where the packages are installed already)
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from '../ready.mjs';

makeReady();
const { values } = parseArgs({ options: { modules: { type: 'string' } } });
const packages = [
  'ai@7',
  '@langchain/core@1',
  '@llamaindex/core@0.6',
  '@mastra/core@1',
  '@openai/agents@0.20',
  '@anthropic-ai/sdk@1',
  'zod@4',
  'publint@0.3',
  '@arethetypeswrong/cli@0.18',
];
const folder = mkdtempSync(join(tmpdir(), 'threadkeep-sdk-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const modules = join(folder, 'node_modules');
  if (values.modules === undefined) {
    console.log(`Installing ${packages.join(', ')} …`);
    finish('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  } else {
    mkdirSync(modules);
    for (const name of readdirSync(values.modules)) symlinkSync(join(values.modules, name), join(modules, name));
  }
  // Only its types are used, and it asks for older versions of what the others ask for: it is unpacked alone.
  const mem0 = join(modules, 'mem0ai');
  if (!existsSync(mem0)) {
    finish('npm', ['pack', '--silent', 'mem0ai@3']);
    const [file = ''] = readdirSync(folder).filter((name) => /^mem0ai-.*\.tgz$/.test(name));
    mkdirSync(mem0);
    finish('tar', ['-xzf', join(folder, file), '-C', mem0, '--strip-components=1']);
  }
  const packed = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const tarball = join(folder, JSON.parse(packed.stdout)[0].filename);
  // As it would be installed, with the dependencies that lie here already.
  const own = join(modules, 'threadkeep');
  mkdirSync(own);
  finish('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  symlinkSync(join(root, 'node_modules'), join(own, 'node_modules'));

  finish(process.execPath, [join(modules, 'publint', 'src', 'cli.js'), tarball, '--strict']);
  // The package is for `import` alone, so CommonJS and node10 are not looked at.
  finish(process.execPath, [
    join(modules, '@arethetypeswrong', 'cli', 'dist', 'index.js'),
    tarball,
    '--profile',
    'esm-only',
  ]);

  cpSync(join(root, 'scripts', 'rings', 'sdk'), join(folder, 'programs'), { recursive: true });
  // A framework may have brought the types of Node.
  const nodeTypes = join(modules, '@types', 'node');
  if (!existsSync(nodeTypes)) {
    mkdirSync(dirname(nodeTypes), { recursive: true });
    symlinkSync(join(root, 'node_modules', '@types', 'node'), nodeTypes);
  }
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  for (const [moduleResolution, module] of [
    ['bundler', 'esnext'],
    ['node16', 'node16'],
  ]) {
    const options = {
      strict: true,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      skipLibCheck: true,
    };
    const compilerOptions = {
      ...options,
      types: ['node'],
      module,
      moduleResolution,
      rootDir: 'programs',
      outDir: 'out',
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['programs'] }));
    console.log(`Compiling under ${moduleResolution} …`);
    finish(process.execPath, [compiler, '-p', folder]);
  }
  for (const name of readdirSync(join(folder, 'out')).filter((each) => each !== 'opened.js')) {
    finish(process.execPath, [join(folder, 'out', name)]);
    console.log(`ok: ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function finish(command, args) {
  const result = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (result.status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error(`${command} ${args[0]} failed${result.error === undefined ? '' : `: ${result.error.message}`}.`);
  process.exit(result.status ?? 1);
}
