// A Slack archive you can ask. Export it under Workspace settings > Import/Export data, then:
//   node slack-archive.mjs ./memory slack-export.zip "When do we release?"
// A newer export may be imported over an older one: only what is new is stored.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { openMemory } from 'threadkeep';

const [folder, archive, question] = process.argv.slice(2);
if (question === undefined) throw new Error('Usage: node slack-archive.mjs MEMORY EXPORT.zip QUESTION');
const memory = await openMemory({ dataDir: folder });

const report = await memory.import(createReadStream(archive), { format: 'slack', filename: basename(archive) });
process.stdout.write(`${report.imported} new days of channels, ${report.duplicates} known\n`);

const { answer, provenance } = await memory.ask({ question, source: 'slack' });
process.stdout.write(`${answer}\n`);
for (const { title } of provenance.conversations) process.stdout.write(`  from ${title}\n`);
await memory.close();
