import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedMemory, openMemory } from 'threadkeep';

/** A memory of its own for each program. */
export function opened(): Promise<EmbeddedMemory> {
  const settings = { providers: { vector_db: 'memory' }, models: { reader: false, tagger: false, deep_index: false } };
  return openMemory({ dataDir: mkdtempSync(join(tmpdir(), 'threadkeep-ring-')), settings });
}
