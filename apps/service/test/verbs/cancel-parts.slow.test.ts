import { StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteProject } from "#purge/delete-project.js";
import { discardUploads } from "#files/upload/discard-uploads.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { readHistory } from "#files/list/read-history.js";
import { completeUpload } from "#files/settle/complete-upload.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { purgeDeletedProject } from "#purge/purge-deleted-project.js";
import { aSlowPart } from "../fixtures/a-slow-part.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import {
  anUploadByParts,
  PART_BYTES,
  putParts,
  readStorage,
  signUrls,
  type UploadByParts,
} from "../fixtures/an-upload-by-parts.js";
import { readFileRow } from "../fixtures/file-row.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

/** Parts of these sizes can be stored, but storage would refuse to complete them. */
const SMALL = { partSizeBytes: 4 };
const SMALL_SIZE = 7;
/** The size of an upload that storage can complete. */
const SIZE = PART_BYTES + 3;
const EMPTY = { object: null, uploads: 0, parts: 0 };
const NO_USAGE = { used: 0, reserved: 0, files: 0 };
const unavailable = () => Promise.reject(new StowageError("unavailable"));
const caller = (project: Project) => ({
  operator: { id: "o1", email: "ada@example.com" },
  client: { ipAddress: "", userAgent: "" },
  project,
});

/** Dependencies of a replica whose storage has other answers. */
const depsWith = (answers: Partial<ObjectStore>) => ({
  ...world.deps,
  store: { ...world.deps.store, ...answers },
});
const cancel = (project: Project, { filePath }: UploadByParts, answers: Partial<ObjectStore> = {}) =>
  cancelUpload(depsWith(answers), project, { filePath, tenantId: "t" });
const remove = (project: Project, { filePath }: UploadByParts, answers: Partial<ObjectStore> = {}) =>
  deleteFiles(depsWith(answers), project, { paths: [filePath], mustExist: true, tenantId: undefined });

/** The default has small parts. */
async function anUploadWithParts(
  project: Project,
  numbers = [1, 2],
  sizes: { partSizeBytes?: number } = SMALL,
): Promise<UploadByParts> {
  const upload = await anUploadByParts(world, project, sizes);
  expect(await putParts(world, project, upload, numbers)).toEqual(numbers.map(() => 200));
  return upload;
}

/** Its parts are all stored, and storage can complete them. */
const aWholeUpload = (project: Project) => anUploadWithParts(project, [1, 2], {});

async function expectNothing(project: Project, { filePath }: UploadByParts): Promise<void> {
  expect(await world.tenant(project)).toEqual(NO_USAGE);
  expect(await readStorage(world, filePath)).toEqual(EMPTY);
}

describe("a cancelled upload by parts", () => {
  test("has left nothing in storage and has returned its reservation when the call answers, also when repeated", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project, [1]);
    await world.deps.store.createMultipart(upload.filePath, { contentType: "text/plain" }); // no row knows this one
    await cancel(project, upload);
    await expectNothing(project, upload);
    await cancel(project, upload);
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({ code: "file_not_found" });
  });

  test.each<[string, Partial<ObjectStore>]>([
    ["before it removed anything", { remove: unavailable }],
    ["between the row and the parts", { listMultiparts: unavailable }],
  ])("has left nothing either if a delete stopped %s", async (_when, answers) => {
    const project = await world.project();
    const upload = await anUploadWithParts(project, [1]);
    await remove(project, upload, answers);
    expect(await readStorage(world, upload.filePath)).toMatchObject({ parts: 1 });
    await cancel(project, upload);
    await expectNothing(project, upload);
  });

  test("needs no signed part", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, SMALL);
    await cancel(project, upload);
    await expectNothing(project, upload);
  });

  test("returns its reservation only after storage has removed the parts", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project);
    const { abortMultipart, listParts } = world.deps.store;
    const reserved: unknown[] = [];
    await cancel(project, upload, {
      abortMultipart: async (ref) => {
        reserved.push(await world.tenant(project));
        // The first abort leaves the parts, as if one of them was being sent.
        if (reserved.length > 1) await abortMultipart(ref);
      },
      listParts,
    });
    expect(reserved).toEqual(reserved.map(() => ({ used: 0, reserved: SMALL_SIZE, files: 0 })));
    expect(reserved.length).toBeGreaterThan(1);
    await expectNothing(project, upload);
  });

  test("stays as it is while storage is down, at each step, and can be cancelled afterwards", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project);
    for (const down of ["listMultiparts", "abortMultipart", "listParts", "head"] as const) {
      await expect(cancel(project, upload, { [down]: unavailable })).rejects.toMatchObject({
        code: "unavailable",
      });
      expect(await world.tenant(project)).toEqual({ used: 0, reserved: SMALL_SIZE, files: 0 });
    }
    await cancel(project, upload);
    await expectNothing(project, upload);
  });

  test("ends with an error if storage never removes the parts", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project);
    const cancelled = cancel(project, upload, { abortMultipart: async () => undefined });
    await expect(cancelled).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SMALL_SIZE, files: 0 });
  });

  test("that is stored is kept, and one that was completed without an answer too", async () => {
    const project = await world.project();
    const stored = await aWholeUpload(project);
    const unrecorded = await aWholeUpload(project);
    await world.complete(project, stored.filePath);
    const { uploadId } = (await readFileRow(world.deps, project.id, unrecorded.filePath))!.multipart!;
    const ref = { path: unrecorded.filePath, uploadId: uploadId! };
    const { parts } = (await world.deps.store.listParts(ref, 0))!;
    await world.deps.store.completeMultipart(ref, parts);
    for (const upload of [stored, unrecorded]) {
      await expect(cancel(project, upload)).rejects.toMatchObject({ code: "upload_already_stored" });
      expect(await readStorage(world, upload.filePath)).toMatchObject({ object: { sizeBytes: SIZE } });
    }
    expect(await world.tenant(project)).toEqual({ used: 2 * SIZE, reserved: 0, files: 2 });
  });

  test("after its session has ended is gone, before and after the sweeper has expired it", async () => {
    const project = await world.project();
    for (const sweeps of [false, true]) {
      for (const lateMs of [MINUTE_MS, 2 * DAY_MS]) {
        const upload = await anUploadWithParts(project, [1]);
        world.advance(7 * DAY_MS + lateMs);
        if (sweeps) await world.sweep();
        else await world.deps.store.abortMultipart(await refOf(project, upload));
        await cancel(project, upload);
        await cancel(project, upload);
        await expectNothing(project, upload);
      }
    }
  });

  test("has a history that ends with its deletion", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project, [1]);
    const { id } = (await readFileRow(world.deps, project.id, upload.filePath))!;
    await cancel(project, upload);
    expect((await readHistory(world.deps, project, { fileId: id })).events).toMatchObject([
      { kind: "asked", sizeBytes: SMALL_SIZE, by: "customer" },
      { kind: "deleted", sizeBytes: null, by: "customer" },
    ]);
  });
});

async function refOf(project: Project, { filePath: path }: UploadByParts) {
  const { uploadId } = (await readFileRow(world.deps, project.id, path))!.multipart!;
  return { path, uploadId: uploadId! };
}

describe("beside a cancel", () => {
  test("the first call that signs parts creates an upload that is aborted", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, SMALL);
    const { listMultiparts } = world.deps.store;
    let lists = 0;
    await cancel(project, upload, {
      listMultiparts: async (prefix, cursor) => {
        const page = await listMultiparts(prefix, cursor);
        if (lists++ === 0) await putParts(world, project, upload, [1, 2]);
        return page;
      },
    });
    await expectNothing(project, upload);
  });

  test("a call that signs parts for ever makes it end with an error", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, SMALL);
    const { head } = world.deps.store;
    const cancelled = cancel(project, upload, {
      head: async (path) => {
        await world.rows("update files set revision = revision + 1 where path = $1", [path]);
        return head(path);
      },
    });
    await expect(cancelled).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SMALL_SIZE, files: 0 });
  });

  test("a first call that signs parts too late gets no URL and leaves no upload", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, SMALL);
    const { createMultipart } = world.deps.store;
    const slow = depsWith({
      createMultipart: async (path, headers) => {
        const uploadId = await createMultipart(path, headers);
        await cancel(project, upload);
        return uploadId;
      },
    });
    await expect(signUrls({ ...world, deps: slow }, project, upload, [1])).rejects.toMatchObject({
      code: "file_not_found",
    });
    await expectNothing(project, upload);
  });

  test("a completion that ends before the abort wins: the file is kept", async () => {
    const project = await world.project();
    const upload = await aWholeUpload(project);
    const { db } = world.deps;
    let runs = 0;
    const run: typeof db.run = async (work) => {
      if (runs++ === 0) await world.complete(project, upload.filePath);
      return db.run(work);
    };
    const cancelled = cancelUpload({ ...world.deps, db: { ...db, run } }, project, upload);
    await expect(cancelled).rejects.toMatchObject({ code: "upload_already_stored" });
    expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
    expect(await readStorage(world, upload.filePath)).toMatchObject({ object: { sizeBytes: SIZE } });
  });

  test("a completion that comes after the abort finds no parts", async () => {
    const project = await world.project();
    const upload = await aWholeUpload(project);
    const { head } = world.deps.store;
    let completed: Promise<unknown> | undefined;
    let heads = 0;
    await cancel(project, upload, {
      head: async (path) => {
        // The first HEAD request is before the abort.
        if (heads++ > 0) completed ??= world.complete(project, path).catch((error: unknown) => error);
        await completed;
        return head(path);
      },
    });
    expect(await completed).toMatchObject({ code: "upload_incomplete" });
    await expectNothing(project, upload);
  });

  test("a completion that storage is working on is not disturbed: the file is kept", async () => {
    const project = await world.project();
    const upload = await aWholeUpload(project);
    const { completeMultipart } = world.deps.store;
    let aborts = 0;
    const counting = { abortMultipart: async () => void aborts++ };
    const deps = depsWith({
      completeMultipart: async (ref, parts) => {
        await expect(cancel(project, upload, counting)).rejects.toMatchObject({
          code: "unavailable",
          retryAfterSeconds: 1,
        });
        return completeMultipart(ref, parts);
      },
    });
    await completeUpload(deps, project, { filePath: upload.filePath });
    await expect(cancel(project, upload, counting)).rejects.toMatchObject({ code: "upload_already_stored" });
    expect(aborts).toBe(0);
    expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
  });

  test("a completion that got no answer from storage delays it for 35 seconds", async () => {
    const project = await world.project();
    const upload = await aWholeUpload(project);
    const deps = depsWith({ completeMultipart: unavailable });
    const completed = completeUpload(deps, project, { filePath: upload.filePath });
    await expect(completed).rejects.toMatchObject({ code: "unavailable" });
    await expect(cancel(project, upload)).rejects.toMatchObject({ code: "unavailable" });
    world.advance(36 * SECOND_MS);
    await cancel(project, upload);
    await expectNothing(project, upload);
  });

  test("completions on two replicas agree with it about the outcome", async () => {
    for (let round = 0; round < 5; round++) {
      const project = await world.project();
      const upload = await aWholeUpload(project);
      const [cancelled] = await Promise.allSettled([
        cancel(project, upload),
        world.complete(project, upload.filePath),
        world.complete(project, upload.filePath),
      ]);
      if (cancelled.status === "fulfilled") {
        world.advance(11 * MINUTE_MS);
        await world.sweep();
        await expectNothing(project, upload);
      } else {
        expect(cancelled.reason).toMatchObject({ code: expect.stringMatching(/already_stored|unavailable/) });
        world.advance(MINUTE_MS);
        await world.sweep();
        expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
      }
    }
  });

  test("a part that is still being sent leaves nothing", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project, [1]);
    const [url] = await signUrls(world, project, upload, [1]);
    const part = await aSlowPart(url!, new Uint8Array(SMALL.partSizeBytes));
    await cancel(project, upload);
    expect(await world.tenant(project)).toEqual(NO_USAGE);
    await part.finish();
    world.advance(11 * MINUTE_MS);
    await world.sweep();
    await expectNothing(project, upload);
  });
});

test("the path of a cancelled upload is kept empty until no part can arrive, and not until its session would have ended", async () => {
  const project = await world.project();
  const upload = await anUploadWithParts(project);
  await cancel(project, upload);
  await world.sweep();
  for (const waitMs of [10 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS]) {
    await world.deps.store.createMultipart(upload.filePath, { contentType: "text/plain" });
    world.advance(waitMs);
    await world.sweep();
    expect(await readStorage(world, upload.filePath)).toEqual(EMPTY);
  }
  world.advance(21 * HOUR_MS);
  await world.sweep();
  expect(await world.rows("select from tombstones where path = $1", [upload.filePath])).toHaveLength(1);
  world.advance(HOUR_MS);
  await world.sweep();
  expect(await world.rows("select from tombstones where path = $1", [upload.filePath])).toEqual([]);
});

describe("a deleted upload by parts", () => {
  test("that is open returns its reservation and leaves nothing in storage", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project);
    await remove(project, upload);
    await expectNothing(project, upload);
  });

  test("is removed by the sweeper if storage was down, at each step", async () => {
    for (const down of ["remove", "listMultiparts", "abortMultipart", "listParts"] as const) {
      const project = await world.project();
      const upload = await anUploadWithParts(project);
      await remove(project, upload, { [down]: unavailable });
      expect(await world.tenant(project)).toEqual(NO_USAGE);
      world.advance(MINUTE_MS);
      await world.sweep();
      await expectNothing(project, upload);
    }
  });

  test("that is stored leaves nothing, and a file of one PUT causes no request about parts", async () => {
    const project = await world.project();
    const upload = await aWholeUpload(project);
    await world.complete(project, upload.filePath);
    await remove(project, upload);
    await expectNothing(project, upload);
    const onePut = { ...(await world.upload(project, { size: 5 })), sizeBytes: 5, partSizeBytes: 5 };
    const forbidden = () => Promise.reject(new Error("a request about parts"));
    await remove(project, onePut, {
      listMultiparts: forbidden,
      abortMultipart: forbidden,
      listParts: forbidden,
    });
    expect(await world.tenant(project)).toEqual(NO_USAGE);
  });

  test("of a deleted project leaves nothing in storage", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project);
    await deleteProject(world.deps, caller(project), { name: "test" });
    while (await purgeDeletedProject(world.deps, { afterProject: 0 })) continue;
    expect(await readStorage(world, upload.filePath)).toEqual(EMPTY);
  });
});

test("an operator discards uploads by parts: nothing is left, and each has its audit entry", async () => {
  const project = await world.project();
  const [open, stored] = [await anUploadWithParts(project), await aWholeUpload(project)];
  await world.complete(project, stored.filePath);
  const idOf = async ({ filePath }: UploadByParts) =>
    (await readFileRow(world.deps, project.id, filePath))!.id;
  const [openId, storedId] = [await idOf(open), await idOf(stored)];
  const discarded = await discardUploads(world.deps, caller(project), { fileIds: [openId, storedId] });
  expect(discarded).toEqual({ discarded: [openId], stored: [storedId], notFound: [], failed: [] });
  expect(await readStorage(world, open.filePath)).toEqual(EMPTY);
  expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
  expect(
    await world.rows("select details ->> 'reservedBytes' as bytes from audit_log where project_id = $1", [
      project.id,
    ]),
  ).toEqual([{ bytes: String(SMALL_SIZE) }]);
});

describe("an upload by parts that has expired", () => {
  test("is opened again by its Idempotency-Key, with a new multipart upload", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, {}, "key");
    await putParts(world, project, upload, [1, 2]);
    // Without the sweeper for the last day, so that the key is still valid when the session has ended.
    await world.rows("update files set url_expires_at = $1::timestamptz where path = $2", [
      new Date(world.deps.clock().getTime() + SECOND_MS).toISOString(),
      upload.filePath,
    ]);
    await world.deps.store.abortMultipart(await refOf(project, upload));
    world.advance(15 * SECOND_MS);
    await world.sweep();
    expect(await world.file(upload.filePath)).toMatchObject({ status: "expired" });
    expect(await world.tenant(project)).toEqual(NO_USAGE);
    const again = await anUploadByParts(world, project, {}, "key");
    expect(again.filePath).toBe(upload.filePath);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SIZE, files: 0 });
    expect(await putParts(world, project, again, [1, 2])).toEqual([200, 200]);
    await world.complete(project, again.filePath);
    expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
  });

  test("has nothing in storage even if a part arrives after its end", async () => {
    const project = await world.project();
    const upload = await anUploadWithParts(project, [1]);
    const [url] = await signUrls(world, project, upload, [1]);
    const part = await aSlowPart(url!, new Uint8Array(SMALL.partSizeBytes));
    world.advance(7 * DAY_MS + 6 * SECOND_MS);
    await world.sweep();
    await part.finish();
    world.advance(11 * MINUTE_MS);
    await world.sweep();
    await expectNothing(project, upload);
  });
});
