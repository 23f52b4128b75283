import { parse, snakeKeys, uploadRequest, type UploadResponse } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { requestUpload, type RequestUploadDeps } from "#files/upload/request-upload.js";

export function uploadRoute(app: FastifyInstance, deps: RequestUploadDeps): void {
  app.post("/upload", async (request): Promise<UploadResponse> => {
    const input = parse(uploadRequest, request.body);
    return snakeKeys(await requestUpload(deps, { apiKeyHash: request.apiKeyHash }, input));
  });
}
