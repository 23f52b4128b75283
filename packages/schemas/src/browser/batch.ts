import * as z from "zod";
import { errorCode } from "../error-code.js";
import { limits } from "../limits.js";
import type {
  browserCompleteRequest,
  BrowserCompleteResponse,
  BrowserRequestResponse,
  BrowserUploadRequestBody,
} from "./upload.js";

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

/** The body of every error answer of the helper: the service's body, and the code. */
export const browserErrorBody = z.object({
  detail: z.string(),
  code: errorCode,
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
