import type { Sql } from "postgres";
import { seedCounters } from "./counters.js";
import { inBatches, passIds } from "./place.js";

const SPAN_SECONDS = 400 * 86_400;
/** A page holds about thirty files and at most one gap. */
const GAPS_A_FILE = 0.04;

/**
 * Fills the only project of a fresh database with tenants and spreads stored files evenly over them, in time order. Simpler and
 * several times faster than `seedDatabase`, for rows that depend only on the number of files.
 *
 * @param sql a client with one connection
 */
export async function seedCrowd(
  sql: Sql,
  { tenants, files }: { tenants: number; files: number },
  say: (line: string) => void,
): Promise<void> {
  await sql`set synchronous_commit = off`;
  // The inserted rows satisfy the foreign keys. Checking each of them would double the time.
  await sql`set session_replication_role = replica`;
  const project = "(select id from projects)";
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  await inBatches(tenants, (first, last) =>
    sql.unsafe(`
      insert into tenants (project_id, id, tenant_id, ref, created_at) overriding system value
      select ${project}, n, 'user-' || n - 1, left(md5('tenant' || n), 22), now() - interval '${SPAN_SECONDS} seconds'
      from generate_series(${first}::bigint, ${last}) n`),
  );
  await passIds(sql, "tenants");
  const path = `'projects/' || (select ref from projects) || '/tenants/' || left(md5('tenant' || tenant), 22)
               || '/' || left(md5('file' || n), 22) || '_photo.jpg'`;
  await inBatches(files, async (first, last) => {
    // 48,271 shares no factor with a round number of tenants, so every tenant gets files.
    await sql.unsafe(`
      insert into files (project_id, id, tenant, path, filename, content_type, declared_size, size, etag, status,
                         url_expires_at, created_at, stored_at)
      overriding system value
      select ${project}, n, tenant, ${path},
             'photo ' || n || '.jpg', 'image/jpeg', 1000 + n % 1000, 1000 + n % 1000, '"' || md5(n::text) || '"', 'stored',
             at + interval '1 hour', at, at
      from (select n, 1 + n * 48271 % ${tenants} as tenant,
                   now() - interval '1 second' * (${SPAN_SECONDS}::float8 * (${files} - n) / ${files}) as at
            from generate_series(${first}::bigint, ${last}) n) made`);
    if (last % 1_000_000 === 0) say(`${last} files after ${seconds()}`);
  });
  await passIds(sql, "files");
  await seedCounters({ sql, lastFile: 0 });
  await sql`vacuum (analyze)`;
  // A page of stored files has a gap that fits the shorter row of an upload. In a new database all gaps are free immediately, and
  // uploads would fill them within a minute by writing old pages. A database in use is not like that.
  await inBatches(files * GAPS_A_FILE, (first, last) =>
    sql.unsafe(`
      insert into files (project_id, tenant, path, filename, content_type, status, url_expires_at, created_at)
      select ${project}, tenant, ${path}, 'photo.jpg', 'image/jpeg', 'expired', now(), now() - interval '${SPAN_SECONDS} seconds'
      from (select ${files} + n as n, 1 + n % ${tenants} as tenant
            from generate_series(${first}::bigint, ${last}) n) made`),
  );
  say(`seeded ${tenants} tenants and ${files} files in ${seconds()}`);
}
