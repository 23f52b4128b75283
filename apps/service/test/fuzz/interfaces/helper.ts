import * as schemas from "@stowage/schemas";
import fc from "fast-check";
import * as z from "zod";
import type { RequestParts } from "../http-request.js";
import { type Known, ofZod } from "../of-schema.js";

const nothing = z.object({});

/** The actions of the helper and what a page sends with each. A test finds a schema of a page that is missing here. */
export const helperActions: Record<"GET" | "POST", Record<string, z.ZodType>> = {
  GET: {
    routes: nothing,
    usage: nothing,
    list: schemas.browserListQuery,
    folders: schemas.browserFoldersQuery,
    job: schemas.browserJobQuery,
    links: schemas.browserLinksQuery,
    versions: schemas.browserVersionsQuery,
    open: schemas.browserOpenQuery,
    parts: schemas.browserListPartsQuery,
    download: schemas.browserDownloadQuery,
  },
  POST: {
    request: schemas.browserUploadRequest,
    "request-batch": schemas.browserRequestBatch,
    parts: schemas.browserSignPartsRequest,
    complete: schemas.browserCompleteRequest,
    "complete-batch": schemas.browserCompleteBatch,
    cancel: schemas.browserCancelRequest,
    discard: schemas.browserDiscardRequest,
    delete: schemas.browserDeleteRequest,
    restore: schemas.browserDeleteRequest,
    update: schemas.browserUpdateRequest,
    "move-folder": schemas.browserMoveFolderRequest,
    "delete-folder": schemas.browserDeleteFolderRequest,
    download: schemas.browserDownloadRequest,
    downloads: schemas.browserDownloadsRequest,
    share: schemas.browserShareRequest,
    "revoke-link": schemas.browserRevokeLinkRequest,
    "restore-version": schemas.browserRestoreVersionRequest,
  },
};

/** Requests of a page to the helper. `t` and `u` are users who have files. */
export function helperRequests(known: Known): fc.Arbitrary<RequestParts> {
  const calls = Object.entries(helperActions).flatMap(([method, actions]) =>
    Object.entries(actions).map(([action, schema]) =>
      fc
        .tuple(ofZod(schema, known), fc.constantFrom("t", "u", "ada", "", "\u00ff"))
        .map(([input, user]): RequestParts => ({
          method,
          path: `/api/stowage/${action}`,
          query: method === "GET" ? (Object(input) as Record<string, unknown>) : {},
          headers: [["X-Test-User", user]],
          ...(method === "POST" && { body: input }),
        })),
    ),
  );
  return fc.oneof(...calls);
}
