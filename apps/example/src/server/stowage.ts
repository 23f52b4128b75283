import { createStowage, routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";
import { replaceAvatar } from "./avatar.js";
import { userOf } from "./session.js";

/** The helper with this app's upload routes: what each takes, and what the app does with what has arrived. */
export function createUploads(service: { stowageUrl: string; apiKey: string }, files: StowageClient) {
  return createStowage({
    apiKey: service.apiKey,
    baseUrl: service.stowageUrl,
    tenant: (request) => userOf(request.headers.get("cookie"))?.id ?? null,
    routes: {
      documents: {},
      avatar: {
        accept: "image/*",
        maxSize: "4MB",
        maxFiles: 1,
        onComplete: ({ tenantId, file }) => replaceAvatar(files, tenantId, file.filePath),
      },
      attachments: { accept: ["image/*", ".pdf", ".txt"], maxSize: "10MB", maxFiles: 5 },
    },
    // Whoever takes a file off the list of a form means it.
    allowDelete: ({ file }) => routeOf(file) === "attachments",
  });
}

/** What the page sees of the routes, in types alone. */
export type Uploads = ReturnType<typeof createUploads>;
