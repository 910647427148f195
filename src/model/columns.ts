/** A column of a table. `holds` carries the value type for the compiler only: no column has it at run time. */
interface ColumnHolding<Type extends 'text' | 'integer' | 'json', Value> {
  type: Type;
  holds?: Value;
}

export function text<Value extends string = string>(): ColumnHolding<'text', Value> {
  return { type: 'text' };
}

export function integer(): ColumnHolding<'integer', number> {
  return { type: 'integer' };
}

export function json<Value>(): ColumnHolding<'json', Value> {
  return { type: 'json' };
}

/** A column that may be absent from a row. */
export function optional<Column extends object>(column: Column): Column & { optional: true } {
  return { ...column, optional: true };
}

/** The row type of these columns, with its id. */
export type RowWith<Columns> = Flat<
  { id: string } & { [Name in RequiredName<Columns>]: Held<Columns[Name]> } & {
    [Name in Exclude<keyof Columns, RequiredName<Columns>>]?: Held<Columns[Name]>;
  }
>;

type RequiredName<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends { optional: true } ? never : Name;
}[keyof Columns];
type Held<Column> = Column extends { holds?: infer Value } ? Value : never;
/** Flattens an intersection into one object type, so that editors and errors show its fields. */
type Flat<Type> = { [Field in keyof Type]: Type[Field] };
