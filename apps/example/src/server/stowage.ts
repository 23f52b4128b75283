import { createStowage, routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";
import { deletePreviousAvatars } from "./avatar.js";
import { userOf } from "./session.js";

/** Creates the helper with the upload routes of this app: which files each route accepts, and what happens after an upload. */
export function createUploads(service: { stowageUrl: string; apiKey: string }, files: StowageClient) {
  return createStowage({
    apiKey: service.apiKey,
    baseUrl: service.stowageUrl,
    tenant: (request) => userOf(request.headers.get("cookie"))?.id ?? null,
    routes: {
      documents: {},
      photos: { accept: "image/*", maxSize: "20MB" },
      avatar: {
        accept: "image/*",
        maxSize: "4MB",
        maxFiles: 1,
        requireVariant: "avatar",
        onComplete: ({ tenantId, file }) => deletePreviousAvatars(files, tenantId, file.filePath),
      },
      attachments: { accept: ["image/*", ".pdf", ".txt"], maxSize: "10MB", maxFiles: 5 },
    },
    // The page lists and downloads files, and shows how much storage is left. All of it concerns the signed-in user only.
    allowList: true,
    allowDownload: true,
    allowUsage: true,
    // A new picture replaces the previous one, see avatar.ts. Users delete everything else themselves.
    allowDelete: ({ file }) => routeOf(file) !== "avatar",
  });
}

/** The types of the upload routes, for the page. */
export type Uploads = ReturnType<typeof createUploads>;
