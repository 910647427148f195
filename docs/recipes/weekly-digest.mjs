// What the last seven days were about, as Markdown, to be mailed or posted:
//   0 8 * * 1  node weekly-digest.mjs /home/nora/memory | mail -s "My week" nora@example.com
// A day as the last argument makes the digest of the week that ends with it.
import { openMemory } from 'threadkeep';

const [folder = './memory', last = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
const memory = await openMemory({ dataDir: folder });
const days = Array.from({ length: 7 }, (_, ago) => {
  const day = new Date(`${last}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ago);
  return day.toISOString().slice(0, 10);
}).reverse();
const lines = [`# ${days[0]} to ${last}`];

for (const day of days) {
  const talks = [];
  for await (const { title = 'Untitled', source, message_count } of memory.timelineAll(day)) {
    talks.push(`- ${title} (${source}, ${message_count} messages)`);
  }
  if (talks.length > 0) lines.push('', `## ${day}`, '', ...talks);
}

const learned = [];
for await (const { subject, predicate, object_normalized } of memory.facts.all({ date_from: days[0], date_to: last })) {
  learned.push(`- ${subject}: ${predicate.replaceAll('_', ' ')} ${object_normalized}`);
}
if (learned.length > 0) lines.push('', '## Facts', '', ...learned);
process.stdout.write(`${lines.join('\n')}\n`);
await memory.close();
