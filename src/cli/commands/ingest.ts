import { maxTranscriptBytes, parseTranscript } from '../../ingestion/transcript.js';
import type { InsertOutcome } from '../../operations/insert/outcome.js';
import type { Command, Invocation } from '../command.js';
import { readInput, readJsonInput } from '../input-file.js';
import { loadConfigFor } from '../open.js';
import { perform } from '../perform.js';
import { columns, counted, type Style } from '../terminal.js';

export const ingest: Command<{ strictTranscript?: boolean }> = {
  name: 'ingest',
  arguments: [{ name: '<file>', text: 'A JSON file with one conversation; - reads standard input' }],
  summary: 'Store one conversation from a file',
  options: [
    {
      flags: '--strict-transcript',
      text: 'The file is a transcript whose messages begin with "User:" or "Assistant:"',
    },
  ],
  examples: [
    'threadkeep ingest conversation.json',
    'threadkeep ingest --strict-transcript notes.txt',
    `echo '[{"role":"user","text":"My bicycle is blue."}]' | threadkeep ingest -`,
  ],
  async run(invocation) {
    const [file = '-'] = invocation.args;
    const { config } = await loadConfigFor(invocation);
    const payload = invocation.options.strictTranscript
      ? { messages: parseTranscript(await readInput(file, maxTranscriptBytes), 'strict') }
      : await readJsonInput(file, config.limits.maxBodyBytes);
    const outcome = await insertByHand(invocation, payload);
    return { json: outcome, text: (style) => storedText(outcome, style) };
  },
};

export const importManual: Command<{ source: string; title?: string }> = {
  name: 'import manual',
  arguments: [
    { name: '<file>', text: 'A transcript whose messages begin with a speaker label; - reads standard input' },
  ],
  summary: 'Store a conversation that was copied from a web page or an app',
  options: [
    { flags: '--source <name>', text: 'Where the conversation took place', default: 'manual-paste' },
    { flags: '--title <title>', text: 'A title for it' },
  ],
  examples: [
    'threadkeep import manual chat.txt --source chatgpt --title "Bicycle repair"',
    'pbpaste | threadkeep import manual - --source claude',
    '',
    'A label starts a line, in upper or lower case, optionally in bold, or stands alone on its line as in "ChatGPT said:":',
    '  User, You, Human, Me',
    '  Assistant, AI, Bot, Copilot, Microsoft Copilot, Claude, Gemini, ChatGPT, GPT',
  ],
  async run(invocation) {
    const [file = '-'] = invocation.args;
    const { source, title } = invocation.options;
    const messages = parseTranscript(await readInput(file, maxTranscriptBytes), 'common');
    const payload = { source, ...(title === undefined ? {} : { title }), messages, metadata: { importer: 'manual' } };
    const outcome = await insertByHand(invocation, payload);
    const imported = outcome.deduplicated ? 0 : 1;
    return {
      json: { status: 'ok', importer: 'manual', imported, messages: messages.length, results: [outcome] },
      text: (style) => `${storedText(outcome, style)}\n${style.faint(`read ${counted(messages.length, 'message')}`)}`,
    };
  },
};

export type HandInserted = InsertOutcome & { dry_run?: true };

/** Stores a conversation that the user supplies directly. */
async function insertByHand(caller: Pick<Invocation, 'shared' | 'secrets'>, payload: unknown): Promise<HandInserted> {
  const { value, dryRun } = await perform(caller, 'insert', payload);
  return dryRun ? { ...value, dry_run: true } : value;
}

function storedText(outcome: HandInserted, style: Style): string {
  const { id, chunks, memory_status: status } = outcome;
  return [
    style.strong(headline(outcome)),
    columns(
      [
        ['id', id],
        ['chunks', indexedChunks(outcome, chunks)],
        ['status', status],
      ],
      style,
    ),
  ].join('\n');
}

function headline(outcome: HandInserted): string {
  if (outcome.dry_run) return 'Dry run: it would be accepted; nothing was stored';
  if (outcome.appended_messages > 0) return `Appended ${counted(outcome.appended_messages, 'message')}`;
  return outcome.deduplicated ? 'Already stored' : 'Stored';
}

function indexedChunks(outcome: HandInserted, chunks: number): string {
  return outcome.indexing === 'pending'
    ? `${chunks}, not indexed yet; the server indexes it when it starts, or run threadkeep reindex`
    : String(chunks);
}
