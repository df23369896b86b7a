import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import type { Tables } from '../../schema.ts';

/** The columns and rows of an `insert`. One JSON parameter for many rows takes a tenth of the time of one parameter per value. */
export const rowsOf = (columns: readonly string[], rows: readonly (readonly unknown[])[]) =>
  sql`(${sql.join(columns.map((column) => sql.ref(column)))}) select ${sql.join(
    columns.map((_column, index) => sql`value ->> ${sql.lit(index)}`),
  )} from json_each(${JSON.stringify(rows)}) where true`;

/**
 * Returns the rows of a query, whose columns are selected by name and contain texts, safe integers and null. For hundreds of rows one
 * JSON text from SQLite takes a third of the time of one value after the other.
 */
export async function selectRows<Row>(
  database: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, keyof Tables, Row>,
): Promise<Selectable<Row>[]> {
  const { rows } = await sql<{ rows: string }>`select ${jsonArrayFrom(query)} as rows`.execute(database);
  return rows.flatMap((row) => JSON.parse(row.rows) as Selectable<Row>[]);
}
