import { type FileState, filesListInput } from "@stowage/operator-schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discardUploads } from "#files/upload/discard-uploads.js";
import { browseFiles } from "#files/list/browse-files.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { createS3Client } from "#object-store/s3.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { readStoredObject } from "../fixtures/direct-access.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const operator = { id: "o1", email: "ada@example.com" };
const discard = (project: Project, fileIds: number[], deps = world.deps) =>
  discardUploads(deps, { operator, client: { ipAddress: "", userAgent: "" }, project }, { fileIds });

const list = async (project: Project, states?: FileState[]) =>
  (await browseFiles(world.deps, project, filesListInput.parse({ states }))).files;
const idOf = async (project: Project, { filePath }: RequestedUpload) =>
  (await list(project)).find(({ path }) => path === filePath)!.id;
const auditOf = (project: Project) =>
  world.rows<{ action: string; operatorEmail: string; details: object }>(
    `select action, operator_email as "operatorEmail", details from audit_log where project_id = $1 order by id`,
    [project.id],
  );

test("an upload is uploading until its URL expires, then not finished, with and without its reservation", async () => {
  const project = await world.project();
  await world.upload(project, { filename: "film.mp4", size: 1500 });
  expect(await list(project, ["uploading"])).toMatchObject([{ reservedBytes: 1500 }]);
  expect(await list(project, ["unfinished", "missing", "stored"])).toEqual([]);
  world.advance(HOUR + 1000);
  expect(await list(project, ["uploading"])).toEqual([]);
  expect(await list(project, ["unfinished"])).toMatchObject([{ status: "pending", reservedBytes: 1500 }]);
  world.advance(10_000);
  await world.sweep();
  const [expired] = await list(project, ["unfinished"]);
  expect(expired).toMatchObject({ status: "expired", reservedBytes: 0, isLost: false });
});

test("a file whose object has disappeared is missing, not an upload that was not finished", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { size: 5 });
  await put(upload, "hello");
  await world.complete(project, upload.filePath);
  await world.deps.store.remove(upload.filePath);
  expect(await expireMissing(world.deps, project.id, upload.filePath)).toBe(true);
  expect(await list(project, ["missing"])).toMatchObject([{ path: upload.filePath, isLost: true }]);
  expect(await list(project, ["unfinished", "uploading", "stored"])).toEqual([]);
});

test("returns the reservation at once, removes bytes that arrive later, and names the upload in the audit log", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { filename: "film.mp4", tenant_id: "t", size: 5 });
  const fileId = await idOf(project, upload);
  expect(await discard(project, [fileId])).toEqual({
    discarded: [fileId],
    stored: [],
    notFound: [],
    failed: [],
  });
  expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  expect(await list(project)).toEqual([]);
  expect(await auditOf(project)).toEqual([
    {
      action: "file.upload_discarded",
      operatorEmail: operator.email,
      details: { filename: "film.mp4", tenantId: "t", path: upload.filePath, reservedBytes: 5 },
    },
  ]);
  expect(await put(upload, "hello")).toBe(200);
  world.advance(11 * MINUTE);
  await world.sweep();
  expect(await readStoredObject(upload.filePath)).toBeNull();
  expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
});

test("keeps an upload whose bytes have arrived, and discards the others of the same call", async () => {
  const project = await world.project();
  const [arrived, dead] = [
    await world.upload(project, { size: 5 }),
    await world.upload(project, { size: 7, filename: "b.txt" }),
  ];
  const [arrivedId, deadId] = [await idOf(project, arrived), await idOf(project, dead)];
  await put(arrived, "hello");
  const answer = await discard(project, [arrivedId, deadId, 2_000_000_000]);
  expect(answer).toEqual({
    discarded: [deadId],
    stored: [arrivedId],
    notFound: [2_000_000_000],
    failed: [],
  });
  expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
  expect(await auditOf(project)).toHaveLength(1);
  expect(await discard(project, [deadId])).toMatchObject({ discarded: [], notFound: [deadId] });
  expect(await auditOf(project)).toHaveLength(1);
});

test("takes an upload that expired days ago out of the lists", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { size: 5 });
  const fileId = await idOf(project, upload);
  world.advance(2 * DAY);
  await world.sweep();
  expect(await discard(project, [fileId])).toMatchObject({ discarded: [fileId] });
  expect(await list(project)).toEqual([]);
});

test("reports the uploads that it could not discard because storage did not answer", async () => {
  const project = await world.project();
  const [asked, unasked] = [
    await world.upload(project, { size: 5 }),
    await world.upload(project, { size: 7, filename: "b.txt" }),
  ];
  const [askedId, unaskedId] = [await idOf(project, asked), await idOf(project, unasked)];
  const stopped = createS3Client({
    endpoint: "http://127.0.0.1:1",
    region: "us-east-1",
    bucket: "b",
    credentials: { accessKeyId: "k", secretAccessKey: "s" },
    timeoutMs: 500,
  });
  const head: World["deps"]["store"]["head"] = (path) =>
    (path === unasked.filePath ? stopped : world.deps.store).head(path);
  const deps = { ...world.deps, store: { ...world.deps.store, head } };
  expect(await discard(project, [askedId, unaskedId], deps)).toMatchObject({
    discarded: [askedId],
    failed: [unaskedId],
  });
  await expect(discard(project, [unaskedId], deps)).rejects.toMatchObject({ code: "unavailable" });
  expect(await world.tenant(project)).toMatchObject({ reserved: 7 });
  stopped.close();
});
