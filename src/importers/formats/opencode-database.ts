import type { Found, SourceFile } from '../contract.js';
import { jsonColumn, openDatabase } from '../reading/database.js';
import { object, type Shape } from '../reading/shape.js';

type Skipped = Extract<Found, { kind: 'skipped' }>;
type FoundSession = { session: Shape; place: string; changedAt: string | undefined } | { skipped: Skipped };

const needed = { session: ['id', 'title'], message: ['id', 'session_id', 'data'], part: ['id', 'message_id', 'data'] };

/** The sessions of opencode's database, each in the shape of its export. */
export async function* opencodeSessions(file: SourceFile): AsyncGenerator<FoundSession> {
  const skipped = (reason: string): FoundSession => ({ skipped: { kind: 'skipped', place: file.path, reason } });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  const isOurs = Object.entries(needed).every(([table, columns]) =>
    columns.every((column) => database?.tables.get(table)?.has(column)),
  );
  if (database === undefined || !isOurs) {
    database?.close();
    yield skipped('it is not a database of opencode');
    return;
  }
  const { rows } = database;
  try {
    for (const row of [...rows('SELECT * FROM session ORDER BY id')]) {
      const parts = new Map<string, unknown[]>();
      for (const part of rows(
        'SELECT part.message_id, part.data FROM part JOIN message ON message.id = part.message_id WHERE message.session_id = ? ORDER BY part.id',
        String(row.id),
      )) {
        const id = String(part.message_id);
        parts.set(id, [...(parts.get(id) ?? []), jsonColumn(part.data)]);
      }
      const messages = [...rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY id', String(row.id))].map(
        ({ id, data }) => ({ info: object(jsonColumn(data)), parts: parts.get(String(id)) ?? [] }),
      );
      yield {
        place: `${file.path} ${String(row.id)}`,
        changedAt: file.changedAt,
        session: {
          info: { ...row, parentID: row.parent_id, time: { created: row.time_created } },
          messages,
        },
      };
    }
  } catch {
    // Sessions that could be read were handed out; what the damage hides is gone either way.
    yield skipped('the database is damaged');
  } finally {
    database.close();
  }
}
