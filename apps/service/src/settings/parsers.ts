import * as z from "zod";
import { connectionUrlProblem } from "../db/driver/connection-url.js";
import { passwordFileProblem } from "../db/driver/password-source.js";

/* The parsers that several settings use. Each error completes the sentence "The setting X …". */

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: "must be an http or https URL",
  abort: true,
});

/** A URL that something is added to, and that messages and pages may show. */
export const baseUrl = httpUrl
  .refine((url) => !/[?#]/.test(url), { error: "must have no query and no fragment", abort: true })
  .refine((url) => new URL(url).username + new URL(url).password === "", {
    error: "must contain no user and no password",
    abort: true,
  });

export const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .int({ error: "must be a whole number" })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });

export const required = z.string({ error: "is required" }).min(1, { error: "is required" });

export const bucketName = required.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
  error: "must be a bucket name",
});

export const onOrOff = z
  .enum(["on", "off"], { error: "must be on or off" })
  .transform((word) => word === "on");

export const trueOrFalse = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((word) => word === "true");

export const databaseUrl = required
  .regex(/^postgres(ql)?:\/\//, { error: "must start with postgres://", abort: true })
  .superRefine((url, context) => {
    const message = connectionUrlProblem(url);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

export const passwordFile = z.string().superRefine((file, context) => {
  const message = passwordFileProblem(file);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
