import * as z from "zod";
import * as calls from "./calls.js";
import type { ErrorCode } from "./errors.js";
import { limits } from "./limits.js";

/** One call of the REST API, with its documentation. OpenAPI and docs/api.md are generated from it. */
export interface Operation extends calls.Call {
  summary: string;
  /** What the schemas do not express. */
  description: string;
  /**
   * Largest body, in bytes.
   *
   * @default limits.requestBodyBytes
   */
  bodyBytes?: number;
  /** The errors of this call; {@link errorsOf} adds the errors that every call can answer. */
  errors: readonly ErrorCode[];
  /** Needs no API key. */
  isPublic?: true;
}

const openApiDocument = z.looseObject({ openapi: z.string() });

/** Every call, in the order of the documentation. */
export const operations = {
  requestUpload: {
    ...calls.requestUpload,
    summary: "Request an upload URL",
    description:
      "Answers a URL for one PUT of the bytes and records the file as pending. The URL expires after one hour: request it right before the upload, once per upload. The first upload of a tenant_id creates the tenant. With an Idempotency-Key the request is safe to repeat for 24 hours: the same key and body answer the same file_path and is_new_tenant with a new URL, and reserve nothing twice. An upload that has expired is opened again. If its file was deleted or cancelled, a new upload is opened. Refused requests are not remembered. With expires_after the service deletes the file by itself; the URL expires no later than the file.",
    errors: [
      "filename_required",
      "tenant_id_required",
      "size_required",
      "file_too_large",
      "quota_exceeded",
      "tenant_being_deleted",
      "idempotency_key_reused",
    ],
  },
  openUpload: {
    ...calls.openUpload,
    summary: "Open an upload by parts",
    description:
      "For a file of up to 5 TiB, and for an upload that goes on where it stopped: the file is sent in parts, several at a time, each with its own PUT. All parts have part_size bytes, except the last, which has the rest. The whole size is reserved at once. Ask for the URLs of the parts, send them, and complete the upload. An upload that is not complete at expires_at ends: its parts are removed and its reservation is returned. If all parts are stored by then, the service completes it by itself. Idempotency-Key works as for a single PUT.",
    errors: [
      "filename_required",
      "tenant_id_required",
      "size_required",
      "file_too_large",
      "quota_exceeded",
      "tenant_being_deleted",
      "idempotency_key_reused",
    ],
  },
  signParts: {
    ...calls.signParts,
    summary: "Request the URLs of parts",
    description:
      "Answers a URL for the PUT of each part, in the order of the request. A URL expires after one hour, or with the upload. Request it right before its part is sent; it can be requested again at any time. Storage refuses any other length than size and, with content_md5, any other bytes. A part that is sent twice replaces the first one.",
    errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "upload_expired"],
  },
  listParts: {
    ...calls.listParts,
    summary: "List the stored parts of an open upload",
    description:
      "Asks storage which parts it has now, in the order of their numbers. Every page also tells the size of the file and of its parts, so this call is enough to go on with an upload. Compare a part before you leave it out: its etag is the MD5 of its bytes in hex, unless storage encrypts with SSE-KMS or SSE-C. Pass next_cursor as cursor to get the next page.",
    errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "upload_expired"],
  },
  listUploads: {
    ...calls.listUploads,
    summary: "List the open uploads by parts of a tenant, newest first",
    description:
      "Uploads that can go on, from any device. parts_stored and bytes_stored are what the service found when it last looked, some seconds ago. Paging works as in the list of files: a page can be short or empty and still have a next page.",
    errors: ["tenant_id_required"],
  },
  completeUpload: {
    ...calls.completeUpload,
    summary: "Complete an upload",
    description:
      "Checks storage at once and answers the recorded file. For a single PUT it is optional: a file can be used as soon as storage has answered its PUT, and a sweep counts it within seconds. An upload by parts is joined to one file, if all its parts are stored; a sweep does the same within half a minute. It is safe to repeat.",
    errors: [
      "tenant_id_required",
      "quota_exceeded",
      "file_not_found",
      "upload_not_found",
      "upload_incomplete",
      "upload_expired",
    ],
  },
  cancelUpload: {
    ...calls.cancelUpload,
    summary: "Cancel an upload",
    description:
      "Ends an upload whose bytes are not in storage. When the call answers, its reservation is returned; bytes that arrive later are removed and never counted. A file that is in storage is kept: the answer is 409. It is safe to repeat, also for an upload that has expired.",
    errors: ["tenant_id_required", "file_not_found", "upload_already_stored", "file_on_hold"],
  },
  createDownload: {
    ...calls.createDownload,
    summary: "Request a download URL",
    description:
      "Answers a URL that reads one file, from the moment at which storage has answered its PUT. Types that a browser would run, such as HTML, SVG and XML, are always sent as an attachment of type application/octet-stream. With reuse, all requests within half of expires_in get the same URL, and storage allows caches to keep the file until that URL expires. With variant, the URL reads a smaller image that is made of the file: repeat a request that is answered with variant_pending.",
    errors: [
      "tenant_id_required",
      "file_not_found",
      "file_not_scanned",
      "file_quarantined",
      "preset_not_found",
      "variant_pending",
      "variant_impossible",
      "variant_failed",
    ],
  },
  createDownloads: {
    ...calls.createDownloads,
    summary: "Request the download URLs of up to 100 files",
    description:
      "The same as a download URL for each file, with the same options for all, for galleries and lists. Unknown paths are listed in not_found. A file that must not be downloaded now, because it is not scanned or in quarantine, or because its variant is not ready, is listed in refused with the code of its error; the other files are answered. If storage has to be asked about a file and does not answer, the whole request is answered with 503.",
    bodyBytes: limits.downloadsBodyBytes,
    errors: ["tenant_id_required", "preset_not_found"],
  },
  reportScan: {
    ...calls.reportScan,
    summary: "Report the verdict of a virus scan",
    description:
      "For projects whose setting scan is external: your own scanner reads the object from storage and reports what it found. A clean file can be downloaded from then on. An infected file is quarantined until an operator releases or deletes it. It is safe to repeat, and a later verdict replaces an earlier one.",
    errors: ["tenant_id_required", "file_not_found", "scan_outdated"],
  },
  deleteFiles: {
    ...calls.deleteFiles,
    summary: "Delete one file, or up to 1000",
    description:
      "Takes file_path or file_paths, not both. An unknown file_path is answered with 404; unknown file_paths are listed in not_found. When the call answers, new downloads are refused. If the project has a trash, stored files go there: they still count, and can be restored until they are purged. Otherwise, and with purge, usage is lower when the call answers, and the bytes are removed shortly after. A file on hold is kept: a file_path is answered with 409, and file_paths are listed in on_hold. Deleting an upload whose bytes have not arrived releases its reservation.",
    bodyBytes: limits.deleteBodyBytes,
    errors: ["tenant_id_required", "file_not_found", "file_on_hold"],
  },
  restoreFiles: {
    ...calls.restoreFiles,
    summary: "Restore one file from the trash, or up to 1000",
    description:
      "Takes file_path or file_paths, not both. The answer to a file_path is the file, or 404 if it is not in the trash. The answer to file_paths lists those that were restored, and the others in not_found. A restored file can be downloaded at once. If its own end has passed in the trash, it has no end any more.",
    bodyBytes: limits.deleteBodyBytes,
    errors: ["tenant_id_required", "file_not_found"],
  },
  holdFile: {
    ...calls.holdFile,
    summary: "Put a file on hold, or release it",
    description:
      "Nothing deletes a file on hold: no call, no operator, not its own end, not the end of its time in the trash. Its tenant and its project cannot be deleted. A file whose time has passed meanwhile is deleted when it is released. This works in each state until the file is deleted: also for an upload that has not arrived, in the trash, and for a file whose bytes storage has lost. It is safe to repeat.",
    errors: ["tenant_id_required", "file_not_found", "tenant_being_deleted"],
  },
  setVisibility: {
    ...calls.setVisibility,
    summary: "Make a file public, or private again",
    description:
      "Everyone can read a public file at its public_url. Its object is moved to the public bucket: usually when the call answers, and for a file that is not stored or not scanned yet as soon as it is. A file that is made private is moved back before the call answers: then its public_url answers 403 or 404, and the CDN, if one is configured, has taken the order to forget it. If storage does not answer, the call is answered with 503, the file is not handed out as public any more, and the service goes on until it is moved. URLs for downloads that were signed before a move stop working with it. Types that a browser would run cannot be public. It is safe to repeat.",
    errors: ["tenant_id_required", "file_not_found"],
  },
  findFile: {
    ...calls.findFile,
    summary: "Read one file",
    description: "Answers the recorded file. A file that is still pending is looked for in storage first.",
    errors: ["tenant_id_required", "file_not_found"],
  },
  listFiles: {
    ...calls.listFiles,
    summary: "List files, newest first",
    description:
      "Pass next_cursor as cursor to get the next page; it is null on the last page. Files that are added meanwhile do not shift the pages. A page of a search (q) can be short or empty and still have a next page.",
    errors: ["tenant_id_required"],
  },
  listTenants: {
    ...calls.listTenants,
    summary: "List tenants, newest or largest first",
    description:
      "Sorted by created_at, newest first, or by used_bytes, largest first. Paging and search (q) work as in the list of files.",
    errors: [],
  },
  readUsage: {
    ...calls.readUsage,
    summary: "Read the usage of a tenant, or of the project",
    description:
      "Without tenant_id, the answer is about the whole project, which has no quota of its own. A tenant that has never uploaded has no usage, and the quota that its first upload will get.",
    errors: ["tenant_id_required"],
  },
  setQuota: {
    ...calls.setQuota,
    summary: "Set a tenant's quota",
    description:
      "Null restores the project's default. A quota below the current usage keeps all files and refuses new uploads. A quota can be set before the tenant's first upload; that upload still answers is_new_tenant: true.",
    errors: ["tenant_id_required"],
  },
  deleteTenant: {
    ...calls.deleteTenant,
    summary: "Delete a tenant with all its files",
    description:
      "Deletes the tenant, all its files for good, also those in the trash, and what the service knows of them. Each call removes up to 1000 files. Repeat it until remaining_files is 0; the service goes on by itself if you do not. From the first call on, uploads of the tenant are refused. An unknown tenant is answered with 404 and the code tenant_not_found, and so is one that the service has finished deleting: for a caller that repeats, both mean that nothing of the tenant is left. If a file of the tenant is on hold, nothing is deleted, and the answer is 409.",
    errors: ["tenant_id_required", "tenant_not_found", "file_on_hold"],
  },
  exportTenant: {
    ...calls.exportTenant,
    summary: "Export what is known of a tenant",
    description:
      "Answers one JSON value a line (NDJSON): the tenant, then its files, oldest first, each with a URL that downloads it within an hour, and then a line of the type end. If that line is missing, the answer was cut off: repeat the request with the cursor of the last line as after. Such an answer has no line about the tenant.",
    errors: ["tenant_id_required", "tenant_not_found"],
  },
  checkAlive: {
    method: "GET",
    path: "/healthz",
    summary: "Check that the service is alive",
    description: "Answers 200 as long as the process runs.",
    answer: z.object({ status: z.literal("alive") }),
    errors: [],
    isPublic: true,
  },
  checkReady: {
    method: "GET",
    path: "/readyz",
    summary: "Check that the service is ready",
    description:
      "Answers 200 when the database and storage answer. Otherwise it answers 503 and names what is missing. A virus scanner that is down, and a worker that can decode no image, are named, and do not change the status.",
    answer: z.object({
      status: z.literal("ready"),
      scanner: z
        .enum(["up", "down"])
        .describe("Whether the virus scanner has answered within a minute. Missing if it never has.")
        .optional(),
      image_decoder_problem: z
        .string()
        .describe(
          "Why a worker can decode no image, so that it makes no variants. Missing if all workers can.",
        )
        .optional(),
    }),
    errors: ["unavailable"],
    isPublic: true,
  },
  describeService: {
    method: "GET",
    path: "/",
    summary: "Read the version of the service",
    description:
      "Names the service, its version, and the addresses of the documentation and of the OpenAPI document, relative to this one. docs is null if the service was installed without the documentation. Browsers, which accept text/html, get the dashboard at this address.",
    answer: z.object({
      name: z.literal("Stowage"),
      version: z.string(),
      docs: z.string().nullable(),
      openapi: z.string(),
    }),
    errors: [],
    isPublic: true,
  },
  describe: {
    method: "GET",
    path: "/openapi.json",
    summary: "Read this description",
    description: "OpenAPI 3.1, generated from the schemas that validate the requests.",
    answer: openApiDocument,
    errors: [],
    isPublic: true,
  },
  describe30: {
    method: "GET",
    path: "/openapi-3.0.json",
    summary: "Read this description in OpenAPI 3.0",
    description:
      "The same without webhooks, which OpenAPI 3.0 does not know. Some generators of clients cannot read OpenAPI 3.1.",
    answer: openApiDocument,
    errors: [],
    isPublic: true,
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** Returns every error code that a call can answer: its own, and those of all calls with a key or with a body. */
export function errorsOf(operation: Operation): ErrorCode[] {
  if (operation.isPublic) {
    return [...operation.errors, "internal_error"];
  }
  return [
    "invalid_request",
    ...(operation.body ? (["invalid_json"] as const) : []),
    ...operation.errors,
    "unauthorized",
    ...(operation.body ? (["body_too_large", "unsupported_media_type"] as const) : []),
    "too_many_requests",
    "internal_error",
    "unavailable",
  ];
}
