import type { FileStatus } from "@stowage/schemas";
import { type FileState, type FilesCountInput, fileStates } from "@stowage/operator-schemas";
import { and, type SQL, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import type { Project } from "#projects/find-project.js";
import { addMs, DAY_MS } from "#lib/time.js";
import { type BoundedCount, boundedCount } from "#lib/bounded-count.js";
import { SCATTERED_WINDOW } from "#lib/search.js";
import { type FilesQuery, hasState, remainingFilter, selectStates } from "./file-filter.js";
import { statusQuery } from "./status-query.js";

export type FileCounts = Record<FileState, BoundedCount>;

/**
 * Counts a project's files in each state, with the filters of the list except of the state. It reads at most some thousand rows,
 * however many files the project has, so a count is either exact or a lower bound.
 *
 * @throws {StowageError} `unavailable`
 */
export async function countFiles(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  { from, to, ...rest }: FilesCountInput,
): Promise<FileCounts> {
  const now = deps.clock();
  const query: FilesQuery = {
    projectId: project.id,
    ...rest,
    ...selectStates(fileStates, now),
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : addMs(new Date(to), DAY_MS),
    sort: "created_at",
    order: "desc",
  };
  const parts = await deps.db.run((db) => db.execute<PartCount>(countStatement(query, now)));
  const counted = fileStates.map((state): [FileState, BoundedCount] => {
    const statuses = selectStates([state], now).statuses;
    const own = parts.filter(({ status }) => statuses.includes(status));
    const sum = own.reduce((total, part) => total + part[state], 0);
    return [
      state,
      boundedCount(
        sum,
        own.some(({ isCut }) => isCut),
      ),
    ];
  });
  return Object.fromEntries(counted) as FileCounts;
}

/** The numbers of files in each state among the newest files of one status. */
type PartCount = Record<FileState, number> & {
  status: FileStatus;
  /** Whether the status has more files than were read. */
  isCut: boolean;
};

function countStatement(query: FilesQuery, now: Date): SQL {
  const filter = remainingFilter(query, false) ?? sql`true`;
  const counts = fileStates.map((state) => {
    const isCounted = and(filter, hasState(query.projectId, { chosen: [state], now }));
    return sql`count(*) filter (where ${isCounted})::int as ${sql.identifier(state)}`;
  });
  const parts = query.statuses.map(
    (status) => sql`
      select ${status}::text as status, ${sql.join(counts, sql`, `)}, count(*) > ${SCATTERED_WINDOW} as "isCut"
      from (${statusQuery(query, status, { after: undefined, limit: SCATTERED_WINDOW + 1 }, false)}) seen`,
  );
  return sql.join(parts, sql` union all `);
}
