import type { StowageClient } from "@stowage/server/client";
import express, { Router } from "express";
import { withUser } from "./with-user.js";

const MAX_ATTACHMENTS = 5;

/**
 * Accepts the support form. The attachments are paths of stored files. A request could contain any path, so each one is looked up
 * with the user as tenant: the service answers 404 for files of other tenants.
 */
export function supportRouter(files: StowageClient): Router {
  const router = Router();
  router.post(
    "/",
    express.urlencoded({ extended: false, limit: "64kb" }),
    withUser(
      "The message cannot be sent at the moment. Try again later.",
      async (user, request, response) => {
        const { attachments = [] } = (request.body ?? {}) as { attachments?: string | string[] };
        const paths = [attachments].flat().slice(0, MAX_ATTACHMENTS);
        const found = await Promise.all(paths.map((path) => files.file(path, { tenantId: user.id })));
        // A real app stores the message here. The redirect prevents a reload from sending the form again.
        response.redirect(303, `/support?sent=${found.length}`);
      },
    ),
  );
  return router;
}
