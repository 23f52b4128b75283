import { expect, vi } from "vitest";
import { listFiles } from "#files/list/list-files.js";
import type { World } from "../fixtures/a-world.js";
import { PART_BYTES } from "../fixtures/an-upload-by-parts.js";
import { listStoredObjects } from "../fixtures/direct-access.js";
import { type LifecycleSettings, PROJECTS } from "./operations.js";

export type Project = Awaited<ReturnType<World["project"]>>;
export type HistoryProject = Project & { settings: LifecycleSettings };

/** Bytes that each tenant may use. It is small, so that uploads often reach it. */
export const QUOTA = 100;
/** The quota of the tenant that uploads files of two parts, of which the first has 5 MiB. */
export const LARGE_QUOTA = 2 * PART_BYTES + 100;
/** How long a listing of the bucket may lag behind, in milliseconds. */
const LISTING_DELAY = { timeout: 5000, interval: 100 };

/** Each tenant's counters are the sums of its files, also of those in the trash, and of its days. In the first project no tenant exceeds its quota. */
export async function expectExactCounters(world: World, projects: Project[]): Promise<void> {
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
    if (tenant["project"] === projects[0]!.id) {
      expect(tenant["used"]! + tenant["reserved"]!).toBeLessThanOrEqual(tenant["quota"] ?? QUOTA);
    }
  }
}

/** A project's daily usage is the sum of its tenants' daily usage, in the slot of each tenant. */
export async function expectProjectDaysToAddUp(world: World, projects: Project[]): Promise<void> {
  const sums = (table: string, slot: string) =>
    `(select project_id, day, ${slot}, sum(uploads), sum(uploaded_bytes), sum(deleted_files), sum(deleted_bytes)
      from ${table} where project_id in ($1, $2) group by 1, 2, 3)`;
  const ofTenants = sums("usage_daily", "tenant % 16");
  const ofProject = sums("project_usage_daily", "slot");
  const differing = await world.rows(
    `(${ofTenants} except ${ofProject}) union all (${ofProject} except ${ofTenants})`,
    projects.map((project) => project.id),
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
    const unsettled = await world.rows(
      `select path from files where project_id = $1 and (status in ('pending', 'deleting') or next_look_at is not null)
       union all select path from tombstones where project_id = $1`,
      [id],
    );
    expect(unsettled).toEqual([]);
  }
}

/** A project lists only its own files. */
export async function expectSeparateProjects(world: World, projects: Project[]): Promise<void> {
  for (const project of projects) {
    const { files } = await listFiles(world.deps, project, { limit: 100 } as Parameters<typeof listFiles>[2]);
    for (const file of files) expect(file.filePath).toContain(`projects/${project.ref}/`);
  }
  expect(projects).toHaveLength(PROJECTS);
}
