import {
  deleteFolderRequest,
  type FollowedEvent,
  followEventsQuery,
  listFoldersQuery,
  moveFolderRequest,
  parse,
  StowageError,
  updateRequest,
} from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { setHold } from "#files/lifecycle/set-hold.js";
import { listFolders } from "#files/list/list-folders.js";
import { deleteOldJobs, type JobRecord, readJob } from "#files/organise/folder-jobs.js";
import { runFolderJobs } from "#files/organise/run-folder-jobs.js";
import { changeFolderAudited, deleteFolder, moveFolder } from "#files/organise/start-folder-job.js";
import { updateFile } from "#files/organise/update-file.js";
import { readEvents } from "#follow/read-events.js";
import { DAY_MS, MINUTE_MS } from "#lib/time.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { recountFolders } from "#reconcile/recount-folders.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

type Project = Awaited<ReturnType<World["project"]>>;
type Upload = Awaited<ReturnType<World["upload"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

async function aFile(project: Project, body: object = {}, bytes = "12345"): Promise<Upload> {
  const upload = await world.upload(project, body);
  expect(await put(upload, bytes)).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

const startMove = async (project: Project, from: string, to: string, tenant_id = "t") =>
  (await moveFolder(world.deps, project, parse(moveFolderRequest, { tenant_id, from, to }))).jobId;
const startDelete = async (project: Project, folder: string, tenant_id = "t") =>
  (await deleteFolder(world.deps, project, parse(deleteFolderRequest, { tenant_id, folder }))).jobId;
const jobOf = (project: Project, jobId: string, tenantId?: string) =>
  readJob(world.deps, project, { jobId, tenantId });

/** Small steps, so that a few files take several. */
const oneStep = { filesPerStep: 2, stepsPerClaim: 1 };
const run = (sizes = oneStep) => runFolderJobs(world.deps, { afterProject: 0 }, sizes);
async function runAll(sizes = oneStep): Promise<void> {
  while (await run(sizes)) continue;
}
const brief = ({ state, total, done, kept }: JobRecord) => `${state}: ${done} of ${total}, kept ${kept}`;
const outcomeOf = async (project: Project, jobId: string) => brief(await jobOf(project, jobId));

const update = (project: Project, filePath: string, folder: string) =>
  updateFile(
    { ...world.deps, settling: world.deps },
    project,
    parse(updateRequest, { file_path: filePath, folder }),
  );
const remove = (project: Project, path: string, purge = false) =>
  deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true, purge });
const hold = (project: Project, path: string, isHeld = true) =>
  setHold(world.deps, project, { paths: [path], tenantId: undefined }, { hold: isHeld, actor: "customer" });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );

/** Each file that is not being deleted, as `folder/filename status`. */
async function filesOf(project: Project): Promise<string[]> {
  const rows = await world.rows<{ text: string }>(
    `select folder || '/' || filename || ' ' || status as text from files
     where project_id = $1 and status <> 'deleting'`,
    [project.id],
  );
  return rows.map(({ text }) => text).toSorted();
}

/** How often the history of each file has this event. */
async function historyOf(project: Project, kind: string): Promise<Record<string, number>> {
  const rows = await world.rows<{ filename: string; n: number }>(
    `select filename, count(*)::int as n from file_events where project_id = $1 and kind::text = $2 group by filename`,
    [project.id, kind],
  );
  return Object.fromEntries(rows.map(({ filename, n }) => [filename, n]));
}

/** All events of the log after a cursor. The first call starts the log. */
async function eventsOf(project: Project, after?: string) {
  const events: FollowedEvent[] = [];
  for (let cursor = after; ;) {
    const query = parse(followEventsQuery, { limit: 1000, ...(cursor !== undefined && { after: cursor }) });
    const page = await readEvents(world.deps, project, query);
    events.push(...page.events);
    cursor = page.nextCursor;
    if (page.events.length === 0) return { events, nextCursor: cursor };
  }
}

async function driftsOf(project: Project): Promise<unknown[]> {
  const drifts: unknown[] = [];
  for await (const drift of recountFolders(world.deps, [project])) drifts.push(drift);
  return drifts;
}

async function foldersOf(project: Project, parent = ""): Promise<string[]> {
  const query = parse(listFoldersQuery, { tenant_id: "t", parent, limit: 100 });
  const { folders } = await listFolders(world.deps, project, query);
  const below = await Promise.all(
    folders.map(async ({ folder, fileCount, usedBytes }) => [
      `${folder}: ${fileCount}, ${usedBytes}`,
      ...(await foldersOf(project, folder)),
    ]),
  );
  return below.flat();
}

describe("a move of a folder", () => {
  test("moves each file in it and below it once, in each state, and leaves those that come later", async () => {
    const project = await world.project({ trashDays: 7 });
    for (const folder of ["a", "a/b", "a/b/c", "a", "a-b", "a0", "A", ""])
      await aFile(project, { folder, filename: `in ${folder}` });
    const held = await aFile(project, { folder: "a", filename: "held" });
    await hold(project, held.filePath);
    const trashed = await aFile(project, { folder: "a/b", filename: "trashed" });
    await remove(project, trashed.filePath);
    const pending = await world.upload(project, { folder: "a", filename: "pending" });
    const { nextCursor } = await eventsOf(project);
    const jobId = await startMove(project, "a", "x/y");
    expect(await outcomeOf(project, jobId)).toBe("running: 0 of 7, kept 0");
    await aFile(project, { folder: "a", filename: "later" });
    await run();
    expect(await outcomeOf(project, jobId)).toBe("running: 2 of 7, kept 0");
    await runAll();
    expect(await jobOf(project, jobId)).toEqual({
      jobId,
      kind: "move_folder",
      tenantId: "t",
      state: "done",
      total: 7,
      done: 7,
      kept: 0,
      createdAt: expect.any(String),
      endedAt: expect.any(String),
    });
    expect(await filesOf(project)).toEqual(
      [
        "x/y/in a stored",
        "x/y/in a stored",
        "x/y/b/in a/b stored",
        "x/y/b/c/in a/b/c stored",
        "x/y/held stored",
        "x/y/b/trashed trashed",
        "x/y/pending pending",
        "a-b/in a-b stored",
        "a0/in a0 stored",
        "A/in A stored",
        "/in  stored",
        "a/later stored",
      ].toSorted(),
    );
    const moved = { "in a": 2, "in a/b": 1, "in a/b/c": 1, held: 1, trashed: 1, pending: 1 };
    expect(await historyOf(project, "updated")).toEqual(moved);
    const { trashed: _, ...shown } = moved;
    const { events } = await eventsOf(project, nextCursor);
    const updated = events.filter(({ type }) => type === "file.updated");
    expect(countBy(updated.map(({ data }) => String(data["filename"])))).toEqual(shown);
    expect(updated.every(({ data }) => String(data["folder"]).startsWith("x/y"))).toBe(true);
    expect(await foldersOf(project)).toContain("x: 6, 30");
    expect(await driftsOf(project)).toEqual([]);
    // It is restored to where its folder is now. The upload that was pending arrives there too.
    const one = { paths: [trashed.filePath], tenantId: undefined, mustExist: true };
    await restoreFiles(world.deps, project, one);
    expect(await put(pending, "12345")).toBe(200);
    await world.complete(project, pending.filePath);
    expect(await foldersOf(project)).toContain("x: 7, 35");
  });

  test("to the root, to a folder above, and into a folder that has files", async () => {
    const project = await world.project();
    await aFile(project, { folder: "a/b", filename: "1" });
    await aFile(project, { folder: "a/b/c", filename: "2" });
    await aFile(project, { folder: "a", filename: "3" });
    await startMove(project, "a/b", "a");
    await runAll();
    expect(await filesOf(project)).toEqual(["a/1 stored", "a/3 stored", "a/c/2 stored"]);
    await startMove(project, "a", "");
    await runAll();
    expect(await filesOf(project)).toEqual(["/1 stored", "/3 stored", "c/2 stored"]);
    expect(await foldersOf(project)).toEqual(["c: 1, 5"]);
    expect(await driftsOf(project)).toEqual([]);
  });

  test("with the longest names, and characters that take two units in JavaScript", async () => {
    const project = await world.project();
    const long = (char: string, depth: number) =>
      Array.from({ length: depth }, () => char.repeat(255)).join("/");
    const from = long("\u{1F4C1}", 2);
    await aFile(project, { folder: from, filename: "1" });
    await aFile(project, { folder: `${from}/${long("b", 14)}`, filename: "2" });
    // As many segments as before.
    await startMove(project, from, long("\u{1F4C2}", 2));
    await runAll();
    expect(await filesOf(project)).toEqual(
      [`${long("\u{1F4C2}", 2)}/1 stored`, `${long("\u{1F4C2}", 2)}/${long("b", 14)}/2 stored`].toSorted(),
    );
    expect(await driftsOf(project)).toEqual([]);
  });

  test("is refused if a folder would be too deep. A file that comes to such a folder later is kept", async () => {
    const project = await world.project();
    const deep = (depth: number) => Array.from({ length: depth }, (_, n) => n).join("/");
    const { filePath } = await aFile(project, { folder: `a/${deep(14)}`, filename: "deep" });
    await aFile(project, { folder: "a", filename: "flat" });
    expect(await codeOf(startMove(project, "a", "x/y/z"))).toBe("invalid_request");
    const jobId = await startMove(project, "a", "x/y");
    await update(project, filePath, `a/${deep(15)}`);
    await runAll();
    expect(await outcomeOf(project, jobId)).toBe("done: 1 of 2, kept 1");
    expect(await filesOf(project)).toEqual([`a/${deep(15)}/deep stored`, "x/y/flat stored"].toSorted());
  });

  test.each([
    [{ from: "", to: "b" }, "from must name a folder: the root cannot be moved"],
    [{ from: "a", to: "a" }, "to must be another folder than from, and not be below it"],
    [{ from: "a", to: "a/b" }, "to must be another folder than from, and not be below it"],
    [{ from: "e\u0301", to: "\u00e9/b" }, "to must be another folder than from, and not be below it"],
    [{ from: "a/..", to: "b" }, 'a segment of from must not be empty, "." or ".."'],
    [{ from: "a", to: "/" }, 'a segment of to must not be empty, "." or ".."'],
    [{ from: "a" }, "to must be a string"],
  ])("%j is refused", (body, detail) => {
    expect(() => parse(moveFolderRequest, { tenant_id: "t", ...body })).toThrow(detail);
  });
});

describe("a delete of a folder", () => {
  test("moves files to the trash of the project, and keeps those on hold, in other folders and of later", async () => {
    const project = await world.project({ trashDays: 7 });
    for (const folder of ["a", "a/b", "a-b"]) await aFile(project, { folder, filename: `in ${folder}` });
    const held = await aFile(project, { folder: "a", filename: "held" });
    await hold(project, held.filePath);
    const trashed = await aFile(project, { folder: "a", filename: "trashed" });
    await remove(project, trashed.filePath);
    await world.upload(project, { folder: "a", filename: "pending", size: 9 });
    // Storage has its bytes, and the service does not know it yet: it goes to the trash too.
    expect(await put(await world.upload(project, { folder: "a", filename: "arrived" }), "12345")).toBe(200);
    const jobId = await startDelete(project, "a");
    await aFile(project, { folder: "a", filename: "later" });
    await runAll();
    expect(await outcomeOf(project, jobId)).toBe("done: 4 of 5, kept 1");
    expect((await jobOf(project, jobId)).kind).toBe("delete_folder");
    expect(await filesOf(project)).toEqual(
      [
        "a/in a trashed",
        "a/b/in a/b trashed",
        "a-b/in a-b stored",
        "a/held stored",
        "a/trashed trashed",
        "a/arrived trashed",
        "a/later stored",
      ].toSorted(),
    );
    expect(await historyOf(project, "trashed")).toEqual({ "in a": 1, "in a/b": 1, trashed: 1, arrived: 1 });
    expect(await world.tenant(project)).toEqual({ used: 35, reserved: 0, files: 7 });
    expect(await driftsOf(project)).toEqual([]);
  });

  test("without a trash removes the objects", async () => {
    const project = await world.project({ trashDays: 0 });
    const files = [await aFile(project, { folder: "a/b" }), await aFile(project, { folder: "a" })];
    await startDelete(project, "a");
    await runAll();
    expect(await filesOf(project)).toEqual([]);
    for (const { filePath } of files) expect(await world.deps.store.head(filePath)).toBeNull();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await foldersOf(project)).toEqual([]);
  });

  test("of the root is refused", () => {
    expect(() => parse(deleteFolderRequest, { tenant_id: "t", folder: "" })).toThrow(
      "folder must name a folder: the root cannot be deleted",
    );
  });
});

describe("jobs", () => {
  test("of one tenant that touch the same files are refused, and the same one is answered again", async () => {
    const project = await world.project();
    await aFile(project, { folder: "a/b" });
    const first = await startMove(project, "a/b", "c");
    expect(await startMove(project, "a/b", "c")).toBe(first);
    const busy = [
      startMove(project, "a", "d"),
      startMove(project, "a/b/x", "d"),
      startMove(project, "a/b", "d"),
      startMove(project, "c", "d"),
      startMove(project, "c/x", "d"),
      startMove(project, "d", "a"),
      startMove(project, "d", ""),
      startDelete(project, "a/b"),
      startDelete(project, "c"),
    ];
    expect(new Set(await Promise.all(busy.map(codeOf)))).toEqual(new Set(["folder_busy"]));
    await aFile(project, { folder: "a/b", tenant_id: "other" });
    for (const job of [
      startMove(project, "a/c", "c"),
      startMove(project, "a-b", "c/x"),
      startDelete(project, "a0"),
      startDelete(project, "a/b", "other"),
    ])
      expect(await codeOf(job)).toBe("done");
    await runAll();
    expect(await startMove(project, "a/b", "c")).not.toBe(first);
    await runAll();
  });

  test("that are requested at the same moment are one job", async () => {
    const project = await world.project();
    await aFile(project, { folder: "a" });
    const ids = await Promise.all(Array.from({ length: 8 }, () => startMove(project, "a", "b")));
    expect(new Set(ids).size).toBe(1);
    const others = ["c", "d", "e"].map((to) => codeOf(startMove(project, "a", to)));
    expect(await Promise.all(others)).toEqual(["folder_busy", "folder_busy", "folder_busy"]);
    await runAll();
  });

  test("of a tenant are at most 100, and need a tenant that is not being deleted", async () => {
    const project = await world.project();
    expect(await codeOf(startMove(project, "a", "b"))).toBe("tenant_not_found");
    await aFile(project, { folder: "a" });
    for (let n = 0; n < 100; n++) await startDelete(project, `none ${n}`);
    expect(await codeOf(startDelete(project, "a"))).toBe("too_many_requests");
    await runAll();
    expect(await codeOf(startDelete(project, "a"))).toBe("done");
    await world.rows("update tenants set next_purge_at = now() where project_id = $1", [project.id]);
    expect(await codeOf(startDelete(project, "b"))).toBe("tenant_being_deleted");
    await world.rows("update tenants set next_purge_at = null where project_id = $1", [project.id]);
    await runAll();
  });

  test("are found by their project and tenant, for seven days, and go with their tenant", async () => {
    const [project, other] = [await world.project(), await world.project()];
    await aFile(project, { folder: "a" });
    await aFile(project, { folder: "a", tenant_id: "other" });
    const jobId = await startMove(project, "a", "b");
    expect(await codeOf(jobOf(other, jobId))).toBe("job_not_found");
    expect(await codeOf(jobOf(project, jobId, "other"))).toBe("job_not_found");
    expect(await codeOf(jobOf(project, jobId, "t"))).toBe("done");
    await runAll();
    const running = await startMove(project, "c", "d");
    world.advance(6 * DAY_MS);
    expect(await deleteOldJobs(world.deps)).toBe(false);
    expect(await codeOf(jobOf(project, jobId))).toBe("done");
    world.advance(2 * DAY_MS);
    await deleteOldJobs(world.deps);
    expect(await codeOf(jobOf(project, jobId))).toBe("job_not_found");
    expect(await codeOf(jobOf(project, running))).toBe("done");
    const ofOther = await startMove(project, "a", "b", "other");
    await deleteTenant(world.deps, project, "t", commandLineActor);
    expect(await codeOf(jobOf(project, running))).toBe("job_not_found");
    expect(await outcomeOf(project, ofOther)).toBe("running: 0 of 1, kept 0");
    await runAll();
  });

  test("of a process that stopped go on after its lease, and its late step changes nothing", async () => {
    const project = await world.project();
    for (let n = 0; n < 4; n++) await aFile(project, { folder: "a", filename: `${n}` });
    const jobId = await startMove(project, "a", "b");
    let resume: () => void = () => undefined;
    let lateRun: Promise<boolean> | undefined;
    await new Promise<void>((stopped) => {
      const { db } = world.deps;
      // The process stops after it has read which files are next.
      const late: typeof db = {
        ...db,
        run: async (work) => {
          const result = await db.run(work);
          stopped();
          await new Promise<void>((go) => (resume = go));
          return result;
        },
      };
      const sizes = { filesPerStep: 4, stepsPerClaim: 1 };
      lateRun = runFolderJobs({ ...world.deps, db: late }, { afterProject: 0 }, sizes);
    });
    expect(await run()).toBe(false);
    world.advance(MINUTE_MS);
    expect(await run()).toBe(true);
    resume();
    expect(await lateRun).toBe(true);
    expect(await outcomeOf(project, jobId)).toBe("running: 2 of 4, kept 0");
    await runAll();
    expect(await outcomeOf(project, jobId)).toBe("done: 4 of 4, kept 0");
    expect(await historyOf(project, "updated")).toEqual({ 0: 1, 1: 1, 2: 1, 3: 1 });
  });

  test("of an operator have one audit entry, and the files' histories name the operator", async () => {
    const project = await world.project();
    await aFile(project, { folder: "a", filename: "1" });
    const actor = { ...commandLineActor, project };
    const change = { tenantId: "t", from: "a", to: "b" };
    const { jobId } = await changeFolderAudited(world.deps, actor, change);
    expect(await changeFolderAudited(world.deps, actor, change)).toEqual({ jobId });
    await runAll();
    const entries = await world.rows("select action, details from audit_log where project_id = $1", [
      project.id,
    ]);
    expect(entries).toEqual([
      { action: "folder.moved", details: { tenantId: "t", folder: "a", to: "b", jobId } },
    ]);
    expect(
      await world.rows("select actor from file_events where project_id = $1 and kind = 'updated'", [
        project.id,
      ]),
    ).toEqual([{ actor: "command line" }]);
  });
});

function countBy(texts: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** What the model knows of a file. Its place in the list is the order of its id. */
interface ModelFile {
  upload: Upload;
  folder: string;
  state: "stored" | "trashed" | "gone";
  isHeld: boolean;
  /** How often the file was moved and deleted, by whomever. */
  moves: number;
  deletes: number;
}

interface ModelJob {
  jobId: string;
  from: string;
  to: string | null;
  /** Files before `next` are done; those from `end` on are later. */
  next: number;
  end: number;
  total: number;
  done: number;
  kept: number;
  isDone: boolean;
}

const aFolder = fc.constantFrom("a", "a/b", "a/b/c", "a-b", "b", "b/a");
const aNumber = fc.nat(30);
const step = <Name extends string>(name: Name) => fc.constant(name);
const aStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: step("upload"), folder: aFolder }) },
  { weight: 2, arbitrary: fc.record({ do: step("update"), file: aNumber, folder: aFolder }) },
  { weight: 1, arbitrary: fc.record({ do: step("delete"), file: aNumber }) },
  { weight: 1, arbitrary: fc.record({ do: step("hold"), file: aNumber }) },
  { weight: 1, arbitrary: fc.record({ do: step("restore"), file: aNumber }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: step("move folder"), from: aFolder, to: fc.oneof(aFolder, fc.constant("")) }),
  },
  { weight: 2, arbitrary: fc.record({ do: step("delete folder"), from: aFolder }) },
  { weight: 6, arbitrary: fc.record({ do: step("run") }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

const isIn = (folder: string, above: string) => `${folder}/`.startsWith(`${above}/`);
const isWanted = ({ from, to }: Pick<ModelJob, "from" | "to">, { folder, state }: ModelFile) =>
  isIn(folder, from) && (state === "stored" || (to !== null && state === "trashed"));

/** Does what the next two files of a job need, and says how far the job is then. */
function runModel(job: ModelJob, files: ModelFile[]): void {
  const rest = [...files.entries()].filter(
    ([index, file]) => index >= job.next && index < job.end && isWanted(job, file),
  );
  const batch = rest.slice(0, oneStep.filesPerStep);
  for (const [index, file] of batch) {
    job.next = index + 1;
    if (job.to === null && file.isHeld) {
      job.kept++;
      continue;
    }
    job.done++;
    if (job.to === null) {
      file.state = "trashed";
      file.deletes++;
    } else {
      file.folder = [job.to, file.folder.slice(job.from.length + 1)].filter((part) => part !== "").join("/");
      file.moves++;
    }
  }
  job.total = Math.max(job.total, job.done + job.kept);
  job.isDone = batch.length < oneStep.filesPerStep;
}

interface Model {
  project: Project;
  files: ModelFile[];
  jobs: ModelJob[];
}

async function take(given: Step, { project, files, jobs }: Model): Promise<void> {
  switch (given.do) {
    case "upload": {
      const upload = await aFile(project, { folder: given.folder, filename: `${files.length}` });
      files.push({ upload, folder: given.folder, state: "stored", isHeld: false, moves: 0, deletes: 0 });
      return;
    }
    case "run":
      return runOne({ project, files, jobs });
    case "move folder":
    case "delete folder": {
      const { from } = given;
      const to = given.do === "move folder" ? given.to : null;
      if (to !== null && isIn(to, from)) return;
      const isFree = jobs.every(({ isDone }) => isDone) && files.length > 0;
      if (!isFree) return;
      const jobId = await (to === null ? startDelete(project, from) : startMove(project, from, to));
      const total = files.filter((file) => isWanted({ from, to }, file)).length;
      jobs.push({ jobId, from, to, next: 0, end: files.length, total, done: 0, kept: 0, isDone: false });
      return;
    }
  }
  const file = files[given.file % Math.max(1, files.length)];
  if (!file) return;
  const path = file.upload.filePath;
  if (given.do === "update" && file.state === "stored") {
    await update(project, path, given.folder);
    if (file.folder !== given.folder) file.moves++;
    file.folder = given.folder;
  } else if (given.do === "delete" && file.state === "stored" && !file.isHeld) {
    await remove(project, path);
    file.state = "trashed";
    file.deletes++;
  } else if (given.do === "hold") {
    file.isHeld = !file.isHeld;
    await hold(project, path, file.isHeld);
  } else if (given.do === "restore" && file.state === "trashed") {
    await restoreFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true });
    file.state = "stored";
  }
}

/** At most one job runs. */
async function runOne({ files, jobs }: Model): Promise<void> {
  const job = jobs.at(-1);
  const isRunning = job !== undefined && !job.isDone;
  expect(await run()).toBe(isRunning);
  if (isRunning) runModel(job, files);
}

async function expectModel({ project, files, jobs }: Model): Promise<void> {
  expect(await filesOf(project)).toEqual(
    files.map(({ folder, upload, state }) => `${folder}/${nameOf(upload, files)} ${state}`).toSorted(),
  );
  for (const { jobId, isDone, done, total, kept } of jobs)
    expect(await outcomeOf(project, jobId)).toBe(
      `${isDone ? "done" : "running"}: ${done} of ${total}, kept ${kept}`,
    );
  expect(await driftsOf(project)).toEqual([]);
}

const nameOf = (upload: Upload, files: ModelFile[]) => files.findIndex((file) => file.upload === upload);

test("random histories of jobs between uploads, updates, deletes, holds and restores are those of a model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const model: Model = { project: await world.project({ trashDays: 7 }), files: [], jobs: [] };
      for (const given of steps) {
        await take(given, model);
        await expectModel(model);
      }
      const { project, files, jobs } = model;
      while (jobs.some(({ isDone }) => !isDone)) await runOne(model);
      await expectModel(model);
      const counted = (of: (file: ModelFile) => number) =>
        Object.fromEntries(files.map((file, n) => [`${n}`, of(file)] as const).filter(([, n]) => n > 0));
      expect(await historyOf(project, "updated")).toEqual(counted(({ moves }) => moves));
      expect(await historyOf(project, "trashed")).toEqual(counted(({ deletes }) => deletes));
    }),
    histories(12),
  );
});

test("jobs of several processes, at the same time as uploads, updates and deletes, leave exact counters and change each file once", async () => {
  const project = await world.project({ trashDays: 7 });
  const names = Array.from({ length: 24 }, (_, n) => `${n}`);
  const files = await Promise.all(
    names.map((filename, n) => aFile(project, { folder: n % 3 === 0 ? "a" : "a/b", filename })),
  );
  await Promise.all(names.slice(0, 6).map((name) => aFile(project, { folder: "d", filename: `d${name}` })));
  const { nextCursor } = await eventsOf(project);
  const [moving, deleting] = [await startMove(project, "a", "c"), await startDelete(project, "d")];
  // Every fourth file leaves the folder, and every fourth one is deleted.
  await Promise.all([
    ...Array.from({ length: 3 }, () => runAll()),
    ...files.map(async ({ filePath }, n) => {
      if (n % 4 === 0) await update(project, filePath, "elsewhere");
      if (n % 4 === 1) await remove(project, filePath);
    }),
    ...names.slice(0, 6).map((name) => aFile(project, { folder: "a/b", filename: `later ${name}` })),
  ]);
  await runAll();
  const found = await filesOf(project);
  names.forEach((name, n) => {
    const place = n % 4 === 0 ? "elsewhere" : n % 3 === 0 ? "c" : "c/b";
    expect(found).toContain(`${place}/${name} ${n % 4 === 1 ? "trashed" : "stored"}`);
  });
  for (const name of names.slice(0, 6)) expect(found).toContain(`a/b/later ${name} stored`);
  const untouched = names.filter((_, n) => n % 4 > 1);
  const history = await historyOf(project, "updated");
  expect(untouched.map((name) => history[name])).toEqual(untouched.map(() => 1));
  const { events } = await eventsOf(project, nextCursor);
  const told = countBy(
    events.filter(({ type }) => type === "file.updated").map(({ data }) => String(data["filename"])),
  );
  expect(untouched.map((name) => told[name])).toEqual(untouched.map(() => 1));
  expect(await outcomeOf(project, deleting)).toBe("done: 6 of 6, kept 0");
  const { state, done, total } = await jobOf(project, moving);
  expect(state).toBe("done");
  expect(total).toBe(24);
  expect(done).toBeGreaterThanOrEqual(untouched.length);
  expect(done).toBeLessThanOrEqual(24);
  expect(await driftsOf(project)).toEqual([]);
});
