import type { FastifyInstance } from "fastify";
import { lazy } from "#lib/lazy.js";
import { refuseCrossSiteRead } from "#auth/refuse-cross-site.js";
import type { ExportDeps } from "../export-lists.js";
import { renderErrorWithCode } from "../render-error.js";

/** The lists that can be downloaded, each with its handler in export-lists.ts. */
export const exportedLists = ["files", "tenants", "projects", "audit"] as const;

/** `GET /dashboard/export/….csv`: downloads a list of the dashboard as a CSV file. The first call loads the code for it. */
export async function exportRoutes(app: FastifyInstance, deps: ExportDeps): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", async (request) => refuseCrossSiteRead(request.headers["sec-fetch-site"]));
      scope.setErrorHandler(renderErrorWithCode);
      const loadExports = lazy(async () => (await import("../export-lists.js")).createExports(deps));
      for (const list of exportedLists) {
        scope.get(`/${list}.csv`, async (request, reply) => {
          const exports = await loadExports();
          return exports[list](request, reply);
        });
      }
    },
    { prefix: "/dashboard/export" },
  );
}
