import { and, eq, sql } from "drizzle-orm";
import type { Database, Queries } from "#db/client.js";
import { IS_IN_FOLDER } from "#db/schema/conditions.js";
import { COUNTED } from "#db/schema/file-statuses.js";
import { folders, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import type { TenantDrift } from "./drift.js";

/** Fewer than of counters, because all folders of a page are in memory at once. */
const TENANTS_PER_PAGE = 50;

/** What the folders of some tenants are, by their files. The arguments are SQL. */
const actual = (projectId: string, isTenant: string) => `
  select f.tenant, chain.parent, chain.name, sum(f.files)::integer as files, sum(f.bytes)::bigint as bytes
  from (
    select tenant, folder, count(*) as files, sum(size) as bytes from files
    where project_id = ${projectId} and ${isTenant} and ${IS_IN_FOLDER} and (status in ${COUNTED}) is true
    group by tenant, folder) f
  cross join lateral folder_chain(f.folder) chain
  group by f.tenant, chain.parent, chain.name`;

/** Reads folders and files in one statement, so in one snapshot. $2 and $3: the first and the last tenant. */
const COMPARE = `
select t.tenant_id as "tenantId", sums.*
from (
  select coalesce(r.tenant, a.tenant) as id,
         count(r.name)::integer as folders, coalesce(sum(r.file_count), 0)::bigint as files, coalesce(sum(r.used_bytes), 0)::bigint as bytes,
         count(a.name)::integer as "actualFolders", coalesce(sum(a.files), 0)::bigint as "actualFiles",
         coalesce(sum(a.bytes), 0)::bigint as "actualBytes"
  from (select * from folders where project_id = $1::bigint and tenant between $2::bigint and $3::bigint) r
  full join (${actual("$1::bigint", "tenant between $2::bigint and $3::bigint")}) a
    on a.tenant = r.tenant and a.parent = r.parent and a.name = r.name
  group by 1
  having bool_or((r.file_count, r.used_bytes) is distinct from (a.files, a.bytes))) sums
join tenants t on t.project_id = $1::bigint and t.id = sums.id
order by sums.id`;

interface Row {
  tenantId: string;
  folders: number;
  files: number;
  bytes: number;
  actualFolders: number;
  actualFiles: number;
  actualBytes: number;
}

/**
 * Adds up the files of every folder and yields the tenants of which a folder differs from the sums.
 *
 * @throws {StowageError} `unavailable`
 */
export async function* recountFolders(
  { db }: { db: Database },
  projects: Project[],
): AsyncGenerator<TenantDrift> {
  for (const { id, ref: projectRef } of projects) {
    for (let after = 0; ;) {
      const page = await db.execute<{ id: number }>(NEXT_TENANTS, [id, after]);
      const [first, last] = [page[0], page.at(-1)];
      if (!first || !last) break;
      for (const row of await db.execute<Row>(COMPARE, [id, first.id, last.id])) {
        const { tenantId, folders, files, bytes } = row;
        const sums = { folders: row.actualFolders, files: row.actualFiles, bytes: row.actualBytes };
        yield { kind: "folders", projectRef, tenantId, recorded: { folders, files, bytes }, actual: sums };
      }
      after = last.id;
    }
  }
}

const NEXT_TENANTS = `
select id from tenants where project_id = $1::bigint and id > $2::bigint order by id limit ${TENANTS_PER_PAGE}`;

/**
 * Writes the folders of a tenant anew. Its row is locked before the files are read, as in repair-counters.ts.
 *
 * @throws {StowageError} `unavailable`
 */
export async function repairFolders(
  deps: { db: Queries },
  projectId: number,
  tenantId: string,
): Promise<void> {
  await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [tenant] = await tx
        .select({ id: tenants.id })
        .from(tenants)
        .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)))
        .for("update");
      if (!tenant) return;
      await tx.delete(folders).where(and(eq(folders.projectId, projectId), eq(folders.tenant, tenant.id)));
      // Citus cannot join these rows while it inserts them, so they are selected first.
      await tx.execute(sql`
        with actual as materialized (${sql.raw(actual(`${projectId}`, `tenant = ${tenant.id}`))})
        insert into folders (project_id, tenant, parent, name, file_count, used_bytes)
        select ${projectId}::bigint, tenant, parent, name, files, bytes from actual`);
    }),
  );
}
