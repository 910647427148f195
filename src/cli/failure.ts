import { CommanderError } from 'commander';
import { errorFaces, type Issue, MemoryError, StartupError } from '../model/errors.js';
import type { Command } from './command.js';
import { exitCodes } from './exit.js';

/** An error with the faces that the command line shows of it. */
export interface Failure {
  exit: number;
  code: string;
  message: string;
  issues?: Issue[];
  fields?: Record<string, string>;
  hints: string[];
  /** What lies behind it, for a person at the keyboard; not part of the JSON, not yet redacted. */
  reason?: string;
  stack?: string;
}

/** `help` is the command that lists the options of what was typed. */
export function failureOf(error: unknown, help = 'threadkeep --help'): Failure {
  if (error instanceof CommanderError) return usageFailure(error, help);
  if (error instanceof StartupError) {
    const hints = error.hint === undefined ? [] : [error.hint];
    return { exit: exitCodes.configuration, code: error.code, message: error.message, hints, ...behind(error) };
  }
  if (error instanceof MemoryError) {
    const { exit } = errorFaces[error.code];
    const { code, message, issues, fields } = error;
    const known = { exit, code, message, fields, hints: [], ...(issues === undefined ? {} : { issues }) };
    // The cause of a refused input adds nothing, and could quote it.
    return exit === exitCodes.input ? known : { ...known, ...behind(error) };
  }
  const message = 'Something went wrong inside Threadkeep';
  const hints = ['Run it again with --verbose to see where.'];
  return { exit: exitCodes.service, code: 'internal_error', message, hints, ...behind({ cause: error }) };
}

/** The error object of every door, without the request id that a command does not have. */
export function errorBody({ code, message, issues, fields, hints }: Failure): object {
  return {
    status: 'error',
    error_code: code,
    error_message: message,
    detail: message,
    ...(issues === undefined ? {} : { issues }),
    ...fields,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  };
}

/** One line `error: message`, then what belongs to it, indented. */
export function errorText(failure: Failure, redact: (text: string) => string): string {
  const [first = '', ...rest] = failure.message.split('\n');
  const issues = (failure.issues ?? []).map(({ path, message }) => `${path} ${message}`.trim());
  // A single issue is what the message says already.
  const listed = issues.length > 1 ? issues.map((issue) => `- ${issue}`) : [];
  const reason = failure.reason === undefined ? [] : [`reason: ${redact(failure.reason)}`];
  const hints = failure.hints.map((hint) => `hint: ${hint}`);
  return [`error: ${first}`, ...[...rest, ...listed, ...reason, ...hints].map((line) => `  ${line}`)].join('\n');
}

function usageFailure({ message, code }: CommanderError, help: string): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestions = rest.map((line) => line.replace(/^\((.*)\)$/, '$1')).filter((line) => line !== '');
  const sentence = code === 'commander.help' ? 'a command is missing' : first;
  const lists = help === 'threadkeep --help' ? 'every command' : 'every option';
  const hints = [...suggestions, `${help} lists ${lists}.`];
  return { exit: exitCodes.usage, code: 'usage_error', message: sentence, hints };
}

const longestReason = 500;

function behind(error: { cause?: unknown; stack?: string }): { reason?: string; stack?: string } {
  const chain: string[] = [];
  let stack = error.stack;
  for (let each = error.cause; each instanceof Error && chain.length < 5; each = each.cause) {
    chain.push(`${each.name}: ${each.message}`.replace(/\s+/g, ' '));
    stack = each.stack ?? stack;
  }
  const reason = chain.join('; ').slice(0, longestReason);
  return { ...(reason === '' ? {} : { reason }), ...(stack === undefined ? {} : { stack }) };
}

/** Fields of the interface that an option has another name for. */
const others: Readonly<Record<string, string>> = { ids: '--id', token_id: '--written-by' };

/**
 * The failure in the words that the person typed: `--top-k`, not `top_k`. A value that an option does not take is an
 * error of usage, like an unknown option.
 */
export function inOptionNames(failure: Failure, command: Command | undefined): Failure {
  if (failure.code !== 'invalid_input' || failure.issues === undefined) return failure;
  const flags = (command?.options ?? []).map(({ flags: text }) => text.split(' ')[0] ?? '');
  const typed = (path: string): string => {
    const [field = ''] = path.split(/[.[]/);
    const flag = others[field] ?? `--${field.replaceAll('_', '-')}`;
    return flags.includes(flag) ? flag : path;
  };
  const issues = failure.issues.map((issue) => ({ ...issue, path: typed(issue.path) }));
  const [first] = failure.issues;
  const renamed = issues[0]?.path ?? '';
  const message =
    first !== undefined && first.path !== '' && failure.message.startsWith(first.path)
      ? renamed + failure.message.slice(first.path.length)
      : failure.message;
  const isUsage = issues.length > 0 && issues.every(({ path }) => /^(?:--|<)/.test(path));
  return { ...failure, message, issues, ...(isUsage ? { exit: exitCodes.usage } : {}) };
}
