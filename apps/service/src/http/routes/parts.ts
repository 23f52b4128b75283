import {
  listPartsQuery,
  type ListPartsResponse,
  listUploadsQuery,
  type ListUploadsResponse,
  openUploadRequest,
  type OpenUploadResponse,
  parse,
  signPartsRequest,
  type SignPartsResponse,
  snakeKeys,
  uploadHeaders,
} from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { type Database, inLane } from "#db/client.js";
import { listParts, type ListPartsDeps } from "#files/parts/list-parts.js";
import { listUploads } from "#files/list/list-uploads.js";
import { openUpload, type OpenUploadDeps } from "#files/upload/open-upload.js";
import { signParts, type SignPartsDeps } from "#files/parts/sign-parts.js";
import type { KeyLookup } from "#projects/key-lookup.js";

export type PartRoutesDeps = OpenUploadDeps &
  Omit<SignPartsDeps & ListPartsDeps, "db"> & {
    db: Database;
    keys: Pick<KeyLookup, "findProject">;
  };

/** The calls about uploads by parts. They parse and authenticate in the same order as those about files. */
export function partRoutes(scope: FastifyInstance, deps: PartRoutesDeps): void {
  scope.post("/uploads", async (request): Promise<OpenUploadResponse> => {
    const input = parse(openUploadRequest, request.body);
    const { apiKeyHash, projectId } = request;
    const idempotencyKey = parse(uploadHeaders, request.headers)["idempotency-key"];
    return snakeKeys(await openUpload(deps, { apiKeyHash, projectId }, input, idempotencyKey));
  });

  scope.get("/uploads", async (request): Promise<ListUploadsResponse> => {
    const query = parse(listUploadsQuery, request.query);
    const project = await deps.keys.findProject(request);
    const page = await listUploads(inLane(deps, "list", project.id), project, query);
    return { uploads: page.uploads.map((upload) => snakeKeys(upload)), next_cursor: page.nextCursor };
  });

  scope.post("/uploads/parts", async (request): Promise<SignPartsResponse> => {
    const input = parse(signPartsRequest, request.body);
    const project = await deps.keys.findProject(request);
    const { parts } = await signParts(inLane(deps, "upload", project.id), project, input);
    return { parts: parts.map((part) => snakeKeys(part)) };
  });

  scope.get("/uploads/parts", async (request): Promise<ListPartsResponse> => {
    const query = parse(listPartsQuery, request.query);
    const project = await deps.keys.findProject(request);
    return snakeKeys(await listParts(inLane(deps, "read", project.id), project, query));
  });
}
