import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../../schema.ts';
import { ParameterSets } from '../../sqlite/sqlite-dialect.ts';

/** Adds many rows, each with a value for every one of `columns`. */
export async function insertRows<Table extends keyof Tables & string>(
  database: Kysely<Tables>,
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const values = columns.map(() => '?').join(', ');
  const statement = `insert into "${table}" (${names}) values (${values})`;
  await database.executeQuery(CompiledQuery.raw(statement, [new ParameterSets(rows)]));
}
