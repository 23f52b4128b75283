import { fileURLToPath } from "node:url";
import { createStowage } from "@stowage/server";
import { toExpressHandler } from "@stowage/server/express";
import express, { type Express } from "express";
import { sessionCookie, userOf, users } from "./session.js";
import { storedFiles } from "./stored-files.js";

const PAGE = fileURLToPath(new URL("../page", import.meta.url));

/** A customer's backend: sign-in, the helper, a list of files, and the page. */
export function createApp(service: { stowageUrl: string; apiKey: string }): Express {
  const stowage = createStowage({
    apiKey: service.apiKey,
    baseUrl: service.stowageUrl,
    tenant: (request) => userOf(request.headers.get("cookie"))?.id ?? null,
  });
  const app = express();
  app.disable("x-powered-by");

  app.use("/api/stowage", toExpressHandler(stowage));

  app.get("/api/session", (request, response) => {
    response.json({ user: userOf(request.headers.cookie), users });
  });
  app.post("/api/session", express.json({ limit: "1kb" }), (request, response) => {
    const wanted: unknown = (request.body as { user?: unknown } | undefined)?.user;
    const user = users.find(({ id }) => id === wanted) ?? null;
    if (wanted !== null && !user) return void response.status(400).json({ detail: "No such user" });
    response.setHeader("Set-Cookie", sessionCookie(user));
    response.json({ user, users });
  });

  app.get("/api/files", async (request, response) => {
    const user = userOf(request.headers.cookie);
    if (!user) return void response.status(401).json({ detail: "Not signed in" });
    try {
      response.json({ files: await storedFiles(service, user.id) });
    } catch {
      response.status(503).json({ detail: "The list of files cannot be had right now" });
    }
  });

  // Names of built assets carry a hash of their content; the page that names them must be asked for anew.
  app.use("/assets", express.static(`${PAGE}/assets`, { immutable: true, maxAge: "1y" }));
  app.use(express.static(PAGE, { maxAge: 0 }));
  return app;
}
