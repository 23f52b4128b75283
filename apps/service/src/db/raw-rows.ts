import { getTableColumns, type InferSelectModel } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/*
 * For prepared statements that read whole rows. For each call drizzle builds the query again and PostgreSQL plans it again, which costs
 * more than running a prepared statement. Columns are listed by name: a prepared statement with `*` fails as soon as a newer version adds a
 * column.
 */

/** All columns of a table under an alias, for the text of a statement. */
export function columnList(table: PgTable, alias: string): string {
  return Object.values(getTableColumns(table))
    .map(({ name }) => `${alias}.${name}`)
    .join(", ");
}

/**
 * Makes a function that converts a row with {@link columnList} as drizzle would. Other columns of the row are left out. A column that
 * the row lacks has its default, or null: webhooks keep rows from before a column was added.
 */
export function createRowParser<Table extends PgTable>(
  table: Table,
): (row: Record<string, unknown>) => InferSelectModel<Table> {
  const columns = Object.entries(getTableColumns(table));
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [member, column] of columns) {
      const value = row[column.name];
      if (value === undefined) values[member] = column.default ?? null;
      else values[member] = value === null ? null : column.mapFromDriverValue(value);
    }
    // TypeScript cannot know that the members match the table.
    return values as InferSelectModel<Table>;
  };
}
