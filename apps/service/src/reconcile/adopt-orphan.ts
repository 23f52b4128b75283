import { type CountLimits, limits, type Visibility } from "@stowage/schemas";
import { mediaTypeOf } from "@stowage/schemas/rules";
import { and, eq } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files, tenants, tombstones } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { isFileAt } from "#files/record/file-conditions.js";
import { markUploadsStored } from "#files/settle/mark-stored.js";

/** The path of a tenant, as it is part of the paths of the tenant's files, to the customer's ID of the tenant. */
export type Owners = ReadonlyMap<string, string>;

interface AdoptOrphanDeps {
  db: Queries;
  store: Pick<ObjectStore, "head" | "published">;
  clock: () => Date;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/**
 * - `adopted`: the object has a file now, or got one in the meantime
 * - `gone`: storage has no object, or its path must stay empty
 * - `foreign`: the path is none that the service makes
 * - `deleting`: its tenant is being deleted
 * - `unknown_tenant`: neither the database nor `owners` knows its tenant
 */
export type AdoptOutcome = "adopted" | "gone" | "foreign" | "deleting" | "unknown_tenant";

/**
 * Gives an object without a row its file back. The file has what storage and the path know: size, type, time, and the filename with
 * `_` for unusual characters. Its metadata, its end and its hold are lost. It counts, also beyond the quota, because the bytes were
 * accepted before. Where its project scans, it waits for a scan.
 *
 * @throws {StowageError} `unavailable`
 */
export async function adoptOrphan(
  deps: AdoptOrphanDeps,
  project: Project,
  orphan: { path: string; place: Visibility; lastModified: Date },
  owners: Owners,
): Promise<AdoptOutcome> {
  const { path, place, lastModified } = orphan;
  const [, tenantRef, filename] = PATH.exec(path) ?? [];
  if (!tenantRef || !filename) return "foreign";
  const object = await bucketOf(deps.store, place).head(path);
  if (!object) return "gone";
  const contentType = object.contentType || mediaTypeOf({ name: filename, type: "" });
  return inTransaction(deps.db, async (db, tx) => {
    const known = await tx.select({ id: files.id }).from(files).where(isFileAt(project.id, path));
    if (known.length > 0) return "adopted";
    if (await mustStayEmpty(tx, project, path)) return "gone";
    const tenant = await findOwner(tx, project, { tenantRef, owners, now: deps.clock() });
    if (!tenant) return "unknown_tenant";
    if (tenant.nextPurgeAt) return "deleting";
    const [seen] = await tx
      .insert(files)
      .values({
        projectId: project.id,
        tenant: tenant.id,
        path,
        filename,
        contentType,
        ...(place === "public" && { visibility: place, place }),
        createdAt: lastModified,
        storedAt: lastModified,
        // Its URL was signed before the object was written.
        urlExpiresAt: addMs(lastModified, limits.uploadUrlSeconds * SECOND_MS),
      })
      .onConflictDoNothing()
      .returning();
    if (seen) await markUploadsStored({ ...deps, db }, [{ seen, object, ignoresQuota: true }]);
    return "adopted";
  });
}

/** files/upload makes these paths: see ARCHITECTURE.md, "Path of an upload". */
const PATH = /^projects\/[0-9A-Za-z]{22}\/tenants\/([0-9A-Za-z]{22})\/[0-9A-Za-z]{22}_([^/]+)$/;

async function mustStayEmpty(tx: Transaction, project: Project, path: string): Promise<boolean> {
  const rows = await tx
    .select({ path: tombstones.path })
    .from(tombstones)
    .where(and(eq(tombstones.projectId, project.id), eq(tombstones.path, path)));
  return rows.length > 0;
}

interface Owner {
  id: number;
  nextPurgeAt: Date | null;
}

/** Finds the tenant by its ref in the path, or else by the customer's ID. A tenant that only `owners` knows is created. */
async function findOwner(
  tx: Transaction,
  project: Project,
  { tenantRef, owners, now }: { tenantRef: string; owners: Owners; now: Date },
): Promise<Owner | undefined> {
  const columns = { id: tenants.id, nextPurgeAt: tenants.nextPurgeAt };
  const ofProject = eq(tenants.projectId, project.id);
  const [byRef] = await tx
    .select(columns)
    .from(tenants)
    .where(and(ofProject, eq(tenants.ref, tenantRef)));
  const tenantId = owners.get(tenantRef);
  if (byRef || tenantId === undefined) return byRef;
  await tx
    .insert(tenants)
    .values({ projectId: project.id, tenantId, ref: tenantRef, createdAt: now })
    .onConflictDoNothing();
  const [byId] = await tx
    .select(columns)
    .from(tenants)
    .where(and(ofProject, eq(tenants.tenantId, tenantId)));
  return byId;
}
