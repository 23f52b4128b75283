import { expect, vi } from "vitest";
import { listFiles } from "#files/list/list-files.js";
import type { World } from "../fixtures/a-world.js";
import { PART_BYTES } from "../fixtures/an-upload-by-parts.js";
import { listStoredObjects } from "../fixtures/direct-access.js";
import type { HistoryProject, Project, Requested } from "./model.js";
import { PROJECTS } from "./operations.js";

/** Bytes that each tenant may use. It is small, so that uploads often reach it. */
export const QUOTA = 100;
/** The quota of the tenant that uploads files of two parts. The first part has 5 MiB. */
export const LARGE_QUOTA = 2 * PART_BYTES + 100;
/** How long a listing of the bucket may lag behind, in milliseconds. */
const LISTING_DELAY = { timeout: 60_000, interval: 100 };

/** Each tenant's counters are the sums of its files, also of those in the trash, and of its days. No tenant exceeds its quota unless its project allows it. */
export async function expectExactCounters(world: World, projects: HistoryProject[]): Promise<void> {
  const tenants = await world.rows<Record<string, number | null>>(
    `select t.project_id as project, t.used_bytes as used, t.reserved_bytes as reserved, t.file_count as files,
            t.quota_bytes as quota,
            coalesce(sum(f.size) filter (where f.status in ('stored', 'trashed')), 0)::bigint as "storedBytes",
            coalesce(sum(f.reserved_bytes), 0)::bigint as "pendingBytes",
            count(*) filter (where f.status in ('stored', 'trashed')) as "storedFiles",
            (select coalesce(sum(uploaded_bytes - deleted_bytes), 0)::bigint from usage_daily u
             where u.project_id = t.project_id and u.tenant = t.id) as "daysBytes",
            (select coalesce(sum(uploads - deleted_files), 0) from usage_daily u
             where u.project_id = t.project_id and u.tenant = t.id) as "daysFiles"
     from tenants t left join files f on f.project_id = t.project_id and f.tenant = t.id
     where t.project_id in ($1, $2) group by t.project_id, t.id`,
    projects.map((project) => project.id),
  );
  for (const tenant of tenants) {
    expect(tenant["used"]).toBe(tenant["storedBytes"]);
    expect(tenant["reserved"]).toBe(tenant["pendingBytes"]);
    expect(tenant["files"]).toBe(tenant["storedFiles"]);
    expect(tenant["daysBytes"]).toBe(tenant["storedBytes"]);
    expect(tenant["daysFiles"]).toBe(tenant["storedFiles"]);
    const { settings, requiresSize, mayExceedQuota } = projects.find(({ id }) => id === tenant["project"])!;
    if (!mayExceedQuota && (requiresSize || !settings.allowOverQuota)) {
      expect(tenant["used"]! + tenant["reserved"]!).toBeLessThanOrEqual(tenant["quota"] ?? QUOTA);
    }
  }
}

interface Sum {
  id: number;
  bytes: number;
  files: number;
}

/**
 * A project's daily usage adds up to its stored files. It is also the sum of its tenants' daily usage, in the slot of each tenant,
 * until a tenant is deleted.
 */
export async function expectProjectDaysToAddUp(world: World, all: HistoryProject[]): Promise<void> {
  const ids = all.map(({ id }) => id);
  const ofDays = await world.rows<Sum>(
    `select project_id as id, sum(uploaded_bytes - deleted_bytes)::bigint as bytes, sum(uploads - deleted_files)::bigint as files
     from project_usage_daily where project_id in ($1, $2) group by project_id`,
    ids,
  );
  const ofFiles = await world.rows<Sum>(
    `select project_id as id, sum(size)::bigint as bytes, count(*) as files
     from files where project_id in ($1, $2) and status in ('stored', 'trashed') group by project_id`,
    ids,
  );
  for (const id of ids) {
    const none = { id, bytes: 0, files: 0 };
    const [days, stored] = [ofDays, ofFiles].map((rows) => rows.find((row) => row.id === id) ?? none);
    expect(days).toEqual(stored);
  }
  const projects = all.filter(({ mayMissDays }) => !mayMissDays);
  const sums = (table: string, slot: string) =>
    `(select project_id, day, ${slot}, sum(uploads), sum(uploaded_bytes), sum(deleted_files), sum(deleted_bytes)
      from ${table} where project_id = any($1::bigint[]) group by 1, 2, 3)`;
  const ofTenants = sums("usage_daily", "tenant % 16");
  const ofProject = sums("project_usage_daily", "slot");
  const differing = await world.rows(
    `(${ofTenants} except ${ofProject}) union all (${ofProject} except ${ofTenants})`,
    [`{${projects.map(({ id }) => id).join(",")}}`],
  );
  expect(differing).toEqual([]);
}

/** Storage has exactly the objects of the stored files and of those in the trash and no part, and the service has nothing left to check. */
export async function expectStorageToAgree(world: World, projects: Project[]): Promise<void> {
  for (const { id, ref } of projects) {
    const stored = await world.rows<{ path: string; size: number }>(
      `select path, size from files where project_id = $1 and status in ('stored', 'trashed') order by path`,
      [id],
    );
    const expected = stored.map(({ path, size }) => [path, size]);
    // Ceph updates a bucket's index after the object. Nothing removes objects at this point, so a forgotten object stays.
    await vi.waitFor(async () => {
      const objects = await listStoredObjects(`projects/${ref}/`);
      expect([...objects].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(expected);
    }, LISTING_DELAY);
    expect((await world.deps.store.listMultiparts(`projects/${ref}/`, null)).uploads).toEqual([]);
  }
  expect(await unsettledPaths(world, projects)).toEqual([]);
}

/** Files and tombstones that the service still has to check. */
export async function unsettledPaths(world: World, projects: Project[]): Promise<string[]> {
  const rows = await world.rows<{ path: string }>(
    `select path from files
     where project_id in ($1, $2) and (status in ('pending', 'deleting') or next_check_at is not null)
     union all select path from tombstones where project_id in ($1, $2)`,
    projects.map(({ id }) => id),
  );
  return rows.map(({ path }) => path);
}

/** A project lists only its own files. */
export async function expectSeparateProjects(world: World, projects: Project[]): Promise<void> {
  for (const project of projects) {
    const { files } = await listFiles(world.deps, project, { limit: 100 } as Parameters<typeof listFiles>[2]);
    for (const file of files) expect(file.filePath).toContain(`projects/${project.ref}/`);
  }
  expect(projects).toHaveLength(PROJECTS);
}

/** A cancelled upload is never stored, also if its bytes arrive later. */
export async function expectCancelledToStayGone(world: World, all: Requested[]): Promise<void> {
  const cancelled = all.filter(({ isCancelled }) => isCancelled);
  const paths = `{${cancelled.map(({ filePath }) => filePath).join(",")}}`;
  const kept = `select path from files where path = any($1::text[]) and status <> 'deleting'`;
  expect(await world.rows(kept, [paths])).toEqual([]);
}
