import { type HoldRequest, StowageError } from "@stowage/schemas";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { IS_HELD } from "#db/schema/conditions.js";
import { files, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import type { FileSelection } from "#files/record/file-conditions.js";
import { recordFileEvents } from "#files/record/file-events.js";
import type { FileRecord } from "#files/record/file-record.js";
import { toRecord } from "#files/record/find-file.js";
import {
  findArrivedFile,
  type FindArrivedFileDeps,
  mayHaveArrived,
} from "#files/settle/find-arrived-file.js";
import { lockFiles, type OwnedFile } from "./lock-files.js";

/**
 * Puts a file on hold at the customer's request, or releases it. While it is on hold, nothing deletes it: no customer, no operator, not
 * its own end, not the end of its time in the trash, and not the deletion of its tenant or project. This works in each state until the
 * file is deleted: also for an upload that has not arrived, in the trash, and for a file whose object is lost. Safe to repeat, and
 * needs no storage.
 *
 * @returns the file. If storage answers, an upload whose bytes have arrived is stored
 * @throws {StowageError} `file_not_found`; `tenant_being_deleted` for a hold; `unavailable`
 */
export async function holdFile(
  deps: FindArrivedFileDeps,
  project: Project,
  { filePath, tenantId, hold }: HoldRequest,
): Promise<FileRecord> {
  const selection = { paths: [filePath], tenantId };
  const [found] = await setHold(deps.settling, project, selection, { hold, actor: "customer" });
  if (!found) throw new StowageError("file_not_found");
  if (!mayHaveArrived(found.file, deps.clock()) || found.file.purgeAt !== null)
    return toRecord(found, deps.store);
  // After the hold, so that an object that does not fit the quota any more is kept.
  return toRecord(
    await findArrivedFile(deps, project, { filePath, tenantId }, { ifStorageIsDown: "return recorded" }),
    deps.store,
  );
}

/**
 * Puts files on hold or releases them, in one transaction.
 *
 * @param change.actor an operator's e-mail address, or `customer`
 * @returns the files as they are now, each with whether this call changed it
 * @throws {StowageError} `tenant_being_deleted`; `not_found` if the project was deleted meanwhile; `unavailable`
 */
export async function setHold(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  selection: FileSelection,
  { hold, actor }: { hold: boolean; actor: string },
): Promise<(OwnedFile & { hasChanged: boolean })[]> {
  return deps.db.run((db) =>
    db.transaction(async (tx) => {
      const found = await lockFiles(tx, project, selection);
      const changing = found.filter(({ file }) => file.held !== hold).map(({ file }) => file.id);
      if (changing.length > 0) {
        const ids = { projectId: project.id, fileIds: changing };
        await recordFileEvents(tx, ids, { kind: hold ? "held" : "released", at: deps.clock(), actor });
        await tx
          .update(files)
          .set({ held: hold, revision: sql`${files.revision} + 1` })
          .where(and(eq(files.projectId, project.id), inArray(files.id, changing)));
        if (hold) await requireOwners(tx, project, found);
      }
      return found.map(({ file, tenantId }) => ({
        file: { ...file, held: hold },
        tenantId,
        hasChanged: changing.includes(file.id),
      }));
    }),
  );
}

/**
 * Waits for a deletion of the tenants or the project that is starting, and then refuses the hold. A deletion that starts later waits
 * for this transaction, and then finds the hold. The tenants are locked in the order of their ids.
 */
async function requireOwners(tx: Transaction, project: Project, found: OwnedFile[]): Promise<void> {
  const owners = await tx
    .select({ nextPurgeAt: tenants.nextPurgeAt })
    .from(tenants)
    .where(
      and(
        eq(tenants.projectId, project.id),
        inArray(
          tenants.id,
          found.map(({ file }) => file.tenant),
        ),
      ),
    )
    .orderBy(tenants.id)
    .for("share");
  if (owners.some(({ nextPurgeAt }) => nextPurgeAt !== null)) throw new StowageError("tenant_being_deleted");
  const [kept] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, project.id), isNull(projects.deletedAt)))
    .for("share");
  if (!kept) throw new StowageError("not_found", { detail: "Project not found" });
}

/**
 * Refuses the deletion of a tenant or a project that has a file on hold. The caller has locked the tenant or the project, so no hold
 * can begin any more.
 *
 * @throws {StowageError} `file_on_hold`
 */
export async function refuseFilesOnHold(
  tx: Transaction,
  of: { projectId: number; tenant?: number },
): Promise<void> {
  const [held] = await tx
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        eq(files.projectId, of.projectId),
        of.tenant === undefined ? undefined : eq(files.tenant, of.tenant),
        sql.raw(IS_HELD),
      ),
    )
    .limit(1);
  if (held) throw new StowageError("file_on_hold");
}
