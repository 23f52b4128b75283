import { type ErrorCode, errorCatalogue } from "@stowage/schemas";
import type { RefusedRequestsInput } from "@stowage/operator-schemas";
import { and, desc, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { refusedRequests } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";

/** Requests of one minute that were refused for the same reason, for the same tenant. */
export interface RefusedRequests {
  /** When the last of them was refused. */
  at: string;
  code: ErrorCode;
  /** The message that the caller got. */
  detail: string;
  /** The tenant that the requests named; null if they named none. It need not exist. */
  tenantId: string | null;
  count: number;
}

/**
 * Lists the newest refused requests of a project's key. A project keeps at most about 500 entries, for 30 days.
 *
 * @throws {StowageError} `unavailable`
 */
export async function listRefusedRequests(
  deps: { db: Queries },
  project: Project,
  { code, limit }: RefusedRequestsInput,
): Promise<RefusedRequests[]> {
  const { projectId, minute, tenantId } = refusedRequests;
  const rows = await deps.db.run((db) =>
    db
      .select()
      .from(refusedRequests)
      .where(and(eq(projectId, project.id), code === undefined ? undefined : eq(refusedRequests.code, code)))
      .orderBy(desc(minute), desc(refusedRequests.code), desc(tenantId))
      .limit(limit),
  );
  // During an upgrade a newer replica may write a code that this version does not know.
  return rows.flatMap(({ code, tenantId, count, lastAt }) =>
    isErrorCode(code)
      ? [
          {
            at: lastAt.toISOString(),
            code,
            detail: errorCatalogue[code].detail,
            tenantId: tenantId || null,
            count,
          },
        ]
      : [],
  );
}

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);
