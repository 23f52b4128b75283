import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { readHistory } from "#files/list/read-history.js";
import { sweepUploads } from "#files/sweep/sweep-uploads.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { createS3Client } from "#object-store/s3.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { readStoredObject } from "../fixtures/direct-access.js";
import { readFileRow } from "../fixtures/file-row.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const cancel = (project: Project, { filePath }: RequestedUpload, deps = world.deps) =>
  cancelUpload(deps, project, { filePath, tenantId: "t" });

/** Dependencies with which this happens right after storage has answered the first HEAD request. */
function depsWithEventAfterHead(event: () => Promise<unknown>): World["deps"] {
  let isFirst = true;
  const head: World["deps"]["store"]["head"] = async (path) => {
    const object = await world.deps.store.head(path);
    if (isFirst) {
      isFirst = false;
      await event();
    }
    return object;
  };
  return { ...world.deps, store: { ...world.deps.store, head } };
}

/** Dependencies with which this happens right before the transaction that ends the upload. */
function depsWithEventBeforeTheEnd(event: () => Promise<unknown>): World["deps"] {
  const { db } = world.deps;
  let runs = 0;
  const run: typeof db.run = async (work) => {
    // The first one moves the time of the next check, after storage's answer.
    if (++runs === 2) await event();
    return db.run(work);
  };
  return { ...world.deps, db: { ...db, run } };
}

describe("between storage's answer and the end of a cancel", () => {
  test("a PUT that is completed after the check of storage wins: the file is kept", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    let happened = 0;
    const deps = depsWithEventBeforeTheEnd(async () => {
      happened++;
      await put(upload, "hello");
      await world.complete(project, upload.filePath);
    });
    await expect(cancel(project, upload, deps)).rejects.toMatchObject({ code: "upload_already_stored" });
    expect(happened).toBe(1);
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await readStoredObject(upload.filePath)).toMatchObject({ sizeBytes: 5 });
  });

  test("a PUT that arrives and is completed wins: the file is kept", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    const deps = depsWithEventAfterHead(async () => {
      await put(upload, "hello");
      await world.complete(project, upload.filePath);
    });
    await expect(cancel(project, upload, deps)).rejects.toMatchObject({ code: "upload_already_stored" });
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await readStoredObject(upload.filePath)).toMatchObject({ sizeBytes: 5 });
  });

  test("a PUT that arrives and is not completed loses: its bytes are removed", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    const deps = depsWithEventAfterHead(() => put(upload, "hello"));
    await cancel(project, upload, deps);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await readStoredObject(upload.filePath)).toBeNull();
  });

  test("a delete wins: the reservation is returned once", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    await world.upload(project, { size: 7 });
    const deps = depsWithEventAfterHead(() =>
      deleteFiles(world.deps, project, { paths: [upload.filePath], mustExist: true, tenantId: undefined }),
    );
    await cancel(project, upload, deps);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 7, files: 0 });
  });

  test("an upload that the sweeper finds expired is cancelled", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    const deps = depsWithEventAfterHead(async () => {
      world.advance(HOUR + 10 * SECOND);
      await sweepUploads(world.deps);
    });
    await cancel(project, upload, deps);
    expect(await readFileRow(world.deps, project.id, upload.filePath)).toBeUndefined();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  });
});

test("the sweeper removes late bytes within ten minutes, until no PUT can still be running", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { size: 5 });
  await cancel(project, upload);
  await world.sweep();
  for (const waitMs of [10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR]) {
    await put(upload, "hello"); // storage's clock has not advanced, so it accepts this like a PUT that began in time
    world.advance(waitMs);
    await world.sweep();
    expect(await readStoredObject(upload.filePath)).toBeNull();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  }
  for (let days = 0; days < 2; days++) {
    world.advance(24 * HOUR);
    await world.sweep();
  }
  expect(await world.rows("select from tombstones where path = $1", [upload.filePath])).toEqual([]);
});

describe("an upload that has expired", () => {
  test("can be cancelled twice, and bytes that arrive later are removed", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    world.advance(HOUR + 10 * SECOND);
    await world.sweep();
    await cancel(project, upload);
    await cancel(project, upload);
    await put(upload, "hello");
    world.advance(HOUR);
    await world.sweep();
    expect(await readStoredObject(upload.filePath)).toBeNull();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  });

  test("can be cancelled twice a day later, and stays in the lists as expired", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    world.advance(26 * HOUR);
    await cancel(project, upload);
    await cancel(project, upload);
    expect(await world.file(upload.filePath)).toMatchObject({ status: "expired", nextCheckAt: null });
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  });

  test("is kept if its bytes have arrived and fit the quota, and is removed if they do not fit", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const [fitting, tooLarge] = [
      await world.upload(project, { size: 5 }),
      await world.upload(project, { size: 5 }),
    ];
    world.advance(HOUR + 10 * SECOND);
    await world.sweep();
    await put(fitting, "hello");
    await put(tooLarge, "hello");
    await expect(cancel(project, fitting)).rejects.toMatchObject({ code: "upload_already_stored" });
    await world.upload(project, { size: 5 });
    await cancel(project, tooLarge);
    expect(await readStoredObject(tooLarge.filePath)).toBeNull();
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 5, files: 1 });
  });
});

test("a cancel during which storage fails is finished by the sweeper, and can be repeated meanwhile", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { size: 5 });
  const { S3_REGION: region, S3_BUCKET: bucket } = inject("servers");
  const credentials = { accessKeyId: "none", secretAccessKey: "none" };
  // Nothing listens on port 1.
  const unreachable = createS3Client({
    endpoint: "http://127.0.0.1:1",
    region,
    bucket,
    credentials,
    timeoutMs: 500,
  });
  const store = { ...world.deps.store, remove: unreachable.remove };
  await cancel(project, upload, { ...world.deps, store });
  unreachable.close();
  expect(await world.file(upload.filePath)).toMatchObject({ status: "deleting" });
  expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  await cancel(project, upload);
  await put(upload, "hello");
  world.advance(MINUTE);
  await world.sweep();
  expect(await world.file(upload.filePath)).toBeUndefined();
  expect(await readStoredObject(upload.filePath)).toBeNull();
});

test("the history of a cancelled upload ends with its deletion by the customer", async () => {
  const project = await world.project();
  const upload = await world.upload(project, { size: 5 });
  const { id } = (await readFileRow(world.deps, project.id, upload.filePath))!;
  await cancel(project, upload);
  const { events } = await readHistory(world.deps, project, { fileId: id });
  expect(events).toMatchObject([
    { kind: "asked", sizeBytes: 5, by: "customer" },
    { kind: "deleted", sizeBytes: null, by: "customer" },
  ]);
});
