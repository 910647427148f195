import { createInterface } from 'node:readline';
import { withoutUnseen } from '../model/text.js';

/** Text styles; plain unless the output is a terminal that supports colours. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  match(text: string): string;
}

export const plainStyle: Style = { strong: same, faint: same, match: same };

const colourStyle: Style = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  match: (text) => `\u001b[33m${text}\u001b[39m`,
};

/**
 * Colours only on a terminal without NO_COLOR (any non-empty value); FORCE_COLOR enables them anywhere, or disables
 * them with 0.
 */
export function styleFor(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): Style {
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return forced === '0' || forced === 'false' ? plainStyle : colourStyle;
  const wanted = stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
  return wanted ? colourStyle : plainStyle;
}

/** Removes control sequences from stored text, which could move the cursor or recolour the terminal. */
export function printable(text: string): string {
  return withoutUnseen(text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, ''));
}

/** Lines of name and value, with the values aligned. Entries without a value are left out. */
export function columns(
  entries: readonly (readonly [name: string, value: string | undefined])[],
  style: Style,
): string {
  const shown = entries.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${style.faint(name.padEnd(width))}  ${value}`).join('\n');
}

/** `1 chunk`, `2 chunks`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function same(text: string): string {
  return text;
}

/** A progress bar on one line, redrawn with each step and cleared at the end. */
export interface Progress {
  step(state: { done: number; total: number }): void;
  end(): void;
}

interface ProgressSettings {
  write: (text: string) => void;
  width: number;
  /** Milliseconds. */
  now: () => number;
  /** The unit, such as MB or rows. */
  unit: string;
}

const wipe = '\r\u001b[K';
const barLength = 24;

/** Draws only on a terminal, so that log files contain no bars. */
export function progressOn(stream: NodeJS.WriteStream, wanted: boolean, unit: string): Progress {
  if (!wanted || !stream.isTTY) return { step() {}, end() {} };
  return createProgress({ write: (text) => stream.write(text), width: stream.columns ?? 80, now: Date.now, unit });
}

export function createProgress({ write, width, now, unit }: ProgressSettings): Progress {
  const started = now();
  return {
    step({ done, total }) {
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const filled = Math.round(part * barLength);
      const rate = done / Math.max(0.001, (now() - started) / 1000);
      const left = rate === 0 ? '' : `, ${duration((total - done) / rate)} left`;
      const bar = '#'.repeat(filled) + '-'.repeat(barLength - filled);
      const speed = `${rate.toFixed(rate < 10 ? 1 : 0)} ${unit}/s`;
      write(wipe + `[${bar}] ${done}/${total} ${unit}, ${speed}${left}`.slice(0, width - 1));
    },
    end: () => write(wipe),
  };
}

/** `42s`, `3m 05s`, `2h 10m`. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole}s`;
  const pad = (value: number): string => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${pad(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${pad(Math.floor((whole % 3600) / 60))}m`;
}

/** Ctrl+C at a prompt ends the command without further explanation. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

export interface Questions {
  /** Only an explicit yes counts. The end of the input (Ctrl+D) answers no to this and every later question. */
  yes(question: string): Promise<boolean>;
  close(): void;
}

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks on the terminal, through standard error, so that prompts do not mix with the output. */
export function openQuestions(terminal: Terminal = { input: process.stdin, output: process.stderr }): Questions {
  const lines = createInterface(terminal);
  let closed = false;
  let pending: { answer(text: string): void; stop(): void } | undefined;
  lines.on('SIGINT', () => {
    terminal.output.write('\n');
    pending?.stop();
  });
  lines.on('close', () => {
    closed = true;
    if (pending !== undefined) terminal.output.write('\n');
    pending?.answer('');
  });
  return {
    async yes(question) {
      if (closed) return false;
      const asked = new Promise<string>((resolve, reject) => {
        pending = { answer: resolve, stop: () => reject(new Interrupted('Stopped by Ctrl+C')) };
        lines.question(question, resolve);
      });
      const answer = await asked.finally(() => {
        pending = undefined;
      });
      return /^(y|yes|j|ja)$/i.test(answer.trim());
    },
    close: () => lines.close(),
  };
}

/** Quotes the words so that the command line can be pasted into a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
