import * as z from "zod";
import { cancelRequest } from "../calls/cancel-upload.js";
import { camelKeys } from "../casing.js";
import { filePath, fingerprint, idempotencyKey, optionalField } from "../fields.js";
import { completeRequest } from "../calls/complete-upload.js";
import { limits } from "../limits.js";
import { openUploadResponse } from "../calls/open-upload.js";
import { uploadRequest, uploadResponse } from "../calls/request-upload.js";
import { browserFile } from "./files.js";
import { browserSignPartsResponse } from "./parts.js";
import { routeName } from "./routes.js";

/*
 * This folder has the calls between the widget in the browser and the helper in the customer's backend. They are the service's
 * calls without the tenant: the helper takes the user from the session.
 */

/** One PUT takes up to 5 GiB. A client that accepts parts may send more. */
const size = z
  .int({ error: "size must be a whole number of bytes" })
  .min(0, { error: "size must be at least 0 bytes" })
  .max(limits.multipartFileSizeBytes, {
    error: `size must be at most ${limits.multipartFileSizeBytes} bytes`,
  });

/** Body of `POST <mount>/request`. */
export const browserUploadRequest = uploadRequest.in
  .omit({ tenant_id: true, metadata: true, folder: true })
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
    /**
     * Whether the file takes long on the line of the client, so that a pause or a lost connection would cost much. The helper then sends
     * every file of two parts or more by parts.
     */
    slow_line: optionalField(z.boolean({ error: "slow_line must be true or false" })),
    /** How many of the first parts to sign with the answer, if the file is uploaded by parts. It saves the page a call. */
    sign_parts: optionalField(
      z
        .int({ error: "sign_parts must be a whole number" })
        .min(1, { error: "sign_parts must be at least 1" })
        .max(limits.signedParts, { error: `sign_parts must be at most ${limits.signedParts}` }),
    ),
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
    /** The URLs of the first parts. Missing if the request did not ask for them, or if they cannot be signed at the moment. */
    parts: browserSignPartsResponse.shape.parts.optional(),
  });
export type BrowserMultipartResponse = z.infer<typeof browserMultipartResponse>;

/** The helper's answer to one file: one PUT, or parts. `part_size` tells which. */
export type BrowserRequestResponse = BrowserUploadResponse | BrowserMultipartResponse;

/** Body of `POST <mount>/complete`. */
export const browserCompleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCompleteRequest = z.output<typeof browserCompleteRequest>;

/** Answer of `POST <mount>/complete`: the file, and what the route's `onComplete` returned. */
export const browserCompleteResponse = browserFile.extend({ result: z.unknown().optional() });
export type BrowserCompleteResponse = z.infer<typeof browserCompleteResponse>;

/** Body of `POST <mount>/cancel`. The answer is an empty object. */
export const browserCancelRequest = cancelRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCancelRequest = z.output<typeof browserCancelRequest>;

/** Body of `POST <mount>/discard`: ends the unfinished uploads of the caller, at most 200 in one call. The answer is an empty object. */
export const browserDiscardRequest = z
  .object(
    {
      /** Paths of uploads that continue. */
      except: z
        .array(filePath, { error: "except must be a list of file paths" })
        .max(200, { error: "except must have at most 200 paths" })
        .default([]),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type BrowserDiscardRequest = z.output<typeof browserDiscardRequest>;
