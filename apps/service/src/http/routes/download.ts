import { downloadRequest, type DownloadResponse, parse, snakeKeys } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { createDownload, type CreateDownloadDeps } from "#files/deliver/create-download.js";
import { findProject } from "#projects/find-project.js";

export function downloadRoute(app: FastifyInstance, deps: CreateDownloadDeps): void {
  app.post("/download", async (request): Promise<DownloadResponse> => {
    const input = parse(downloadRequest, request.body);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await createDownload(deps, project, input));
  });
}
