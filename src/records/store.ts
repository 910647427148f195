import type { RowOf, TableName, WrittenRow } from '../model/tables.js';
import type { MetadataStore, TextMatch, TextQuery } from '../stores/metadata/contract.js';

/** A metadata store with our tables: names, columns and values are type-checked against model/tables.ts. */
export interface RecordStore extends Pick<MetadataStore, 'scrub'> {
  write(changes: readonly Change[]): Promise<void>;
  find<Name extends TableName, Field extends FieldOf<Name> = FieldOf<Name>>(
    table: Name,
    query?: Query<Name, Field>,
  ): Promise<Pick<RowOf<Name>, Field | 'id'>[]>;
  count<Name extends TableName>(table: Name, where?: Condition<Name>[]): Promise<number>;
  searchText?<Name extends TableName>(table: Name, query: TextQueryOf<Name>): Promise<TextMatch[]>;
}

export type FieldOf<Name extends TableName> = keyof RowOf<Name> & string;

/** A change to one table; see the metadata store contract for what each kind does. */
export type ChangeOf<Name extends TableName> =
  | { kind: 'insert'; table: Name; row: WrittenRow<Name> }
  | { kind: 'put'; table: Name; row: WrittenRow<Name> }
  | { kind: 'patch'; table: Name; ids: string[]; set: Patch<Name>; when?: Partial<RowOf<Name>> }
  | { kind: 'remove'; table: Name; ids: string[] };

export type Change = { [Name in TableName]: ChangeOf<Name> }[TableName];

/** New values for some fields; undefined removes a field. */
export type Patch<Name extends TableName> = {
  [Field in keyof WrittenRow<Name>]?: WrittenRow<Name>[Field] | undefined;
};

export type Condition<Name extends TableName> =
  | { [Field in FieldOf<Name>]: ConditionOn<Field, NonNullable<RowOf<Name>[Field]>> }[FieldOf<Name>]
  | { is: 'either'; of: readonly (readonly Condition<Name>[])[] };

type ConditionOn<Field, Value> =
  | { field: Field; is: 'absent' }
  | ([Value] extends [string | number]
      ? { field: Field; is: 'eq' | 'gte' | 'lte'; value: Value } | { field: Field; is: 'in'; value: readonly Value[] }
      : Value extends string[]
        ? { field: Field; is: 'has'; value: string }
        : never);

export interface Query<Name extends TableName, Field extends FieldOf<Name> = FieldOf<Name>> {
  where?: Condition<Name>[];
  order?: { by: FieldOf<Name>; direction: 'asc' | 'desc' };
  limit?: number;
  after?: { value: string | number; id: string };
  /** Only these fields (and id). */
  fields?: Field[];
}

interface TextQueryOf<Name extends TableName> extends Omit<TextQuery, 'where' | 'among'> {
  where?: Condition<Name>[];
  among?: { field: FieldOf<Name>; values: readonly string[] };
}

export function eq<Field extends string, Value extends string>(field: Field, value: Value) {
  return { field, is: 'eq', value } as const;
}

/** Types a store that was opened with our tables. */
export function recordStore(store: MetadataStore): RecordStore {
  // Drivers accept any tables, so their type knows none; `open` gave this store the tables of model/tables.ts.
  return store as unknown as RecordStore;
}

export type ConversationRow = RowOf<'conversations'>;
export type MessageRow = RowOf<'messages'>;
export type ChunkRow = RowOf<'chunks'>;
export type MessageVectorsRow = RowOf<'message_vectors'>;
export type TopicRow = RowOf<'topics'>;
export type SummaryRow = RowOf<'summaries'>;

/** Zero-padded so that ids of one conversation sort in the order of its messages. */
export function messageId(conversationId: string, messageIndex: number): string {
  return `${conversationId}:${String(messageIndex).padStart(6, '0')}`;
}
