import * as z from "zod";
import { camelKeys } from "./casing.js";
import { type ErrorCode, errorCatalogue } from "./errors.js";
import { completeRequest, file } from "./file.js";
import { uploadRequest, uploadResponse } from "./upload.js";

/*
 * What the widget in the browser and the helper in the customer's backend say to each other. It is the customers'
 * wire without the tenant: who the user is comes from the session alone.
 */

/** Body of `POST <mount>/request`. */
export const browserUploadRequest = uploadRequest.in
  .omit({ tenant_id: true, metadata: true })
  .transform(camelKeys);
export type BrowserUploadRequest = z.output<typeof browserUploadRequest>;
/** The body as it is written on the wire. */
export type BrowserUploadRequestBody = z.input<typeof browserUploadRequest>;

/** Answer of `POST <mount>/request`. */
export const browserUploadResponse = uploadResponse.omit({ tenant_id: true, is_new_tenant: true }).extend({
  /** Seconds for which the URL is good, counted from the answer: a browser's clock may be wrong by hours. */
  expires_in: z.number(),
});
export type BrowserUploadResponse = z.infer<typeof browserUploadResponse>;

/** Body of `POST <mount>/complete`; it answers a File. */
export const browserCompleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCompleteRequest = z.output<typeof browserCompleteRequest>;

/** A file as its owner's browser sees it. The tenant is left out: it is the customer's own ID of that user. */
export const browserFile = file.omit({ tenant_id: true });
export type BrowserFile = z.infer<typeof browserFile>;

/** The body of every refusal of the helper: the service's own, and the code that programs compare. */
export const browserErrorBody = z.object({
  detail: z.string(),
  code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
});
export type BrowserErrorBody = z.infer<typeof browserErrorBody>;
