import { createHash } from "node:crypto";
import { type CountLimits, StowageError, uploadRequest } from "@stowage/schemas";
import { mediaTypeOf } from "@stowage/schemas/rules";
import { and, eq, inArray, sql } from "drizzle-orm";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { markUploadsStored } from "#files/settle/mark-stored.js";
import { sanitizeFilename } from "#files/upload/object-key.js";
import { base62 } from "#lib/base62.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import { emitTenantsCreated } from "#outbox/emit-events.js";
import type { Project } from "#projects/find-project.js";
import type { VerifiedCopy } from "./copy-verified.js";
import type { Place } from "./place-object.js";

export interface RecordFilesDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
}

/** A tenant that files can be recorded for. */
export interface KnownTenant {
  id: number;
  ref: string;
}

/**
 * The path of the file of an object. It depends only on the object, its name and its tenant, so an object whose import is repeated gets no second
 * file: the paths of a project are unique.
 *
 * @param sourceId see ObjectSource
 */
export function pathOf(
  project: Project,
  tenant: KnownTenant,
  { sourceId, key, filename }: { sourceId: string; key: string; filename: string },
): string {
  const digest = createHash("sha256").update(`${sourceId}\n${key}`).digest();
  const prefix = base62(digest.subarray(0, 16), 22);
  return `projects/${project.ref}/tenants/${tenant.ref}/${prefix}_${sanitizeFilename(filename)}`;
}

/** The tenants that have a path already, by the customer's IDs. Null for one that is being deleted. */
export async function findTenants(
  { db }: Pick<RecordFilesDeps, "db">,
  project: Project,
  tenantIds: string[],
): Promise<Map<string, KnownTenant | null>> {
  if (tenantIds.length === 0) return new Map();
  const rows = await db.run((db) =>
    db
      .select({
        tenantId: tenants.tenantId,
        id: tenants.id,
        ref: tenants.ref,
        nextPurgeAt: tenants.nextPurgeAt,
      })
      .from(tenants)
      .where(and(eq(tenants.projectId, project.id), inArray(tenants.tenantId, [...new Set(tenantIds)]))),
  );
  return new Map(
    rows.flatMap(({ tenantId, id, ref, nextPurgeAt }): [string, KnownTenant | null][] => {
      if (nextPurgeAt) return [[tenantId, null]];
      return ref === null ? [] : [[tenantId, { id, ref }]];
    }),
  );
}

/**
 * Creates the tenants that are missing, and gives a path to those that have none.
 *
 * @returns all of them. See {@link findTenants}
 */
export async function ensureTenants(
  deps: RecordFilesDeps,
  project: Project,
  tenantIds: string[],
): Promise<Map<string, KnownTenant | null>> {
  const known = await findTenants(deps, project, tenantIds);
  const missing = [...new Set(tenantIds)].filter((id) => !known.has(id)).toSorted();
  if (missing.length === 0) return known;
  await inTransaction(deps.db, async (_, tx) => {
    const createdAt = deps.clock();
    const created = await tx
      .insert(tenants)
      .values(
        missing.map((tenantId) => ({
          projectId: project.id,
          tenantId,
          ref: randomRef(deps.randomBytes),
          createdAt,
        })),
      )
      .onConflictDoNothing()
      .returning({ id: tenants.id, tenantId: tenants.tenantId });
    const ids = created.map(({ id }) => id);
    const names = new Set(created.map(({ tenantId }) => tenantId));
    for (const tenantId of missing.filter((one) => !names.has(one)))
      ids.push(...(await giveRef(tx, deps, project, tenantId)));
    await emitTenantsCreated(tx, { projectId: project.id, at: createdAt }, ids);
  });
  return findTenants(deps, project, tenantIds);
}

/** A tenant whose quota was set before its first upload has no ref. @returns its id if it got one now */
async function giveRef(
  tx: Transaction,
  { randomBytes }: RecordFilesDeps,
  project: Project,
  tenantId: string,
): Promise<number[]> {
  const rows = await tx
    .update(tenants)
    .set({ ref: randomRef(randomBytes) })
    .where(
      and(
        eq(tenants.projectId, project.id),
        eq(tenants.tenantId, tenantId),
        sql`${tenants.ref} is null and ${tenants.nextPurgeAt} is null`,
      ),
    )
    .returning({ id: tenants.id });
  return rows.map(({ id }) => id);
}

/** Which of these paths have a file, or had one that was deleted a short time ago. */
export async function findRecorded(
  { db }: Pick<RecordFilesDeps, "db">,
  project: Project,
  paths: string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await db.execute<{ path: string }>(FIND_RECORDED, [project.id, JSON.stringify(paths)]);
  return new Set(rows.map(({ path }) => path));
}

const FIND_RECORDED = `
select path from files where project_id = $1::bigint and path in (select value from json_array_elements_text($2::text::json))
union
select path from tombstones where project_id = $1::bigint and path in (select value from json_array_elements_text($2::text::json))`;

/** An object of the import whose copy is in the bucket. */
export interface CopiedFile extends VerifiedCopy {
  place: Place;
  tenant: KnownTenant;
  path: string;
}

/** Whether the metadata of an object could be that of an upload. */
export const hasValidMetadata = (metadata: Record<string, string>) => asUploaded({ metadata }) !== null;

/**
 * Gives files to objects, in one transaction. A file is created when its object was, and stored now.
 *
 * @param options.storage the name of the storage that has the copies. Null: the only one
 * @param options.ignoresLimits whether files beyond a quota or a limit of files are recorded too
 * @returns the paths of the files that do not fit the quota or the limit of files of their tenant: nothing was recorded for them
 * @throws {StowageError} `invalid_request` if the project moves to another storage; `unavailable`
 */
export function recordFiles(
  deps: RecordFilesDeps,
  project: Project,
  copied: CopiedFile[],
  options: { storage: string | null; ignoresLimits: boolean },
): Promise<Set<string>> {
  return inTransaction(deps.db, async (db, tx) => {
    await requireStorage(db, project, options.storage);
    const seen = await tx
      .insert(files)
      // Rows lock their tenants, which all transactions lock in the order of their ids.
      .values(
        copied
          .toSorted((a, b) => a.tenant.id - b.tenant.id)
          .map((file) => toRow(project, file, deps.clock())),
      )
      .onConflictDoNothing()
      .returning();
    const byPath = new Map(copied.map((file) => [file.path, file]));
    const marked = await markUploadsStored(
      { ...deps, db },
      seen.map((row) => ({
        seen: row,
        object: byPath.get(row.path)!.copy,
        ignoresQuota: options.ignoresLimits,
      })),
    );
    const refused = seen.filter((_, index) => !marked[index]);
    if (refused.length > 0)
      await tx.delete(files).where(
        and(
          eq(files.projectId, project.id),
          inArray(
            files.id,
            refused.map(({ id }) => id),
          ),
        ),
      );
    return new Set(refused.map(({ path }) => path));
  });
}

/**
 * A move copies what the old storage has for a minute after every process knows of it, so a file that was recorded just before is copied.
 *
 * @throws {StowageError} `invalid_request` if the project moves, or has moved to another storage than this one
 */
export async function requireStorage(db: Queries, { id }: Project, storage: string | null): Promise<void> {
  const [row] = await db.execute<{ storage: string | null; isMoving: boolean }>(READ_STORAGE, [id]);
  if (!row) throw new StowageError("not_found", { detail: "Project not found" });
  if (row.isMoving || (row.storage !== null && storage !== null && row.storage !== storage))
    throw new StowageError("invalid_request", {
      detail: "The project moves to another storage. Run the command again when it has moved",
    });
}

const READ_STORAGE = `
select storage, exists (select from storage_moves where project_id = $1::bigint) as "isMoving"
from projects where id = $1::bigint and deleted_at is null`;

/**
 * As an upload that has expired and whose object arrives: `mark_stored` then compares it with the quota and with the limit of files. No URL was
 * ever signed for it.
 */
function toRow(project: Project, { place, tenant, path, found }: CopiedFile, now: Date): NewRow {
  const { filename, folder } = place;
  const createdAt = earlierOf(found.createdAt, now);
  return {
    projectId: project.id,
    tenant: tenant.id,
    path,
    filename,
    folder,
    contentType: contentTypeOf(found.headers.ContentType, filename),
    cacheControl: asUploaded({ cache_control: found.headers.CacheControl })?.cacheControl ?? null,
    metadata: found.metadata,
    status: "expired",
    createdAt,
    urlExpiresAt: createdAt,
  };
}

type NewRow = typeof files.$inferInsert;

function earlierOf(time: Date | undefined, now: Date): Date {
  return time !== undefined && time < now ? time : now;
}

/** What S3 answers for an object without a type. */
const NO_TYPE = "binary/octet-stream";

function contentTypeOf(given: string | undefined, filename: string): string {
  const type = given === NO_TYPE ? undefined : asUploaded({ content_type: given })?.contentType;
  return type ?? mediaTypeOf({ name: filename, type: "" });
}

/** The values as an upload would have them. Null if it would be refused. */
function asUploaded(values: Record<string, unknown>) {
  const parsed = uploadRequest.safeParse({ tenant_id: "t", filename: "f", ...values });
  return parsed.success ? parsed.data : null;
}
