import type { VerbName } from "./verbs.js";

/** A fault of one place that shows only when calls meet in a certain order. */
export interface PlantedRace {
  name: string;
  /** Below `src`. */
  file: string;
  find: string;
  replace: string;
  /** Those that run this code: the simulation looks for the race among their pairs. */
  verbs: VerbName[];
}

const race = (name: string, verbs: VerbName[], file: string, find: string, replace = ""): PlantedRace => ({
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
    ["admit", "complete"],
    judge,
    "tenant_id = ANY (names) ORDER BY id FOR UPDATE) locked",
    "tenant_id = ANY (names) ORDER BY id) locked",
  ),
  race(
    "an admission ignores that the tenant is being deleted",
    ["admit", "erase"],
    judge,
    "IF leaving[t] THEN",
    "IF false THEN",
  ),
  race(
    "a settle ignores the revision",
    ["complete", "cancel", "sweep"],
    mark,
    "CONTINUE WHEN f.revision <> revisions[i];",
  ),
  race(
    "a settle reads the files without a lock",
    ["complete", "cancel", "sweep"],
    mark,
    "id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE",
    "id = ANY (wanted) ORDER BY id",
  ),
  race(
    "a settle reads the usage without a lock",
    ["admit", "complete", "complete the replacement"],
    mark,
    "(owners || growing_owners) ORDER BY id FOR NO KEY UPDATE) locked",
    "(owners || growing_owners) ORDER BY id) locked",
  ),
  race(
    "a settle does not raise the revision",
    ["complete", "cancel", "sweep", "delete"],
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
    ["put and complete", "expire", "sweep"],
    settle,
    `if (file.revision !== seen.revision) return "outdated";`,
  ),
  race(
    "a settle revives a deleted file",
    ["complete", "cancel", "expire", "erase"],
    settle,
    `if (!file || file.status === "deleting") return "gone";`,
    `if (!file) return "gone";`,
  ),
  race(
    "an upload is read without a lock",
    ["put and complete", "cancel the late one", "expire"],
    replaced,
    `.where(isFileAt(projectId, seen.path)).for("update")`,
    `.where(isFileAt(projectId, seen.path))`,
  ),
  race(
    "a replacement reads both files without a lock",
    ["complete the replacement", "cancel the replacement", "hold the replaced file"],
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
    "a replacement that ended is not forgotten",
    ["complete the replacement", "cancel the replacement"],
    replaced,
    "      await tx.delete(replacements).where(isReplacement(row));\n      // No call",
    "      // No call",
  ),
  race(
    "a delete reads the files without a lock",
    ["delete", "purge", "cancel", "complete"],
    ending,
    `.for("update", { of: files, ...(endingUntil && { skipLocked: true }) })`,
  ),
  race(
    "a delete does not raise the revision",
    ["cancel the late one", "put and complete", "delete"],
    ending,
    `nextCheckAt: addMs(at, CALLER_REMOVES_FOR_MS),\n      revision: sql\`\${files.revision} + 1\`,`,
    "nextCheckAt: addMs(at, CALLER_REMOVES_FOR_MS),",
  ),
  race(
    "a move to the trash does not raise the revision",
    ["delete", "hold", "move"],
    ending,
    `replacedAt: replacedBy === undefined ? null : at,\n      revision: sql\`\${files.revision} + 1\`,`,
    "replacedAt: replacedBy === undefined ? null : at,",
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
    ["hold", "delete", "expire"],
    ending,
    "files: locked.filter(({ held }) => !held),",
    "files: locked,",
  ),
  race(
    "a restore, a hold or an update reads the file without a lock",
    ["restore", "hold", "delete", "move"],
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
    ["hold", "complete the replacement", "hold the replaced file", "delete"],
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
    "the deletion of a tenant does not look for files again",
    ["admit", "erase", "complete"],
    erasure,
    "if (left > 0) return Math.max(left, row.fileCount);",
  ),
  race(
    "two uploads may replace one file",
    ["admit a replacement", "delete", "hold"],
    "files/upload/admit-replacement.ts",
    `    .orderBy(asc(files.id))\n    .for("update");`,
    "    .orderBy(asc(files.id));",
  ),
  race(
    "a cancel deletes what has arrived",
    ["complete", "put and complete", "cancel the late one", "cancel"],
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
    ["verdict", "publish"],
    "scans/record-verdict.ts",
    "for no key update`",
    "`",
  ),
  race(
    "an update does not raise the revision",
    ["move", "delete", "publish"],
    "files/organise/write-updates.ts",
    `.set({ ...columns, revision: sql\`\${files.revision} + 1\` })`,
    ".set(columns)",
  ),
  race(
    "a copy is recorded as public whatever the file has become",
    ["publish", "verdict", "delete"],
    moves,
    " and ${PLACE} = $5::file_visibility\nreturning id`",
    "\nreturning id`",
  ),
  race(
    "a copy begins whatever the file has become",
    ["publish", "verdict", "delete"],
    moves,
    "where ${IS_FILE} and ${PLACE} = 'public' returning id`",
    "where ${IS_FILE} returning id`",
  ),
  race(
    "a process goes on with a move that is not its own",
    ["publish", "verdict", "delete", "expire"],
    moves,
    "return isMine ? change(db, tx) : otherwise;",
    "return change(db, tx);",
  ),
  race(
    "a copy of a file that was deleted meanwhile stays",
    ["publish", "delete", "purge"],
    "visibility/move-file.ts",
    "if (!current) await emptyPath(deps, file.projectId, file.path);\n",
    "if (!current) return;\n",
  ),
];
