import { listFilesQuery, listFoldersQuery, parse, StowageError, updateRequest } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { listFiles } from "#files/list/list-files.js";
import { listFolders } from "#files/list/list-folders.js";
import { updateFile } from "#files/organise/update-file.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { DAY_MS, SECOND_MS } from "#lib/time.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { recountFolders, repairFolders } from "#reconcile/recount-folders.js";
import { setLimits } from "#tenants/set-limits.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

type Project = Awaited<ReturnType<World["project"]>>;
type Upload = Awaited<ReturnType<World["upload"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const settling = () => ({ ...world.deps, settling: world.deps });
const move = (project: Project, filePath: string, folder: string) =>
  updateFile(settling(), project, parse(updateRequest, { file_path: filePath, folder }));
const remove = (project: Project, path: string, purge = false) =>
  deleteFiles(world.deps, project, { paths: [path], tenantId: undefined, mustExist: true, purge });
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );

async function aFile(project: Project, body: object = {}, bytes = "12345"): Promise<Upload> {
  const upload = await world.upload(project, body);
  expect(await put(upload, bytes)).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

/** `folder: files, bytes` of every folder that the lists have, from the root down, by pages of two. */
async function foldersOf(project: Project, parent = ""): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = parse(listFoldersQuery, { tenant_id: "t", parent, limit: 2, cursor: cursor ?? undefined });
    const page = await listFolders(world.deps, project, query);
    for (const { folder, fileCount, usedBytes } of page.folders) {
      found.push(`${folder}: ${fileCount}, ${usedBytes}`, ...(await foldersOf(project, folder)));
    }
    cursor = page.nextCursor;
  }
  return found;
}

async function driftsOf(project: Project): Promise<unknown[]> {
  const drifts: unknown[] = [];
  for await (const drift of recountFolders(world.deps, [project])) drifts.push(drift);
  return drifts;
}

async function namesIn(project: Project, query: object): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const given = parse(listFilesQuery, { limit: 2, ...query, cursor: cursor ?? undefined });
    const page = await listFiles(world.deps, project, given);
    names.push(...page.files.map(({ filename }) => filename));
    cursor = page.nextCursor;
  }
  return names.toSorted();
}

describe("folders", () => {
  test("are listed with all that counts in them and below, and only while something does", async () => {
    const project = await world.project({ trashDays: 0 });
    expect(await foldersOf(project)).toEqual([]);
    const pending = await world.upload(project, { folder: "a/b" });
    expect(await foldersOf(project)).toEqual([]);
    expect(await put(pending, "12")).toBe(200);
    await world.complete(project, pending.filePath);
    await aFile(project, { folder: "a/b/c" });
    const { filePath } = await aFile(project, { folder: "a-b" });
    await aFile(project);
    // In the order of bytes: "-" is before "/".
    expect(await foldersOf(project)).toEqual(["a: 2, 7", "a/b: 2, 7", "a/b/c: 1, 5", "a-b: 1, 5"]);
    await move(project, filePath, "a");
    await remove(project, pending.filePath);
    expect(await foldersOf(project)).toEqual(["a: 2, 10", "a/b: 1, 5", "a/b/c: 1, 5"]);
  });

  test("of tenants with the same names are apart, and end with their tenant", async () => {
    const project = await world.project({ trashDays: 0 });
    await aFile(project, { folder: "a" });
    await aFile(project, { folder: "a", tenant_id: "other" });
    await deleteTenant(world.deps, project, "other", commandLineActor);
    expect(await foldersOf(project)).toEqual(["a: 1, 5"]);
    const rows = `select count(*)::int as n from folders where project_id = $1`;
    expect(await world.rows(rows, [project.id])).toEqual([{ n: 1 }]);
  });

  test("may have the longest names that the API takes, and names that begin alike", async () => {
    const project = await world.project({ trashDays: 0 });
    // Not compressible: each character takes four bytes.
    const segment = (from: number) =>
      String.fromCodePoint(
        ...Array.from({ length: 255 }, (_, n) => 0x20000 + ((from * 1009 + n * 7919) % 40_000)),
      );
    const long = Array.from({ length: 16 }, (_, n) => segment(n)).join("/");
    const other = `${long.slice(0, -2)}x`;
    await aFile(project, { folder: long, filename: "one" });
    await aFile(project, { folder: other, filename: "two" });
    const found = await foldersOf(project);
    expect(found).toHaveLength(17);
    expect(found).toContain(`${long}: 1, 5`);
    for (const tenant_id of ["t", undefined]) {
      expect(await namesIn(project, { tenant_id, folder: long })).toEqual(["one"]);
      expect(await namesIn(project, { tenant_id, folder_below: long.split("/")[0] })).toEqual(["one", "two"]);
    }
    expect(await driftsOf(project)).toEqual([]);
  });

  test("count what the quota takes away from a file that is replaced", async () => {
    const project = await world.project({ trashDays: 0 });
    await setLimits(world.deps, project, { tenantId: "t", quotaBytes: 8 });
    const upload = await aFile(project, { folder: "a/b", size: undefined });
    await aFile(project, { folder: "a" }, "123");
    expect(await put(upload, "123456789")).toBe(200);
    expect(await settleUpload(world.deps, project.id, upload.filePath)).toBe("removing");
    expect(await foldersOf(project)).toEqual(["a: 1, 3"]);
  });

  test("that are counted wrong are found and counted again", async () => {
    const project = await world.project({ trashDays: 0 });
    await aFile(project, { folder: "a/b" });
    expect(await driftsOf(project)).toEqual([]);
    for (const damage of [
      "delete from folders where project_id = $1 and name = 'b'",
      "update folders set used_bytes = used_bytes + 1 where project_id = $1",
      `insert into folders (project_id, tenant, parent, name, file_count, used_bytes)
       select project_id, tenant, sha256('x'), 'ghost', 1, 1 from folders where project_id = $1 and name = 'b'`,
    ]) {
      await world.rows(damage, [project.id]);
      const [drift] = await driftsOf(project);
      expect(drift).toMatchObject({
        kind: "folders",
        tenantId: "t",
        actual: { folders: 2, files: 2, bytes: 10 },
      });
      await repairFolders(world.deps, project.id, "t");
      expect(await driftsOf(project)).toEqual([]);
      expect(await foldersOf(project)).toEqual(["a: 1, 5", "a/b: 1, 5"]);
    }
  });
});

test("the filters folder and folder_below find the files of a folder, and not those of one that begins alike", async () => {
  const project = await world.project();
  for (const folder of ["", "a", "a", "a", "a/b", "a/b/c", "a-b", "a0", "A"]) {
    await aFile(project, { folder, filename: `in ${folder}` });
  }
  await world.upload(project, { folder: "a", filename: "pending" });
  for (const tenant_id of ["t", undefined]) {
    const names = (query: object) => namesIn(project, { tenant_id, ...query });
    expect(await names({ folder: "a" })).toEqual(["in a", "in a", "in a", "pending"]);
    expect(await names({ folder: "a", status: "stored" })).toEqual(["in a", "in a", "in a"]);
    expect(await names({ folder: "" })).toEqual(["in "]);
    expect(await names({ folder: "a/b" })).toEqual(["in a/b"]);
    expect(await names({ folder: "none" })).toEqual([]);
    expect(await names({ folder_below: "a/b" })).toEqual(["in a/b", "in a/b/c"]);
    expect(await names({ folder_below: "a", status: "stored" })).toHaveLength(5);
    expect(await names({ folder_below: "" })).toHaveLength(10);
    expect(await names({ folder_below: "a", folder: "a/b" })).toEqual(["in a/b"]);
  }
});

test("a page of a folder is as long as asked for, and its cursor belongs to the folder", async () => {
  const project = await world.project();
  for (let n = 0; n < 5; n++) {
    await aFile(project, { folder: "rare", filename: `${n}` });
    await aFile(project);
  }
  const query = parse(listFilesQuery, { tenant_id: "t", folder: "rare", limit: 2 });
  const page = await listFiles(world.deps, project, query);
  expect(page.files.map(({ filename }) => filename)).toEqual(["4", "3"]);
  const cursor = page.nextCursor!;
  const next = await listFiles(world.deps, project, { ...query, cursor });
  expect(next.files.map(({ filename }) => filename)).toEqual(["2", "1"]);
  expect(await outcomeOf(listFiles(world.deps, project, { ...query, folder: "other", cursor }))).toBe(
    "invalid_request",
  );
  const folders = parse(listFoldersQuery, { tenant_id: "t", limit: 1 });
  await aFile(project, { folder: "second" });
  const first = await listFolders(world.deps, project, folders);
  const elsewhere = { ...folders, parent: "rare", cursor: first.nextCursor! };
  expect(await outcomeOf(listFolders(world.deps, project, elsewhere))).toBe("invalid_request");
});

/** What the model knows of a file. */
interface ModelFile {
  upload: Upload;
  folder: string;
  /** Bytes, if it counts. */
  size: number;
  state: "stored" | "trashed" | "lost" | "lost in the trash" | "gone";
  /** When it ends by itself, in ms. */
  endsAt: number | null;
}

const aFolder = fc.constantFrom("", "a", "a/b", "a/b/c", "a-b", "b", "b/a");
const aSize = fc.integer({ min: 0, max: 9 });
const aNumber = fc.nat(20);
const step = <Name extends string>(name: Name) => fc.constant(name);
const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: step("upload"), folder: aFolder, size: aSize, ends: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: step("move"), file: aNumber, folder: aFolder }) },
  { weight: 2, arbitrary: fc.record({ do: step("replace"), file: aNumber, size: aSize }) },
  { weight: 2, arbitrary: fc.record({ do: step("delete"), file: aNumber, purge: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: step("restore"), file: aNumber }) },
  { weight: 1, arbitrary: fc.record({ do: step("lose"), file: aNumber }) },
  { weight: 1, arbitrary: fc.record({ do: step("end") }) },
  { weight: 1, arbitrary: fc.record({ do: step("empty the trash") }) },
  { weight: 2, arbitrary: fc.record({ do: step("all at once"), folder: aFolder, other: aFolder }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

const now = () => world.deps.clock().getTime();
const hasEnded = ({ endsAt }: ModelFile) => endsAt !== null && endsAt <= now();
const counts = ({ state }: ModelFile) => state === "stored" || state === "trashed";
/** As lists show it: a file that storage lost is expired, also one of the trash. */
const isShown = ({ state }: ModelFile) => state !== "trashed" && state !== "gone";
const isInTrash = ({ state }: ModelFile) => state === "trashed" || state === "lost in the trash";

function expectedFolders(files: ModelFile[]): string[] {
  const sums = new Map<string, [files: number, bytes: number]>();
  for (const file of files.filter(counts)) {
    const segments = file.folder === "" ? [] : file.folder.split("/");
    for (let depth = 1; depth <= segments.length; depth++) {
      const folder = segments.slice(0, depth).join("/");
      const [count, bytes] = sums.get(folder) ?? [0, 0];
      sums.set(folder, [count + 1, bytes + file.size]);
    }
  }
  return [...sums].map(([folder, [count, bytes]]) => `${folder}: ${count}, ${bytes}`);
}

/** Does a step with the service and with the model. */
async function take(step: Step, project: Project, files: ModelFile[]): Promise<void> {
  if (step.do === "upload") {
    const { folder, size, ends } = step;
    const upload = await aFile(project, { folder, ...(ends && { expires_after: 60 }) }, "x".repeat(size));
    const endsAt = ends ? now() + 60 * SECOND_MS : null;
    files.push({ upload, folder, size, state: "stored", endsAt });
    return;
  }
  if (step.do === "end" || step.do === "empty the trash") {
    world.advance(step.do === "end" ? 61 * SECOND_MS : 8 * DAY_MS);
    while (await endFiles(world.deps)) continue;
    for (const file of files) {
      if (isInTrash(file) && step.do === "empty the trash") file.state = "gone";
      else if (file.state === "stored" && hasEnded(file)) file.state = "trashed";
    }
    return;
  }
  if (step.do === "all at once") return takeAtOnce(step, project, files);
  const file = files[step.file % Math.max(1, files.length)];
  if (!file) return;
  const path = file.upload.filePath;
  switch (step.do) {
    case "move": {
      const isThere = isShown(file);
      expect(await outcomeOf(move(project, path, step.folder))).toBe(isThere ? "done" : "file_not_found");
      if (isThere) file.folder = step.folder;
      return;
    }
    case "replace":
      if (file.state === "gone") return;
      expect(await put(file.upload, "y".repeat(step.size))).toBe(200);
      expect(await settleUpload(world.deps, project.id, path)).toBe("stored");
      file.size = step.size;
      file.state = isInTrash(file) ? "trashed" : "stored";
      return;
    case "delete": {
      const isThere = isShown(file) || (step.purge && file.state !== "gone");
      expect(await outcomeOf(remove(project, path, step.purge))).toBe(isThere ? "done" : "file_not_found");
      if (isThere) file.state = file.state === "stored" && !step.purge ? "trashed" : "gone";
      return;
    }
    case "restore": {
      const one = { paths: [path], tenantId: undefined, mustExist: true };
      const isThere = file.state === "trashed";
      expect(await outcomeOf(restoreFiles(world.deps, project, one))).toBe(
        isThere ? "done" : "file_not_found",
      );
      if (!isThere) return;
      file.state = "stored";
      // Otherwise it would end again at once.
      if (hasEnded(file)) file.endsAt = null;
      return;
    }
    case "lose":
      if (!counts(file)) return;
      await world.deps.store.remove(path);
      expect(await expireMissing(world.deps, project.id, path)).toBe(true);
      file.state = file.state === "stored" ? "lost" : "lost in the trash";
      return;
  }
}

/** Moves all files twice and deletes every second one, at the same time. */
async function takeAtOnce(
  { folder, other }: { folder: string; other: string },
  project: Project,
  files: ModelFile[],
): Promise<void> {
  await Promise.all(
    files.map(async (file, n) => {
      const path = file.upload.filePath;
      const calls = [move(project, path, folder), move(project, path, other)].map(outcomeOf);
      const deletes = n % 2 === 0 && file.state === "stored" ? [remove(project, path)] : [];
      await Promise.all([...calls, ...deletes]);
      if (deletes.length > 0) file.state = "trashed";
      // Only the service knows which one was last.
      const [row] = await world.rows<{ folder: string }>(`select folder from files where path = $1`, [path]);
      const allowed = isShown(file) ? [folder, other] : [folder, other, file.folder];
      if (row) expect(allowed).toContain(row.folder);
      file.folder = row?.folder ?? file.folder;
    }),
  );
}

test("random histories of uploads, moves, replacements, deletes, restores and ends leave the counters that a model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 25 }), async (steps) => {
      const project = await world.project({ trashDays: 7 });
      const files: ModelFile[] = [];
      for (const step of steps) {
        await take(step, project, files);
        expect((await foldersOf(project)).toSorted()).toEqual(expectedFolders(files).toSorted());
      }
      expect(await driftsOf(project)).toEqual([]);
    }),
    histories(15),
  );
});
