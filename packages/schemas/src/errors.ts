/** Errors of the service. REST, tRPC, OpenAPI and the documentation use this table. `detail` is the default text. */
export const serviceErrors = {
  unauthorized: { status: 401, detail: "Unauthorized" },
  invalid_json: { status: 400, detail: "Request body must be valid JSON" },
  invalid_request: { status: 400, detail: "Request is not valid" },
  filename_required: { status: 400, detail: "filename is required" },
  tenant_id_required: { status: 400, detail: "tenant_id is required" },
  size_required: { status: 400, detail: "size is required" },
  file_too_large: { status: 400, detail: "size must be at most N bytes" },
  quota_exceeded: { status: 403, detail: "Storage quota exceeded for this tenant" },
  file_limit_exceeded: { status: 403, detail: "File limit exceeded for this tenant" },
  file_not_scanned: { status: 403, detail: "File has not been scanned yet" },
  file_quarantined: { status: 403, detail: "File is quarantined" },
  not_found: { status: 404, detail: "Not found" },
  tenant_not_found: { status: 404, detail: "Tenant not found" },
  file_not_found: { status: 404, detail: "File not found" },
  link_not_found: { status: 404, detail: "Link not found" },
  job_not_found: { status: 404, detail: "Job not found" },
  preset_not_found: { status: 404, detail: "Image preset not found" },
  plan_not_found: { status: 404, detail: "Plan not found" },
  method_not_allowed: { status: 405, detail: "Method not allowed" },
  upload_not_found: { status: 409, detail: "Upload not found in storage" },
  upload_incomplete: { status: 409, detail: "Upload is incomplete: parts are missing" },
  upload_expired: { status: 409, detail: "Upload has expired" },
  upload_already_stored: { status: 409, detail: "Upload is already stored" },
  file_on_hold: { status: 409, detail: "File is on hold" },
  file_being_replaced: { status: 409, detail: "File is being replaced" },
  folder_busy: { status: 409, detail: "Folder is being moved or deleted" },
  tenant_being_deleted: { status: 409, detail: "Tenant is being deleted" },
  plan_in_use: { status: 409, detail: "Plan is in use by a tenant" },
  variant_pending: { status: 409, detail: "Variant is being made" },
  scan_outdated: { status: 409, detail: "File has changed since it was scanned" },
  cursor_expired: { status: 410, detail: "Events after this cursor are not kept any more" },
  body_too_large: { status: 413, detail: "Request body must be at most 65536 bytes" },
  unsupported_media_type: { status: 415, detail: "Content-Type must be application/json" },
  variant_impossible: { status: 415, detail: "File has no such variant" },
  variant_failed: { status: 422, detail: "Variant could not be made" },
  idempotency_key_reused: { status: 422, detail: "Idempotency-Key was used for another request" },
  too_many_requests: { status: 429, detail: "Too many requests" },
  internal_error: { status: 500, detail: "Internal error" },
  unavailable: { status: 503, detail: "Service temporarily unavailable" },
} as const satisfies ErrorTable;

/** Errors that only the helper in the customer's backend answers. */
export const helperErrors = {
  cross_site: { status: 403, detail: "Requests from other sites are not allowed" },
  route_not_found: { status: 404, detail: "Upload route not found" },
  file_type_not_accepted: { status: 400, detail: "File type is not accepted" },
  file_too_small: { status: 400, detail: "size must be at least N bytes" },
  too_many_files: { status: 400, detail: "Too many files" },
  image_unreadable: { status: 415, detail: "The image cannot be decoded" },
  upload_refused: { status: 403, detail: "Upload refused" },
  delete_refused: { status: 403, detail: "Files cannot be deleted here: allowDelete does not allow it" },
  update_refused: { status: 403, detail: "Files cannot be changed here: allowUpdate does not allow it" },
  restore_refused: { status: 403, detail: "Files cannot be restored here: allowRestore does not allow it" },
  folder_refused: { status: 403, detail: "Folders cannot be used here: allowFolders does not allow it" },
  folder_job_refused: {
    status: 403,
    detail: "This folder cannot be moved or deleted here: allowFolderJobs does not allow it",
  },
  list_refused: { status: 403, detail: "Files cannot be listed here: allowList does not allow it" },
  download_refused: {
    status: 403,
    detail: "Files cannot be downloaded here: allowDownload does not allow it",
  },
  share_refused: { status: 403, detail: "Files cannot be shared here: allowShare does not allow it" },
  versions_refused: {
    status: 403,
    detail: "Versions cannot be used here: allowVersions does not allow it",
  },
  usage_refused: { status: 403, detail: "Usage cannot be read here: allowUsage does not allow it" },
  callback_failed: { status: 500, detail: "The file is stored, but the application could not take it" },
} as const satisfies ErrorTable;

/**
 * Every error code, with its HTTP status and its default text. Programs compare codes, because texts can change.
 * `docs/errors/` explains the cause and the fix of each code.
 */
export const errorCatalogue = { ...serviceErrors, ...helperErrors } as const;

/** Every HTTP status of the catalogue. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

type ErrorTable = Record<string, { status: ErrorStatus; detail: string }>;

/** A code of the error catalogue. Each one has a page in the documentation. */
export type ErrorCode = keyof typeof errorCatalogue;

/**
 * Finds the code of an error text. The REST API sends the code in the header `X-Error-Code`: read that header where you can. This
 * function is for texts that arrive without headers.
 *
 * @param detail the `detail` of the answer
 * @param status the HTTP status, if it is known; a code of another status does not match
 * @returns undefined for a text that is not in the catalogue, such as one about a single member of the request
 * @example errorCodeOf("size must be at most 1000 bytes", 400) // "file_too_large"
 */
export function errorCodeOf(detail: string, status?: number): ErrorCode | undefined {
  if (/^size must be at most \d+ bytes$/.test(detail)) {
    return "file_too_large";
  }
  if (/^size must be at least [1-9]\d* bytes$/.test(detail)) {
    return "file_too_small";
  }
  if (/^Upload is incomplete: \d+ of \d+ parts are stored$/.test(detail)) {
    return "upload_incomplete";
  }
  if (detail.startsWith("Variant could not be made: ")) {
    return "variant_failed";
  }
  if (/^(".*" is not an upload route|No upload route was named)\. /.test(detail)) {
    return "route_not_found";
  }
  const known = Object.entries(errorCatalogue).find(
    ([, entry]) => entry.detail === detail && (status === undefined || entry.status === status),
  );
  return known?.[0] as ErrorCode | undefined;
}

/** Limits the length of the error's text. */
const MAX_NAMED_ROUTES = 20;

/**
 * The text of `route_not_found`, which names the routes that exist. They are no secret: `GET <mount>/routes` describes them.
 *
 * @param name undefined if the request named no route
 * @example routeNotFoundDetail("avatr", ["avatar"]) // '"avatr" is not an upload route. There are: avatar'
 */
export function routeNotFoundDetail(name: string | undefined, routes: readonly string[]): string {
  const problem = name === undefined ? "No upload route was named" : `"${name}" is not an upload route`;
  const more = routes.length > MAX_NAMED_ROUTES ? ", …" : "";
  const named = `There are: ${routes.slice(0, MAX_NAMED_ROUTES).join(", ")}${more}`;
  return `${problem}. ${routes.length === 0 ? "The helper has no routes" : named}`;
}

/** The body of every error answer of the service. The header `X-Error-Code` has the code. */
export interface ErrorBody {
  detail: string;
}

/**
 * An expected failure. `code` is from the catalogue, `status` is its HTTP status, `message` is the text for the caller.
 *
 * @example throw new StowageError("quota_exceeded");
 * @example throw new StowageError("invalid_request", { detail: "size must be a whole number of bytes" });
 */
export class StowageError extends Error {
  override readonly name = "StowageError";
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** Whole seconds after which the same request may succeed. Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Only with `quota_exceeded`: bytes that open uploads reserve, if the upload would fit without them. */
  declare readonly reservedBytes?: number;

  /** @param options.detail replaces the default text of the code */
  constructor(
    code: ErrorCode,
    options: {
      detail?: string;
      retryAfterSeconds?: number | undefined;
      reservedBytes?: number;
      cause?: unknown;
    } = {},
  ) {
    super(options.detail ?? errorCatalogue[code].detail, { cause: options.cause });
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    if (options.reservedBytes !== undefined) this.reservedBytes = options.reservedBytes;
  }

  toBody(): ErrorBody {
    return { detail: this.message };
  }
}
