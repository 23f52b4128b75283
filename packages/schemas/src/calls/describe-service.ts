import * as z from "zod";
import type { About, Call } from "../call.js";

export const call = {
  method: "GET",
  path: "/",
  answer: z.object({
    name: z.literal("Stowage"),
    version: z.string(),
    docs: z.string().nullable(),
    openapi: z.string(),
  }),
} as const satisfies Call;

export const about = {
  tag: "Service",
  names: { answer: "ServiceDescription" },
  summary: "Read the version of the service",
  description:
    "Names the service, its version, and the relative addresses of the documentation and the OpenAPI document. docs is null if the service has no documentation. Browsers, which accept text/html, get the dashboard at this address.",
  errors: [],
  isPublic: true,
  example: {},
} as const satisfies About;
