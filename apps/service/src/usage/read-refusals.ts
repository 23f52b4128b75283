import { type ErrorCode, errorCatalogue } from "@stowage/schemas";
import type { OverviewDays } from "@stowage/operator-schemas";
import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { refusalsDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lastUtcDays } from "#lib/time.js";
import { isErrorCode } from "./list-refused-requests.js";

/** How many requests were refused for one reason. */
export interface RefusalCount {
  code: ErrorCode;
  /** The message that callers got. */
  detail: string;
  count: number;
}

/**
 * Counts the refused requests of a project's key in the last days, most frequent reason first.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readRefusals(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  input: { days: OverviewDays },
): Promise<RefusalCount[]> {
  const [firstDay] = lastUtcDays(deps.clock(), input.days);
  const count = sql<number>`sum(${refusalsDaily.count})`.mapWith(Number);
  const rows = await deps.db.run((db) =>
    db
      .select({ code: refusalsDaily.code, count })
      .from(refusalsDaily)
      .where(and(eq(refusalsDaily.projectId, project.id), gte(refusalsDaily.day, firstDay!)))
      .groupBy(refusalsDaily.code)
      .orderBy(desc(count), refusalsDaily.code),
  );
  // During an upgrade a newer replica may write a code that this version does not know.
  return rows.flatMap(({ code, count }) =>
    isErrorCode(code) ? [{ code, detail: errorCatalogue[code].detail, count }] : [],
  );
}
