import { completeRequest, type File, parse, snakeKeys } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { completeUpload, type CompleteUploadDeps } from "#files/settle/complete-upload.js";
import { findProject } from "#projects/find-project.js";

export function completeRoute(app: FastifyInstance, deps: CompleteUploadDeps): void {
  app.post("/complete", async (request): Promise<File> => {
    const input = parse(completeRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await completeUpload(deps, project, input));
  });
}
