import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { countFiles, noChange, type TenantChange } from "#files/count-files.js";
import { noteDeletes } from "#files/note-events.js";

/** Which files go, and who says so. */
export type Doom = ({ paths: string[]; tenantId: string | undefined } | { fileIds: number[] }) & {
  /** An operator's e-mail address, or `customer`; null where nobody will ask for the files' history. */
  actor: string | null;
};

export type DoomedFile = Pick<
  typeof files.$inferSelect,
  "id" | "tenant" | "path" | "status" | "size" | "reservedBytes"
>;

/** How long the sweeper leaves the objects to us. */
const OURS_MS = 30_000;

/**
 * First half of a delete: takes files out of usage, reservations, lists and downloads, whatever state they are in. Their objects
 * are to be removed right after: see remove-object.ts. What is no file any more is passed over.
 *
 * Rows are locked in the order of their ids, files before tenants as in a settle: so no two of these wait for each other.
 *
 * @throws {StowageError} `unavailable`, and then nothing was deleted
 */
export async function markDeleting(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  doom: Doom,
): Promise<DoomedFile[]> {
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const doomed = await lockFiles(tx, project, doom);
      if (doomed.length === 0) return [];
      const now = deps.clock();
      const fileIds = doomed.map((file) => file.id);
      if (doom.actor !== null)
        await noteDeletes(tx, { projectId: project.id, fileIds }, { at: now, actor: doom.actor });
      await tx
        .update(files)
        .set({
          status: "deleting",
          reservedBytes: 0,
          nextLookAt: new Date(now.getTime() + OURS_MS),
          revision: sql`${files.revision} + 1`,
        })
        .where(and(eq(files.projectId, project.id), inArray(files.id, fileIds)));
      await uncount(tx, project, now, doomed);
      return doomed;
    }),
  );
}

async function lockFiles(tx: Transaction, project: Project, doom: Doom): Promise<DoomedFile[]> {
  const isMeant =
    "fileIds" in doom
      ? inArray(files.id, doom.fileIds)
      : and(
          inArray(files.path, doom.paths),
          doom.tenantId === undefined ? undefined : eq(tenants.tenantId, doom.tenantId),
        );
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
    .where(and(eq(files.projectId, project.id), isMeant, ne(files.status, "deleting")))
    .orderBy(asc(files.id))
    .for("update", { of: files });
}

/** Takes the files out of their tenants' counters: one statement, however many tenants there are. */
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
  await countFiles(tx, { projectId: project.id, at }, [...changes.values()]);
}
