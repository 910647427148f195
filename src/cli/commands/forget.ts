import type { Verified } from '../../app/verify-forgotten.js';
import { MemoryError } from '../../model/errors.js';
import type { ForgetOutput } from '../../operations/forget/select.js';
import type { Command, Invocation } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, given } from '../filters.js';
import { type Opened, withRuntime } from '../open.js';
import { markedIfDry } from '../perform.js';
import { columns, counted, openQuestions, printable, type Style } from '../terminal.js';

interface ForgetOptions extends FilterOptions {
  id?: string[];
  all?: boolean;
  before?: string;
  writtenBy?: string;
  projectId?: string;
  allowReturn?: boolean;
  verify?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

export const forget: Command<ForgetOptions> = {
  name: 'forget',
  summary: 'Forget conversations permanently, in every store and file',
  options: [
    { flags: '--id <id>', text: 'Forget this conversation; repeat it for several', kind: 'list' },
    { flags: '--all', text: 'Every conversation of the project' },
    { flags: '--before <date>', text: 'Conversations before this date or time (UTC)' },
    ...filterOptions,
    {
      flags: '--written-by <token-id>',
      text: 'Conversations that this token wrote; --token <token-id> means the same',
    },
    { flags: '--project-id <id>', text: 'The project they belong to (default: your own)' },
    {
      flags: '--allow-return',
      text: 'Allow them to be stored again; also lifts that block for an --id forgotten before',
    },
    { flags: '--verify', text: 'Afterwards search every file of the data folder for their text' },
    { flags: '--dry-run', text: 'Show what would be forgotten; change nothing' },
    { flags: '--yes', text: 'Do not ask for confirmation' },
  ],
  examples: [
    'threadkeep forget --id 3b241101-e2bb-4255-8caf-4136c566a962',
    'threadkeep forget --source chatgpt --before 2025-01-01 --dry-run',
    'threadkeep forget --tags private --verify --yes',
    'threadkeep forget --token tok_… --dry-run',
    'threadkeep forget --all --dry-run',
    '',
    'Hashes of forgotten conversations are kept, so that an import does not bring them back. Earlier backups still contain them.',
  ],
  async run(given) {
    const invocation = withTokenId(given);
    const { options } = invocation;
    const payload = payloadOf(options);
    const { project_id: _where, allow_return: _how, ...which } = payload;
    if (Object.keys(which).length === 0) throw nothingNamed(options);
    return withRuntime(invocation, async (opened) => {
      const planned = await run(opened, { ...payload, dry_run: true });
      const nothing = planned.conversations === 0 && planned.lifted === 0;
      if (options.dryRun === true || nothing || opened.config.storage.dryRun) {
        return markedIfDry({ json: planned, text: (style) => planText(planned, style) }, opened.config.storage.dryRun);
      }
      if (options.yes !== true) await confirm(invocation, planned);
      const probes = options.verify === true ? await probesOf(opened, payload) : undefined;
      const done = await run(opened, { ...payload, dry_run: false });
      const verified = probes === undefined ? undefined : await verify(opened, probes);
      return {
        json: { ...done, ...(verified === undefined ? {} : { verified }) },
        text: (style) => doneText(done, verified, style),
        exit: verified !== undefined && verified.found.length > 0 ? 3 : 0,
      };
    });
  },
};

function nothingNamed({ verify }: ForgetOptions): MemoryError {
  const choices = '--id, --source, --before, --date-from, --date-to, --tags, --thread-id, --written-by or --all';
  // Only hashes of forgotten conversations are kept, so their text can no longer be searched for.
  const when = verify === true ? '; --verify looks for their text in the same run, as it is not kept' : '';
  const message = `Say which conversations to forget: ${choices}${when}`;
  return new MemoryError('invalid_input', message, { issues: [{ path: '--id', message }] });
}

/**
 * `--token` names the acting user, but a token id does not authenticate: it can only mean the conversations that token
 * wrote.
 */
function withTokenId(invocation: Invocation<ForgetOptions>): Invocation<ForgetOptions> {
  const { token, ...shared } = invocation.shared;
  if (token === undefined || !token.startsWith('tok_')) return invocation;
  return { ...invocation, shared, options: { ...invocation.options, writtenBy: token } };
}

function payloadOf(options: ForgetOptions): Record<string, unknown> {
  return given({
    ids: options.id,
    // Later than every date that can be stored.
    before: options.before ?? (options.all === true ? '9999-12-31' : undefined),
    ...filterFields(options),
    token_id: options.writtenBy,
    project_id: options.projectId,
    allow_return: options.allowReturn,
  });
}

async function run({ runtime, call }: Opened, payload: object): Promise<ForgetOutput> {
  const { operations } = await import('../../operations/table.js');
  return operations.forget.execute(runtime.service, call, payload);
}

/** Prevents accidental deletion: a person confirms, a script passes --yes. */
async function confirm({ print, shared }: Invocation<ForgetOptions>, planned: ForgetOutput): Promise<void> {
  if (process.stdin.isTTY !== true || shared.json) {
    throw new MemoryError(
      'invalid_input',
      `${counted(planned.conversations, 'conversation')} would be forgotten; add --yes to do it`,
    );
  }
  print({ json: planned, text: (style) => planText(planned, style) });
  const questions = openQuestions();
  const agreed = await questions.yes('Forget them permanently? [y/N] ').finally(questions.close);
  if (!agreed) throw new MemoryError('invalid_input', 'Nothing was forgotten');
}

async function probesOf({ runtime, call }: Opened, payload: object): Promise<string[]> {
  const { forgetProbes } = await import('../../operations/forget/select.js');
  return forgetProbes(runtime.service, call, payload);
}

async function verify({ config, runtime }: Opened, probes: readonly string[]): Promise<Verified> {
  const { verifyForgotten } = await import('../../app/verify-forgotten.js');
  return verifyForgotten(config, runtime.service.observer, probes);
}

function planText(planned: ForgetOutput, style: Style): string {
  if (planned.conversations === 0) {
    return planned.lifted > 0 ? `${planned.lifted} may be stored again` : 'Nothing matches: nothing would be forgotten';
  }
  const shown = planned.examples.map(({ id, title, source, timestamp }) => {
    return `  ${timestamp.slice(0, 10)} · ${printable(source)} · ${printable(title ?? id)}`;
  });
  const more = planned.conversations - planned.examples.length;
  return [
    style.strong('This would be forgotten'),
    countsText(planned, style),
    ...shown,
    ...(more > 0 ? [style.faint(`  and ${more} more`)] : []),
  ].join('\n');
}

function doneText(done: ForgetOutput, verified: Verified | undefined, style: Style): string {
  const lines = [
    style.strong(done.conversations === 0 ? 'Nothing was forgotten' : 'Forgotten'),
    countsText(done, style),
  ];
  if (done.lifted > 0) lines.push(`${done.lifted} may be stored again`);
  if (verified !== undefined) {
    const clean = `Searched ${counted(verified.files, 'file')}: none of the text is left.`;
    lines.push(verified.found.length === 0 ? clean : `Some of the text is still in: ${verified.found.join(', ')}`);
    if (verified.remote === true) lines.push('The files of the database server were not searched.');
  }
  return lines.join('\n');
}

function countsText({ conversations, messages, chunks, facts }: ForgetOutput, style: Style): string {
  return columns(
    [
      ['conversations', String(conversations)],
      ['messages', String(messages)],
      ['chunks', String(chunks)],
      ['facts', String(facts)],
    ],
    style,
  );
}
