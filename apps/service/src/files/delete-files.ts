import { type DeleteRequest, StowageError } from "@stowage/schemas";
import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { forEachBounded } from "#for-each-bounded.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
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
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const doomed = await lockFiles(tx, project, input);
      if (doomed.length === 0) return new Set();
      await tx
        .update(files)
        .set({
          status: "deleting",
          reservedBytes: 0,
          nextLookAt: new Date(deps.clock().getTime() + OURS_MS),
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
      await uncount(tx, project, doomed);
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
async function uncount(tx: Transaction, project: Project, doomed: DoomedFile[]): Promise<void> {
  const counted = doomed.filter((file) => file.status === "stored" || file.reservedBytes > 0);
  if (counted.length === 0) return;
  const changes = new Map<number, { used: number; reserved: number; files: number }>();
  for (const file of counted) {
    const change = changes.get(file.tenant) ?? { used: 0, reserved: 0, files: 0 };
    changes.set(file.tenant, change);
    change.reserved += file.reservedBytes;
    if (file.status !== "stored") continue;
    change.used += file.size ?? 0;
    change.files += 1;
  }
  // An UPDATE locks in whatever order its plan reads.
  await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.projectId, project.id), inArray(tenants.id, [...changes.keys()])))
    .orderBy(asc(tenants.id))
    .for("no key update");
  const rows = [...changes].map(
    ([id, { used, reserved, files }]) =>
      sql`(${id}::bigint, ${used}::bigint, ${reserved}::bigint, ${files}::int)`,
  );
  await tx.execute(sql`
    update ${tenants} set
      used_bytes = used_bytes - change.used,
      reserved_bytes = reserved_bytes - change.reserved,
      file_count = file_count - change.files
    from (values ${sql.join(rows, sql`, `)}) as change (id, used, reserved, files)
    where project_id = ${project.id} and ${tenants}.id = change.id`);
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
