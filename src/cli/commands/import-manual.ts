import { maxTranscriptBytes, parseTranscript } from '../../ingestion/transcript.js';
import type { Command } from '../command.js';
import { readInput } from '../input-file.js';
import { insertByHand, storedText } from '../insert-by-hand.js';
import { counted } from '../style.js';

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
    'Labels stand at the beginning of a line, in any case, also in bold or as "ChatGPT said:" alone on the line:',
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
