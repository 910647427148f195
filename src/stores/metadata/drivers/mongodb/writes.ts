import { storableText } from '../../../../model/storable-text.js';
import { type Change, type Row, type Table, WriteConflict } from '../../contract.js';
import type { InSession } from './client.js';
import { type Places, patchStep, removeStep, type Step, writeStep } from './steps.js';

const DUPLICATE_KEY = 11_000;

/**
 * The changes as steps. A server without transactions may die between two of them, so what refers to others comes
 * before what is referred to and is found first: tables are named parent first, and written from the last to the first.
 * A batch that only removes goes the other way. Within a table the order stays.
 */
export function stepsOf(tables: ReadonlyMap<string, Table>, changes: readonly Change[]): Step[] {
  const byTable = new Map<string, Step[]>([...tables.keys()].map((name) => [name, []]));
  for (const change of joinInserts(changes)) {
    const table = tables.get(change.table);
    if (table === undefined) throw new Error(`there is no table ${change.table}`);
    byTable.get(change.table)?.push(stepOf(table, change));
  }
  const inOrder = [...byTable.values()];
  const removing = changes.every(({ kind }) => kind === 'remove');
  return (removing ? inOrder : inOrder.reverse()).flat().filter(({ ids }) => ids.length > 0);
}

type Joined = Exclude<Change, { kind: 'insert' | 'put' }> | { kind: 'insert' | 'put'; table: string; rows: Row[] };

/** Neighbours of one kind and table travel together. */
function joinInserts(changes: readonly Change[]): Joined[] {
  const joined: Joined[] = [];
  const open = new Map<string, Joined>();
  for (const change of changes) {
    const before = open.get(change.table);
    if (change.kind === 'patch' || change.kind === 'remove') {
      open.delete(change.table);
      joined.push(change);
    } else if (before !== undefined && before.kind === change.kind && 'rows' in before) {
      before.rows.push(change.row);
    } else {
      const next: Joined = { kind: change.kind, table: change.table, rows: [change.row] };
      open.set(change.table, next);
      joined.push(next);
    }
  }
  return joined;
}

function stepOf(table: Table, change: Joined): Step {
  switch (change.kind) {
    case 'insert':
    case 'put':
      return writeStep(table, change);
    case 'patch':
      return patchStep(table, change);
    case 'remove':
      return removeStep(table, change.ids.map(storableText));
    default:
      return change satisfies never;
  }
}

/** In order; a broken unique key is a WriteConflict. */
export async function runSteps(steps: readonly Step[], places: Places, options: InSession): Promise<void> {
  for (const step of steps) {
    await step.run(places, options).catch((error: { code?: unknown }) => {
      throw error.code === DUPLICATE_KEY ? new WriteConflict(step.table.name) : error;
    });
  }
}
