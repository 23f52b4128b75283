import * as z from "zod";
import type { About, Call } from "../call.js";

export const call = {
  method: "GET",
  path: "/healthz",
  answer: z.object({ status: z.literal("alive") }),
} as const satisfies Call;

export const about = {
  tag: "Service",
  names: { answer: "Liveness" },
  summary: "Check that the service is alive",
  description: "Answers 200 as long as the process runs.",
  errors: [],
  isPublic: true,
  example: {},
} as const satisfies About;
