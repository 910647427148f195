import fc from '../support/properties.js';
import { seed } from './settings.js';

/** Under way at a time: each lane has its own row of inputs, so that a failure is found again by its seed. */
const lanes = 6;

/** With `--all` the run goes on after a failure and tells the first of each kind. */
const all = process.env.FUZZ_ALL === '1';

/**
 * Tries inputs one after the other in several lanes. `judge` says what is wrong with what became of one; the first
 * complaint is shrunk to the smallest input that draws it, and told with its seed.
 */
export async function attempt<Input>(
  inputs: fc.Arbitrary<Input>,
  total: number,
  judge: (input: Input) => Promise<string[]>,
  show: (input: Input) => string,
): Promise<void> {
  const kinds = new Map<string, string>();
  const property = fc.asyncProperty(inputs, async (input) => {
    const complaints = await judge(input);
    if (complaints.length === 0) return;
    const text = `${complaints.join('\n')}\n${show(input)}`;
    if (!all) throw new Error(text);
    for (const complaint of complaints) {
      const kind = complaint.slice(0, 120).replace(/[0-9a-f]{8,}|\d+/g, '#');
      if (!kinds.has(kind) && kinds.size < 40) kinds.set(kind, text);
    }
  });
  const numRuns = Math.ceil(total / lanes);
  const tries = Array.from({ length: lanes }, (_, lane) => fc.assert(property, { seed: seed * 100 + lane, numRuns }));
  const failed = (await Promise.allSettled(tries)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (kinds.size > 0) throw new Error([...kinds.values()].join('\n\n----\n'));
}
