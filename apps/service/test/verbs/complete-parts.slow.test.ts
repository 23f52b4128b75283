import { StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completeUpload } from "#files/settle/complete-upload.js";
import { sweepParts } from "#files/sweep/sweep-uploads.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { DAY_MS, HOUR_MS, SECOND_MS } from "#lib/time.js";
import type { MultipartRef, ObjectStore } from "#object-store/object-store.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import {
  anUploadByParts,
  PART_BYTES,
  putParts,
  readStorage,
  signUrls,
  putPart,
} from "../fixtures/an-upload-by-parts.js";
import { readFileRow } from "../fixtures/file-row.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const SIZE = PART_BYTES + 3;
const EMPTY = { object: null, uploads: 0, parts: 0 };

/** Completes the upload on a replica whose storage has other answers. */
function completeWith(project: Project, filePath: string, answers: Partial<ObjectStore>) {
  return completeUpload({ ...world.deps, store: { ...world.deps.store, ...answers } }, project, { filePath });
}

async function expectStored(project: Project, filePath: string): Promise<void> {
  expect(await world.tenant(project)).toEqual({ used: SIZE, reserved: 0, files: 1 });
  expect(await readFileRow(world.deps, project.id, filePath)).toMatchObject({
    status: "stored",
    size: SIZE,
    multipart: { uploadId: expect.any(String) as string },
  });
  expect(await readStorage(world, filePath)).toMatchObject({ object: { sizeBytes: SIZE }, uploads: 0 });
}

describe("completing an upload by parts", () => {
  test("makes one object of its parts and counts it, once for any number of calls", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SIZE, files: 0 });
    expect(await putParts(world, project, upload, [1, 2])).toEqual([200, 200]);
    expect(await world.complete(project, upload.filePath)).toMatchObject({ status: "stored", size: SIZE });
    expect(await world.complete(project, upload.filePath)).toMatchObject({ status: "stored", size: SIZE });
    await expectStored(project, upload.filePath);
  });

  test("by two replicas at once counts it once", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => world.complete(project, upload.filePath)),
    );
    // Ceph answers an error to a completion while another one is running.
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "unavailable" });
    }
    expect(await world.complete(project, upload.filePath)).toMatchObject({ status: "stored" });
    await expectStored(project, upload.filePath);
  });

  test("with missing parts is refused and says how many are stored", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    const incomplete = (detail: string) =>
      expect(world.complete(project, upload.filePath)).rejects.toMatchObject({
        code: "upload_incomplete",
        message: `Upload is incomplete: ${detail} parts are stored`,
      });
    await incomplete("0 of 2");
    await putParts(world, project, upload, [2]);
    await incomplete("1 of 2");
    await putParts(world, project, upload, [1]);
    await world.complete(project, upload.filePath);
    await expectStored(project, upload.filePath);
  });

  test("does not accept a part with another size", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1]);
    // No URL of the service allows this. A sender with the bucket's own keys can do it.
    const { uploadId } = (await readFileRow(world.deps, project.id, upload.filePath))!.multipart!;
    const url = await world.deps.store.presignPart({
      path: upload.filePath,
      uploadId: uploadId!,
      number: 2,
      sizeBytes: 4,
      contentMd5: undefined,
      signedAt: new Date(),
      expiresInSeconds: 60,
    });
    expect(await putPart(url, new Uint8Array(4))).toBe(200);
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({
      message: "Upload is incomplete: 1 of 2 parts are stored",
    });
  });

  test("lists the parts again if one was replaced between the list and the completion", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    let completions = 0;
    await completeWith(project, upload.filePath, {
      completeMultipart: async (ref, parts) => {
        if (++completions === 1) await putParts(world, project, upload, [2], 9);
        return world.deps.store.completeMultipart(ref, parts);
      },
    });
    expect(completions).toBe(2);
    await expectStored(project, upload.filePath);
  });

  test("ends with an error if a part is replaced every time, and can be repeated", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    let completions = 0;
    const completed = completeWith(project, upload.filePath, {
      completeMultipart: async () => {
        completions++;
        return "changed";
      },
    });
    await expect(completed).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    expect(completions).toBe(3);
    await world.complete(project, upload.filePath);
    await expectStored(project, upload.filePath);
  });

  test("whose answer is lost is recorded nevertheless", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    await completeWith(project, upload.filePath, {
      completeMultipart: async (ref, parts) => {
        await world.deps.store.completeMultipart(ref, parts);
        throw new StowageError("unavailable");
      },
    });
    await expectStored(project, upload.filePath);
  });

  test("that died after storage had completed it is recorded by the sweeper, and by the next call", async () => {
    for (const recover of [
      (_project: Project, _path: string) => world.sweep(),
      (project: Project, path: string) => world.complete(project, path),
    ]) {
      const project = await world.project();
      const upload = await anUploadByParts(world, project);
      await putParts(world, project, upload, [1, 2]);
      const fail = () => Promise.reject(new StowageError("unavailable"));
      await expect(completeWith(project, upload.filePath, { head: fail })).rejects.toMatchObject({
        code: "unavailable",
      });
      expect(await readStorage(world, upload.filePath)).toMatchObject({ object: { sizeBytes: SIZE } });
      expect(await world.tenant(project)).toEqual({ used: 0, reserved: SIZE, files: 0 });
      world.advance(16 * SECOND_MS);
      await recover(project, upload.filePath);
      await expectStored(project, upload.filePath);
    }
  });

  test("that storage lost says so, and starts again with the next signed part", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    const { uploadId } = (await readFileRow(world.deps, project.id, upload.filePath))!.multipart!;
    await world.deps.store.abortMultipart({ path: upload.filePath, uploadId: uploadId! });
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({
      code: "upload_incomplete",
      message: "Upload is incomplete: 0 of 2 parts are stored",
    });
    expect(await readFileRow(world.deps, project.id, upload.filePath)).toMatchObject({
      status: "pending",
      multipart: {},
      reservedBytes: SIZE,
    });
    await putParts(world, project, upload, [1, 2]);
    await world.complete(project, upload.filePath);
    await expectStored(project, upload.filePath);
  });

  test("whose parts storage refuses to join says so, and the sweeper does not try it again and again", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project, { parts: 2, partSizeBytes: 4 });
    await putParts(world, project, upload, [1, 2]);
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({
      code: "invalid_request",
      message: "Storage cannot make one file of these parts",
    });
    world.advance(16 * SECOND_MS);
    await world.sweep();
    const row = await readFileRow(world.deps, project.id, upload.filePath);
    expect(row).toMatchObject({ status: "pending", multipart: { partsStored: 2, bytesStored: 7 } });
    expect(row!.nextCheckAt!.getTime()).toBe(row!.urlExpiresAt.getTime() + 5 * SECOND_MS);
  });

  test("lists every page of the parts", async () => {
    const project = await world.project();
    const parts = 1001;
    const upload = await anUploadByParts(world, project, { parts, partSizeBytes: 1 });
    const numbers = Array.from({ length: parts }, (_, i) => i + 1);
    const urls = await signUrls(world, project, upload, numbers);
    for (let at = 0; at < urls.length; at += 50) {
      await Promise.all(urls.slice(at, at + 50).map((url) => putPart(url, new Uint8Array(1))));
    }
    world.advance(16 * SECOND_MS);
    await world.sweep();
    expect(await readFileRow(world.deps, project.id, upload.filePath)).toMatchObject({
      multipart: { partsStored: parts, bytesStored: parts },
    });
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("the sweeper", () => {
  test("completes an upload whose page is gone after its last part", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1]);
    world.advance(16 * SECOND_MS);
    await world.sweep();
    expect(await readFileRow(world.deps, project.id, upload.filePath)).toMatchObject({
      status: "pending",
      multipart: { partsStored: 1, bytesStored: PART_BYTES },
    });
    await putParts(world, project, upload, [2]);
    world.advance(16 * SECOND_MS);
    await world.sweep();
    await expectStored(project, upload.filePath);
  });

  test("removes the parts of an upload whose session has ended, and then returns its reservation", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1]);
    world.advance(7 * 24 * HOUR_MS + 6 * SECOND_MS);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await readFileRow(world.deps, project.id, upload.filePath)).toMatchObject({
      status: "expired",
      multipart: {},
    });
    expect(await readStorage(world, upload.filePath)).toEqual(EMPTY);
    await expect(world.complete(project, upload.filePath)).rejects.toMatchObject({ code: "upload_expired" });
  });

  test("completes an upload at the end of its session if all parts are stored", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    world.advance(8 * 24 * HOUR_MS);
    await world.sweep();
    await expectStored(project, upload.filePath);
  });

  test("keeps the reservation while storage does not remove the parts", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1]);
    world.advance(7 * 24 * HOUR_MS + 6 * SECOND_MS);
    const abort = world.deps.store.abortMultipart;
    world.deps.store.abortMultipart = () => Promise.reject(new StowageError("unavailable"));
    await expect(world.sweep()).rejects.toMatchObject({ code: "unavailable" });
    world.deps.store.abortMultipart = abort;
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SIZE, files: 0 });
    world.advance(61 * SECOND_MS);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(await readStorage(world, upload.filePath)).toEqual(EMPTY);
  });

  test("continues with other files if storage keeps the parts of one file", async () => {
    const project = await world.project();
    const [kept, other] = [await anUploadByParts(world, project), await anUploadByParts(world, project)];
    for (const upload of [kept, other]) await putParts(world, project, upload, [1]);
    world.advance(7 * 24 * HOUR_MS + 6 * SECOND_MS);
    const { abortMultipart } = world.deps.store;
    const store = {
      ...world.deps.store,
      abortMultipart: async (ref: MultipartRef) => {
        if (ref.path !== kept.filePath) await abortMultipart(ref);
      },
    };
    const errors: unknown[] = [];
    await sweepParts({ ...world.deps, store, onError: (error) => void errors.push(error) });
    expect(errors).toMatchObject([{ code: "unavailable", cause: { name: "PartsRemainError" } }]);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: SIZE, files: 0 });
    expect(await readStorage(world, other.filePath)).toEqual(EMPTY);
    world.advance(61 * SECOND_MS);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  });

  test.each<[string, ObjectStore["completeMultipart"]]>([
    ["refuses to join", async () => "refused"],
    ["never joins", () => Promise.reject(new StowageError("unavailable", { retryAfterSeconds: 1 }))],
  ])("removes parts that storage %s, when their session has ended", async (_how, completeMultipart) => {
    const alone = await aWorld();
    try {
      const project = await alone.project();
      const upload = await anUploadByParts(alone, project);
      await putParts(alone, project, upload, [1, 2]);
      const deps = { ...alone.deps, store: { ...alone.deps.store, completeMultipart } };
      alone.advance(7 * DAY_MS + 6 * SECOND_MS);
      await sweepParts(deps);
      alone.advance(DAY_MS);
      await sweepParts(deps);
      alone.advance(61 * SECOND_MS);
      await sweepParts(deps);
      expect(await alone.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
      expect(await readStorage(alone, upload.filePath)).toEqual(EMPTY);
    } finally {
      await alone.close();
    }
  });

  test("checks due files of every project in one sweep, also if one project has more than a sweep checks", async () => {
    const alone = await aWorld();
    try {
      const [busy, other] = [await alone.project(), await alone.project()];
      await forEachBounded(Array.from({ length: 210 }), 20, () => anUploadByParts(alone, busy));
      const { filePath } = await anUploadByParts(alone, other);
      for (const [{ id }, dueFor] of [
        [busy, "1 hour"],
        [other, "1 minute"],
      ] as const) {
        await alone.rows(
          "update files set next_check_at = now() - $2::text::interval where project_id = $1::bigint returning id",
          [id, dueFor],
        );
      }
      const checked = new Set<string>();
      const head = async (path: string) => {
        checked.add(path);
        return null;
      };
      const hasMore = await sweepParts({ ...alone.deps, store: { ...alone.deps.store, head } });
      expect(hasMore).toBe(true);
      expect(checked).toContain(filePath);
      await alone.sweep();
      expect(await sweepParts(alone.deps)).toBe(false);
    } finally {
      await alone.close();
    }
  });

  test("removes an upload of the same path that no row knows, after the file is stored", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await world.deps.store.createMultipart(upload.filePath, { contentType: "text/plain" });
    await putParts(world, project, upload, [1, 2]);
    await world.complete(project, upload.filePath);
    expect(await readStorage(world, upload.filePath)).toMatchObject({ uploads: 1 });
    world.advance(6 * SECOND_MS);
    await world.sweep();
    await expectStored(project, upload.filePath);
    await world.deps.store.createMultipart(upload.filePath, { contentType: "text/plain" });
    world.advance(HOUR_MS);
    await world.sweep();
    await expectStored(project, upload.filePath);
    expect(await world.file(upload.filePath)).toMatchObject({ nextCheckAt: null });
  });

  test("never aborts the upload that made the object, even if storage still lists it", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    await putParts(world, project, upload, [1, 2]);
    const { uploadId } = (await readFileRow(world.deps, project.id, upload.filePath))!.multipart!;
    await world.complete(project, upload.filePath);
    const [completed, other] = [uploadId!, "another"].map((id) => ({
      path: upload.filePath,
      uploadId: id,
      startedAt: new Date(),
    }));
    const aborted: string[] = [];
    const store = {
      ...world.deps.store,
      listMultiparts: async () => ({ uploads: [completed!, other!], nextCursor: null }),
      abortMultipart: async (ref: { uploadId: string }) => void aborted.push(ref.uploadId),
      listParts: async () => null,
    };
    world.advance(6 * SECOND_MS);
    await sweepParts({ ...world.deps, store });
    expect(aborted).toEqual(["another"]);
  });
});
