import type { FastifyInstance } from "fastify";
import type { ExportDeps } from "./export-lists.js";
import { dashboardRoutes, type DashboardRoutesDeps } from "./routes/dashboard.js";
import { exportRoutes } from "./routes/exports.js";
import { docsRoutes, type DocsRoutesDeps } from "./routes/docs.js";
import { eventRoutes, type EventRoutesDeps } from "./routes/events.js";
import { type FileRoutesDeps, fileRoutes } from "./routes/files.js";
import { linkRoutes, sharedFileRoutes, type SharedFileRoutesDeps } from "./routes/links.js";
import { type PartRoutesDeps, partRoutes } from "./routes/parts.js";
import { type PublicRoutesDeps, publicRoutes } from "./routes/public.js";
import { signInRoutes, type SignInRoutesDeps } from "./routes/sign-in.js";
import { storageEventsRoute, type StorageEventsRouteDeps } from "./routes/storage-events.js";
import { tenantRoutes } from "./routes/tenants.js";
import { setUpStorageScope, type StorageScopeDeps } from "./storage-scope.js";

export type HttpDeps = PublicRoutesDeps &
  StorageEventsRouteDeps &
  SignInRoutesDeps &
  ExportDeps &
  DashboardRoutesDeps &
  DocsRoutesDeps &
  StorageScopeDeps &
  FileRoutesDeps &
  EventRoutesDeps &
  SharedFileRoutesDeps &
  PartRoutesDeps;

/** Registers all routes except `/trpc`. */
export async function registerRoutes(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  publicRoutes(app, deps); //             GET  /healthz, /readyz, /openapi.json, /openapi-3.0.json
  await storageEventsRoute(app, deps); // POST /internal/storage-events
  await signInRoutes(app, deps); //       POST /auth/…
  await exportRoutes(app, deps); //       GET  /dashboard/export/….csv
  await docsRoutes(app, deps); //         GET  /docs/…
  await sharedFileRoutes(app, deps); //   GET, POST /s/TOKEN
  await dashboardRoutes(app, deps); //    GET  /, and the dashboard's pages
  await app.register(
    //                  the calls of `operations` with a key, below /api/storage/
    async (scope) => {
      await setUpStorageScope(scope, deps);
      fileRoutes(scope, deps);
      linkRoutes(scope, deps);
      partRoutes(scope, deps);
      tenantRoutes(scope, deps);
      eventRoutes(scope, deps);
    },
    { prefix: "/api/storage" },
  );
}
