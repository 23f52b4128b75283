import { fileURLToPath } from "node:url";
import { createStowageClient } from "@stowage/server/client";
import { toExpressHandler } from "@stowage/server/express";
import express, { type Express } from "express";
import { filesRouter } from "./files-router.js";
import { sessionRouter } from "./session-router.js";
import { createUploads } from "./stowage.js";
import { supportRouter } from "./support-router.js";

const PAGE = fileURLToPath(new URL("../page", import.meta.url));

/** A customer's backend: sign-in, the helper, what is done with the files, and the page. */
export function createApp(service: { stowageUrl: string; apiKey: string }): Express {
  const files = createStowageClient({ apiKey: service.apiKey, baseUrl: service.stowageUrl });
  const app = express();
  app.disable("x-powered-by");

  app.use("/api/stowage", toExpressHandler(createUploads(service, files)));
  app.use("/api/session", sessionRouter());
  app.use("/api/files", filesRouter(files));
  app.use("/api/support", supportRouter(files));

  // Names of built assets carry a hash of their content; the page that names them must be asked for anew.
  app.use("/assets", express.static(`${PAGE}/assets`, { immutable: true, maxAge: "1y" }));
  app.use(express.static(PAGE, { maxAge: 0 }));
  // The page draws these itself; each can be opened, and opened again, by its address.
  app.get(["/profile", "/support"], (_request, response) => {
    response.sendFile("index.html", { root: PAGE, maxAge: 0 });
  });
  return app;
}
