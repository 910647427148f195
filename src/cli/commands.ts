import type { Command } from './command.js';
import { ask } from './commands/ask.js';
import { configShow } from './commands/config-show.js';
import { factSearch } from './commands/fact-search.js';
import { factSupersede } from './commands/fact-supersede.js';
import { health } from './commands/health.js';
import { importManual } from './commands/import-manual.js';
import { ingest } from './commands/ingest.js';
import { profileGet } from './commands/profile-get.js';
import { reindex } from './commands/reindex.js';
import { retrieve } from './commands/retrieve.js';
import { search } from './commands/search.js';
import { serve } from './commands/serve.js';
import { storageCheck } from './commands/storage-check.js';
import { tokenizerCheck } from './commands/tokenizer-check.js';

/** Every command, in the order of the help. A new one is a file and a line here. */
export const commands: readonly Command[] = [
  serve,
  ingest,
  importManual,
  search,
  retrieve,
  ask,
  profileGet,
  factSearch,
  factSupersede,
  reindex,
  health,
  storageCheck,
  tokenizerCheck,
  configShow,
];

/** What a group of commands is about. */
export const groups: Readonly<Record<string, string>> = {
  import: 'Bring in conversations from elsewhere',
};
