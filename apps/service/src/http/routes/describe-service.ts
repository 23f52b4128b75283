import { operations } from "@stowage/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { type DocsRoutesDeps, servesDocs } from "./docs.js";

type ServiceDescription = z.output<typeof operations.describeService.answer>;

export interface DescriptionDeps extends DocsRoutesDeps {
  /** The service's version. */
  version: string;
}

/** The handler of `GET /` for programs: it names the service, its version and the addresses of its documentation. */
export function createDescriptionHandler({ version, dashboard: { basePath }, ...folders }: DescriptionDeps) {
  const description: ServiceDescription = {
    name: "Stowage",
    version,
    docs: servesDocs(folders) ? `${basePath}/docs/api.md` : null,
    openapi: basePath + operations.describe.path,
  };
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<ServiceDescription> => {
    // With the dashboard, browsers get another answer at the same address.
    reply.header("Vary", "Accept");
    return description;
  };
}
