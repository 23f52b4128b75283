import * as z from "zod";
import { restoreVersionRequest } from "../calls/restore-version.js";
import { camelKeys } from "../casing.js";
import { filePath } from "../fields.js";
import type { BrowserListedFile } from "./files.js";

/** Query of `GET <mount>/versions`: the files that a stored file replaced, the last one first. */
export const browserVersionsQuery = z.object({ file_path: filePath }).transform(camelKeys);
export type BrowserVersionsQuery = z.output<typeof browserVersionsQuery>;
/** The query in snake_case, as it is sent. */
export type BrowserVersionsQueryInput = z.input<typeof browserVersionsQuery>;

/** Answer of `GET <mount>/versions`. */
export interface BrowserVersionsResponse {
  versions: BrowserListedFile[];
}

/** Body of `POST <mount>/restore-version`. The answer is the version, which is stored now. */
export const browserRestoreVersionRequest = restoreVersionRequest.in
  .omit({ tenant_id: true })
  .transform(camelKeys);
export type BrowserRestoreVersionRequest = z.output<typeof browserRestoreVersionRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserRestoreVersionRequestBody = z.input<typeof browserRestoreVersionRequest>;
