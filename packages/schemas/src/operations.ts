import * as z from "zod";
import * as calls from "./calls.js";
import type { ErrorCode } from "./errors.js";
import { limits } from "./limits.js";

/** One call of the REST face, as it is documented and as it is checked. */
export interface Operation extends calls.Call {
  summary: string;
  /** What the schemas do not say. */
  description: string;
  /** The largest body, where it is not `limits.requestBodyBytes`. */
  bodyBytes?: number;
  /** Its own refusals; {@link errorsOf} adds those that every call has. */
  errors: readonly ErrorCode[];
  /** Answered to anybody, without a key. */
  isPublic?: true;
}

/** Every call, in the order in which the documentation tells of them. */
export const operations = {
  requestUpload: {
    ...calls.requestUpload,
    summary: "Ask for an upload URL",
    description:
      "Answers a URL for one PUT of the bytes, good for one hour, and records the file as pending. A tenant is made by its first upload. Ask right before the upload, and anew for each.",
    errors: ["filename_required", "tenant_id_required", "size_required", "file_too_large", "quota_exceeded"],
  },
  completeUpload: {
    ...calls.completeUpload,
    summary: "Say that the bytes are there",
    description:
      "Makes the service look into storage now and answers the file as it found it. Never needed: a sweep finds each upload within seconds. Safe to repeat.",
    errors: ["tenant_id_required", "quota_exceeded", "file_not_found", "upload_not_found"],
  },
  createDownload: {
    ...calls.createDownload,
    summary: "Ask for a download URL",
    description:
      "Answers a URL that reads one stored file. Types that a browser would run, such as HTML, SVG and XML, always come as an attachment of application/octet-stream.",
    errors: ["tenant_id_required", "file_not_found"],
  },
  deleteFiles: {
    ...calls.deleteFiles,
    summary: "Delete one file, or up to 1000",
    description:
      "Takes file_path or file_paths, not both. Done when it is answered: usage falls and downloads stop; the bytes go right after. Of one unknown file_path it answers 404; of file_paths it says which were not found. A pending upload can be deleted, too, and gives its reservation back.",
    bodyBytes: limits.deleteBodyBytes,
    errors: ["tenant_id_required", "file_not_found"],
  },
  findFile: {
    ...calls.findFile,
    summary: "Look at one file",
    description: "Answers the file as it is recorded, without looking into storage.",
    errors: ["tenant_id_required", "file_not_found"],
  },
  listFiles: {
    ...calls.listFiles,
    summary: "List files, newest first",
    description:
      "Pages by cursor until next_cursor is null: files added meanwhile move nothing. A page of a search (q) may be short, or empty, and still have a next one.",
    errors: ["tenant_id_required"],
  },
  listTenants: {
    ...calls.listTenants,
    summary: "List tenants, newest or largest first",
    description:
      "Sorted by created_at, newest first, or by used_bytes, largest first. Pages by cursor until next_cursor is null; a search (q) as with files.",
    errors: [],
  },
  readUsage: {
    ...calls.readUsage,
    summary: "Read the usage of a tenant, or of the project",
    description:
      "Without tenant_id of the whole project, which has no quota of its own. A tenant that has never uploaded uses nothing and has the quota that will be in force.",
    errors: ["tenant_id_required"],
  },
  setQuota: {
    ...calls.setQuota,
    summary: "Set a tenant's quota",
    description:
      "Null gives the project's default back. A quota below what is used keeps every file and refuses the next. It may be set before the tenant's first upload, which still answers is_new_tenant: true.",
    errors: ["tenant_id_required"],
  },
  checkAlive: {
    method: "GET",
    path: "/healthz",
    summary: "Is the service alive?",
    description: "Says yes as long as the process answers.",
    answer: z.object({ status: z.literal("alive") }),
    errors: [],
    isPublic: true,
  },
  checkReady: {
    method: "GET",
    path: "/readyz",
    summary: "Is the service ready?",
    description: "Ready when database and storage answer; else 503 says what is missing.",
    answer: z.object({ status: z.literal("ready") }),
    errors: ["unavailable"],
    isPublic: true,
  },
  describe: {
    method: "GET",
    path: "/openapi.json",
    summary: "This description",
    description: "OpenAPI 3.1, made from the schemas that judge the requests.",
    answer: z.looseObject({ openapi: z.string() }),
    errors: [],
    isPublic: true,
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** Every refusal that a call may answer: its own, and those of any call with a key, or with a body. */
export function errorsOf(operation: Operation): ErrorCode[] {
  if (operation.isPublic) return [...operation.errors, "internal_error"];
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
