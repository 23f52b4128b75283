import { routeOf } from "@stowage/server";
import type { StowageClient } from "@stowage/server/client";
import express, { Router } from "express";
import { avatarUrl } from "./avatar.js";
import { forUser } from "./signed-in.js";

/** Documents in the list of the page. */
const LISTED_FILES = 100;

/** What the page lists, shows, downloads and deletes: always of the signed-in user, and of nobody else. */
export function filesRouter(files: StowageClient): Router {
  const router = Router();
  router.get(
    "/",
    forUser("The list of files cannot be had right now", async (user, _request, response) => {
      const documents = [];
      for await (const file of files.files({ tenantId: user.id, status: "stored" })) {
        // What came through other routes is shown where it belongs.
        if ((routeOf(file) ?? "documents") !== "documents") continue;
        documents.push(file);
        if (documents.length === LISTED_FILES) break;
      }
      response.json({ files: documents });
    }),
  );
  router.get(
    "/download",
    forUser("The file cannot be had right now", async (user, request, response) => {
      const filePath = String(request.query["path"] ?? "");
      const { presignedUrl } = await files.downloadUrl(filePath, { tenantId: user.id });
      response.redirect(presignedUrl);
    }),
  );
  router.post(
    "/delete",
    express.json({ limit: "4kb" }),
    forUser("The file cannot be deleted right now", async (user, request, response) => {
      const { path } = (request.body ?? {}) as { path?: unknown };
      await files.deleteFiles(String(path), { tenantId: user.id });
      response.json({});
    }),
  );
  router.get(
    "/avatar",
    forUser("The picture cannot be had right now", async (user, _request, response) => {
      response.json({ avatarUrl: await avatarUrl(files, user.id) });
    }),
  );
  return router;
}
