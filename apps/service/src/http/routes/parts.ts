import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { listUploads } from "#files/list/list-uploads.js";
import { listParts, type ListPartsDeps } from "#files/parts/list-parts.js";
import { signParts, type SignPartsDeps } from "#files/parts/sign-parts.js";
import { openUpload, type OpenUploadDeps } from "#files/upload/open-upload.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type PartRoutesDeps = RouteDeps & Omit<OpenUploadDeps & SignPartsDeps & ListPartsDeps, "db" | "store">;

/** The calls about uploads by parts. */
export function partRoutes(scope: FastifyInstance, deps: PartRoutesDeps): void {
  const { admission, route } = createRoutes(scope, deps);
  admission(operations.openUpload, openUpload);
  route(operations.listUploads, listUploads);
  route(operations.signParts, signParts);
  route(operations.listParts, listParts);
}
