import type { LogFields, LogLevel } from './observer.js';
import { currentRequestId } from './request-context.js';

export interface LoggerSettings {
  level: LogLevel;
  format: 'text' | 'json';
  includeStackTraces: boolean;
  service: string;
  environment: string;
  /** Takes one finished line; failing must not reach the caller. */
  write: (line: string) => void;
  /** Removes credentials that an error of a library may carry. */
  redact: (text: string) => string;
  now: () => string;
}

export type Log = (level: LogLevel, event: string, fields?: LogFields, error?: unknown) => void;

const order: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** One line per event: ids, counts and durations. Events never carry conversation text, queries, vectors or keys. */
export function createLogger(settings: LoggerSettings): Log {
  return (level, event, fields = {}, error) => {
    if (order[level] < order[settings.level]) return;
    const requestId = currentRequestId();
    const entry = {
      time: settings.now(),
      level,
      event,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...fields,
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

/** The chain of causes, names and messages; stacks only where they are wanted. */
function describeError(error: unknown, settings: LoggerSettings): LogFields {
  const chain: string[] = [];
  for (let each: unknown = error; each instanceof Error && chain.length < 5; each = each.cause) {
    chain.push(`${each.name}: ${each.message}`);
  }
  const stack = error instanceof Error && settings.includeStackTraces ? error.stack : undefined;
  return {
    error: settings.redact(chain.length > 0 ? chain.join(' < ') : 'unknown error'),
    ...(stack === undefined ? {} : { stack: settings.redact(stack) }),
  };
}
