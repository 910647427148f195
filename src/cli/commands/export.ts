import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from '../command.js';
import { type FilterOptions, filterFields, filterOptions, statusOption } from '../filter-options.js';
import { withRuntime } from '../open.js';
import { given } from '../payload.js';
import { counted } from '../style.js';

interface ExportOptions extends FilterOptions {
  output: string;
  format?: string;
  memoryStatus?: string;
  projectId?: string;
}

export const exportCommand: Command<ExportOptions> = {
  name: 'export',
  summary: 'Write your conversations and facts into a file that any program can read',
  options: [
    { flags: '--output <file>', text: 'Where to write it; - prints it', default: '-' },
    { flags: '--format <format>', text: 'JSON lines or Markdown (default: jsonl)', choices: ['jsonl', 'markdown'] },
    ...filterOptions,
    statusOption('all'),
    { flags: '--project-id <id>', text: 'Only this project (default: all of yours)' },
  ],
  examples: [
    'threadkeep export --output memory.jsonl',
    'threadkeep export --format markdown --source claude --output claude.md',
    'threadkeep import threadkeep memory.jsonl --config new.yaml',
  ],
  async run(invocation) {
    const { options } = invocation;
    const payload = given({
      format: options.format,
      ...filterFields(options),
      memory_status: options.memoryStatus,
      project_id: options.projectId,
    });
    const { operations } = await import('../../operations/table.js');
    const bytes = await withRuntime(invocation, async ({ runtime, call }) => {
      const { pieces } = await operations.export.execute(runtime.service, call, payload);
      return write(pieces, options.output);
    });
    if (options.output === '-') return undefined;
    const json = { status: 'ok', file: options.output, bytes };
    return { json, text: (style) => `${style.strong('Exported')} ${counted(bytes, 'byte')} to ${options.output}` };
  },
};

/** Under its own name only when it is whole, and for its owner alone. */
async function write(pieces: AsyncGenerator<string>, output: string): Promise<number> {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  if (output === '-') {
    await pipeline(Readable.from(pieces), counting, process.stdout, { end: false });
    return bytes;
  }
  const unfinished = `${output}.unfinished`;
  try {
    await pipeline(Readable.from(pieces), counting, createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return bytes;
}
