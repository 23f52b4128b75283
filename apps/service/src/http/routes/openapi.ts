import type { FastifyInstance } from "fastify";
import { lazy } from "#lib/lazy.js";

/** `GET /openapi.json`: made once and not before somebody asks, since it cannot change while the process runs. */
export function openApiRoute(app: FastifyInstance): void {
  const loadDocument = lazy(async () => {
    const { describeApi } = await import("../openapi.js");
    return JSON.stringify(describeApi());
  });
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(await loadDocument()),
  );
}
