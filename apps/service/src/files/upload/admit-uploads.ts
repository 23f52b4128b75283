import { type CountLimits, StowageError, type Visibility } from "@stowage/schemas";
import type { Database, Queries } from "#db/client.js";
import type { BatchingOptions } from "#db/traffic/batches.js";
import { groupBy } from "#lib/group-by.js";

/** The project that an upload goes to. */
export interface UploadTarget {
  projectId: number;
  /** The hash of the API key of the request: the project must have this key. Undefined for an operator, who has no key. */
  apiKeyHash?: string;
}

export interface AdmissionRequest {
  target: UploadTarget;
  tenantId: string;
  /** The tenant's ref, if this upload creates the tenant. */
  newTenantRef: string;
  /** The last segment of the path: `<prefix>_<name>`. */
  objectName: string;
  filename: string;
  contentType: string;
  cacheControl?: string | undefined;
  /** @default private */
  visibility?: Visibility | undefined;
  sizeBytes: number | null;
  metadata: Record<string, string>;
  /** @default the root */
  folder?: string | undefined;
  now: Date;
  urlExpiresAt: Date;
  /** When the file is deleted by itself; undefined if the customer set no end. */
  fileExpiresAt?: Date | undefined;
  /** When the sweeper first checks whether the bytes have arrived. */
  nextCheckAt: Date;
  /** Only for an upload by parts: `urlExpiresAt` is when it ends. */
  parts?: { sizeBytes: number; fingerprint: string | null } | undefined;
  /** The path of the stored file of the same tenant that this upload replaces; undefined for a new file. */
  replaces?: string | undefined;
  /** Undefined for a request without an `Idempotency-Key`. */
  idempotency?: Idempotency | undefined;
  /** The quota in bytes of a tenant if neither the tenant nor its project has one; null for no quota. */
  defaultQuotaBytes: number | null;
  /** The limits of the service, for tenants that nothing else limits. */
  defaultLimits: CountLimits;
}

/** The `Idempotency-Key` of a request. The same key with the same hash answers the upload that the first request opened. */
export interface Idempotency {
  key: string;
  /** The hash of everything that the request asks for. */
  requestHash: string;
  /** When the key may be used for another request. */
  expiresAt: Date;
  /** When the sweeper checks a file that is stored already, because the new URL can replace it. */
  checkAfterExpiryAt: Date;
}

export type AdmissionResult =
  | { outcome: "unknown_project" }
  | { outcome: "size_required" }
  | { outcome: "file_too_large"; maxFileBytes: number }
  | { outcome: "quota_exceeded" }
  | { outcome: "file_limit_exceeded" }
  | { outcome: "too_many_uploads"; retryAfterSeconds: number }
  | { outcome: "key_reused" }
  | { outcome: "file_not_found" | "file_on_hold" | "file_being_replaced" }
  | { outcome: "tenant_being_deleted" }
  | { outcome: "admitted"; path: string; isNewTenant: boolean; maxFileBytes: number };

/**
 * Admits one upload, or says why it is refused.
 *
 * @throws {StowageError} `too_many_requests` if too many uploads of the project are waiting; `unavailable`
 */
export type AdmitUpload = (upload: AdmissionRequest) => Promise<AdmissionResult>;

/** An attempt has to be repeated when concurrent statements changed the same tenant, key or file. */
const MAX_ATTEMPTS = 20;
const RETRY_AFTER_SECONDS = 1;
/** An open upload may end at any time: when it is stored, cancelled or expired. */
const RETRY_OPEN_UPLOADS_SECONDS = 5;

/**
 * Admits uploads that are requested at the same time in one shared SQL statement: under load, each upload costs the database less.
 * An upload that is requested alone is admitted immediately.
 */
export function createBatchedAdmit(db: Pick<Database, "batch">, options: BatchingOptions = {}): AdmitUpload {
  const attempt = db.batch("upload", { ...options, run: admitUploads });
  return (upload) => repeatUntilDecided(() => attempt(String(upload.target.projectId), upload));
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
 * @returns one result for each upload, in the same order
 * @throws {StowageError} `unavailable`
 */
export async function admitUploads(db: Queries, uploads: AdmissionRequest[]): Promise<AttemptResult[]> {
  const calls = [...groupBy(uploads.entries(), ([, { target }]) => toKey(target)).values()].map(toCall);
  const [first] = calls;
  if (!first) return [];
  const { defaultQuotaBytes, defaultLimits } = uploads[0]!;
  const defaults = [defaultQuotaBytes, toJson(defaultLimits)];
  const rows = await (calls.length === 1
    ? db.execute<Row>(ADMIT_TO_PROJECT, [
        first.project_id,
        first.key_hash,
        JSON.stringify(first.uploads),
        ...defaults,
      ])
    : db.execute<Row>(ADMIT_TO_PROJECTS, [JSON.stringify(calls), ...defaults]));
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return uploads.map((_, number) => toResult(byNumber.get(number)));
}

/** Null for no limits: then the functions need not look at them. */
const toJson = (limits: CountLimits) => (Object.keys(limits).length === 0 ? null : JSON.stringify(limits));

/** The same for uploads that one call of `admit_uploads` can admit. */
const toKey = ({ projectId, apiKeyHash }: UploadTarget) => `${projectId} ${apiKeyHash}`;

/** The uploads of one project, each with its number in the batch. */
function toCall(uploads: [number, AdmissionRequest][]) {
  const { target } = uploads[0]![1];
  return {
    project_id: target.projectId,
    key_hash: target.apiKeyHash ?? null,
    uploads: uploads.map(([number, upload]) => toColumns(upload, number)),
  };
}

function toColumns({ idempotency, parts, ...upload }: AdmissionRequest, number: number) {
  return {
    number,
    tenant_id: upload.tenantId,
    new_ref: upload.newTenantRef,
    object_name: upload.objectName,
    filename: upload.filename,
    content_type: upload.contentType,
    size: upload.sizeBytes,
    metadata: upload.metadata,
    at: upload.now,
    url_expires_at: upload.urlExpiresAt,
    next_check_at: upload.nextCheckAt,
    ...(upload.visibility && { visibility: upload.visibility }),
    ...(upload.folder && { folder: upload.folder }),
    ...(upload.cacheControl && { cache_control: upload.cacheControl }),
    ...(upload.fileExpiresAt && { expires_at: upload.fileExpiresAt }),
    ...(parts && {
      part_size: parts.sizeBytes,
      multipart: parts.fingerprint === null ? {} : { fingerprint: parts.fingerprint },
    }),
    ...(idempotency && {
      idempotency_key: idempotency.key,
      request_hash: idempotency.requestHash,
      key_expires_at: idempotency.expiresAt,
      check_after_expiry_at: idempotency.checkAfterExpiryAt,
    }),
  };
}

interface Row {
  number: number;
  outcome: AttemptResult["outcome"];
  path: string | null;
  isNewTenant: boolean | null;
  maxFileBytes: number;
  retryAfterSeconds: number | null;
}

function toResult(row: Row | undefined): AttemptResult {
  if (!row) return { outcome: "unknown_project" };
  const { outcome, maxFileBytes, path, isNewTenant, retryAfterSeconds } = row;
  if (outcome === "file_too_large") return { outcome, maxFileBytes };
  if (outcome === "too_many_uploads")
    return { outcome, retryAfterSeconds: retryAfterSeconds ?? RETRY_OPEN_UPLOADS_SECONDS };
  if (outcome !== "admitted") return { outcome };
  return { outcome, path: path!, isNewTenant: isNewTenant!, maxFileBytes };
}

/*
 * The statements: one round trip, one commit, nothing to undo. The work is done by functions in the database (db/functions): `admit_uploads`
 * for the uploads of one project, which Citus runs on the node of that project, and `admit_uploads_of_projects`. Both let
 * `judge_uploads` decide, project by project, and insert the admitted files.
 */

const COLUMNS = `number, outcome, path, is_new_tenant as "isNewTenant", max_file_bytes as "maxFileBytes", retry_after_s as "retryAfterSeconds"`;

/** $1: the project's id. $2: the hash of its key, or null for an operator. $3: the uploads. $4 and $5: the quota and the limits of the service. */
const ADMIT_TO_PROJECT = `
select ${COLUMNS} from admit_uploads($1::bigint, $2::text, $3::text::json, $4::bigint, $5::text::jsonb)`;

/**
 * $1: for each project its id, the hash of its key and its uploads. $2 and $3: the quota and the limits of the service. Not for Citus: there each statement has the
 * uploads of one project.
 */
const ADMIT_TO_PROJECTS = `
select ${COLUMNS} from admit_uploads_of_projects($1::text::json, $2::bigint, $3::text::jsonb)`;
