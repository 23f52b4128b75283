import { type ErrorCode, errorCatalogue } from "@stowage/schemas";
import type { OverviewDays } from "@stowage/schemas/dashboard";
import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { refusalsDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lastDays } from "./read-usage-per-day.js";

/** Why requests were refused, and how many. */
export interface RefusalCount {
  code: ErrorCode;
  /** What callers were told. */
  detail: string;
  count: number;
}

/** Requests of the project's key that were refused in the last days, the most frequent reason first. @throws {StowageError} `unavailable` */
export async function readRefusals(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  input: { days: OverviewDays },
): Promise<RefusalCount[]> {
  const [firstDay] = lastDays(deps.clock(), input.days);
  const count = sql<number>`sum(${refusalsDaily.count})`.mapWith(Number);
  const rows = await deps.db.run((db) =>
    db
      .select({ code: refusalsDaily.code, count })
      .from(refusalsDaily)
      .where(and(eq(refusalsDaily.projectId, project.id), gte(refusalsDaily.day, firstDay!)))
      .groupBy(refusalsDaily.code)
      .orderBy(desc(count), refusalsDaily.code),
  );
  // A newer replica's code, while versions change, is shown by those who know it.
  return rows.flatMap(({ code, count }) =>
    isKnown(code) ? [{ code, detail: errorCatalogue[code].detail, count }] : [],
  );
}

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);
