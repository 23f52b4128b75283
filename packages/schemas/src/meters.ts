import * as z from "zod";
import { camelKeys } from "./casing.js";
import { tenantId } from "./fields.js";

/*
 * Query and rows of `GET /api/storage/usage/daily/` and `GET /api/storage/usage/monthly/`.
 */

function day(name: string) {
  const error = `${name} must be a day like 2026-01-31`;
  // PostgreSQL has no year 0000.
  return z.iso.date({ error }).refine((text) => text > "0001", { error });
}

export const metersQuery = z
  .object({
    tenant_id: tenantId.optional(),
    from: day("from").describe("The first day, in UTC. Default: the first of the month of to.").optional(),
    to: day("to").describe("The last day, in UTC. Default: today.").optional(),
    format: z
      .enum(["json", "csv", "ndjson"], { error: "format must be json, csv or ndjson" })
      .default("json")
      .describe("csv: a line for each row, after a line with the names. ndjson: a JSON value a line."),
  })
  .transform(camelKeys);
export type MetersQuery = z.output<typeof metersQuery>;

const meters = {
  byte_seconds: z
    .string()
    .regex(/^\d+$/)
    .describe(
      "The integral of used_bytes: the bytes times the seconds that they were stored, rounded down for each day. Digits in a text, because it may be beyond 2^53.",
    ),
  peak_bytes: z.int().describe("The largest used_bytes. Of a whole project: it was not larger than this."),
  file_count: z.int().describe("Number of files at the end."),
  uploads: z.int().describe("Files that were stored. One that another PUT replaced counts again."),
  downloads_signed: z
    .int()
    .describe(
      "URLs that download/, downloads/ and share links answered, used or not. Also those of variants.",
    ),
  bytes_signed: z.int().describe("The sizes of what these URLs read."),
  bytes_delivered: z
    .int()
    .nullable()
    .describe(
      "Bytes that were sent, as imported access logs say. Null if no imported log has a download of the project on these days.",
    ),
};

export const dailyMeters = z.object({ day: z.string().meta({ format: "date" }), ...meters });
export type DailyMeters = z.infer<typeof dailyMeters>;

export const monthlyMeters = z.object({
  month: z.string().describe("Such as 2026-01. Only days of the query are in it."),
  ...meters,
});
export type MonthlyMeters = z.infer<typeof monthlyMeters>;
