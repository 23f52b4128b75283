import { listFilesQuery, type ListFilesResponse, parse, snakeKeys } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import type { Database } from "#db/client.js";
import { listFiles } from "#files/list/list-files.js";
import { findProject } from "#projects/find-project.js";

export function filesRoute(app: FastifyInstance, deps: { db: Database }): void {
  app.get("/files", async (request): Promise<ListFilesResponse> => {
    const query = parse(listFilesQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    const page = await listFiles(deps, project, query);
    return { files: page.files.map((file) => snakeKeys(file)), next_cursor: page.nextCursor };
  });
}
