import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { type Database, inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files, idempotencyKeys, projects, replacements, tenants } from "#db/schema/index.js";
import { isCounted, isFileAt } from "#files/record/file-conditions.js";
import {
  type AdmissionRequest,
  type AdmissionResult,
  type AdmitUpload,
  createUnbatchedAdmit,
} from "./admit-uploads.js";
import { isBeingReplaced } from "#files/end/replacements.js";

/** Admits uploads that replace a file in a transaction of their own, and all others by `admit`. */
export function withReplacements(db: Pick<Database, "lane">, admit: AdmitUpload): AdmitUpload {
  return (upload) =>
    upload.replaces === undefined
      ? admit(upload)
      : admitReplacement(db.lane("upload", String(upload.target.projectId)), upload, upload.replaces);
}

/**
 * Admits an upload that replaces a stored file of the same tenant, and reserves only what it needs beyond that file. Where the old file
 * will count in the trash, it needs its whole size, and is one more file.
 *
 * The admission is that of every upload. For its time, the old file and the bytes that the upload may use are taken out of the tenant's
 * usage, whose row stays locked until the end of the transaction.
 *
 * @throws {StowageError} as {@link AdmitUpload}
 */
function admitReplacement(
  queries: Queries,
  upload: AdmissionRequest,
  replaces: string,
): Promise<AdmissionResult> {
  return inTransaction(queries, async (db, tx) => {
    const admit = createUnbatchedAdmit(db);
    const place = await findTenant(tx, upload);
    // The admission says which of the two it is.
    if (place === "unknown_project") return admit(upload);
    if (place === "unknown_tenant") return { outcome: "file_not_found" };
    const found = await lockOldFile(tx, place, upload, replaces);
    if (found === "repeated") return admit(upload);
    if ("outcome" in found) return found;
    const { old } = found;
    const stays = place.trashDays > 0;
    const freedBytes = stays ? 0 : (old.size ?? 0);
    // An upload without a size reserves nothing.
    const creditBytes = Math.min(upload.sizeBytes ?? 0, freedBytes);
    const lentBytes = upload.sizeBytes === null ? freedBytes : creditBytes;
    if (!stays) await addToTenant(tx, place, { fileCount: -1, usedBytes: -lentBytes, reservedBytes: 0 });
    const result = await admit(upload);
    if (!stays)
      await addToTenant(tx, place, {
        fileCount: 1,
        usedBytes: lentBytes,
        reservedBytes: result.outcome === "admitted" ? -creditBytes : 0,
      });
    if (result.outcome === "admitted")
      await insertReplacement(tx, place, { old, path: result.path, creditBytes });
    return result;
  });
}

interface Place {
  projectId: number;
  /** `tenants.id` */
  tenant: number;
  trashDays: number;
}

type FileRow = typeof files.$inferSelect;

async function findTenant(
  tx: Transaction,
  { target: { projectId, apiKeyHash }, tenantId }: AdmissionRequest,
): Promise<Place | "unknown_project" | "unknown_tenant"> {
  const [project] = await tx
    .select({ trashDays: projects.trashDays })
    .from(projects)
    .where(
      and(
        eq(projects.id, projectId),
        apiKeyHash === undefined ? isNull(projects.deletedAt) : eq(projects.apiKeyHash, apiKeyHash),
      ),
    );
  if (!project) return "unknown_project";
  const [tenant] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)));
  return tenant ? { projectId, tenant: tenant.id, trashDays: project.trashDays } : "unknown_tenant";
}

/** Locks the file to replace, and the upload that an earlier request with the same `Idempotency-Key` opened. */
async function lockOldFile(
  tx: Transaction,
  { projectId, tenant }: Place,
  upload: AdmissionRequest,
  replaces: string,
): Promise<
  "repeated" | { outcome: "file_not_found" | "file_on_hold" | "file_being_replaced" } | { old: FileRow }
> {
  const repeated = await findRepeated(tx, { projectId, tenant }, upload);
  if (repeated && repeated.requestHash !== upload.idempotency?.requestHash) return "repeated";
  const rows = await tx
    .select()
    .from(files)
    .where(
      and(
        eq(files.projectId, projectId),
        eq(files.tenant, tenant),
        inArray(files.path, repeated ? [replaces, repeated.path] : [replaces]),
      ),
    )
    .orderBy(asc(files.id))
    .for("update");
  const first = rows.find(({ path }) => path === repeated?.path);
  if (first && first.purgeAt === null && (first.status === "pending" || isCounted(first.status)))
    return "repeated";
  const old = rows.find(({ path }) => path === replaces);
  if (old?.status !== "stored") return { outcome: "file_not_found" };
  if (old.held) return { outcome: "file_on_hold" };
  if (await isBeingReplaced(tx, old)) return { outcome: "file_being_replaced" };
  return { old };
}

async function findRepeated(
  tx: Transaction,
  { projectId, tenant }: Pick<Place, "projectId" | "tenant">,
  { idempotency, now }: AdmissionRequest,
) {
  if (!idempotency) return;
  const [repeated] = await tx
    .select({ path: idempotencyKeys.path, requestHash: idempotencyKeys.requestHash })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.projectId, projectId),
        eq(idempotencyKeys.tenant, tenant),
        eq(idempotencyKeys.key, idempotency.key),
        gt(idempotencyKeys.expiresAt, now),
      ),
    );
  return repeated;
}

async function addToTenant(
  tx: Transaction,
  { projectId, tenant }: Place,
  { fileCount, usedBytes, reservedBytes }: { fileCount: number; usedBytes: number; reservedBytes: number },
): Promise<void> {
  await tx
    .update(tenants)
    .set({
      fileCount: sql`${tenants.fileCount} + ${fileCount}`,
      usedBytes: sql`${tenants.usedBytes} + ${usedBytes}`,
      reservedBytes: sql`${tenants.reservedBytes} + ${reservedBytes}`,
    })
    .where(and(eq(tenants.projectId, projectId), eq(tenants.id, tenant)));
}

async function insertReplacement(
  tx: Transaction,
  { projectId, tenant, trashDays }: Place,
  { old, path, creditBytes }: { old: FileRow; path: string; creditBytes: number },
): Promise<void> {
  const [file] = await tx
    .update(files)
    .set({ isReplacement: true })
    .where(isFileAt(projectId, path))
    .returning({ id: files.id });
  const row = { newFile: file!.id, tenant, creditBytes, trashesOld: trashDays > 0 };
  await tx
    .insert(replacements)
    .values({ projectId, oldFile: old.id, ...row })
    .onConflictDoUpdate({ target: [replacements.projectId, replacements.oldFile], set: row });
}
