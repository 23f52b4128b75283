import { StowageError } from "@stowage/schemas";
import { and, inArray } from "drizzle-orm";
import type { ProjectActor } from "#audit/caller.js";
import { auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { IS_FAILED_VARIANT, IS_FAILING_VARIANT } from "#db/schema/conditions.js";
import { files, tenants } from "#db/schema/index.js";
import { isFile, isFileAt, isTenantOfFile } from "#files/record/file-conditions.js";
import { fileEntry } from "#files/delete/delete-selection.js";
import { statusesThat } from "#db/schema/file-statuses.js";

interface RetryDeps {
  db: Queries;
  clock: () => Date;
}

export interface RetryOptions {
  /** Also the variants of files that are no images, for example after an upgrade of the decoder. */
  includeImpossible: boolean;
}

/**
 * Has the failed variants of a file made again, and those that wait for their next try made now. Safe to repeat.
 *
 * @param file its id, or its path
 * @returns how many variants wait for a worker now
 * @throws {StowageError} `file_not_found`, `unavailable`
 */
export function retryVariantsOfFile(
  deps: RetryDeps,
  actor: ProjectActor,
  file: { fileId: number } | { path: string },
  { includeImpossible }: RetryOptions,
): Promise<number> {
  const { project } = actor;
  return auditedTransaction(deps, actor, async ({ db, clock }, tx) => {
    const isWanted =
      "fileId" in file ? isFile({ projectId: project.id, id: file.fileId }) : isFileAt(project.id, file.path);
    const [found] = await tx
      .select({
        id: files.id,
        path: files.path,
        filename: files.filename,
        size: files.size,
        tenantId: tenants.tenantId,
      })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(and(isWanted, inArray(files.status, statusesThat("counts"))));
    if (!found) throw new StowageError("file_not_found");
    const values = [project.id, found.id, clock().toISOString(), includeImpossible];
    const rows = await db.execute(RETRY_FILE, values);
    const entry = rows.length === 0 ? null : fileEntry("file.variants_retried", project, found);
    return { result: rows.length, entry };
  });
}

/**
 * Does the same for all files of a project, in batches. A call that was cut off in the middle is made again.
 *
 * @returns how many variants wait for a worker now
 * @throws {StowageError} `unavailable`
 */
export async function retryVariantsOfProject(
  deps: RetryDeps,
  actor: ProjectActor,
  { includeImpossible }: RetryOptions,
): Promise<number> {
  const { project } = actor;
  await auditedTransaction(deps, actor, async () => ({
    result: undefined,
    entry: { action: "project.variants_retried", projectId: project.id, details: { includeImpossible } },
  }));
  let retried = 0;
  for (;;) {
    const values = [project.id, null, deps.clock().toISOString(), includeImpossible];
    const rows = await deps.db.execute(RETRY_BATCH, values);
    retried += rows.length;
    if (rows.length < ROWS_PER_STATEMENT) return retried;
  }
}

const ROWS_PER_STATEMENT = 1000;

/**
 * What is tried again. A variant that is being tried has its `retry_at` in the past, and is left alone.
 */
const IS_RETRIED = `
project_id = $1::bigint and (
  ${IS_FAILED_VARIANT} or $4::boolean and status = 'failed' and failure = 'image'
  or ${IS_FAILING_VARIANT} and retry_at > $3::timestamptz)`;

const RETRY = `
update file_variants set status = 'waiting', due_at = $3::timestamptz, retry_at = null, failure = null, reason = null, failures = 0,
  decoder_failures = 0
where project_id = $1::bigint`;

const RETRY_FILE = `${RETRY} and file_id = $2::bigint and (${IS_RETRIED}) returning path`;

const RETRY_BATCH = `
${RETRY} and $2::bigint is null and path = any(array(
  select path from file_variants where ${IS_RETRIED} limit ${ROWS_PER_STATEMENT} for update skip locked))
returning path`;
