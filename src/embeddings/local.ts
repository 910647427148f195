import { access } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTimeSlice } from '../concurrency/yielding.js';
import { StartupError } from '../model/errors.js';
import type { Steps } from '../model/steps.js';
import { normalForm } from '../model/text.js';
import type { Embedder } from './contract.js';
import { createStaticModel, lazyTable, loadTable, type StaticTable, shippedModel } from './static/embed.js';
import type { StaticReady } from './static/worker.js';
import type { TransformerSource } from './transformer/open.js';
import type { TransformerReady } from './transformer/worker.js';
import { checkDimension, checkUnchanged, createEmbeddingWorker } from './worker/host.js';

/*
 * Embedders that need no server: a static model, a transformer, or the lexical hash.
 */

interface LocalEmbedderOptions {
  /** The name of a model, or a path: anything that contains a slash. */
  model: string;
  dimension: number;
}

/**
 * Opens an embedder that runs on this machine. Throws `StartupError` for an unknown model or an impossible dimension.
 */
export async function openLocalEmbedder({ model, dimension }: LocalEmbedderOptions): Promise<Embedder> {
  if (!Number.isInteger(dimension) || dimension < 1) {
    throw new StartupError('config_invalid', 'providers.embedding_dimension must be a whole number of at least 1.');
  }
  if (/[/\\]/.test(model)) return openFolder(resolve(model), dimension);
  if (!Object.hasOwn(models, model)) {
    throw new StartupError('driver_unavailable', `There is no local embedding model "${model}".`, {
      hint: `Set providers.embedding_model to one of: ${Object.keys(models).join(', ')}; or to a folder such as ./models/mine.`,
    });
  }
  return models[model as keyof typeof models](dimension);
}

/**
 * A model that reads whole sentences captures more meaning than the shipped table of word pieces, which has trust 1.
 */
const readsSentences = 1.25;

/** The models available by name. */
const models = {
  'threadkeep-static-256': async (dimension) => {
    const table = await shippedTable();
    return openStaticEmbedder({ model: 'threadkeep-static-256', table, folder: shippedModel, dimension });
  },
  'all-MiniLM-L6-v2': (dimension) =>
    openTransformerEmbedder({
      model: 'all-MiniLM-L6-v2',
      source: { kind: 'minilm' },
      dimension,
      trust: readsSentences,
    }),
  'local-hash': async (dimension) => ({
    // A lexical hash: a small distance means shared letters, and with few dimensions often nothing at all.
    trust: 0.15,
    embed: (texts, { signal } = {}) =>
      inSteps((text) => hashingSteps(text, dimension), texts, { signal, stepsPerLook: 32 }),
    describe: () => ({ provider: 'local', model: 'local-hash', dimension, options: {} }),
    async close() {},
  }),
} satisfies Record<string, (dimension: number) => Promise<Embedder>>;

const shippedTable = lazyTable();

/**
 * The model is named after its folder, so a folder that moves is still the same model; one whose files change is not.
 */
async function openFolder(folder: string, dimension: number): Promise<Embedder> {
  const model = basename(folder);
  if (await exists(join(folder, 'model.bin'))) {
    const url = pathToFileURL(`${folder}/`);
    return openStaticEmbedder({ model, table: await loadTable(url), folder: url, dimension });
  }
  return openTransformerEmbedder({ model, source: { kind: 'folder', folder }, dimension, trust: readsSentences });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/*
 * The `local-hash` model: a lexical embedding that needs no weights. Words, their character 3-grams and, for scripts
 * written without spaces, characters and pairs are hashed with a sign into the dimensions, so that texts sharing words
 * or spellings are near each other. Only integer arithmetic, sums and square roots are used, all of them exact or
 * correctly rounded by the language, so that every machine computes the same vector.
 */

/**
 * Words that carry grammar rather than subject, in lower case. They are part of the `local-hash` model: changing the
 * list changes its vectors. Words that mean something in another listed language ("die", "man", "son") are left out.
 */
const functionWords: ReadonlySet<string> = new Set(
  [
    'a an the and or but nor if then else than so as at by for from in into of off on onto out over to up with without',
    'about after again against all also am any are be because been before being between both can cannot could did do',
    'does doing done down during each few further had has have having he her here hers him his how i is it its itself',
    'just me more most my no not now only other our ours own same she should some such that their theirs them there',
    'these they this those through too under until us very was we were what when where which while who whom whose why',
    'will would you your yours s t ll re ve m d don didn doesn isn wasn weren aren couldn wouldn shouldn hasn haven',
    'der das den dem ein eine einen einem einer und oder aber nicht ist sind ich du er sie es wir ihr mit von zu zum zur',
    'auf für im auch noch wie wenn dass',
    'le la les un une des du de et ou est sont je tu il elle nous vous ils elles que qui dans sur pour pas ne ce cette',
    'el los las una unos unas y o es son yo con por para del al se lo su sus como',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The unit vector of `text`; equal text gives equal bits on every machine. Text without any word maps to the first
 * axis.
 */
export function hashEmbedding(text: string, dimension: number): Float32Array {
  const steps = hashingSteps(text, dimension);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same computation, interruptible: it pauses after every piece of bounded size, and at least once. */
function* hashingSteps(text: string, dimension: number): Generator<void, Float32Array, void> {
  const features: Features = new Map();
  for (const [piece] of normalForm(text, 'NFKC').toLowerCase().matchAll(pieces)) {
    addPiece(features, piece);
    yield;
  }
  yield;
  return project(features, dimension);
}

/** The importance of each feature, keyed by its 32-bit hash. */
type Features = Map<number, number>;

// Words longer than 64 characters (an encoded file, a script without spaces) are split, which bounds one step.
const pieces = /[\p{L}\p{M}\p{N}_]{1,64}|\p{S}/gu;

const unspaced = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`;
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const isSymbol = /^\p{S}/u;
const maybeUnspaced = /[\u{1100}-\u{10FFFF}]/u;

// Squares of the weights, because `project` takes the root: the tenth mention of a word adds less than the first.
const importance = { word: 1, functionWord: 0.02, gram: 0.25, character: 0.4, pair: 0.8, symbol: 0.2 };

// Each kind of feature has its own seed, so that the word "the" and the 3-gram "the" have different hashes.
const seeds = { word: 0x811c9dc5, gram: 0x9e3779b9, character: 0x85ebca6b, pair: 0xc2b2ae35, symbol: 0x27d4eb2f };

const wordBoundary = 0x20;

function addPiece(features: Features, piece: string): void {
  if (isSymbol.test(piece)) {
    add(features, hash(seeds.symbol, codePoints(piece)), importance.symbol);
    return;
  }
  // Only words that may contain another script are split again.
  const parts = maybeUnspaced.test(piece) ? piece.match(runs) : [piece];
  for (const part of parts ?? []) {
    if (startsUnspaced.test(part)) addUnspacedRun(features, part);
    else addWord(features, part);
  }
}

function addWord(features: Features, word: string): void {
  const points = codePoints(word);
  const isFunctionWord = functionWords.has(word);
  add(features, hash(seeds.word, points), isFunctionWord ? importance.functionWord : importance.word);
  if (isFunctionWord) return;
  let first = wordBoundary;
  let second = points[0] ?? wordBoundary;
  for (let position = 1; position <= points.length; position++) {
    const third = points[position] ?? wordBoundary;
    add(features, finish(mix(mix(mix(seeds.gram, first), second), third)), importance.gram);
    first = second;
    second = third;
  }
}

function addUnspacedRun(features: Features, run: string): void {
  let previous: number | undefined;
  for (const point of codePoints(run)) {
    add(features, finish(mix(seeds.character, point)), importance.character);
    if (previous !== undefined) add(features, finish(mix(mix(seeds.pair, previous), point)), importance.pair);
    previous = point;
  }
}

function add(features: Features, key: number, weight: number): void {
  features.set(key, (features.get(key) ?? 0) + weight);
}

function project(features: Features, dimension: number): Float32Array {
  const sums = new Float64Array(dimension);
  for (const [key, weight] of features) {
    const size = Math.sqrt(weight);
    // Each feature uses two axes, so that one collision of two important words costs only half.
    for (const place of [key, finish(key ^ seeds.word)]) {
      const axis = (place >>> 1) % dimension;
      sums[axis] = (sums[axis] ?? 0) + ((place & 1) === 0 ? size : -size);
    }
  }
  let squares = 0;
  for (const sum of sums) squares += sum * sum;
  // Nothing to hash, or signs that cancel out: still a valid direction, always the same.
  if (squares < 1e-12) return Float32Array.from(sums, (_, axis) => (axis === 0 ? 1 : 0));
  const length = Math.sqrt(squares);
  return Float32Array.from(sums, (sum) => sum / length);
}

function codePoints(text: string): number[] {
  const points: number[] = [];
  for (let position = 0; position < text.length; position++) {
    const point = text.codePointAt(position) ?? 0;
    if (point > 0xffff) position++;
    points.push(point);
  }
  return points;
}

function hash(seed: number, points: number[]): number {
  let state = seed;
  for (const point of points) state = mix(state, point);
  return finish(state);
}

/** One FNV-1a step over a whole code point instead of a byte. */
function mix(state: number, point: number): number {
  return Math.imul(state ^ point, 0x01000193);
}

/** Spreads every bit of the state over the whole 32-bit word: FNV alone leaves the low bits, our sign, too regular. */
function finish(state: number): number {
  let word = state;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** The size of a batch that never runs in the worker thread, because messaging would cost more than it saves. */
const charactersInline = 32_768;

/**
 * Starting the thread takes as long as embedding some 500,000 characters, so it is started once large batches of that
 * order have arrived: a few long messages are embedded sooner, and with less memory, without it.
 */
const charactersForThread = 524_288;

/** The thread of large batches holds a second copy of the table, about 34 MiB with its vocabulary. */
const idleMs = 60_000;

const staticPortion = { texts: 256, characters: 32_768, charactersRead: Number.POSITIVE_INFINITY };

/** An embedder over a static model's table; the worker thread for large batches reads the table again from `folder`. */
function openStaticEmbedder(options: { model: string; table: StaticTable; folder: URL; dimension: number }): Embedder {
  const { model, table, folder, dimension } = options;
  checkDimension(model, { configured: dimension, actual: table.dimension });
  const { steps } = createStaticModel(table);
  const { checksum, englishChecksum } = table;
  const identity = { checksum, ...(englishChecksum === undefined ? {} : { english: englishChecksum }) };
  const worker = createEmbeddingWorker<string, StaticReady>({
    entry: new URL('./static/worker.js', import.meta.url),
    data: folder.href,
    portion: staticPortion,
    idleMs,
  });
  let lastLarge = Number.NEGATIVE_INFINITY;
  let recent = 0;

  function isForThread(characters: number): boolean {
    if (characters <= charactersInline) return false;
    const before = lastLarge;
    lastLarge = performance.now();
    // After a pause the thread has ended, or never ran.
    recent = characters + (lastLarge - before < idleMs ? recent : 0);
    return recent > charactersForThread;
  }

  return {
    trust: 1,
    async embed(texts, { signal } = {}) {
      let characters = 0;
      for (const text of texts) characters += text.length;
      if (!isForThread(characters)) return inSteps(steps, texts, { signal, stepsPerLook: 1 });
      signal?.throwIfAborted();
      checkUnchanged(table.checksum, (await worker.open()).checksum);
      return worker.embed(texts, signal === undefined ? {} : { signal });
    },
    describe: () => ({ provider: 'local', model, dimension, options: identity }),
    close: () => worker.close(),
  };
}

// About a quarter of a second of work on one core, so that a question never waits long for an import.
const transformerPortion = { texts: 32, characters: 4_096, charactersRead: 2_048 };

/** An embedder that runs a transformer in a worker thread. Throws `StartupError` when it cannot be opened. */
async function openTransformerEmbedder(options: {
  model: string;
  source: TransformerSource;
  dimension: number;
  trust: number;
}): Promise<Embedder> {
  const { model, source, dimension, trust } = options;
  const worker = createEmbeddingWorker<TransformerSource, TransformerReady>({
    entry: new URL('./transformer/worker.js', import.meta.url),
    data: source,
    portion: transformerPortion,
  });
  try {
    const { dimension: actual, checksum } = await worker.open();
    checkDimension(model, { configured: dimension, actual });
    return {
      trust,
      async embed(texts, settings) {
        settings?.signal?.throwIfAborted();
        checkUnchanged(checksum, (await worker.open()).checksum);
        return worker.embed(texts, settings);
      },
      describe: () => ({ provider: 'local', model, dimension, options: { checksum } }),
      close: () => worker.close(),
    };
  } catch (error) {
    await worker.close();
    throw error;
  }
}

/** Computes the vector of a text in steps of bounded work. */
type VectorSteps = (text: string) => Steps<Float32Array>;

/**
 * Computes the vectors of the texts in this thread and yields to the event loop in between. Reading the clock costs
 * about as much as a very small step, so it is read only after every `stepsPerLook` of them.
 */
async function inSteps(
  steps: VectorSteps,
  texts: readonly string[],
  { signal, stepsPerLook }: { signal: AbortSignal | undefined; stepsPerLook: number },
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const vectors: Float32Array[] = [];
  const slice = createTimeSlice();
  let count = 0;
  for (const text of texts) {
    const computing = steps(text);
    let step = computing.next();
    while (!step.done) {
      if (++count % stepsPerLook === 0 && slice.isOver()) {
        await slice.yield();
        signal?.throwIfAborted();
      }
      step = computing.next();
    }
    vectors.push(step.value);
  }
  return vectors;
}
