import type { Document } from 'mongodb';

/** The few operators of MongoDB's query language that the metadata store uses; any other is refused. */
export function matches(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    if (field === '$and') return (wanted as Document[]).every((each) => matches(document, each));
    if (field === '$or') return (wanted as Document[]).some((each) => matches(document, each));
    if (field.startsWith('$')) throw new Error(`unknown operator ${field}`);
    if (!isOperators(wanted)) return holds(document[field], wanted);
    return Object.entries(wanted).every(([operator, value]) => compares(document[field], operator, value));
  });
}

function isOperators(wanted: unknown): wanted is Record<string, unknown> {
  return typeof wanted === 'object' && wanted !== null && Object.keys(wanted).some((key) => key.startsWith('$'));
}

function compares(held: unknown, operator: string, value: unknown): boolean {
  switch (operator) {
    case '$eq':
      return holds(held, value);
    case '$in':
      return (value as unknown[]).some((each) => holds(held, each));
    case '$exists':
      return (held !== undefined) === value;
    case '$gte':
    case '$lte':
    case '$gt':
    case '$lt': {
      // Values of different types never compare.
      if (typeof held !== typeof value) return false;
      const order = compare(held, value);
      return operator.startsWith('$g')
        ? order > 0 || (operator === '$gte' && order === 0)
        : order < 0 || (operator === '$lte' && order === 0);
    }
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

/** Equal, or a list that has it. */
function holds(held: unknown, wanted: unknown): boolean {
  return held === wanted || (Array.isArray(held) && held.includes(wanted));
}

/** Text by its bytes, as MongoDB orders it without a collation. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) - Number(other);
}

export function sorted(documents: Document[], order: Document): Document[] {
  return documents.toSorted((one, other) => {
    for (const [field, direction] of Object.entries(order)) {
      const difference = compare(one[field], other[field]);
      if (difference !== 0) return difference * Number(direction);
    }
    return 0;
  });
}

/** The named fields, and those inside an embedded document by their path. */
export function projected(document: Document, projection: Document = {}): Document {
  const paths = Object.keys(projection);
  if (paths.length === 0) return document;
  const picked: Document = { _id: document._id };
  for (const path of paths) {
    const [field = '', inner] = path.split('.');
    if (inner === undefined && document[field] !== undefined) picked[field] = document[field];
    else if (inner !== undefined && document[field]?.[inner] !== undefined)
      picked[field] = { ...picked[field], [inner]: document[field][inner] };
  }
  return picked;
}

/** A replacement, or `$set` and `$unset`. */
export function updated(document: Document, update: Document): Document {
  if (!isOperators(update)) return { ...update, _id: document._id };
  const { $set = {}, $unset = {}, ...others } = update as Record<string, Document>;
  if (Object.keys(others).length > 0) throw new Error('an unknown kind of update');
  const changed: Document = { ...document, ...$set };
  for (const field of Object.keys($unset)) delete changed[field];
  return changed;
}
