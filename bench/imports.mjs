// Importing: how fast exports of each format are read, and how fast what they hold is stored, beside plain inserts.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { filesAt, foundIn } from '../dist/importers/reading/files.js';
import { importers } from '../dist/importers/table.js';
import { corpus } from './corpus.mjs';
import { exportFormats, exportOf } from './exports.mjs';
import { startMeasured } from './service.mjs';
import { measure } from './timing.mjs';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const writers = 16;

export async function benchImports({ megabytes, conversations }) {
  console.log(`\nReading ${conversations} conversations of 10 turns in each format (messages a second)`);
  console.log(`${'format'.padEnd(24)} processor   clock   turns  size`);
  const formats = await formatRates(conversations);
  console.log(`\nReading exports of ${megabytes} MB (MB for each second of processor time, and of the clock)`);
  const parsing = [];
  for (const format of exportFormats) parsing.push(await parseRate(format, megabytes));
  for (const { format, perCpuSecond, perSecond } of parsing) {
    console.log(`${format.padEnd(14)} ${perCpuSecond.toFixed(0).padStart(5)} ${perSecond.toFixed(0).padStart(5)}`);
  }
  const storing = await storeRates(conversations);
  const rate = ({ perSecond }) => `${perSecond.toFixed(0).padStart(5)}/s, ${(perSecond * 10).toFixed(0)} messages/s`;
  console.log(`\nStoring ${conversations} conversations of 10 turns`);
  console.log(`import, command line   ${rate(storing.imported)}`);
  console.log(`insert, ${writers} writers     ${rate(storing.inserted)}   ${storing.ratio.toFixed(2)}×`);
  return { formats, parsing, storing };
}

/**
 * Every format there is, written by the tests' own writers, in a folder as a person gives it: found, read and converted,
 * not stored.
 */
async function formatRates(count) {
  const writers = { ...(await writersIn('exports.ts')).exportAs, ...(await writersIn('more-exports.ts')).moreExports };
  const missing = importers.filter(({ name }) => !Object.keys(writers).some((each) => each.split('/')[0] === name));
  if (missing.length > 0) throw new Error(`no writer for ${missing.map(({ name }) => name).join(', ')}`);
  const source = corpus(11);
  const known = Array.from({ length: count }, (_, number) => knownFrom(source.conversation(10), number));
  const rates = [];
  for (const [format, write] of Object.entries(writers)) {
    const rate = await formatRate(format, write(known));
    const numbers = [rate.perCpuSecond, rate.perSecond].map((each) => each.toFixed(0).padStart(8)).join('');
    console.log(`${format.padEnd(24)} ${numbers}${String(rate.messages).padStart(8)}  ${rate.megabytes.toFixed(1)} MB`);
    rates.push(rate);
  }
  return rates;
}

async function writersIn(name) {
  const { runnerImport } = await import('vite');
  const path = fileURLToPath(new URL(`../test/importers/${name}`, import.meta.url));
  return (await runnerImport(path, { configFile: false, logLevel: 'error' })).module;
}

function knownFrom({ messages }, number) {
  const at = (minute) => new Date(1_700_000_000_000 + (number * 1_440 + minute) * 60_000).toISOString();
  const turns = messages.map(({ role, text }, turn) => ({ role, text: `${text} ${number}.${turn}`, time: at(turn) }));
  const id = `0b6d1b3e-3c5e-4a8e-9c41-${String(number).padStart(12, '0')}`;
  return { id, title: `Conversation ${number}`, time: at(0), turns };
}

async function formatRate(format, files) {
  const importer = importers.find(({ name }) => name === format.split('/')[0]);
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-format-'));
  try {
    let size = 0;
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
      size += content.length;
    }
    const started = performance.now();
    const used = process.cpuUsage();
    let messages = 0;
    for await (const file of filesAt(folder, importer)) {
      for await (const found of foundIn(importer, file)) {
        if (found.kind === 'conversation') messages += found.conversation.messages.length;
      }
    }
    const { user, system } = process.cpuUsage(used);
    const perSecond = (messages * 1_000) / (performance.now() - started);
    return { format, messages, megabytes: size / 1e6, perSecond, perCpuSecond: messages / ((user + system) / 1e6) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The whole export lies in memory first: what is measured is reading, not making it up. */
async function parseRate(format, megabytes) {
  const { file, importer } = exportOf(format, megabytes, { words: 4 });
  const pieces = [];
  for await (const part of file.read()) {
    for (let at = 0; at < part.length; at += 65_536) pieces.push(part.subarray(at, at + 65_536));
  }
  const size = pieces.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const { read } = importers.find(({ name }) => name === importer);
  const started = performance.now();
  const used = process.cpuUsage();
  for await (const found of read({
    path: file.path,
    read: async function* () {
      yield* pieces;
    },
  })) {
    if (found.kind === 'skipped') throw new Error(`${format}: ${found.reason}`);
  }
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - started) / 1000;
  return { format, perCpuSecond: size / ((user + system) / 1e6), perSecond: size / seconds };
}

/** The same conversations through the importer and one by one over HTTP. Both begin with a running program. */
async function storeRates(count) {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-bench-import-'));
  try {
    const source = corpus(5);
    const all = Array.from({ length: count }, () => source.conversation(10));
    const lines = all.map((conversation, number) => `${JSON.stringify({ id: `c${number}`, ...conversation })}\n`);
    await pipeline(Readable.from(lines), createWriteStream(join(folder, 'chats.jsonl')));
    const nothing = await importSeconds(folder, 'empty');
    const imported = await importSeconds(folder, 'chats.jsonl');
    const service = await startMeasured(mkdtempSync(join(folder, 'service-')));
    let at = 0;
    const inserted = await measure(count, writers, () => service.insert(all[at++]));
    await service.stop();
    const perSecond = count / Math.max(0.001, imported - nothing);
    return { imported: { perSecond }, inserted, ratio: inserted.perSecond / perSecond };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How long the command takes; `empty` tells what starting and ending it costs. */
async function importSeconds(folder, name) {
  const path = name === 'empty' ? '-' : join(folder, name);
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'import', 'json', path, '--json', '--data', 'data'], {
    cwd: mkdtempSync(join(folder, 'import-')),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end('[]');
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
  });
  await new Promise((ended) => child.on('close', ended));
  const { imported } = JSON.parse(printed);
  const wanted = name === 'empty' ? 0 : readFileSync(path, 'utf8').trim().split('\n').length;
  if (imported !== wanted) throw new Error(`${imported} of ${wanted} were imported`);
  return (performance.now() - started) / 1000;
}
