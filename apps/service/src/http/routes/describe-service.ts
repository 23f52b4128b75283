import { existsSync } from "node:fs";
import { operations } from "@stowage/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";

type ServiceDescription = z.output<typeof operations.describeService.answer>;

export interface DescriptionDeps {
  /** Folder with the documentation. If it does not exist, no documentation is served. */
  docsDir: string;
  /** The service's version. */
  version: string;
}

/** The handler of `GET /` for programs: it names the service, its version and the addresses of its documentation. */
export function createDescriptionHandler({ docsDir, version }: DescriptionDeps) {
  const description: ServiceDescription = {
    name: "Stowage",
    version,
    docs: existsSync(docsDir) ? "/docs/api.md" : null,
    openapi: operations.describe.path,
  };
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<ServiceDescription> => {
    // With the dashboard, browsers get another answer at the same address.
    reply.header("Vary", "Accept");
    return description;
  };
}
