import * as z from "zod";
import { createLinkRequest, type CreateLinkResponse } from "../calls/create-link.js";
import { revokeLinkRequest } from "../calls/revoke-link.js";
import { camelKeys } from "../casing.js";
import { cursor, filePath, optionalField, pageLimit } from "../fields.js";
import type { Link } from "../link.js";

/** A share link as the browser of the file's owner gets it: without the tenant ID. */
export type BrowserLink = Omit<Link, "tenant_id">;

/** Body of `POST <mount>/share`. */
export const browserShareRequest = createLinkRequest.in.omit({ tenant_id: true }).transform(camelKeys);
export type BrowserShareRequest = z.output<typeof browserShareRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserShareRequestBody = z.input<typeof browserShareRequest>;

/** Answer of `POST <mount>/share`: the only one that has the link's `url`. */
export type BrowserShareResponse = Omit<CreateLinkResponse, "tenant_id">;

/** Query of `GET <mount>/links`: one page of the links of a file, newest first. */
export const browserLinksQuery = z
  .object({ file_path: filePath, limit: pageLimit, cursor: optionalField(cursor) })
  .transform(camelKeys);
export type BrowserLinksQuery = z.output<typeof browserLinksQuery>;
/** The query in snake_case, as it is sent. */
export interface BrowserLinksQueryInput {
  file_path: string;
  /** 1 to 100. @default 50 */
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Answer of `GET <mount>/links`. Also links that have ended are in it. */
export interface BrowserLinksResponse {
  links: BrowserLink[];
  next_cursor: string | null;
}

/** Body of `POST <mount>/revoke-link`. The answer is an empty object. */
export const browserRevokeLinkRequest = revokeLinkRequest.in
  .pick({ link_id: true })
  .extend({ file_path: filePath })
  .transform(camelKeys);
export type BrowserRevokeLinkRequest = z.output<typeof browserRevokeLinkRequest>;
/** The body in snake_case, as it is sent. */
export type BrowserRevokeLinkRequestBody = z.input<typeof browserRevokeLinkRequest>;
