import { routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";
import express, { Router } from "express";
import { avatarUrl } from "./avatar.js";
import { withUser } from "./with-user.js";

const MAX_LISTED_FILES = 100;

/** Lists, downloads and deletes files of the signed-in user. The tenant is always the user, never a value of the request. */
export function filesRouter(files: StowageClient): Router {
  const router = Router();
  router.get(
    "/",
    withUser(
      "The files cannot be listed at the moment. Try again later.",
      async (user, _request, response) => {
        const documents = [];
        for await (const file of files.files({ tenantId: user.id, status: "stored" })) {
          // Files of other upload routes are shown on their own pages.
          if ((routeOf(file) ?? "documents") !== "documents") continue;
          documents.push(file);
          if (documents.length === MAX_LISTED_FILES) break;
        }
        response.json({ files: documents });
      },
    ),
  );
  router.get(
    "/download",
    withUser(
      "The file cannot be downloaded at the moment. Try again later.",
      async (user, request, response) => {
        const filePath = String(request.query["path"] ?? "");
        const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: user.id });
        response.redirect(presignedUrl);
      },
    ),
  );
  router.post(
    "/delete",
    express.json({ limit: "4kb" }),
    withUser(
      "The file cannot be deleted at the moment. Try again later.",
      async (user, request, response) => {
        const { path } = (request.body ?? {}) as { path?: unknown };
        await files.deleteFiles(String(path), { tenantId: user.id });
        response.json({});
      },
    ),
  );
  router.get(
    "/avatar",
    withUser(
      "The picture cannot be loaded at the moment. Try again later.",
      async (user, _request, response) => {
        response.json({ avatarUrl: await avatarUrl(files, user.id) });
      },
    ),
  );
  return router;
}
