import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { createStowageClient } from "@stowage/server/client";
import { toExpressHandler } from "@stowage/server/express";
import express, { type Express } from "express";
import { sessionRouter } from "./session-router.js";
import { createUploads } from "./stowage.js";
import type { Settings } from "./settings.js";
import { supportRouter } from "./support-router.js";
import { createWebhooks } from "./webhooks.js";

const PAGE = fileURLToPath(new URL("../page", import.meta.url));

type AppSettings = Pick<Settings, "stowageUrl" | "apiKey" | "webhookSecret">;

/** The backend's HTTP server. */
export function createAppServer(service: AppSettings): Server {
  // An error is answered with {"detail": "…"}. Node's own answer to an unknown Expect header has no body.
  return createServer(createApp(service)).on("checkExpectation", (_request, response) => {
    response.writeHead(417, { "Content-Type": "application/json", Connection: "close" });
    response.end(JSON.stringify({ detail: "Only Expect: 100-continue is understood." }));
  });
}

/** The backend: the helper's routes, its own routes for sign-in and support, and the page. */
function createApp(service: AppSettings): Express {
  const files = createStowageClient({ apiKey: service.apiKey, baseUrl: service.stowageUrl });
  const app = express();
  app.disable("x-powered-by");

  app.use("/api/stowage", toExpressHandler(createUploads(service, files)));
  app.use("/api/session", sessionRouter());
  app.use("/api/support", supportRouter(files));
  if (service.webhookSecret !== undefined)
    app.post("/webhooks/stowage", toExpressHandler(createWebhooks(service.webhookSecret)));

  // Built assets have a hash of their content in their names, so browsers may keep them. The page itself may change.
  app.use("/assets", express.static(`${PAGE}/assets`, { immutable: true, maxAge: "1y" }));
  app.use(express.static(PAGE, { maxAge: 0 }));
  // These addresses are routed in the browser, so the server answers them with the same page.
  app.get(["/photos", "/profile", "/support"], (_request, response) => {
    response.sendFile("index.html", { root: PAGE, maxAge: 0 });
  });
  return app;
}
