import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { MemoryError, StartupError } from '../model/errors.js';
import { allowedFields, type LogFields, type LogLevel } from './observer.js';
import { currentRequestId, currentSpan } from './request-context.js';

export interface LoggerSettings {
  level: LogLevel;
  format: 'text' | 'json';
  includeStackTraces: boolean;
  service: string;
  environment: string;
  /** Logs request payloads where a call provides them; default off. */
  payloads?: boolean;
  /** Adds the trace id to each line; default off. */
  traces?: boolean;
  /** Writes one finished line; must not throw. */
  write: (line: string) => void;
  /** Removes credentials from library errors. */
  redact: (text: string) => string;
  now: () => string;
}

export type Log = (level: LogLevel, event: string, fields?: LogFields, error?: unknown) => void;

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** One line per event: ids, counts and durations. Fields that are not on the allowlist are not written. */
export function createLogger(settings: LoggerSettings): Log {
  return (level, event, fields = {}, error) => {
    if (order[level] < order[settings.level]) return;
    const requestId = currentRequestId();
    const entry = {
      time: settings.now(),
      level,
      event,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...traceOf(settings),
      ...allowedFields(fields, { payloads: settings.payloads ?? false }),
      ...(error === undefined ? {} : describeError(error, settings)),
    };
    settings.write(settings.format === 'json' ? jsonLine(entry, settings) : textLine(entry));
  };
}

function jsonLine(entry: object, { service, environment }: LoggerSettings): string {
  return JSON.stringify({ ...entry, service, environment });
}

function textLine({ time, level, event, ...rest }: { time: string; level: string; event: string }): string {
  const details = Object.entries(rest).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${quoted(value)}`],
  );
  return [time, level.toUpperCase().padEnd(5), event, ...details].join(' ');
}

function quoted(value: unknown): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function traceOf({ traces }: LoggerSettings): { trace_id?: string; span_id?: string } {
  const span = traces === true ? currentSpan() : undefined;
  return span === undefined ? {} : { trace_id: span.place.traceId, span_id: span.place.spanId };
}

/** The chain of causes with names and messages; stacks only if enabled. */
function describeError(error: unknown, settings: LoggerSettings): { error: string; stack?: string } {
  const chain: string[] = [];
  for (let each: unknown = error; each instanceof Error && chain.length < 5; each = each.cause) {
    chain.push(`${each.name}: ${messageOf(each)}`);
  }
  const stack = error instanceof Error && settings.includeStackTraces ? framesOf(error) : undefined;
  return {
    error: settings.redact(chain.length > 0 ? chain.join(' < ') : 'unknown error'),
    ...(stack === undefined ? {} : { stack: settings.redact(stack) }),
  };
}

const longestMessage = 300;

/**
 * Our own messages and those of the operating system contain no user content. A library's message may repeat a value in
 * quotes, after a colon or after a line break: such parts are removed.
 */
function messageOf(error: Error): string {
  if (error instanceof MemoryError || error instanceof StartupError || 'syscall' in error) return error.message;
  const [first = ''] = error.message.split('\n');
  return first.replace(/"[^"]*"?|'[^']*'?|`[^`]*`?|“[^”]*”?/g, '…').slice(0, longestMessage);
}

/** The stack without the message that the engine puts in front. */
function framesOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${messageOf(error)}`, ...frames].join('\n');
}

const largest = 10 * 1024 * 1024;
const kept = 3;
/**
 * How long to wait after a failure before trying the file again: the disk may have space or the folder may exist
 * again.
 */
const pauseAfterFailure = 10_000;

export interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

/**
 * `<logs_dir>/threadkeep.log`, rotated to `.1`, `.2`, `.3` when it grows. A full disk or missing permission costs log
 * lines, never a request: a stream error closes the file silently, and a later line tries again. New files are readable
 * only by their owner, because `debug_payloads` logs user text; existing files keep their permissions.
 */
export function openLogFile(folder: string, now: () => number = () => performance.now()): LogFile {
  const path = join(folder, 'threadkeep.log');
  let stream: WriteStream | undefined;
  let size = 0;
  let triedAt = now();
  let closed = false;

  function open(): WriteStream | undefined {
    triedAt = now();
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size >= largest) rotate();
    } catch {
      // Only log lines are lost, and they also go to standard error.
      return undefined;
    }
    const opened = createWriteStream(path, { flags: 'a', mode: 0o600 });
    opened.on('error', () => {
      if (stream === opened) stream = undefined;
    });
    return opened;
  }

  function rotate(): void {
    for (let number = kept - 1; number >= 1; number--) move(`${path}.${number}`, `${path}.${number + 1}`);
    move(path, `${path}.1`);
    size = 0;
  }

  stream = open();
  return {
    write(line) {
      if (size >= largest) {
        stream?.end();
        stream = open();
      } else if (stream === undefined && !closed && now() - triedAt >= pauseAfterFailure) stream = open();
      size += Buffer.byteLength(line) + 1;
      stream?.write(`${line}\n`);
    },
    close() {
      const last = stream;
      closed = true;
      stream = undefined;
      return new Promise((resolve) => (last === undefined ? resolve() : last.end(() => resolve())));
    },
  };
}

function move(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
