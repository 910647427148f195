import { maxTranscriptBytes, parseTranscript } from '../../ingestion/transcript.js';
import type { Command } from '../command.js';
import { readInput, readJsonInput } from '../input-file.js';
import { insertByHand, storedText } from '../insert-by-hand.js';
import { loadConfigFor } from '../open.js';

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
      : await readJsonInput(file, config.limits.max_body_bytes);
    const outcome = await insertByHand(invocation, payload);
    return { json: outcome, text: (style) => storedText(outcome, style) };
  },
};
