// Makes a release from the last commit: the tarball, its SBOM (CycloneDX), a provenance statement and checksums.
//   node scripts/release.mjs --prepare 0.2.0    sets the version and closes the changelog, for you to look at and commit
//   node scripts/release.mjs [--out release]    builds what is committed
//   node scripts/release.mjs --twice            builds it in two places and compares every byte
// Nothing is published, tagged or committed here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReady, root } from './ready.mjs';
import { closeChangelog } from './release/changelog.mjs';
import { provenanceOf } from './release/provenance.mjs';
import { sbomOf } from './release/sbom.mjs';

const { values } = parseArgs({
  options: {
    prepare: { type: 'string' },
    out: { type: 'string', default: 'release' },
    twice: { type: 'boolean', default: false },
  },
});

if (values.prepare !== undefined) prepare(values.prepare);
else release();

function prepare(version) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new Error(`${version} is not a version such as 0.2.0`);
  const changelog = join(root, 'CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  const closed = closeChangelog(readFileSync(changelog, 'utf8'), { version, date });
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], root);
  writeFileSync(changelog, closed);
  console.log(`Look at the changes, then:
  git commit -am "chore(release): ${version}" && git tag -s v${version} -m ${version}
  node scripts/release.mjs --twice`);
}

function release() {
  const commit = run('git', ['rev-parse', 'HEAD'], root).trim();
  if (run('git', ['status', '--porcelain'], root) !== '') console.log('note: what is not committed is left out');
  // Both builds use the packages that are installed here, so they must be those of the commit.
  if (run('git', ['diff', '--name-only', commit, '--', 'package-lock.json'], root) !== '') {
    throw new Error('package-lock.json differs from the commit: commit it first');
  }
  makeReady();
  const out = resolve(root, values.out);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  build(commit, out);
  if (values.twice) compare(commit, out);
  for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')) console.log(line);
}

/** From the commit alone, in a folder of its own: neither what else lies around nor the name of the folder counts. */
function build(commit, out) {
  const place = mkdtempSync(join(tmpdir(), 'threadkeep-release-'));
  try {
    const archive = join(place, 'source.tar');
    const source = join(place, 'source');
    mkdirSync(source);
    run('git', ['archive', '--format=tar', `--output=${archive}`, commit], root);
    run('tar', ['-xf', archive, '-C', source], place);
    symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'junction');
    const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', out], source));
    const lockText = readFileSync(join(source, 'package-lock.json'));
    describe(join(out, filename), { filename, commit, lockText, out });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function describe(tarball, { filename, commit, lockText, out }) {
  const bytes = readFileSync(tarball);
  const [sha256, sha512] = ['sha256', 'sha512'].map((algorithm) => digest(bytes, algorithm));
  const seconds = Number(run('git', ['show', '-s', '--format=%ct', commit], root));
  const at = new Date(seconds * 1000).toISOString();
  const stem = filename.replace(/\.tgz$/, '');
  write(join(out, `${stem}.cdx.json`), sbomOf(JSON.parse(lockText.toString()), { at, digest: sha256 }));
  const lockDigest = digest(lockText, 'sha256');
  const node = process.versions.node;
  write(
    join(out, `${stem}.provenance.json`),
    provenanceOf({ name: filename, sha256, sha512, commit, lockDigest, node }),
  );
  const files = readdirSync(out).sort();
  const sums = files.map((name) => `${digest(readFileSync(join(out, name)), 'sha256')}  ${name}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
}

function compare(commit, out) {
  const again = mkdtempSync(join(tmpdir(), 'threadkeep-again-'));
  try {
    build(commit, again);
    const [first, second] = [out, again].map((folder) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
    if (first !== second) throw new Error(`two builds of one commit differ:\n${first}\n${second}`);
    console.log('two builds of this commit are the same, byte for byte');
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function digest(bytes, algorithm) {
  return createHash(algorithm).update(bytes).digest('hex');
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}
