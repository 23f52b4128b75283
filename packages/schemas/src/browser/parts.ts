import * as z from "zod";
import { camelKeys } from "../casing.js";
import { cursor, optionalField, pageLimit } from "../fields.js";
import { listPartsQuery, listPartsResponse } from "../calls/list-parts.js";
import { openUpload } from "../calls/list-uploads.js";
import { signedPart, signPartsRequest } from "../calls/sign-parts.js";

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
export const browserOpenUpload = openUpload.omit({ tenant_id: true, metadata: true, folder: true }).extend({
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
