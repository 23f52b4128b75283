import {
  browserCancelRequest,
  browserCompleteBatch,
  browserCompleteRequest,
  browserDeleteFolderRequest,
  browserDeleteRequest,
  browserDiscardRequest,
  browserDownloadQuery,
  browserDownloadRequest,
  browserDownloadsRequest,
  browserFoldersQuery,
  browserJobQuery,
  browserLinksQuery,
  browserListPartsQuery,
  browserListQuery,
  browserMoveFolderRequest,
  browserOpenQuery,
  browserRequestBatch,
  browserRestoreVersionRequest,
  browserRevokeLinkRequest,
  browserShareRequest,
  browserSignPartsRequest,
  browserUpdateRequest,
  browserUploadRequest,
  browserVersionsQuery,
} from "@stowage/schemas";
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
    list: browserListQuery,
    folders: browserFoldersQuery,
    job: browserJobQuery,
    links: browserLinksQuery,
    versions: browserVersionsQuery,
    open: browserOpenQuery,
    parts: browserListPartsQuery,
    download: browserDownloadQuery,
  },
  POST: {
    request: browserUploadRequest,
    "request-batch": browserRequestBatch,
    parts: browserSignPartsRequest,
    complete: browserCompleteRequest,
    "complete-batch": browserCompleteBatch,
    cancel: browserCancelRequest,
    discard: browserDiscardRequest,
    delete: browserDeleteRequest,
    restore: browserDeleteRequest,
    update: browserUpdateRequest,
    "move-folder": browserMoveFolderRequest,
    "delete-folder": browserDeleteFolderRequest,
    download: browserDownloadRequest,
    downloads: browserDownloadsRequest,
    share: browserShareRequest,
    "revoke-link": browserRevokeLinkRequest,
    "restore-version": browserRestoreVersionRequest,
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
