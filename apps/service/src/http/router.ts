import type { FastifyInstance } from "fastify";
import type { CompleteUploadDeps } from "#files/complete-upload.js";
import type { RequestUploadDeps } from "#files/request-upload.js";
import type { ReadinessDeps } from "#health/check-readiness.js";
import { completeRoute } from "./routes/complete.js";
import { filesRoute } from "./routes/files.js";
import { healthRoutes } from "./routes/health.js";
import { storageEventsRoute, type StorageEventsRouteDeps } from "./routes/storage-events.js";
import { uploadRoute } from "./routes/upload.js";
import { storageScope } from "./storage-scope.js";

export type HttpDeps = RequestUploadDeps &
  CompleteUploadDeps &
  ReadinessDeps &
  StorageEventsRouteDeps & {
    /** 0 for no limit. */
    rateLimitPerMinute: number;
  };

/** The REST face: a table of contents. */
export async function registerRoutes(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  healthRoutes(app, deps);
  await storageEventsRoute(app, deps); // POST /internal/storage-events
  await app.register(
    async (storage) => {
      await storageScope(storage, deps);
      uploadRoute(storage, deps); //   POST /api/storage/upload/
      completeRoute(storage, deps); // POST /api/storage/complete/
      filesRoute(storage, deps); //    GET  /api/storage/files/
    },
    { prefix: "/api/storage" },
  );
}
