import type * as z from "zod";
import type { ErrorCode } from "./errors.js";

/** What a program needs to make one call of the service's REST API: its path and the schemas of its request and answer. */
export interface Call {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: z.ZodType;
  /**
   * Largest body, in bytes.
   *
   * @default limits.requestBodyBytes
   */
  bodyBytes?: number;
  query?: z.ZodType;
  /** Optional headers, with names in lower case. */
  headers?: z.ZodType;
  answer: z.ZodType;
  /** The answer is a stream of such JSON values, one a line (https://github.com/ndjson/ndjson-spec). @default one JSON value */
  isStream?: true;
  /** The list of the answer that the query's `format` sends as CSV (RFC 4180) or NDJSON, and its columns. @default only JSON */
  table?: { member: string; columns: readonly string[] };
}

/** Everything else that the service and its documentation know of a call. */
export interface About {
  /** The group of the call in OpenAPI. */
  tag: "Uploads" | "Downloads" | "Links" | "Files" | "Tenants" | "Events" | "Service";
  /** Names of the body and the answer in OpenAPI. Generators name the types of a client by them. */
  names: { body?: string; answer: string };
  /** The queue of the service's database in which the call waits for its turn. Every call with a key has one. */
  lane?: Lane;
  /** The queue of requests without a tenant_id, which are about a whole project. @default the same */
  laneWithoutTenant?: Lane;
  summary: string;
  /** What the schemas do not express. */
  description: string;
  /** The errors of this call; {@link errorsOf} adds the errors that every call can answer. */
  errors: readonly ErrorCode[];
  /** Needs no API key. */
  isPublic?: true;
  /**
   * The body or query that the documentation shows. `$FILE_PATH` stands for the path in the answer to the upload request, `$UPLOAD_PATH`
   * for that of the upload by parts, `$LINK_ID` for the link that was created, `$JOB_ID` for the job that was started. Calls without an example are not in docs/api.md.
   */
  example?: Readonly<Record<string, unknown>>;
  /** The version of the service that has it first. @default "1.0" */
  since?: string;
}

/** One call of the REST API. OpenAPI, docs/api.md and the routes of the service are made from it. */
export interface Operation extends Call, About {}

/** `upload`: writes on the path of an upload · `read`: one row · `work`: other changes · `list`: lists, searches, sums. */
type Lane = "upload" | "read" | "work" | "list";
