import * as z from "zod";
import type { About, Call } from "../call.js";

export const call = {
  method: "GET",
  path: "/readyz",
  answer: z.object({
    status: z.literal("ready"),
    scanner: z
      .enum(["up", "down"])
      .describe("Whether the virus scanner has answered within a minute. Missing if it never has.")
      .optional(),
    image_decoder_problem: z
      .string()
      .describe("Why a worker can decode no image, so that it makes no variants. Missing if all workers can.")
      .optional(),
    storage_problems: z
      .record(z.string(), z.string())
      .describe("Why one of several storages does not answer, by its name. Missing if all answer.")
      .optional(),
  }),
} as const satisfies Call;

export const about = {
  tag: "Service",
  names: { answer: "Readiness" },
  summary: "Check that the service is ready",
  description:
    "Answers 200 when the database and storage answer, otherwise 503 with what is missing. It also names a virus scanner that is down, a worker that can decode no image, and one of several storages that does not answer, without changing the status.",
  errors: ["unavailable"],
  isPublic: true,
  example: {},
} as const satisfies About;
