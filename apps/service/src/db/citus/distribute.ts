import { getTableName } from "drizzle-orm";
import type { Sql, TransactionSql } from "postgres";
import {
  calledFunctions,
  colocatedWith,
  distributedFunctions,
  distributedTables,
  DISTRIBUTION_COLUMN,
  FUNCTION_PARAMETER,
  referenceTables,
} from "./placement.js";

/** The database cannot be distributed. The message is one sentence that says why and what to do. */
export class NotDistributableError extends Error {
  override readonly name = "NotDistributableError";
}

/**
 * Distributes the tables and functions that are not distributed yet. A second run changes nothing. It moves the rows that the
 * tables already have, and locks the tables until the transaction ends.
 *
 * @throws {NotDistributableError} if the database has no Citus, or Citus has no node for shards
 */
export async function distribute(tx: TransactionSql): Promise<void> {
  await requireCitus(tx);
  await distributeTables(tx);
  await distributeFunctions(tx);
  await planEachCall(tx);
}

/**
 * Distributes new tables of a database that is already distributed. Call it between the migration's statement that creates a
 * table and the one that adds its foreign keys: the first foreign key would make it a table of the coordinator, which Citus
 * cannot distribute any more if it has an identity column.
 */
export async function distributeNewTables(tx: TransactionSql): Promise<void> {
  if (await isDistributed(tx)) await distributeTables(tx);
}

/** Whether {@link distribute} has run in this database. */
export async function isDistributed(tx: TransactionSql): Promise<boolean> {
  if (!(await hasCitus(tx))) return false;
  const [row] = await tx`select from pg_dist_partition where logicalrelid = to_regclass(${colocatedWith})`;
  return row !== undefined;
}

async function hasCitus(tx: Sql | TransactionSql): Promise<boolean> {
  const [row] = await tx`select from pg_extension where extname = 'citus'`;
  return row !== undefined;
}

/** @throws {NotDistributableError} as {@link distribute} */
export async function requireCitus(tx: Sql | TransactionSql): Promise<void> {
  if (!(await hasCitus(tx))) {
    throw new NotDistributableError(
      "This database is plain PostgreSQL without the extension citus; run stowage migrate without --citus, or connect to the coordinator of a Citus cluster.",
    );
  }
  const [node] = await tx`
    select from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards limit 1`;
  if (!node) {
    throw new NotDistributableError(
      "Citus has no node that may hold shards; add the workers with citus_add_node on the coordinator first.",
    );
  }
}

async function distributeTables(tx: TransactionSql): Promise<void> {
  const references = await missingOf(tx, referenceTables.map(getTableName));
  const distributed = await missingOf(tx, distributedTables.map(getTableName));
  if (references.length + distributed.length === 0) return;
  // One connection per node: Citus refuses a transaction that changes a reference table after shards over several connections.
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
  await withoutForeignKeys(tx, [...references, ...distributed], async () => {
    for (const table of references) await tx`select create_reference_table(${table}::regclass)`;
    for (const table of distributed) {
      const beside = table === colocatedWith ? "default" : colocatedWith;
      await tx`
        select create_distributed_table(${table}::regclass, ${DISTRIBUTION_COLUMN}, colocate_with => ${beside})`;
    }
  });
}

/** @returns the tables that exist and that Citus does not manage yet, in the given order */
async function missingOf(tx: TransactionSql, tables: string[]): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select name from json_array_elements_text(${JSON.stringify(tables)}::text::json) with ordinality as t (name, n)
    where to_regclass(name) is not null
      and not exists (select from pg_dist_partition where logicalrelid = to_regclass(name))
    order by n`;
  return rows.map(({ name }) => name);
}

/**
 * Drops the foreign keys from and to the tables, runs `work`, and adds the foreign keys again. While they exist, Citus makes the
 * other tables of a reference table tables of the coordinator, and cannot distribute them any more if they have an identity column.
 */
async function withoutForeignKeys(
  tx: TransactionSql,
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and exists (
      select from json_array_elements_text(${JSON.stringify(tables)}::text::json) as t (name)
      where name::regclass in (conrelid, confrelid))
    order by conrelid::regclass::text, conname`;
  for (const { table, name } of keys) await tx.unsafe(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { table, name, definition } of keys)
    await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
}

async function distributeFunctions(tx: TransactionSql): Promise<void> {
  for (const name of calledFunctions) {
    await tx`
      select create_distributed_function(oid::regprocedure) from pg_proc
      where proname = ${name} and pronamespace = current_schema()::regnamespace
        and not exists (select from pg_dist_object where objid = pg_proc.oid)`;
  }
  for (const name of distributedFunctions) {
    await tx`
      select create_distributed_function(oid::regprocedure, ${FUNCTION_PARAMETER}, colocate_with => ${colocatedWith})
      from pg_proc where proname = ${name} and pronamespace = current_schema()::regnamespace
        and not exists (
          select from pg_dist_object where objid = pg_proc.oid and distribution_argument_index is not null)`;
  }
}

/**
 * Lets PostgreSQL plan the statements of the functions at each call, although plain PostgreSQL keeps their plans. Citus 13.2.1 and 13.2.2
 * plan them at each call anyway, and keep each of these plans until the connection ends: a third of a megabyte for ten uploads.
 */
async function planEachCall(tx: TransactionSql): Promise<void> {
  const names = JSON.stringify([...distributedFunctions, ...calledFunctions]);
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where proname in (select json_array_elements_text(${names}::text::json))
      and pronamespace = current_schema()::regnamespace and ${KEPT_PLANS} = any (proconfig)`;
  for (const { signature } of functions)
    await tx.unsafe(`alter function ${signature} set plan_cache_mode = force_custom_plan`);
}

/** In `pg_proc.proconfig` of a function whose plans are kept. */
export const KEPT_PLANS = "plan_cache_mode=force_generic_plan";
