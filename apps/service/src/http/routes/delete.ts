import { deleteRequest, type DeleteResponse, limits, parse, snakeKeys } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { deleteFiles, type DeleteFilesDeps } from "#files/delete/delete-files.js";
import { findProject } from "#projects/find-project.js";

export function deleteRoute(app: FastifyInstance, deps: DeleteFilesDeps): void {
  // A thousand paths do not fit into the body of any other call.
  app.post("/delete", { bodyLimit: limits.deleteBodyBytes }, async (request): Promise<DeleteResponse> => {
    const input = parse(deleteRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await deleteFiles(deps, project, input));
  });
}
