import { type File, findFileQuery, parse, snakeKeys } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import type { Database } from "#db/client.js";
import { findFile } from "#files/find-file.js";
import { findProject } from "#projects/find-project.js";

export function fileRoute(app: FastifyInstance, deps: { db: Database }): void {
  app.get("/file", async (request): Promise<File> => {
    const query = parse(findFileQuery, request.query);
    const project = await findProject(deps, request.apiKeyHash);
    return snakeKeys(await findFile(deps, project, query));
  });
}
