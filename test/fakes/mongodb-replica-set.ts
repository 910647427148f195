import { BSON, type Document } from 'mongodb';
import { matches, projected, sorted, updated } from './mongodb-documents.js';
import { cursor, limits, serveMongo } from './mongodb-wire.js';

type Rows = ReadonlyMap<string, Document>;
type Data = ReadonlyMap<string, Rows>;

interface Transaction {
  number: number;
  /** What it saw when it began. */
  base: Data;
  /** What it would leave behind. */
  view: Data;
  touched: Set<string>;
}

interface Writing {
  document: Document;
  isNew: boolean;
  mine: Transaction | undefined;
}

/** An answer of the server that is a refusal; a client repeats a transaction that lost to another. */
class Refusal extends Error {
  readonly answer: Document;
  constructor(answer: Document) {
    super(String(answer.codeName));
    this.answer = { ok: 0, errmsg: 'refused', ...answer };
  }
}

const lostToAnother = { code: 112, codeName: 'WriteConflict', errorLabels: ['TransientTransactionError'] };
const noSuchTransaction = { code: 251, codeName: 'NoSuchTransaction', errorLabels: ['TransientTransactionError'] };

/**
 * A replica set of one member with transactions and snapshots, in as far as the metadata store uses it. Strict about how
 * a transaction is spoken: who is in it, how it begins and ends, and what may not be said inside.
 */
export async function startReplicaSet() {
  /** Every state there was; the last one is now. */
  const history: Data[] = [new Map()];
  const uniqueFields = new Map<string, string[]>();
  const indexNames = new Map<string, Set<string>>();
  const transactions = new Map<string, Transaction>();
  const counts = { committed: 0, aborted: 0, refused: 0, snapshotReads: 0 };

  const wire = await serveMongo((command, port) => {
    try {
      return answer(command, port);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      counts.refused += 1;
      const open = transactions.get(sessionOf(command));
      // A failed command ends its transaction.
      if (open !== undefined && command.autocommit === false) transactions.delete(sessionOf(command));
      return error.answer;
    }
  });
  return { ...wire, url: `mongodb://127.0.0.1:${wire.port}/?replicaSet=rs0`, counts, open: () => transactions.size };

  function answer(command: Document, port: number): Document {
    const [name = ''] = Object.keys(command);
    const collection = `${command.$db}.${command[name]}`;
    switch (name) {
      case 'hello':
      case 'ismaster': {
        const me = `127.0.0.1:${port}`;
        const wireVersions = { helloOk: true, minWireVersion: 8, maxWireVersion: 25 };
        const set = { setName: 'rs0', setVersion: 1, hosts: [me], me, primary: me };
        return {
          isWritablePrimary: true,
          secondary: false,
          logicalSessionTimeoutMinutes: 30,
          ...wireVersions,
          ...set,
          ...limits,
        };
      }
      case 'ping':
      case 'endSessions':
        return {};
      case 'listCollections':
        return cursor(namesIn(command.$db).map((each) => ({ name: each, type: 'collection' })));
      case 'create':
        return create(collection);
      case 'createIndexes':
        return createIndexes(collection, command.indexes);
      case 'listIndexes':
        return cursor([...(indexNames.get(collection) ?? [])].map((each) => ({ name: each })));
      case 'commitTransaction':
        return commit(command);
      case 'abortTransaction':
        transactions.delete(sessionOf(command));
        counts.aborted += 1;
        return {};
      case 'find':
        return find(command, collection);
      case 'aggregate':
        return aggregate(command, collection);
      case 'insert':
        return write(command, (put) => {
          for (const document of command.documents) put(collection, document._id, document, { isNew: true });
          return command.documents.length;
        });
      case 'update':
        return write(command, (put, rows) => {
          let n = 0;
          for (const { q, u, upsert, multi } of command.updates) {
            const found = [...rows(collection).values()]
              .filter((each) => matches(each, q))
              .slice(0, multi ? undefined : 1);
            for (const each of found) put(collection, each._id, updated(each, u));
            if (found.length === 0 && upsert === true)
              put(collection, q._id, updated({ _id: q._id }, u), { isNew: true });
            n += Math.max(found.length, upsert === true ? 1 : 0);
          }
          return n;
        });
      case 'delete':
        return write(command, (put, rows) => {
          const found = [...rows(collection).values()].filter((each) =>
            command.deletes.some(({ q }: Document) => matches(each, q)),
          );
          for (const { _id } of found) put(collection, _id, undefined);
          return found.length;
        });
      default:
        throw new Error('unknown command');
    }
  }

  function now(): Data {
    return history.at(-1) ?? new Map();
  }

  function namesIn(database: string): string[] {
    return [...now().keys()]
      .filter((each) => each.startsWith(`${database}.`))
      .map((each) => each.slice(database.length + 1));
  }

  function create(collection: string): Document {
    if (now().has(collection)) return { ok: 0, code: 48, codeName: 'NamespaceExists', errmsg: 'exists' };
    history.push(new Map<string, Rows>([...now(), [collection, new Map()]]));
    return {};
  }

  function createIndexes(collection: string, indexes: Document[]): Document {
    for (const { key, name, unique, sparse } of indexes) {
      indexNames.set(collection, (indexNames.get(collection) ?? new Set()).add(name));
      if (unique !== true) continue;
      if (sparse !== true) throw new Error('a unique index over absent values');
      const fields = uniqueFields.get(collection) ?? [];
      uniqueFields.set(collection, [...new Set([...fields, ...Object.keys(key)])]);
    }
    return { numIndexesAfter: 1 };
  }

  /** What a read sees: its transaction's view, an earlier state, or what is there now. */
  function seen(command: Document): { data: Data; time?: number } {
    const { readConcern } = command;
    if (command.autocommit === false) return { data: transactionOf(command).view };
    if (readConcern?.level !== 'snapshot') return { data: now() };
    counts.snapshotReads += 1;
    const time =
      readConcern.atClusterTime === undefined ? history.length - 1 : readConcern.atClusterTime.getLowBits() - 1;
    const data = history[time];
    if (data === undefined) throw new Error('a snapshot of a time that never was');
    return { data, time: time + 1 };
  }

  function find(command: Document, collection: string): Document {
    const { data, time } = seen(command);
    const found = [...(data.get(collection) ?? new Map()).values()].filter((each) =>
      matches(each, command.filter ?? {}),
    );
    const ordered = command.sort === undefined ? found : sorted(found, command.sort);
    const limited = command.limit === undefined ? ordered : ordered.slice(0, command.limit);
    return at(
      time,
      limited.map((each) => projected(each, command.projection)),
    );
  }

  /** Counting, and one sum. */
  function aggregate(command: Document, collection: string): Document {
    const { data, time } = seen(command);
    let rows: Document[] = [...(data.get(collection) ?? new Map()).values()];
    for (const stage of command.pipeline) {
      if (stage.$match !== undefined) rows = rows.filter((each) => matches(each, stage.$match));
      else if (stage.$group !== undefined && rows.length > 0) {
        const sums = Object.entries(stage.$group as Record<string, Document>).filter(([field]) => field !== '_id');
        const totals = sums.map(([field, { $sum }]) => [
          field,
          rows.reduce((sum, each) => sum + (typeof $sum === 'number' ? $sum : Number(each[String($sum).slice(1)])), 0),
        ]);
        rows = [{ _id: stage.$group._id, ...Object.fromEntries(totals) }];
      } else if (stage.$group === undefined) throw new Error('an unknown stage');
    }
    return at(time, rows);
  }

  function at(time: number | undefined, rows: Document[]): Document {
    const answered = cursor(rows);
    if (time !== undefined) answered.cursor.atClusterTime = new BSON.Timestamp({ t: 1, i: time });
    return answered;
  }

  type Put = (collection: string, id: string, document: Document | undefined, options?: { isNew: boolean }) => void;

  function write(command: Document, work: (put: Put, rows: (collection: string) => Rows) => number): Document {
    const inside = command.autocommit === false ? transactionOf(command) : undefined;
    if (inside === undefined && command.writeConcern?.w !== 'majority')
      throw new Error('a write that may be rolled back');
    const before = inside?.view ?? now();
    const changed = new Map<string, Map<string, Document>>();
    const rowsOf = (collection: string): Rows => changed.get(collection) ?? before.get(collection) ?? new Map();
    const put: Put = (collection, id, document, { isNew } = { isNew: false }) => {
      // A transaction must not be the first to name a collection.
      if (inside !== undefined && !before.has(collection)) throw new Error('a collection that was not made');
      const key = `${collection} ${id}`;
      if (inside !== undefined) refuseRaces(inside, { collection, id, key });
      const rows = changed.get(collection) ?? new Map(before.get(collection));
      changed.set(collection, rows);
      if (document !== undefined) refuseTaken(rows, collection, { document, isNew, mine: inside });
      if (document === undefined) rows.delete(id);
      else rows.set(id, document);
      inside?.touched.add(key);
    };
    const n = work(put, rowsOf);
    const after: Data = new Map<string, Rows>([...before, ...changed]);
    if (inside === undefined) history.push(after);
    else inside.view = after;
    return { n, nModified: n };
  }

  /** Changed since this one began, or by one that is under way. */
  function refuseRaces(
    mine: Transaction,
    { collection, id, key }: { collection: string; id: string; key: string },
  ): void {
    const others = [...transactions.values()].some((other) => other !== mine && other.touched.has(key));
    const changed = mine.base.get(collection)?.get(id) !== now().get(collection)?.get(id);
    if (others || changed) throw new Refusal(lostToAnother);
  }

  function refuseTaken(rows: Rows, collection: string, { document, isNew, mine }: Writing): void {
    const fields = (uniqueFields.get(collection) ?? []).filter((field) => document[field] !== undefined);
    const sharesKey = (each: Document): boolean =>
      each._id !== document._id && fields.some((field) => each[field] === document[field]);
    const isTaken = (isNew && rows.has(document._id)) || (fields.length > 0 && [...rows.values()].some(sharesKey));
    if (isTaken) throw new Refusal({ code: 11_000, codeName: 'DuplicateKey' });
    if (mine === undefined || fields.length === 0) return;
    // Somebody else has the key by now, or is about to: the next attempt sees it.
    const known = mine.base.get(collection);
    const others = [...transactions.values()].filter((other) => other !== mine).map(({ view }) => view);
    const elsewhere = [now(), ...others].flatMap((data) => [...(data.get(collection)?.values() ?? [])]);
    if (elsewhere.some((each) => known?.get(each._id) !== each && sharesKey(each))) throw new Refusal(lostToAnother);
  }

  function commit(command: Document): Document {
    const mine = transactionOf(command);
    if (command.writeConcern?.w !== 'majority') throw new Error('a transaction that may be rolled back');
    if (command.$db !== 'admin') throw new Error('a transaction is committed in admin');
    const changed = new Map<string, Map<string, Document>>();
    for (const key of mine.touched) {
      const [collection = '', ...words] = key.split(' ');
      const id = words.join(' ');
      const rows = changed.get(collection) ?? new Map(now().get(collection));
      changed.set(collection, rows);
      const document = mine.view.get(collection)?.get(id);
      if (document === undefined) rows.delete(id);
      else rows.set(id, document);
    }
    history.push(new Map<string, Rows>([...now(), ...changed]));
    transactions.delete(sessionOf(command));
    counts.committed += 1;
    return {};
  }

  /** The first command of a transaction says so; none inside says how sure it wants to be. */
  function transactionOf(command: Document): Transaction {
    const session = sessionOf(command);
    const number = Number(command.txnNumber);
    if (session === '' || Number.isNaN(number)) throw new Error('a transaction without a session or a number');
    if (command.startTransaction === true) {
      const open = transactions.get(session);
      if (open !== undefined && open.number >= number) throw new Error('a transaction begun twice');
      transactions.set(session, { number, base: now(), view: now(), touched: new Set() });
    } else if (command.readConcern !== undefined) throw new Error('a read concern inside a transaction');
    const found = transactions.get(session);
    if (found?.number !== number) throw new Refusal(noSuchTransaction);
    const ends = 'commitTransaction' in command || 'abortTransaction' in command;
    if (!ends && command.writeConcern !== undefined) throw new Error('a write concern inside a transaction');
    return found;
  }
}

function sessionOf(command: Document): string {
  return command.lsid?.id === undefined ? '' : String(command.lsid.id);
}
