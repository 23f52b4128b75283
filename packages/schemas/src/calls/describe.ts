import * as z from "zod";
import type { About, Call } from "../call.js";

export const call = {
  method: "GET",
  path: "/openapi.json",
  answer: z.looseObject({ openapi: z.string() }),
} as const satisfies Call;

export const about = {
  tag: "Service",
  names: { answer: "OpenApiDocument" },
  summary: "Read this description",
  description: "OpenAPI 3.1, generated from the schemas that validate the requests.",
  errors: [],
  isPublic: true,
} as const satisfies About;
