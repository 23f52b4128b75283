import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { deleteExpiredEvents } from "#files/record/file-events.js";
import { readHistory } from "#files/list/read-history.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { deleteFilesAsOperator } from "#files/delete/delete-selection.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const operator = {
  operator: { id: "o", email: "operator@example.com" },
  client: { ipAddress: "192.0.2.1", userAgent: "a test" },
};
type Project = Awaited<ReturnType<World["project"]>>;

async function aFile(project: Project, bytes = "hello", body: object = {}) {
  const upload = await world.upload(project, body);
  await put(upload, bytes);
  await world.complete(project, upload.filePath);
  return { ...upload, fileId: await idOf(upload.filePath) };
}
async function idOf(path: string): Promise<number> {
  const [row] = await world.rows<{ id: number }>("select id from files where path = $1", [path]);
  return row!.id;
}
/** Reads the history of a file, one line of text per event. */
async function historyOf(project: Project, fileId: number): Promise<string[]> {
  const { events } = await readHistory(world.deps, project, { fileId });
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  return events.map(({ kind, sizeBytes, by }) => `${kind} ${sizeBytes} ${by}`);
}
const fileEventsOf = (project: Project) =>
  world.rows("select id from file_events where project_id = $1", [project.id]);
const remove = (project: Project, path: string) =>
  deleteFiles(world.deps, project, { paths: [path], mustExist: true, tenantId: undefined });

describe("the history of a file", () => {
  test("comes from the file's own row while the file was only requested and stored", async () => {
    const project = await world.project();
    const { fileId, filePath } = await aFile(project, "hello", { size: 5, filename: "a b.txt" });
    expect(await historyOf(project, fileId)).toEqual(["asked 5 customer", "stored 5 customer"]);
    expect(await readHistory(world.deps, project, { fileId })).toMatchObject({
      path: filePath,
      filename: "a b.txt",
    });
    await world.complete(project, filePath);
    expect(await fileEventsOf(project)).toEqual([]);
  });

  test("ends with the expiry if no bytes arrived", async () => {
    const project = await world.project();
    const { filePath } = await world.upload(project, {});
    const fileId = await idOf(filePath);
    expect(await historyOf(project, fileId)).toEqual(["asked null customer"]);
    world.advance(2 * HOUR);
    await world.sweep();
    expect(await historyOf(project, fileId)).toEqual(["asked null customer", "expired null customer"]);
    expect(await fileEventsOf(project)).toEqual([]);
  });

  test("contains each replay and the original upload", async () => {
    const project = await world.project();
    const file = await aFile(project);
    for (const bytes of ["other bytes", "!"]) {
      await put(file, bytes);
      await world.complete(project, file.filePath);
      await world.complete(project, file.filePath);
    }
    expect(await historyOf(project, file.fileId)).toEqual([
      "asked null customer",
      "stored 5 customer",
      "replayed 11 customer",
      "replayed 1 customer",
    ]);
  });

  test("remains after the file is deleted by the customer or an operator, in any status", async () => {
    const project = await world.project();
    const [one, other, replayed] = [await aFile(project), await aFile(project, "12"), await aFile(project)];
    const pending = await world.upload(project, { size: 9 });
    const pendingId = await idOf(pending.filePath);
    await put(replayed, "123");
    await world.complete(project, replayed.filePath);
    await remove(project, one.filePath);
    const fileIds = [other.fileId, replayed.fileId, pendingId];
    await deleteFilesAsOperator(world.deps, { ...operator, project }, { fileIds });
    await deleteFilesAsOperator(world.deps, { ...operator, project }, { fileIds });
    expect(await world.file(one.filePath)).toBeUndefined();
    expect(await historyOf(project, one.fileId)).toEqual([
      "asked null customer",
      "stored 5 customer",
      "deleted 5 customer",
    ]);
    expect(await historyOf(project, other.fileId)).toEqual([
      "asked null customer",
      "stored 2 customer",
      "deleted 2 operator@example.com",
    ]);
    expect(await historyOf(project, replayed.fileId)).toEqual([
      "asked null customer",
      "stored 5 customer",
      "replayed 3 customer",
      "deleted 3 operator@example.com",
    ]);
    expect(await historyOf(project, pendingId)).toEqual([
      "asked 9 customer",
      "deleted null operator@example.com",
    ]);
  });

  test("contains the loss of the object in storage, and its return", async () => {
    const project = await world.project();
    const file = await aFile(project);
    await world.deps.store.remove(file.filePath);
    await expireMissing(world.deps, project.id, file.filePath);
    expect(await historyOf(project, file.fileId)).toEqual([
      "asked null customer",
      "stored 5 customer",
      "lost null service",
    ]);
    await put(file, "hello");
    await world.complete(project, file.filePath);
    expect(await historyOf(project, file.fileId)).toEqual([
      "asked null customer",
      "stored 5 customer",
      "lost null service",
      "stored 5 customer",
    ]);
    await remove(project, file.filePath);
    expect(await historyOf(project, file.fileId)).toHaveLength(5);
  });

  test("ends with a delete by the service if the bytes arrive too late for the quota", async () => {
    const project = await world.project({ defaultQuotaBytes: 5 });
    const late = await world.upload(project, { size: 5 });
    const fileId = await idOf(late.filePath);
    world.advance(2 * HOUR);
    await world.sweep();
    await aFile(project, "hello", { size: 5 });
    await put(late, "12345");
    await expect(world.complete(project, late.filePath)).rejects.toThrow("Storage quota exceeded");
    await world.sweep();
    expect(await historyOf(project, fileId)).toEqual([
      "asked 5 customer",
      "expired null customer",
      "deleted null quota",
    ]);
  });

  test("is deleted 90 days after the file, while the history of an existing file remains", async () => {
    const project = await world.project();
    const [deleted, existing] = [await aFile(project), await aFile(project)];
    await put(existing, "replay");
    await world.complete(project, existing.filePath);
    await remove(project, deleted.filePath);
    const deleteExpiredIn = (days: number) =>
      deleteExpiredEvents({
        ...world.deps,
        clock: () => new Date(world.deps.clock().getTime() + days * DAY),
      });
    expect(await deleteExpiredIn(89)).toBe(false);
    expect(await historyOf(project, deleted.fileId)).toHaveLength(3);
    expect(await deleteExpiredIn(91)).toBe(false);
    await expect(historyOf(project, deleted.fileId)).rejects.toThrow("File not found");
    expect(await historyOf(project, existing.fileId)).toHaveLength(3);
  });

  test("can be read only in its own project", async () => {
    const [one, other] = [await world.project(), await world.project()];
    const { fileId, filePath } = await aFile(one);
    await expect(historyOf(other, fileId)).rejects.toThrow("File not found");
    await remove(one, filePath);
    await expect(historyOf(other, fileId)).rejects.toThrow("File not found");
    await expect(historyOf(one, fileId + 1_000_000)).rejects.toThrow("File not found");
  });
});
