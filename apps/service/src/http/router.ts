import type { FastifyInstance } from "fastify";
import type { CompleteUploadDeps } from "#files/settle/complete-upload.js";
import type { CreateDownloadDeps } from "#files/deliver/create-download.js";
import type { DeleteFilesDeps } from "#files/delete/delete-files.js";
import type { RequestUploadDeps } from "#files/upload/request-upload.js";
import type { ReadinessDeps } from "#health/check-readiness.js";
import type { KeyUseBuffer } from "#projects/key-use-buffer.js";
import type { RefusalBuffer } from "#usage/refusal-buffer.js";
import type { ExportDeps } from "./export-lists.js";
import { completeRoute } from "./routes/complete.js";
import { dashboardRoute, type DashboardRouteDeps } from "./routes/dashboard.js";
import { deleteRoute } from "./routes/delete.js";
import { exportRoutes } from "./routes/exports.js";
import { downloadRoute } from "./routes/download.js";
import { fileRoute } from "./routes/file.js";
import { filesRoute } from "./routes/files.js";
import { healthRoutes } from "./routes/health.js";
import { openApiRoute } from "./routes/openapi.js";
import { signInRoutes, type SignInRouteDeps } from "./routes/sign-in.js";
import { storageEventsRoute, type StorageEventsRouteDeps } from "./routes/storage-events.js";
import { tenantRoutes } from "./routes/tenants.js";
import { uploadRoute } from "./routes/upload.js";
import { storageScope } from "./storage-scope.js";

export type HttpDeps = RequestUploadDeps &
  CompleteUploadDeps &
  CreateDownloadDeps &
  DeleteFilesDeps &
  ReadinessDeps &
  StorageEventsRouteDeps &
  SignInRouteDeps &
  ExportDeps &
  DashboardRouteDeps & {
    /** 0 for no limit. */
    rateLimitPerMinute: number;
    keyUses: Pick<KeyUseBuffer, "record">;
    refusals: Pick<RefusalBuffer, "count">;
  };

/** The REST face: a table of contents. */
export async function registerRoutes(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  healthRoutes(app, deps);
  openApiRoute(app); //                   GET  /openapi.json
  await storageEventsRoute(app, deps); // POST /internal/storage-events
  await signInRoutes(app, deps); //       POST /auth/…
  await exportRoutes(app, deps); //       GET  /dashboard/export/….csv
  await dashboardRoute(app, deps); //     GET  /, and every page below it
  await app.register(
    async (storage) => {
      await storageScope(storage, deps);
      uploadRoute(storage, deps); //   POST /api/storage/upload/
      completeRoute(storage, deps); // POST /api/storage/complete/
      downloadRoute(storage, deps); // POST /api/storage/download/
      deleteRoute(storage, deps); //   POST /api/storage/delete/
      fileRoute(storage, deps); //     GET  /api/storage/file/
      filesRoute(storage, deps); //    GET  /api/storage/files/
      tenantRoutes(storage, deps); //  GET  /api/storage/tenants/, /usage/, PUT /quota/
    },
    { prefix: "/api/storage" },
  );
}
