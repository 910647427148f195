import type { Collection, Document } from './client.js';
import { type Places, replacement, type Step } from './steps.js';
import { runSteps } from './writes.js';

/** For a server without transactions: what the rows were is remembered, and put back when a step fails. */
export async function runOrUndo(steps: readonly Step[], places: Places): Promise<void> {
  const before = await Promise.all(
    steps.map(async ({ table, ids }) => {
      const of = (collection: Collection) => collection.find({ _id: { $in: ids } }, {}).toArray();
      const words = table.terms === undefined ? [] : await of(places.terms(table.name));
      return { table, ids, rows: await of(places.rows(table.name)), words };
    }),
  );
  try {
    await runSteps(steps, places, {});
  } catch (error) {
    for (const { table, ids, rows, words } of before) {
      await restore(places.rows(table.name), ids, rows);
      if (table.terms !== undefined) await restore(places.terms(table.name), ids, words);
    }
    throw error;
  }
}

async function restore(collection: Collection, ids: readonly string[], documents: readonly Document[]): Promise<void> {
  const kept = new Set(documents.map(({ _id }) => _id));
  await collection.deleteMany({ _id: { $in: ids.filter((id) => !kept.has(id)) } }, {});
  if (documents.length > 0) await collection.bulkWrite(documents.map(replacement), { ordered: true });
}
