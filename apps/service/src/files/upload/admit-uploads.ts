import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { batchCalls } from "#lib/batch-calls.js";
import { ADMIT_BY_API_KEY, ADMIT_BY_PROJECT_ID } from "./admission-statement.js";

/**
 * The project that an upload goes to: given by the hash of its API key, or by its id. The id beside a hash is only a hint, with which
 * uploads that share statements are served fairly.
 */
export type UploadTarget = { apiKeyHash: string; projectId?: number } | { projectId: number };

export interface AdmissionRequest {
  target: UploadTarget;
  tenantId: string;
  /** The tenant's ref, if this upload creates the tenant. */
  newTenantRef: string;
  /** The last segment of the path: `<prefix>_<name>`. */
  objectName: string;
  filename: string;
  contentType: string;
  sizeBytes: number | null;
  metadata: Record<string, string>;
  now: Date;
  urlExpiresAt: Date;
  /** When the sweeper first checks whether the bytes have arrived. */
  nextCheckAt: Date;
  /** The quota in bytes of a tenant if neither the tenant nor its project has one; null for no quota. */
  defaultQuotaBytes: number | null;
}

export type AdmissionResult =
  | { outcome: "unknown_project" }
  | { outcome: "size_required" }
  | { outcome: "file_too_large"; maxFileBytes: number }
  | { outcome: "quota_exceeded" }
  | { outcome: "admitted"; path: string; isNewTenant: boolean; maxFileBytes: number };

/**
 * Admits one upload, or says why it is refused.
 *
 * @throws {StowageError} `too_many_requests` if too many uploads of the project are waiting; `unavailable`
 */
export type AdmitUpload = (upload: AdmissionRequest) => Promise<AdmissionResult>;

/**
 * With two, the database works on one statement while the service handles the answer of the other. More would only make batches
 * smaller.
 */
const MAX_CONCURRENT_STATEMENTS = 2;
/** A statement of this size takes about ten milliseconds. The next upload may have to wait that long. */
const MAX_BATCH_SIZE = 100;
/** The service could not serve more waiting uploads before their deadline. */
const MAX_QUEUE_LENGTH = 2000;
const MAX_QUEUE_LENGTH_PER_PROJECT = 200;
/** An attempt has to be repeated when concurrent statements changed the same tenant. */
const MAX_ATTEMPTS = 20;
const RETRY_AFTER_SECONDS = 1;

/**
 * Admits uploads that are requested at the same time in one shared SQL statement: under load, each upload costs the database less.
 * An upload that is requested alone is admitted immediately.
 *
 * @param options.timeoutMs how long one upload may wait for its answer
 */
export function createBatchedAdmit(db: Queries, { timeoutMs }: { timeoutMs: number }): AdmitUpload {
  const attempt = batchCalls((uploads: AdmissionRequest[]) => admitUploads(db, uploads), {
    ownerOf: ({ target }) => projectOf(target),
    maxConcurrentCalls: MAX_CONCURRENT_STATEMENTS,
    maxBatchSize: MAX_BATCH_SIZE,
    maxQueueLength: MAX_QUEUE_LENGTH,
    maxQueueLengthPerOwner: MAX_QUEUE_LENGTH_PER_PROJECT,
    timeoutMs,
  });
  return (upload) => repeatUntilDecided(() => attempt(upload));
}

/** A key that is used without its project's id belongs to one project too. */
function projectOf(target: UploadTarget): string {
  const { projectId } = target;
  return "apiKeyHash" in target && projectId === undefined ? target.apiKeyHash : String(projectId);
}

/** Admits each upload in its own statement. Use it inside a transaction. */
export function createUnbatchedAdmit(db: Queries): AdmitUpload {
  return (upload) => repeatUntilDecided(async () => (await admitUploads(db, [upload]))[0]!);
}

/** What one statement says about an upload; `retry` when only another attempt can tell. */
export type AttemptResult = AdmissionResult | { outcome: "retry" };

async function repeatUntilDecided(attempt: () => Promise<AttemptResult>): Promise<AdmissionResult> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const result = await attempt();
    if (result.outcome !== "retry") return result;
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error("too many concurrent uploads of one tenant"),
  });
}

/**
 * Tries to admit uploads in one SQL statement.
 *
 * @param uploads either all with an API key, or all with a project id
 * @returns one result for each upload, in the same order
 * @throws {StowageError} `unavailable`
 */
export async function admitUploads(db: Queries, uploads: AdmissionRequest[]): Promise<AttemptResult[]> {
  const [first] = uploads;
  if (!first) return [];
  const statement = "apiKeyHash" in first.target ? ADMIT_BY_API_KEY : ADMIT_BY_PROJECT_ID;
  const rows = await db.execute<Row>(statement, [
    JSON.stringify(uploads.map(toColumns)),
    first.defaultQuotaBytes,
  ]);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return uploads.map((upload, number) => toResult(upload, byNumber.get(number)));
}

interface Row {
  number: number;
  outcome: AttemptResult["outcome"];
  maxFileBytes: number;
  tenantRef: string | null;
  path: string | null;
}

function toColumns(upload: AdmissionRequest, number: number) {
  const { target } = upload;
  return {
    number,
    target: "apiKeyHash" in target ? target.apiKeyHash : String(target.projectId),
    tenant_id: upload.tenantId,
    new_ref: upload.newTenantRef,
    object_name: upload.objectName,
    filename: upload.filename,
    content_type: upload.contentType,
    size: upload.sizeBytes,
    metadata: upload.metadata,
    at: upload.now,
    url_expires_at: upload.urlExpiresAt,
    next_look_at: upload.nextCheckAt,
  };
}

function toResult(upload: AdmissionRequest, row: Row | undefined): AttemptResult {
  if (!row) return { outcome: "unknown_project" };
  const { outcome, maxFileBytes, tenantRef, path } = row;
  if (outcome === "file_too_large") return { outcome, maxFileBytes };
  if (outcome !== "admitted") return { outcome };
  return { outcome, path: path!, isNewTenant: tenantRef === upload.newTenantRef, maxFileBytes };
}
