import type { VerbName } from "./verbs.js";

/** A fault of one place that shows only when calls meet in a certain order. */
export interface PlantedRace {
  name: string;
  /** Below `src`. */
  file: string;
  find: string;
  replace: string;
  /** Those that meet. */
  verbs: [VerbName, VerbName];
}

const race = (
  name: string,
  verbs: [VerbName, VerbName],
  file: string,
  find: string,
  replace = "",
): PlantedRace => ({
  name,
  verbs,
  file,
  find,
  replace,
});

const judge = "db/functions/judge_uploads.sql";
const mark = "db/functions/mark_stored.sql";
const folders = "db/functions/add_folder_usage.sql";
const settle = "files/settle/apply-storage-state.ts";
const replaced = "files/end/replace-old-file.ts";
const ending = "files/end/mark-deleting.ts";
const locks = "files/lifecycle/lock-files.ts";
const holds = "files/lifecycle/set-hold.ts";
const erasure = "purge/delete-tenant.ts";
const moves = "visibility/claim-move.ts";

/** docs/simulation.md says which of them the simulation finds, and in how many schedules. */
export const plantedRaces: PlantedRace[] = [
  race(
    "an admission reads the usage without a lock",
    ["admit", "admit"],
    judge,
    "tenant_id = ANY (names) ORDER BY id FOR UPDATE) locked",
    "tenant_id = ANY (names) ORDER BY id) locked",
  ),
  race(
    "an admission ignores that the tenant is being deleted",
    ["erase", "admit"],
    judge,
    "IF leaving[t] THEN",
    "IF false THEN",
  ),
  race(
    "a settle ignores the revision",
    ["complete", "complete"],
    mark,
    "CONTINUE WHEN f.revision <> revisions[i];",
  ),
  race(
    "a settle reads the files without a lock",
    ["put and complete", "put and complete"],
    mark,
    "id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE",
    "id = ANY (wanted) ORDER BY id",
  ),
  race(
    "a settle reads the usage without a lock",
    ["admit", "complete"],
    mark,
    "(owners || growing_owners) ORDER BY id FOR NO KEY UPDATE) locked",
    "(owners || growing_owners) ORDER BY id) locked",
  ),
  race(
    "a settle does not raise the revision",
    ["complete", "complete"],
    mark,
    "revision = revision + 1",
    "revision = revision",
  ),
  race(
    "a folder is counted without a lock",
    ["complete", "move"],
    folders,
    "PERFORM FROM tenants WHERE project_id = p AND id = ANY (owners) ORDER BY id FOR NO KEY UPDATE;",
  ),
  race(
    "a late settle does not see that the file has changed",
    ["complete", "put again and complete"],
    settle,
    `if (file.revision !== seen.revision) return "outdated";`,
  ),
  race(
    "a verdict ignores that the bytes have changed",
    ["replace the bytes", "verdict"],
    "scans/record-verdict.ts",
    ".filter(({ row, etag }) => row.etag === etag)",
  ),
  race(
    "an upload is read without a lock",
    ["complete one over the quota", "complete one over the quota"],
    replaced,
    `.where(isFileAt(projectId, seen.path)).for("update")`,
    `.where(isFileAt(projectId, seen.path))`,
  ),
  race(
    "a replacement reads both files without a lock",
    ["complete the replacement", "hold the replaced file"],
    replaced,
    `    .orderBy(asc(files.id))\n    .for("update");`,
    `    .orderBy(asc(files.id));`,
  ),
  race(
    "a replacement ignores a hold",
    ["complete the replacement", "hold the replaced file"],
    replaced,
    " && !replacement.old.held",
  ),
  race(
    "a replacement ignores that the old file was deleted",
    ["complete the replacement", "delete the replaced file"],
    replaced,
    `replacement.old?.status === "stored" && !`,
    "replacement.old !== undefined && !",
  ),
  race(
    "a delete reads the files without a lock",
    ["delete", "delete"],
    ending,
    `.for("update", { of: files, ...(endingUntil && { skipLocked: true }) })`,
  ),
  race(
    "a delete does not raise the revision",
    ["cancel the late one", "put and complete"],
    ending,
    `nextCheckAt: addMs(at, CALLER_REMOVES_FOR_MS),\n      revision: sql\`\${files.revision} + 1\`,`,
    "nextCheckAt: addMs(at, CALLER_REMOVES_FOR_MS),",
  ),
  race(
    "a move to the trash does not raise the revision",
    ["delete", "hold"],
    ending,
    `replacedAt,\n      revision: sql\`\${files.revision} + 1\`,`,
    "replacedAt,",
  ),
  race(
    "the end of a file is not judged again under its lock",
    ["restore", "expire"],
    ending,
    "endingUntil &&\n          and(",
    "false as boolean &&\n          endingUntil && and(",
  ),
  race(
    "a delete ignores a hold",
    ["hold", "delete"],
    ending,
    "files: locked.filter(({ held }) => !held),",
    "files: locked,",
  ),
  race(
    "a restore, a hold or an update reads the file without a lock",
    ["restore", "restore"],
    locks,
    `.for("update", { of: files })`,
  ),
  race(
    "a restore does not look at the status again",
    ["restore", "expire"],
    "files/lifecycle/restore-files.ts",
    `.filter(({ file }) => file.status === "trashed")`,
  ),
  race(
    "a hold does not wait for the deletion of the tenant",
    ["hold", "erase"],
    holds,
    "if (hold) await requireOwners(tx, project, found);",
  ),
  race(
    "a hold does not raise the revision",
    ["hold", "delete"],
    holds,
    `.set({ held: hold, revision: sql\`\${files.revision} + 1\` })`,
    ".set({ held: hold })",
  ),
  race(
    "the deletion of a tenant starts without a lock",
    ["hold", "erase"],
    erasure,
    `    .where(isThis)\n    .for("update");\n  if (!row) throw`,
    "    .where(isThis);\n  if (!row) throw",
  ),
  race(
    "the deletion of a tenant ignores a hold",
    ["hold", "erase"],
    erasure,
    "if (isNew) await refuseFilesOnHold(tx, { projectId: project.id, tenant: row.id });",
  ),
  race(
    "two uploads may replace one file",
    ["admit a replacement", "admit a replacement"],
    "files/upload/admit-replacement.ts",
    `    .orderBy(asc(files.id))\n    .for("update");`,
    "    .orderBy(asc(files.id));",
  ),
  race(
    "a cancel deletes what has arrived",
    ["put and complete", "cancel the late one"],
    "files/upload/cancel-upload.ts",
    "onlyUnstored: true,",
  ),
  race(
    "a deleted path is not watched",
    ["put and complete", "cancel the late one"],
    "files/delete/remove-objects.ts",
    "if (until <= now) return",
    "if (true as boolean) return",
  ),
  race(
    "a verdict is written without a lock",
    ["verdict", "replace the bytes"],
    "scans/record-verdict.ts",
    "for no key update`",
    "`",
  ),
  race(
    "an update does not raise the revision",
    ["move", "delete"],
    "files/organise/write-updates.ts",
    `.set({ ...columns, revision: sql\`\${files.revision} + 1\` })`,
    ".set(columns)",
  ),
  race(
    "a job records its copy as public, although the file has changed meanwhile",
    ["publish", "verdict"],
    moves,
    " and ${PLACE} = $5::file_visibility\nreturning id`",
    "\nreturning id`",
  ),
  race(
    "a job begins to copy, although the file has changed meanwhile",
    ["publish", "verdict"],
    moves,
    "where ${IS_FILE} and ${PLACE} = 'public' returning id`",
    "where ${IS_FILE} returning id`",
  ),
  race(
    "a process goes on with a move that is not its own",
    ["publish", "publish"],
    moves,
    "return isMine ? change(db, tx) : otherwise;",
    "return change(db, tx);",
  ),
  race(
    "a copy of a file that was deleted meanwhile stays",
    ["publish", "purge"],
    "visibility/move-file.ts",
    "if (!current) await emptyPath(deps, file.projectId, file.path);\n",
    "if (!current) return;\n",
  ),
];
