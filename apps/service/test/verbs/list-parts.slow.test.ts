import { text } from "node:stream/consumers";
import { filesListInput } from "@stowage/operator-schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discardUploads } from "#files/upload/discard-uploads.js";
import { browseFiles, type ListedFile } from "#files/list/browse-files.js";
import { readFile } from "#files/list/read-file.js";
import { readHistory } from "#files/list/read-history.js";
import { toCsv } from "#http/csv.js";
import { fileColumns } from "#http/export-columns.js";
import { DAY_MS, SECOND_MS } from "#lib/time.js";
import { readNewestUploads } from "#usage/read-newest-uploads.js";
import { readOverview } from "#usage/read-overview.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { anUploadByParts, PART_BYTES, putParts } from "../fixtures/an-upload-by-parts.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

/** Returns the only file of a project. */
async function onlyFile(project: Project): Promise<ListedFile> {
  const { files } = await browseFiles(world.deps, project, filesListInput.parse({}));
  expect(files).toHaveLength(1);
  return files[0]!;
}

/** Returns the columns about parts in the export of a file. */
async function exportParts(file: ListedFile): Promise<string[]> {
  async function* pages() {
    yield [file];
  }
  const csv = await text(toCsv(pages(), fileColumns, { limitMs: 10_000 }));
  const [names, values] = csv.trim().split("\r\n");
  const first = names!.split(",").indexOf("part_size_bytes");
  return values!.split(",").slice(first, first + 5);
}

const historyOf = async (project: Project, fileId: number) =>
  (await readHistory(world.deps, project, { fileId })).events.map(({ kind, by }) => `${kind} by ${by}`);

const sizeBytes = 2 * PART_BYTES + 3;

/** Opens an upload of three parts, sends the first and the last one, and waits until the sweeper has looked. */
async function anOpenUpload() {
  const project = await world.project();
  const upload = await anUploadByParts(world, project, { parts: 3 });
  expect(await putParts(world, project, upload, [1, 3])).toEqual([200, 200]);
  world.advance(20 * SECOND_MS);
  await world.sweep();
  return { project, upload };
}

test("an open upload by parts is listed with the parts that are stored, when it ends, and its reservation", async () => {
  const { project } = await anOpenUpload();
  const file = await onlyFile(project);
  const parts = { sizeBytes: PART_BYTES, count: 3, storedCount: 2, storedBytes: PART_BYTES + 3 };
  expect(file).toMatchObject({ status: "pending", sizeBytes: null, reservedBytes: sizeBytes, parts });
  // The end is a whole second.
  expect(Date.parse(file.urlExpiresAt)).toBeGreaterThan(Date.parse(file.createdAt) + 7 * DAY_MS - 1000);
  expect(await readFile(world.deps, project, { fileId: file.id })).toMatchObject({ parts });
  expect(await readNewestUploads(world.deps, project)).toMatchObject([{ parts }]);
  expect(await readOverview(world.deps, project)).toMatchObject({ usedBytes: 0, reservedBytes: sizeBytes });
  expect(await exportParts(file)).toEqual([
    `${PART_BYTES}`,
    "3",
    "2",
    `${PART_BYTES + 3}`,
    file.urlExpiresAt,
  ]);
  expect(await historyOf(project, file.id)).toEqual(["asked by customer"]);
});

test("an upload by parts that has ended reserves nothing and says in its history that it expired", async () => {
  const { project } = await anOpenUpload();
  world.advance(8 * DAY_MS);
  await world.sweep();
  const file = await onlyFile(project);
  expect(file).toMatchObject({ status: "expired", reservedBytes: 0, isLost: false, parts: { count: 3 } });
  expect(file.parts).toMatchObject({ storedCount: 0, storedBytes: 0 });
  expect(await exportParts(file)).toEqual([`${PART_BYTES}`, "3", "", "", file.urlExpiresAt]);
  expect(await historyOf(project, file.id)).toEqual(["asked by customer", "expired by customer"]);
});

test("a complete upload by parts is a stored file that still says how it was uploaded", async () => {
  const { project, upload } = await anOpenUpload();
  await putParts(world, project, upload, [2]);
  await world.complete(project, upload.filePath);
  const file = await onlyFile(project);
  expect(file).toMatchObject({ status: "stored", sizeBytes, reservedBytes: 0, parts: { count: 3 } });
  expect(await exportParts(file)).toEqual([`${PART_BYTES}`, "3", "", "", ""]);
  expect(await historyOf(project, file.id)).toEqual(["asked by customer", "stored by customer"]);
});

test("an operator discards an open upload by parts: its reservation is free, and its history is kept", async () => {
  const { project } = await anOpenUpload();
  const { id } = await onlyFile(project);
  const operator = { id: "o1", email: "ada@example.com" };
  const caller = { operator, client: { ipAddress: "", userAgent: "" }, project };
  expect(await discardUploads(world.deps, caller, { fileIds: [id] })).toMatchObject({ discarded: [id] });
  expect(await readOverview(world.deps, project)).toMatchObject({ usedBytes: 0, reservedBytes: 0 });
  expect(await historyOf(project, id)).toEqual(["asked by customer", "deleted by ada@example.com"]);
});

test("a file of one PUT has no parts", async () => {
  const project = await world.project();
  await world.upload(project, { size: 5 });
  const file = await onlyFile(project);
  expect(file.parts).toBeNull();
  expect(await exportParts(file)).toEqual(["", "", "", "", file.urlExpiresAt]);
});
