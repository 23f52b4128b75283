import type { Queries } from "#db/client.js";
import { END_OF_FILE, ENDS_BY_ITSELF } from "#db/schema/conditions.js";
import { groupBy } from "#lib/group-by.js";
import { takeShares } from "#lib/take-shares.js";
import type { Project } from "#projects/find-project.js";
import type { StorageScope } from "#projects/storages.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { type RemoveObjectDeps, removeObjects } from "#files/delete/remove-objects.js";

/** How many files one call reads, and how many of one project it ends. */
const FILES_READ = 1000;
const MAX_PER_PROJECT = 200;

/**
 * Ends the files whose time is over, in one batch: stored files that expire go the same way as with a customer's delete, and files in
 * the trash are deleted for good. Files on hold wait until they are released. Several replicas may do this at the same time: each
 * skips the files that another one has locked.
 *
 * @returns whether more files may be due
 * @throws {StowageError} `unavailable`
 */
export async function endFiles(
  deps: RemoveObjectDeps & { db: Queries; scope?: StorageScope | undefined },
): Promise<boolean> {
  const endingUntil = deps.clock();
  const due = await deps.db.execute<DueFile>(findDue(deps.scope), [endingUntil.toISOString()]);
  const batch = takeShares(due, MAX_PER_PROJECT, ({ projectId }) => projectId);
  for (const [id, files] of groupBy(batch, ({ projectId }) => projectId)) {
    const project: Project = { id, ref: files[0]!.projectRef };
    const fileIds = files.map((file) => file.id);
    const { deleting } = await markDeleting(deps, project, { fileIds, endingUntil, actor: "service" });
    await removeObjects(
      deps,
      project,
      deleting.map(({ path }) => path),
    );
  }
  return due.length === FILES_READ || batch.length < due.length;
}

interface DueFile {
  projectId: number;
  projectRef: string;
  id: number;
}

/* The rows are found without locks: markDeleting locks and judges them again. */
const findDue = (scope: StorageScope | undefined) => `
select due.project_id as "projectId", p.ref as "projectRef", due.id
from (
  select project_id, id from files
  where ${END_OF_FILE} <= $1::timestamptz and ${ENDS_BY_ITSELF}${scope ? ` and ${scope.condition("files.project_id")}` : ""}
  order by ${END_OF_FILE} limit ${FILES_READ}) due
join projects p on p.id = due.project_id`;
