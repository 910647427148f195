import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import type { Importer } from '../../importers/contract.js';
import { importers } from '../../importers/table.js';
import { MemoryError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { type ImportOptions, runImport } from '../run-import.js';
import { importOptions } from './import.js';

export const importDetect: Command<ImportOptions> = {
  name: 'import detect',
  isDefault: true,
  arguments: [{ name: '[path]', text: 'A file, a folder or a zip; the word detect may be left out' }],
  summary: 'Find out which program an export is from, and bring it in',
  options: importOptions,
  examples: [
    'threadkeep import ~/Downloads/export.zip',
    'threadkeep import ~/Downloads/export.zip --dry-run',
    'threadkeep import detect chats.json',
  ],
  async run(invocation) {
    const [path] = invocation.args;
    if (path === undefined) throw new CommanderError(2, 'commander.missingArgument', missing);
    if (path === '-') throw new MemoryError('invalid_input', 'Standard input has no name; say which format it is');
    if (!existsSync(path) && !/[/\\.]/.test(path))
      throw new CommanderError(2, 'commander.unknownCommand', unknown(path));
    const found = await formatsOf(path);
    const [first] = found;
    if (first === undefined) {
      throw new MemoryError(
        'invalid_input',
        `${path} holds no export that is known; \`threadkeep import --help\` lists them`,
      );
    }
    const { json, quiet } = invocation.shared;
    if (!json && !quiet) process.stderr.write(`${path} is from ${labels(found)}\n`);
    const result = await runImport(
      invocation,
      found.map((importer) => ({ importer, path })),
    );
    return { ...result, json: { ...result.json, formats: found.map(({ name }) => name) } };
  },
};

const missing = "error: missing required argument 'path'";

function unknown(word: string): string {
  return `error: '${word}' is no file and no format; the formats are ${importers.map(({ name }) => name).join(', ')}`;
}

async function formatsOf(path: string): Promise<Importer[]> {
  const { formatsAt } = await import('../../importers/detect.js');
  return formatsAt(path);
}

/** For people: "ChatGPT", or "ChatGPT and Claude". */
export function labels(found: readonly Importer[]): string {
  return found.map(({ label }) => label).join(' and ');
}
