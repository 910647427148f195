// What following the assistants costs, and how soon a message can be found: `threadkeep serve --watch` beside sessions of
// four programs that are written at the same time, and one look at rest.
//   node scripts/measure/watch.mjs [--minutes 60] [--rest 60] [--old 200]
// `--minutes`: how long sessions are written; `--rest`: seconds without any, before and after; `--old`: finished sessions
// of each program that lie there from the beginning. Every session says a word of its own in its last line, which is
// searched for until it is found.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeReady } from '../ready.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rest: { type: 'string', default: '60' },
    old: { type: 'string', default: '200' },
  },
});
makeReady();
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'threadkeep-watch-'));
const home = join(place, 'home');
const goals = { seconds: 2, atRest: 1 };
/** Seconds after which a session counts as lost. */
const longest = 60;

const iso = () => new Date().toISOString();
const idOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** How each program writes: a session is opened with its number, says one text after the other, and ends. */
const programs = {
  'Claude Code': (number) => {
    const file = inHome(`.claude/projects/-home-me-project-${number % 7}/${idOf(number)}.jsonl`);
    let said = 0;
    return (role, text) => {
      const message =
        role === 'user' ? { role, content: text } : { role, model: 'm', content: [{ type: 'text', text }] };
      const record = { type: role, uuid: `${number}-${said++}`, sessionId: idOf(number), timestamp: iso(), message };
      appendFileSync(file, `${JSON.stringify(record)}\n`);
    };
  },
  Codex: (number) => {
    const file = inHome(
      `.codex/sessions/2026/11/${10 + (number % 7)}/rollout-2026-11-17T00-00-00-${idOf(number)}.jsonl`,
    );
    const line = (type, payload) => appendFileSync(file, `${JSON.stringify({ timestamp: iso(), type, payload })}\n`);
    line('session_meta', { id: idOf(number), timestamp: iso(), cwd: '/home/me', originator: 'codex_cli_rs' });
    return (role, text) =>
      line('response_item', {
        type: 'message',
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
      });
  },
  // It rewrites its file for each message.
  'Gemini CLI': (number) => {
    const file = inHome(
      `.gemini/tmp/${'ab'.repeat(31)}${String(10 + (number % 7))}/chats/session-2026-${idOf(number)}.json`,
    );
    const messages = [];
    return (role, text) => {
      messages.push({
        id: `${number}-${messages.length}`,
        timestamp: iso(),
        type: role === 'user' ? 'user' : 'gemini',
        content: text,
      });
      const session = { sessionId: idOf(number), projectHash: 'ab', startTime: iso(), lastUpdated: iso(), messages };
      writeFileSync(`${file}.new`, JSON.stringify(session, null, 2));
      renameSync(`${file}.new`, file);
    };
  },
  // One database for all of its sessions.
  opencode: (number) => {
    const database = opencode();
    const session = `ses_${number}`;
    database
      .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?)')
      .run(session, null, `Session ${number}`, '/home/me', Date.now());
    let said = 0;
    return (role, text) => {
      const id = `msg_${number}_${String(said++).padStart(4, '0')}`;
      const now = Date.now();
      const about = { role, time: { created: now, ...(role === 'assistant' ? { completed: now } : {}) } };
      database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, session, now, JSON.stringify(about));
      database
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
        .run(`prt_${id}`, id, session, JSON.stringify({ type: 'text', text }));
    };
  },
};

let opened;
function opencode() {
  if (opened !== undefined) return opened;
  opened = new DatabaseSync(inHome('.local/share/opencode/opencode.db'));
  opened.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, directory TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
    CREATE INDEX message_session_idx ON message (session_id);
    CREATE INDEX part_message_idx ON part (message_id);
    CREATE INDEX part_session_idx ON part (session_id);`);
  return opened;
}

function inHome(path) {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 've'];
const wordOf = (number) =>
  `zq${[...number.toString(16).padStart(5, '0')].map((digit) => syllables[Number.parseInt(digit, 16)]).join('')}`;
const filler = (number) => `Step ${number}: rename the module, run its tests, and say which of them fail and why.`;

const server = { child: undefined, url: '' };
try {
  let next = 0;
  for (const begin of Object.values(programs)) {
    for (let number = 0; number < Number(values.old); number++) {
      const say = begin(next++);
      say('user', filler(next));
      say('assistant', filler(next + 1));
    }
  }
  await start();
  await settled();
  const before = await restingShare();
  const found = await writeSessions(() => next++);
  await settled();
  const after = await restingShare();
  report(found, { before, after });
} finally {
  server.child?.kill('SIGKILL');
  opened?.close();
  rmSync(place, { recursive: true, force: true });
}

async function start() {
  // As `threadkeep service` and `npm start` set it.
  const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '262144' };
  const env = { ...memory, ...process.env, HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, '.config') };
  for (const name of ['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'COPILOT_HOME', 'XDG_DATA_HOME']) delete env[name];
  const args = [main, 'serve', '--watch', '--port', '0', '--json', '--data', join(place, 'data')];
  server.child = spawn(process.execPath, args, { cwd: place, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(server.child.stdout, 'data');
  server.url = JSON.parse(line).url;
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** Until everything that lies there is stored, and the work that goes on in the background is done. */
async function settled() {
  let before;
  for (;;) {
    const from = processorMs();
    await delay(5_000);
    const { total } = await post('/memory/conversations/list', { limit: 1 });
    const now = `${total}`;
    if (now === before && processorMs() - from < 250) return;
    before = now;
  }
}

/** The share of one processor that the service uses while nothing is written, in percent. */
async function restingShare() {
  const from = { processor: processorMs(), wall: performance.now() };
  await delay(Number(values.rest) * 1_000);
  return ((processorMs() - from.processor) / (performance.now() - from.wall)) * 100;
}

/** All threads of the service, user and system time. */
function processorMs() {
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Four programs at once, each one session after the other, a turn every few seconds. */
async function writeSessions(take) {
  const until = performance.now() + Number(values.minutes) * 60_000;
  const found = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  const from = { processor: processorMs(), wall: performance.now() };
  await Promise.all(
    Object.entries(programs).map(async ([name, begin], program) => {
      while (performance.now() < until) {
        const number = take();
        const say = begin(number);
        for (let turn = 0; turn < 3; turn++) {
          say('user', filler(turn));
          await delay(1_000 + program * 170);
          say('assistant', turn === 2 ? `The last one is called ${wordOf(number)}.` : filler(turn + 10));
          if (turn < 2) await delay(2_000);
        }
        found[name].push(await secondsUntilFound(wordOf(number)));
      }
    }),
  );
  found.share = ((processorMs() - from.processor) / (performance.now() - from.wall)) * 100;
  return found;
}

async function secondsUntilFound(word) {
  const from = performance.now();
  for (;;) {
    const { results = [] } = await post('/memory/search', { query: word, top_k: 1 });
    const seconds = (performance.now() - from) / 1_000;
    if (results.some(({ text }) => text.includes(word))) return seconds;
    if (seconds > longest) return Number.POSITIVE_INFINITY;
    await delay(50);
  }
}

function report({ share, ...found }, { before, after }) {
  const at = (times, part) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? Number.NaN;
  console.log(
    `\n${values.minutes} minutes, ${values.old} finished sessions of each program beside those that were written`,
  );
  console.log('seconds from the last line of a session until a search finds it');
  console.log(`${'program'.padEnd(14)} sessions  median     p95  longest`);
  let isLate = false;
  for (const [name, times] of Object.entries(found)) {
    times.sort((one, other) => one - other);
    const numbers = [at(times, 0.5), at(times, 0.95), times.at(-1)].map((each) => each.toFixed(2).padStart(8));
    console.log(`${name.padEnd(14)} ${String(times.length).padStart(8)}${numbers.join('')}`);
    isLate ||= at(times, 0.95) > goals.seconds;
  }
  console.log(
    `processor: ${before.toFixed(2)} % at rest before, ${after.toFixed(2)} % after, ${share.toFixed(1)} % while four write`,
  );
  console.log(
    `resident: ${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1_024)} MiB; load of the machine: ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`,
  );
  const isBusy = Math.max(before, after) > goals.atRest;
  if (isLate) console.log(`not reached: found within ${goals.seconds} s (p95)`);
  if (isBusy) console.log(`not reached: under ${goals.atRest} % at rest`);
  if (isLate || isBusy) process.exitCode = 1;
}
