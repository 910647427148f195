// The training scripts of the reader from end to end on a tiny sample: prepare, train a teacher and a student for a few steps,
// export, train the tagger of the shipped model alone, and open the results with the code that ships. PyTorch comes from Debian's packages where it is not installed.
//   node scripts/rings/training.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeReady, root } from '../ready.mjs';

makeReady();
const scripts = join(root, 'models', 'train', 'reader');
const corpus = join(root, 'models', 'train', 'corpus');

const has = (module) => spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0;
if (!has('torch') || !has('ensurepip')) {
  finish('apt-get', ['update', '-qq']);
  finish('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'python3-torch', 'python3-venv']);
}

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-training-'));
try {
  const environment = join(folder, 'environment');
  finish('/usr/bin/python3', ['-m', 'venv', '--system-site-packages', environment]);
  const python = join(environment, 'bin', 'python');
  finish(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'tokenizers', 'brotli']);
  const script = (name, ...args) => finish(python, [join(scripts, name), ...args]);

  const pieces = join(folder, 'pieces.json');
  const weights = join(folder, 'reader.pt');
  const model = join(folder, 'reader.bin');
  script('sample.py', join(root, 'models', 'reader.bin'), corpus, folder);
  script('lives.py', ...corpusFiles(join(folder, 'corpus')));
  script('prepare.py', 'rows', '-', join(folder, 'data'), join(folder, 'corpus'), pieces, folder);
  script('train.py', folder, weights, '--steps', '8', '--tokens', '512');
  script('export.py', weights, pieces, model, '1');

  const shipped = join(root, 'models', 'reader.bin');
  const tagger = join(folder, 'tagger.pt');
  const tagged = join(folder, 'tagged.bin');
  script('tagger.py', 'rows', shipped, join(folder, 'data'), join(folder, 'corpus'), folder);
  script('tagger.py', 'train', folder, shipped, tagger, '--teachers', '1', '--steps', '2', '--tokens', '512');
  script('tagger.py', 'write', shipped, tagger, tagged, '1');

  const { openModel } = await import(join(root, 'dist/reading/model.js'));
  const opened = await openModel(model);
  const [read] = opened.read('Where does Ann live?', [{ message: { speaker: 'user', text: 'I moved to Leeds.' } }]);
  const vector = opened.questionVector('Where does Ann live?');
  if (!Number.isFinite(read?.relevance) || vector.every((value) => value === 0)) {
    throw new Error('The exported model opens but does not read');
  }
  const [known, taught] = await Promise.all([openModel(shipped), openModel(tagged)]);
  if (known.questionVector('Where does Ann live?').join() !== taught.questionVector('Where does Ann live?').join()) {
    throw new Error('Training the tagger changed what reads');
  }
  console.log(`the exported model reads: relevance ${read.relevance.toFixed(2)}, ${vector.length} numbers a vector`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function corpusFiles(corpusFolder) {
  const names = readdirSync(corpusFolder, { recursive: true });
  return names.filter((name) => name.endsWith('.txt')).map((name) => join(corpusFolder, name));
}

function finish(command, args) {
  execFileSync(command, args, {
    cwd: scripts,
    stdio: 'inherit',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
}
