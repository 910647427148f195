import { existsSync } from 'node:fs';
import { importers } from '../../importers/table.js';
import { MemoryError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { programPlace } from '../program-folder.js';
import { openQuestions } from '../questions.js';
import { type ImportOptions, type ImportSource, runImport } from '../run-import.js';
import { importOptions } from './import.js';

interface AutoOptions extends ImportOptions {
  yes?: boolean;
}

export const importAuto: Command<AutoOptions> = {
  name: 'import auto',
  summary: 'Find what the assistants on this machine keep, and bring it in',
  options: [{ flags: '--yes', text: 'Read everything that is found without asking' }, ...importOptions],
  examples: [
    'threadkeep import auto',
    'threadkeep import auto --dry-run',
    'threadkeep import auto --yes --since 2026-01-01',
  ],
  async run(invocation) {
    const found = placesHere();
    const chosen = invocation.options.yes === true ? found : await choose(found);
    if (chosen.length === 0) {
      const json = { status: 'ok', found: found.map(({ importer, path }) => ({ format: importer.name, path })) };
      return { json, text: () => (found.length === 0 ? 'Nothing was found on this machine' : 'Nothing was read') };
    }
    return runImport(invocation, chosen);
  },
};

/** The well-known folders that exist. */
export function placesHere(): ImportSource[] {
  return importers.flatMap((importer) =>
    (importer.places ?? [])
      .map((place) => ({ importer, path: programPlace(place) }))
      .filter(({ path }) => existsSync(path)),
  );
}

/** Other people's programs keep private things: each folder is read only when the person says so. */
async function choose(found: readonly ImportSource[]): Promise<ImportSource[]> {
  if (found.length === 0) return [];
  if (process.stdin.isTTY !== true) {
    const names = found.map(({ importer, path }) => `${importer.label} (${path})`).join(', ');
    throw new MemoryError('invalid_input', `Found: ${names}. Nobody can be asked here; say --yes to read them`);
  }
  const questions = openQuestions();
  const chosen: ImportSource[] = [];
  try {
    for (const source of found) {
      if (await questions.yes(`Read ${source.importer.label} in ${source.path}? [y/N] `)) chosen.push(source);
    }
  } finally {
    questions.close();
  }
  return chosen;
}
