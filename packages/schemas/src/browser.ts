import * as z from "zod";
import { cancelRequest } from "./cancel.js";
import { camelKeys } from "./casing.js";
import { type ErrorCode, errorCatalogue } from "./errors.js";
import { downloadRequest, downloadResponse } from "./download.js";
import { completeRequest, file } from "./file.js";
import { cursor, filePath, fingerprint, idempotencyKey, optionalField, pageLimit } from "./fields.js";
import { limits } from "./limits.js";
import {
  listPartsQuery,
  listPartsResponse,
  openUpload,
  openUploadResponse,
  signedPart,
  signPartsRequest,
} from "./multipart.js";
import { usageResponse } from "./tenant.js";
import { textField } from "./text-field.js";
import { uploadRequest, uploadResponse } from "./upload.js";

/*
 * The calls between the widget in the browser and the helper in the customer's backend. They are the service's calls
 * without the tenant: the helper takes the user from the session.
 */

/** Name of one of the helper's upload routes. */
const routeName = textField("route", { max: 64, required: true });

/** One PUT takes up to 5 GiB. A client that accepts parts may send more. */
const size = z
  .int({ error: "size must be a whole number of bytes" })
  .min(0, { error: "size must be at least 0 bytes" })
  .max(limits.multipartFileSizeBytes, {
    error: `size must be at most ${limits.multipartFileSizeBytes} bytes`,
  });

/** Body of `POST <mount>/request`. */
export const browserUploadRequest = uploadRequest.in
  .omit({ tenant_id: true, metadata: true })
  .extend({
    route: optionalField(routeName),
    /** Files that the widget's session counted before this one. The helper compares it with `maxFiles`. */
    files_before: optionalField(
      z
        .int({ error: "files_before must be a whole number" })
        .min(0, { error: "files_before must be at least 0" }),
    ),
    /** Random, the same for each repeated request of one upload, so that a repeated request reserves nothing twice. */
    idempotency_key: optionalField(idempotencyKey),
    /** The page's own data for this file. The schema of the route validates it. */
    input: z.unknown().optional(),
    /** Whether the client can send parts. Without it, the helper always answers a URL for one PUT. */
    accepts_parts: optionalField(z.boolean({ error: "accepts_parts must be true or false" })),
    /** Finds the file again when the upload is continued. Stored only with an upload by parts. */
    fingerprint: optionalField(fingerprint),
    size: optionalField(size),
  })
  .refine(({ accepts_parts, size }) => accepts_parts === true || (size ?? 0) <= limits.fileSizeBytes, {
    error: `size must be at most ${limits.fileSizeBytes} bytes`,
  })
  .transform(camelKeys);
export type BrowserUploadRequest = z.output<typeof browserUploadRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserUploadRequestBody = z.input<typeof browserUploadRequest>;

/** Answer of `POST <mount>/request`. */
export const browserUploadResponse = uploadResponse.omit({ tenant_id: true, is_new_tenant: true }).extend({
  /** Seconds until the URL expires, from the time of the answer: the clock of a browser can be wrong by hours. */
  expires_in: z.number(),
});
export type BrowserUploadResponse = z.infer<typeof browserUploadResponse>;

/** Answer of `POST <mount>/request` for a file that is uploaded by parts. Only clients that accept parts get it. */
export const browserMultipartResponse = openUploadResponse
  .omit({ tenant_id: true, is_new_tenant: true })
  .extend({
    /** Seconds until the upload ends, from the time of the answer. */
    expires_in: z.number(),
  });
export type BrowserMultipartResponse = z.infer<typeof browserMultipartResponse>;

/** The helper's answer to one file: one PUT, or parts. `part_size` tells which. */
export type BrowserRequestResponse = BrowserUploadResponse | BrowserMultipartResponse;

/** Body of `POST <mount>/parts`: asks for the URLs of parts. */
export const browserSignPartsRequest = signPartsRequest.in
  .omit({ tenant_id: true })
  .transform(({ parts, ...body }) => ({ ...camelKeys(body), parts: parts.map((part) => camelKeys(part)) }));
export type BrowserSignPartsRequest = z.output<typeof browserSignPartsRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserSignPartsRequestBody = z.input<typeof browserSignPartsRequest>;

/** Answer of `POST <mount>/parts`, in the order of the request. */
export const browserSignPartsResponse = z.object({
  parts: z.array(
    signedPart.extend({
      /** Seconds until the URL expires, from the time of the answer. */
      expires_in: z.number(),
    }),
  ),
});
export type BrowserSignPartsResponse = z.infer<typeof browserSignPartsResponse>;

/** Query of `GET <mount>/parts`: the parts of one of the caller's uploads that are in storage. */
export const browserListPartsQuery = listPartsQuery.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserListPartsQuery = z.output<typeof browserListPartsQuery>;

/** Answer of `GET <mount>/parts`. */
export const browserListPartsResponse = listPartsResponse.pick({ parts: true, next_cursor: true });
export type BrowserListPartsResponse = z.infer<typeof browserListPartsResponse>;

/** Query of `GET <mount>/open`: the caller's multipart uploads that are not complete, newest first. */
export const browserOpenQuery = z
  .object({ limit: pageLimit, cursor: optionalField(cursor) })
  // A call without a query asks for the first page.
  .prefault({})
  .transform(camelKeys);
export type BrowserOpenQuery = z.output<typeof browserOpenQuery>;
/** The query in snake_case, as it is sent. */
export interface BrowserOpenQueryInput {
  /** 1 to 100. @default 50 */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** One of the caller's multipart uploads that are not complete. */
export const browserOpenUpload = openUpload.omit({ tenant_id: true, metadata: true }).extend({
  /** Name of the helper's route that the upload belongs to. Missing for an upload without a route. */
  route: z.string().optional(),
});
export type BrowserOpenUpload = z.infer<typeof browserOpenUpload>;

/** Answer of `GET <mount>/open`. */
export const browserOpenResponse = z.object({
  uploads: z.array(browserOpenUpload),
  next_cursor: z.string().nullable(),
});
export type BrowserOpenResponse = z.infer<typeof browserOpenResponse>;

/** Body of `POST <mount>/complete`. */
export const browserCompleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCompleteRequest = z.output<typeof browserCompleteRequest>;

/**
 * A file as the browser of its owner gets it: without the tenant ID, which is internal to the customer, and without the
 * metadata, which the customer's backend wrote, and what it decided about the file's life.
 */
export const browserFile = file.omit({
  tenant_id: true,
  metadata: true,
  expires_at: true,
  purge_at: true,
  hold: true,
});
export type BrowserFile = z.infer<typeof browserFile>;

/** Answer of `POST <mount>/complete`: the file, and what the route's `onComplete` returned. */
export const browserCompleteResponse = browserFile.extend({ result: z.unknown().optional() });
export type BrowserCompleteResponse = z.infer<typeof browserCompleteResponse>;

/** The helper parses each file by itself, so that an invalid one does not fail the others. */
const batchOf = <Body>() =>
  z.object(
    {
      files: z
        .array(z.custom<Body>(), { error: "files must be a list" })
        .min(1, { error: "files must name at least one file" })
        .max(limits.batchFiles, { error: `files must name at most ${limits.batchFiles} files` }),
    },
    { error: "Request body must be a JSON object" },
  );

/** Body of `POST <mount>/request-batch`: `request` for up to 100 files. */
export const browserRequestBatch = batchOf<BrowserUploadRequestBody>();
export type BrowserRequestBatch = z.output<typeof browserRequestBatch>;

/** Body of `POST <mount>/complete-batch`: `complete` for up to 100 files. */
export const browserCompleteBatch = batchOf<z.input<typeof browserCompleteRequest>>();
export type BrowserCompleteBatch = z.output<typeof browserCompleteBatch>;

/** Body of `POST <mount>/cancel`. The answer is an empty object. */
export const browserCancelRequest = cancelRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCancelRequest = z.output<typeof browserCancelRequest>;

/** Body of `POST <mount>/discard`: ends the unfinished uploads of the caller, at most 200 in one call. The answer is an empty object. */
export const browserDiscardRequest = z
  .object(
    {
      /** Paths of uploads that go on. */
      except: z
        .array(filePath, { error: "except must be a list of file paths" })
        .max(200, { error: "except must have at most 200 paths" })
        .default([]),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type BrowserDiscardRequest = z.output<typeof browserDiscardRequest>;

/** Body of `POST <mount>/delete`. The answer is an empty object. */
export const browserDeleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserDeleteRequest = z.output<typeof browserDeleteRequest>;

/** Query of `GET <mount>/list`: one page of the caller's stored files, newest first. */
export const browserListQuery = z
  .object({
    /** Lists only files that were uploaded by this route. */
    route: optionalField(routeName),
    limit: pageLimit,
    cursor: optionalField(cursor),
  })
  // A call without a query asks for the first page.
  .prefault({})
  .transform(camelKeys);
export type BrowserListQuery = z.output<typeof browserListQuery>;
/** The query in snake_case, as it is sent. */
export interface BrowserListQueryInput {
  route?: string | undefined;
  /** 1 to 100. @default 50 */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** A stored file of a list. */
export const browserListedFile = browserFile.extend({
  size: z.int(),
  stored_at: z.string(),
  /** Name of the helper's route that the file was uploaded by. Missing for a file without a route. */
  route: z.string().optional(),
});
export type BrowserListedFile = z.infer<typeof browserListedFile>;

/** Answer of `GET <mount>/list`. A page can be short or empty and still have a next one: only a null cursor is the end. */
export const browserListResponse = z.object({
  files: z.array(browserListedFile),
  next_cursor: z.string().nullable(),
});
export type BrowserListResponse = z.infer<typeof browserListResponse>;

/** Body of `POST <mount>/download`, and query of `GET <mount>/download`, which redirects to the URL. */
export const browserDownloadRequest = downloadRequest.in
  .pick({ file_path: true, disposition: true })
  .transform(camelKeys);
export type BrowserDownloadRequest = z.output<typeof browserDownloadRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserDownloadRequestBody = z.input<typeof browserDownloadRequest>;

/** Answer of `POST <mount>/download`. */
export const browserDownloadResponse = downloadResponse;
export type BrowserDownloadResponse = z.infer<typeof browserDownloadResponse>;

/** Answer of `GET <mount>/usage`: the bytes that the caller stores and reserves, and the quota. */
export const browserUsageResponse = usageResponse;
export type BrowserUsageResponse = z.infer<typeof browserUsageResponse>;

/** The limits of a route, as the widget gets them. */
export const browserRoute = z.object({
  accept: z.array(z.string()).optional(),
  /** Bytes. */
  max_size: z.int().optional(),
  /** Bytes. */
  min_size: z.int().optional(),
  max_files: z.int().optional(),
});
export type BrowserRoute = z.infer<typeof browserRoute>;

/** Answer of `GET <mount>/routes`: the routes by name. */
export const browserRoutesResponse = z.object({ routes: z.record(z.string(), browserRoute) });
export type BrowserRoutesResponse = z.infer<typeof browserRoutesResponse>;

/** The body of every error answer of the helper: that of the service, and the code. */
export const browserErrorBody = z.object({
  detail: z.string(),
  code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
  /** Only with `quota_exceeded`: bytes that open uploads of the user reserve, if the file would fit without them. */
  reserved_bytes: z.int().optional(),
});
export type BrowserErrorBody = z.infer<typeof browserErrorBody>;

/** What a batch answers for one file: the answer of the single call, or its error. */
export type BrowserBatchResult<Answer> =
  | { status: 200; answer: Answer }
  | { status: number; error: BrowserErrorBody; retry_after_seconds?: number | undefined };

/** Answer of `POST <mount>/request-batch`, in the order of the request. */
export interface BrowserRequestBatchResponse {
  results: BrowserBatchResult<BrowserRequestResponse>[];
}

/** Answer of `POST <mount>/complete-batch`, in the order of the request. */
export interface BrowserCompleteBatchResponse {
  results: BrowserBatchResult<BrowserCompleteResponse>[];
}
