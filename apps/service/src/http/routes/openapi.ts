import type { FastifyInstance } from "fastify";
import { describeApi } from "../openapi.js";

/** `GET /openapi.json`: made once, since it cannot change while the process runs. */
export function openApiRoute(app: FastifyInstance): void {
  const document = JSON.stringify(describeApi());
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(document),
  );
}
