import type { Command } from "commander";
import { bytesOrNone, limitOrNone } from "./arguments.js";

/** Options that set limits. `none` takes a limit away. */
export interface LimitOptions {
  quotaBytes?: number | "none";
  maxFiles?: number | "none";
  maxOpenUploads?: number | "none";
  uploadsPerMinute?: number | "none";
}

/** Adds the options. @param next what applies without a limit, such as `the service's default` */
export function withLimitOptions(command: Command, next: string): Command {
  const none = `or "none" for ${next}`;
  return command
    .option("--quota-bytes <n>", `quota of each tenant in bytes, ${none}`, bytesOrNone)
    .option("--max-files <n>", `files of each tenant, with open uploads, ${none}`, limitOrNone)
    .option("--max-open-uploads <n>", `open uploads of each tenant, ${none}`, limitOrNone)
    .option(
      "--uploads-per-minute <n>",
      `uploads that each tenant may request in a minute, ${none}`,
      limitOrNone,
    );
}

/** Null for `none`: commander cannot tell null from a missing option. */
export const noneToNull = <T>(value: T | "none"): T | null => (value === "none" ? null : value);
