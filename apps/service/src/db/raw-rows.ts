import { getTableColumns, type InferSelectModel } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/*
 * For statements in text that read whole rows: building a query with drizzle, and having PostgreSQL plan it anew, costs more than
 * running a prepared one. By name and not by `*`: a prepared statement does not outlive a column that a newer version adds.
 */

/** All columns of a table, as a statement's text names them under an alias. */
export function columnList(table: PgTable, alias: string): string {
  return Object.values(getTableColumns(table))
    .map(({ name }) => `${alias}.${name}`)
    .join(", ");
}

/** Makes of a row with {@link columnList} the table what drizzle would have made of it; other members are left out. */
export function createRowParser<Table extends PgTable>(
  table: Table,
): (row: Record<string, unknown>) => InferSelectModel<Table> {
  const columns = Object.entries(getTableColumns(table));
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [member, column] of columns) {
      const value = row[column.name];
      values[member] = value === null ? null : column.mapFromDriverValue(value);
    }
    // Of the columns that the type is made of.
    return values as InferSelectModel<Table>;
  };
}
