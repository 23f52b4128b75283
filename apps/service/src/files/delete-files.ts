import { type DeleteRequest, StowageError } from "@stowage/schemas";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { forEachBounded } from "#for-each-bounded.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { countFiles, noChange, type TenantChange } from "#usage/count-files.js";
import { removeObject } from "./remove-object.js";

export interface DeleteFilesDeps {
  db: Database;
  store: Pick<ObjectStore, "remove">;
  clock: () => Date;
}

export interface DeletedFiles {
  deleted: string[];
  notFound: string[];
}

type DoomedFile = Pick<
  typeof files.$inferSelect,
  "id" | "tenant" | "path" | "status" | "size" | "reservedBytes"
>;

/** How long the sweeper leaves the objects to us. */
const OURS_MS = 30_000;
/** After that much of it the caller has waited long enough, and the sweeper does the rest. */
const ANSWER_WITHIN_MS = 10_000;
const CONCURRENT_REMOVALS = 16;

/**
 * Deletes files, whatever state they are in; for the caller that is done as soon as the one transaction is: usage falls,
 * reservations return, downloads stop. The objects go right after. Where that fails the sweeper goes on, so a file is
 * never half deleted, and the caller never has to know.
 *
 * @throws {StowageError} `file_not_found` for a single unknown path; `unavailable`, and then nothing was deleted
 */
export async function deleteFiles(
  deps: DeleteFilesDeps,
  project: Project,
  input: DeleteRequest,
): Promise<DeletedFiles> {
  const deleted = await markDeleting(deps, project, input);
  if (input.mustExist && deleted.size === 0) throw new StowageError("file_not_found");
  const paths = input.paths.filter((path) => deleted.has(path));
  await removeObjects(deps, project, paths);
  return { deleted: paths, notFound: input.paths.filter((path) => !deleted.has(path)) };
}

/** Rows are locked in the order of their ids, files before tenants as in a settle: so no two of these wait for each other. */
async function markDeleting(
  deps: DeleteFilesDeps,
  project: Project,
  input: DeleteRequest,
): Promise<Set<string>> {
  const now = deps.clock();
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const doomed = await lockFiles(tx, project, input);
      if (doomed.length === 0) return new Set();
      await tx
        .update(files)
        .set({
          status: "deleting",
          reservedBytes: 0,
          nextLookAt: new Date(now.getTime() + OURS_MS),
          revision: sql`${files.revision} + 1`,
        })
        .where(
          and(
            eq(files.projectId, project.id),
            inArray(
              files.id,
              doomed.map((file) => file.id),
            ),
          ),
        );
      await uncount(tx, project, now, doomed);
      return new Set(doomed.map((file) => file.path));
    }),
  );
}

async function lockFiles(tx: Transaction, project: Project, input: DeleteRequest): Promise<DoomedFile[]> {
  return tx
    .select({
      id: files.id,
      tenant: files.tenant,
      path: files.path,
      status: files.status,
      size: files.size,
      reservedBytes: files.reservedBytes,
    })
    .from(files)
    .innerJoin(tenants, and(eq(tenants.projectId, files.projectId), eq(tenants.id, files.tenant)))
    .where(
      and(
        eq(files.projectId, project.id),
        inArray(files.path, input.paths),
        ne(files.status, "deleting"),
        input.tenantId === undefined ? undefined : eq(tenants.tenantId, input.tenantId),
      ),
    )
    .orderBy(asc(files.id))
    .for("update", { of: files });
}

/** Takes the files out of their tenants' counters: two statements, however many tenants there are. */
async function uncount(tx: Transaction, project: Project, at: Date, doomed: DoomedFile[]): Promise<void> {
  const counted = doomed.filter((file) => file.status === "stored" || file.reservedBytes > 0);
  if (counted.length === 0) return;
  const changes = new Map<number, TenantChange>();
  for (const { tenant, status, size, reservedBytes } of counted) {
    const change = changes.get(tenant) ?? noChange(tenant);
    changes.set(tenant, change);
    change.reservedBytes -= reservedBytes;
    if (status !== "stored") continue;
    change.deletedBytes += size ?? 0;
    change.deletedFiles += 1;
  }
  // An UPDATE locks in whatever order its plan reads.
  await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.projectId, project.id), inArray(tenants.id, [...changes.keys()])))
    .orderBy(asc(tenants.id))
    .for("no key update");
  await countFiles(tx, { projectId: project.id, at }, [...changes.values()]);
}

async function removeObjects(deps: DeleteFilesDeps, project: Project, paths: string[]): Promise<void> {
  const until = deps.clock().getTime() + ANSWER_WITHIN_MS;
  try {
    await forEachBounded(paths, CONCURRENT_REMOVALS, async (path) => {
      if (deps.clock().getTime() < until) await removeObject(deps, project.id, path);
    });
  } catch (error) {
    // The rows say what is left to do.
    if (!(error instanceof StowageError && error.code === "unavailable")) throw error;
  }
}
