import type { About, Call } from "../call.js";
import { call as described } from "./describe.js";

export const call = {
  method: "GET",
  path: "/openapi-3.0.json",
  answer: described.answer,
} as const satisfies Call;

export const about = {
  tag: "Service",
  names: { answer: "OpenApiDocument" },
  summary: "Read this description in OpenAPI 3.0",
  description:
    "The same without webhooks, which OpenAPI 3.0 does not know. Some generators of clients cannot read OpenAPI 3.1.",
  errors: [],
  isPublic: true,
} as const satisfies About;
