import { visibilityOf } from '../../auth/access.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import { forgetInput } from './input.js';
import { pagesOf } from './select.js';

/** Long enough that nobody else says the same by chance, short enough to lie in one place of a file. */
const probeLength = 40;
const shortest = 12;
const most = 200_000;

/** Pieces of everything that is about to go, to look for in the files afterwards: of each message its longest line. */
export async function forgetProbes(service: Service, call: Call, payload: object): Promise<string[]> {
  const input = forgetInput.parse(payload);
  const visibility = visibilityOf(call.principal, { projectId: input.project_id, status: input.memory_status });
  const probes = new Set<string>();
  for await (const rows of pagesOf(service, visibility, input)) {
    const messages = await service.records.conversations.messagesOf(rows.map(({ id }) => id));
    const texts = [...messages.values()].flat().map(({ text }) => text);
    const titles = rows.flatMap((row) => [row, ...(row.aliases ?? [])]).map(({ title = '' }) => title);
    for (const text of [...titles, ...texts]) {
      const probe = probeOf(text);
      if (probe.length >= shortest && probes.size < most) probes.add(probe);
    }
  }
  return [...probes];
}

function probeOf(text: string): string {
  let longest = '';
  for (const line of text.split('\n')) if (line.length > longest.length) longest = line;
  // Not in the middle of a sign that takes two places.
  return longest.slice(0, probeLength).toWellFormed().replaceAll('\uFFFD', '').trim();
}
