import type { FastifyInstance } from "fastify";
import { checkReadiness, type ReadinessDeps } from "#health/check-readiness.js";

export function healthRoutes(app: FastifyInstance, deps: ReadinessDeps): void {
  app.get("/healthz", async () => ({ status: "alive" }));
  app.get("/readyz", async () => {
    await checkReadiness(deps);
    return { status: "ready" };
  });
}
