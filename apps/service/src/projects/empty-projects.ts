import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import {
  fileEvents,
  files,
  projectMembers,
  projects,
  projectUsageDaily,
  refusalsDaily,
  tenants,
  tombstones,
  usageDaily,
} from "#db/schema/index.js";
import { markDeleting } from "#files/delete/mark-deleting.js";
import type { RemoveObjectDeps } from "#files/delete/remove-object.js";
import { removeObjects } from "#files/delete/remove-objects.js";
import type { Project } from "./find-project.js";

export type EmptyProjectsDeps = RemoveObjectDeps & { db: Database };

const FILES_AT_ONCE = 1000;
const ROWS_AT_ONCE = 5000;
/** A project that was claimed is left alone for so long: a replica that dies holding it only delays it. */
const LEASE_MS = 30_000;
/** The sweeper takes what we could not. */
const WAIT_FOR_SWEEPER_MS = 60_000;
/** An upload that was let in just before the delete has written its rows by then. */
const SETTLED_AFTER_MS = 60_000;

const CLAIM = `
update projects set next_empty_at = $2::timestamptz
where id = (select id from projects where next_empty_at <= $1::timestamptz
            order by next_empty_at limit 1 for update skip locked)
returning id, ref`;

/**
 * Goes on with emptying one deleted project: a thousand of its files, or what is left once they are gone. Where it is
 * interrupted, the next call of any replica goes on; where it is repeated, nothing changes.
 *
 * The project's own row stays until no URL to any of its files can be alive, about a day: the tombstones that keep their paths
 * empty belong to it. The audit log stays for good.
 *
 * @returns whether there may be more to do at once
 * @throws {StowageError} `unavailable`; the project is looked at again after its lease
 */
export async function emptyProjects(deps: EmptyProjectsDeps): Promise<boolean> {
  const now = deps.clock();
  const [project] = await deps.db.execute<Project>(CLAIM, [
    now.toISOString(),
    after(now, LEASE_MS).toISOString(),
  ]);
  if (!project) return false;
  const hadFiles = await deleteSomeFiles(deps, project);
  const left = hadFiles ? "more" : await removeRest(deps, project.id);
  if (left !== "nothing") {
    const nextEmptyAt = left === "more" ? now : after(now, WAIT_FOR_SWEEPER_MS);
    await deps.db.run((db) => db.update(projects).set({ nextEmptyAt }).where(eq(projects.id, project.id)));
  }
  return true;
}

async function deleteSomeFiles(deps: EmptyProjectsDeps, project: Project): Promise<boolean> {
  const some = await deps.db.run((db) =>
    db
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.projectId, project.id), ne(files.status, "deleting")))
      .limit(FILES_AT_ONCE),
  );
  if (some.length === 0) return false;
  // Their histories go with the project.
  const doomed = await markDeleting(deps, project, { fileIds: some.map((file) => file.id), actor: null });
  await removeObjects(
    deps,
    project,
    doomed.map((file) => file.path),
  );
  return true;
}

/** Of what a project may have millions, what refers to others first. */
const MANY = [fileEvents, usageDaily, projectUsageDaily, refusalsDaily, tenants];

/** @returns what is left of it: `files` that the sweeper has not taken yet, `more` rows that are in nobody's way, or nothing */
async function removeRest(
  deps: { db: Database; clock: () => Date },
  projectId: number,
): Promise<"files" | "more" | "nothing"> {
  const settledBefore = after(deps.clock(), -SETTLED_AFTER_MS);
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [{ isEmpty } = { isEmpty: false }] = await tx
        .select({
          isEmpty: sql<boolean>`deleted_at <= ${settledBefore.toISOString()}::timestamptz
            and not exists (select from ${files} where project_id = ${projectId})
            and not exists (select from ${tombstones} where project_id = ${projectId})`,
        })
        .from(projects)
        .where(eq(projects.id, projectId));
      if (!isEmpty) return "files";
      for (const table of MANY) {
        const some = sql`select ctid from ${table} where project_id = ${projectId} limit ${ROWS_AT_ONCE}`;
        const removed = await tx.execute(sql`delete from ${table} where ctid = any(array(${some}))`);
        if (removed.count === ROWS_AT_ONCE) return "more";
      }
      await tx.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
      await tx.delete(projects).where(eq(projects.id, projectId));
      return "nothing";
    }),
  );
}

function after(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}
