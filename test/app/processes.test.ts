import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { openPostgresPool } from '../../src/stores/shared/postgres-pool.js';
import { aFolder, start } from '../cli/threadkeep.js';
import { aNote, invented, turns } from '../support/conversation.js';
import { onPostgres, startPostgres } from '../support/stores.js';

// Several sessions and locks between them: PostgreSQL inside the test process has neither.
const onServer = describe.skipIf(process.env.REAL_POSTGRES_URL === undefined);

onServer('two processes on one PostgreSQL with pgvector', () => {
  it('start together on an empty database and lose and double nothing when one of them is killed', async () => {
    const database = await aDatabase();
    const [first, second] = await Promise.all([aProcess(database), aProcess(database)]);
    const acknowledged = new Set<string>();
    const readerFailures: string[] = [];
    let killed = false;
    let writing = true;
    let reads = 0;

    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let turn = 0; turn < 12; turn++) {
        const text = `${invented(writer * 100 + turn, 12)} w${writer}t${turn}`;
        const near = writer % 2 === 0 ? first : second;
        // As behind a load balancer: who gets no answer asks the other one, with the same conversation.
        const answer =
          (await post(near, '/memory/insert', aNote(text))) ?? (await post(second, '/memory/insert', aNote(text)));
        if (answer !== undefined) acknowledged.add(String(answer.id));
        if (acknowledged.size > 60 && !killed) {
          killed = true;
          first.child.kill('SIGKILL');
        }
      }
    });
    const readers = Array.from({ length: 16 }, async (_, reader) => {
      let place = reader % 2 === 0 ? first : second;
      for (let turn = 0; writing; turn++) {
        const answer = await post(place, '/memory/search', { query: invented(turn, 3), top_k: 3 });
        if (answer !== undefined) reads++;
        else if (place === second || !killed) readerFailures.push(`reader ${reader}`);
        else place = second;
      }
    });
    await Promise.all(writers);
    writing = false;
    await Promise.all(readers);

    expect(killed).toBe(true);
    expect(readerFailures).toEqual([]);
    expect(reads).toBeGreaterThan(16);
    expect(acknowledged.size).toBe(16 * 12);
    const pool = await openPostgresPool(database);
    const count = async (text: string): Promise<number> => Number((await pool.query<{ n: string }>(text)).rows[0]?.n);
    // What the killed one had not indexed is taken over by the other when the lease is free.
    await expect
      .poll(() => count(`SELECT count(*) AS n FROM chunks WHERE index_state = 'indexed'`), { timeout: 60_000 })
      .toBe(192);
    const { rows: stored } = await pool.query<{ id: string }>('SELECT id FROM conversations');
    expect(stored.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
    expect(await count('SELECT count(*) AS n FROM messages')).toBe(192);
    expect(await count('SELECT count(*) AS n FROM memory_vectors')).toBe(192);
    expect(await count('SELECT count(*) AS n FROM memory_vectors v JOIN chunks c ON c.id = v.id::text')).toBe(192);
    await pool.end();
  }, 180_000);

  it('store each memory once when 16 writers send it to both, and append without gaps', async () => {
    const database = await aDatabase();
    const both = await Promise.all([aProcess(database), aProcess(database)]);
    const writers = Array.from({ length: 16 }, (_, writer) => writer);
    const placeOf = (writer: number): Started => both[writer % 2 === 0 ? 0 : 1];
    const equal = await Promise.all(
      writers.map((writer) => post(placeOf(writer), '/memory/insert', aNote('The kiln is hot.'))),
    );
    expect(new Set(equal.map((answer) => answer?.id)).size).toBe(1);
    expect(equal.filter((answer) => answer?.deduplicated === false)).toHaveLength(1);

    const texts = writers.map((turn) => `turn ${turn} of the long thread`);
    const metadata = { upstream_thread_id: 'long' };
    const send = async (writer: number): Promise<string> => {
      const capture = { source: 'claude', messages: turns(...texts.slice(0, writer + 1)), metadata };
      // Told to try again when too many were at it at once.
      for (;;) {
        const answer = await post(placeOf(writer), '/memory/insert', capture);
        if (answer !== undefined) return String(answer.id);
      }
    };
    const ids = new Set(await Promise.all(writers.map(send)));
    expect(ids.size).toBe(1);
    const whole = await post(both[0], '/memory/retrieve', { id: [...ids][0] });
    expect(whole?.memory).toMatchObject({ messages: turns(...texts) });
    expect(await post(both[1], '/memory/conversations/list', { limit: 10 })).toMatchObject({ total: 2 });
  }, 120_000);

  it('create one memory when both receive the first turns of a thread', async () => {
    const database = await aDatabase();
    const [first, second] = await Promise.all([aProcess(database), aProcess(database)]);
    for (let thread = 0; thread < 10; thread++) {
      const capture = (length: number) => ({
        source: 'claude',
        messages: turns(...['one', 'two', 'three', 'four'].slice(0, length).map((word) => `${word} of ${thread}`)),
        metadata: { upstream_thread_id: `t${thread}` },
      });
      const sent = [post(first, '/memory/insert', capture(2)), post(second, '/memory/insert', capture(3))];
      const ids = (await Promise.all(sent)).map((answer) => answer?.id);
      expect(new Set(ids).size).toBe(1);
    }
    const listed = await post(second, '/memory/conversations/list', { limit: 100 });
    const whole = Array.from({ length: 10 }, () => ({ message_count: 3 }));
    expect(listed).toMatchObject({ total: 10, results: whole });
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    expect(await post(second, '/memory/search', { query: 'three of 4', top_k: 1 })).toMatchObject({ status: 'ok' });
  }, 120_000);
});

async function aDatabase(): Promise<string> {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  return postgres.emptyPlace();
}

type Started = Awaited<ReturnType<typeof aProcess>>;

async function aProcess(database: string) {
  const { storage, ...rest } = onPostgres(database);
  const config = stringify({ ...rest, storage: { ...storage, allow_trusted_appends: true } });
  const folder = await aFolder({ 'config.yaml': config });
  const process = start(folder, ['serve', '--port', '0', '--json']);
  const greeting = await Promise.race([process.firstOutput(), process.ended.then(({ stderr }) => stderr)]);
  if (!greeting.startsWith('{')) throw new Error(greeting);
  const { url } = JSON.parse(greeting) as { url: string };
  return { ...process, url };
}

/** The answer, or nothing from a process that is gone. */
async function post({ url }: Started, path: string, body: unknown): Promise<Record<string, unknown> | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Record<string, unknown>;
    return response.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}
