import type { StowageClient } from "@stowage/server/client";
import express, { Router } from "express";
import { forUser } from "./signed-in.js";

const MAX_ATTACHMENTS = 5;

/**
 * Takes the support form as a browser sends it: the attachments are paths of files that are already stored. A path is
 * only text until the service has said that the file is this user's.
 */
export function supportRouter(files: StowageClient): Router {
  const router = Router();
  router.post(
    "/",
    express.urlencoded({ extended: false, limit: "64kb" }),
    forUser("The message cannot be taken right now", async (user, request, response) => {
      const { attachments = [] } = (request.body ?? {}) as { attachments?: string | string[] };
      const paths = [attachments].flat().slice(0, MAX_ATTACHMENTS);
      const found = await Promise.all(paths.map((path) => files.file(path, { tenantId: user.id })));
      // A real app keeps the message here. Seen after a redirect, so that a reload does not send it twice.
      response.redirect(303, `/support?sent=${found.length}`);
    }),
  );
  return router;
}
