import * as z from "zod";
import { limits } from "./limits.js";

/** Limits of a tenant beside its quota, as they are kept. A missing member is not set here. */
export interface CountLimits {
  /** Stored files, also those in the trash, and open uploads. */
  maxFiles?: number;
  /** Uploads that are neither stored nor ended. */
  maxOpenUploads?: number;
  /** Requests for uploads in a minute. */
  uploadsPerMinute?: number;
}

/** A number, or null for the next place that sets one. A missing member stays as it is. */
const limit = (name: string, unit: string) =>
  z
    .int({ error: `${name} must be a whole number of ${unit}, or null` })
    .min(0, { error: `${name} must be at least 0` })
    .max(limits.countLimit, { error: `${name} must be at most ${limits.countLimit}` })
    .nullable()
    .optional();

/** The members of a request that changes limits. */
export const limitMembers = {
  quota_bytes: z
    .int({ error: "quota_bytes must be a whole number of bytes, or null" })
    .min(0, { error: "quota_bytes must be at least 0" })
    .nullable()
    .optional()
    .describe("Bytes that the tenant may use."),
  max_files: limit("max_files", "files").describe("Stored files, those in the trash, and open uploads."),
  max_open_uploads: limit("max_open_uploads", "uploads").describe(
    "Uploads that are neither stored nor ended.",
  ),
  uploads_per_minute: limit("uploads_per_minute", "uploads").describe("Requests for uploads in a minute."),
};

/** The members of an answer that shows limits. */
export const shownLimits = {
  max_files: z.int().nullable().describe("How many files it may have, with open uploads; null for no limit."),
  max_open_uploads: z.int().nullable().describe("How many uploads may be open; null for no limit."),
  uploads_per_minute: z
    .int()
    .nullable()
    .describe("How many uploads it may request in a minute; null for no limit."),
};

/** The name of a plan. */
export const planName = z
  .string({ error: ({ input }) => (input === undefined ? "name is required" : "name must be a string") })
  .max(limits.planNameLength, { error: `a plan's name has at most ${limits.planNameLength} characters` })
  .regex(/^[a-z0-9][a-z0-9_-]*$/, {
    error: "a plan's name has a-z, 0-9, - and _ and starts with a letter or digit",
  })
  .describe("Such as free or pro.");

/** A plan, as every call answers it. */
export const plan = z.object({
  name: z.string(),
  quota_bytes: z.int().nullable().describe("Bytes; null if the plan sets no quota."),
  max_files: z.int().nullable(),
  max_open_uploads: z.int().nullable(),
  uploads_per_minute: z.int().nullable(),
});
export type Plan = z.infer<typeof plan>;
