import * as z from "zod";
import { camelKeys } from "./casing.js";
import { type ErrorCode, errorCatalogue } from "./errors.js";
import { completeRequest, file } from "./file.js";
import { orAbsent } from "./members.js";
import { wireText } from "./text.js";
import { uploadRequest, uploadResponse } from "./upload.js";

/*
 * What the widget in the browser and the helper in the customer's backend say to each other. It is the customers'
 * wire without the tenant: who the user is comes from the session alone.
 */

/** Name of one of the helper's upload routes. */
const routeName = wireText("route", { max: 64, required: true });

/** Body of `POST <mount>/request`. */
export const browserUploadRequest = uploadRequest.in
  .omit({ tenant_id: true, metadata: true })
  .extend({
    route: orAbsent(routeName),
    /** Files that the widget's session has counted before this one: what `maxFiles` is held against. */
    files_before: orAbsent(
      z
        .int({ error: "files_before must be a whole number" })
        .min(0, { error: "files_before must be at least 0" }),
    ),
    /** What the page says beside the file; the route's own schema judges it. */
    input: z.unknown().optional(),
  })
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

/** Body of `POST <mount>/complete`. */
export const browserCompleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserCompleteRequest = z.output<typeof browserCompleteRequest>;

/**
 * A file as its owner's browser sees it. Left out are the tenant, which is the customer's own ID of that user, and the
 * metadata, which only the customer's backend has written.
 */
export const browserFile = file.omit({ tenant_id: true, metadata: true });
export type BrowserFile = z.infer<typeof browserFile>;

/** Answer of `POST <mount>/complete`: the file, and what the route's `onComplete` returned, if anything. */
export const browserCompleteResponse = browserFile.extend({ result: z.unknown().optional() });
export type BrowserCompleteResponse = z.infer<typeof browserCompleteResponse>;

/** Body of `POST <mount>/delete`, which answers an empty object. */
export const browserDeleteRequest = completeRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserDeleteRequest = z.output<typeof browserDeleteRequest>;

/** What a route takes, as the widget is told it. */
export const browserRoute = z.object({
  accept: z.array(z.string()).optional(),
  /** Bytes. */
  max_size: z.int().optional(),
  /** Bytes. */
  min_size: z.int().optional(),
  max_files: z.int().optional(),
});
export type BrowserRoute = z.infer<typeof browserRoute>;

/** Answer of `GET <mount>/routes`: each route by its name. */
export const browserRoutesResponse = z.object({ routes: z.record(z.string(), browserRoute) });
export type BrowserRoutesResponse = z.infer<typeof browserRoutesResponse>;

/** The body of every refusal of the helper: the service's own, and the code that programs compare. */
export const browserErrorBody = z.object({
  detail: z.string(),
  code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
});
export type BrowserErrorBody = z.infer<typeof browserErrorBody>;
