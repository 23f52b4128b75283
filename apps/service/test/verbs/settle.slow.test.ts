import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StowageError } from "@stowage/schemas";
import { checkTombstone } from "#files/delete/check-tombstone.js";
import { markDeleting } from "#files/end/mark-deleting.js";
import { removeObject } from "#files/delete/remove-objects.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { sweepUploads } from "#files/sweep/sweep-uploads.js";
import { repeat } from "#jobs/repeat.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { readStoredObject } from "../fixtures/direct-access.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

let world: World;
beforeEach(async () => {
  world = await aWorld();
});
afterEach(() => world.close());

describe("an upload without a completion or an event", () => {
  test("is counted within ten seconds of its PUT, early or late in the hour", async () => {
    const project = await world.project();
    for (const lateMs of [0, 5 * SECOND, 60 * SECOND, HOUR / 2]) {
      const upload = await world.upload(project, {});
      for (let at = 0; at < lateMs; at += Math.max(SECOND, lateMs / 10)) {
        world.advance(Math.max(SECOND, lateMs / 10));
        await world.sweep();
      }
      await put(upload, "hello");
      let waitedMs = 0;
      while ((await world.file(upload.filePath))?.status !== "stored") {
        world.advance(SECOND);
        waitedMs += SECOND;
        await world.sweep();
        expect(waitedMs).toBeLessThan(10 * SECOND);
      }
    }
    expect(await world.tenant(project)).toEqual({ used: 20, reserved: 0, files: 4 });
  });

  test("expires with its URL, and returns its reservation once", async () => {
    world.stopClock();
    const project = await world.project({ defaultQuotaBytes: 10 });
    const upload = await world.upload(project, { size: 10 });
    await expect(world.upload(project, { size: 1 })).rejects.toMatchObject({ code: "quota_exceeded" });
    world.advance(HOUR - SECOND);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 10, files: 0 });
    world.advance(10 * SECOND);
    await Promise.all([world.sweep(), settleUpload(world.deps, project.id, upload.filePath), world.sweep()]);
    expect(await world.file(upload.filePath)).toMatchObject({ status: "expired" });
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    await world.upload(project, { size: 10 });
  });

  test("is checked for a day after its URL expired, and then never again", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    for (let hours = 0; hours < 26; hours++) {
      world.advance(HOUR);
      await world.sweep();
    }
    expect(await world.file(upload.filePath)).toMatchObject({ status: "expired", nextCheckAt: null });
  });
});

describe("bytes that arrive after the URL expired", () => {
  test("are counted if the quota has room for them", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const upload = await world.upload(project, { size: 5 });
    world.advance(HOUR + 10 * SECOND);
    await world.sweep();
    await put(upload, "hello"); // storage's clock has not advanced, so it accepts this like a PUT that began in time
    world.advance(HOUR);
    await world.sweep();
    expect(await world.file(upload.filePath)).toMatchObject({ status: "stored", size: 5 });
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("are counted when they fill the quota exactly", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const late = await world.upload(project, { size: 5 });
    world.advance(HOUR + 10 * SECOND);
    await world.sweep();
    const other = await world.upload(project, { size: 2 });
    await put(other, "12");
    await world.complete(project, other.filePath);
    await world.upload(project, { size: 3 });
    await put(late, "hello");
    await world.complete(project, late.filePath);
    expect(await world.file(late.filePath)).toMatchObject({ status: "stored", size: 5 });
    expect(await world.tenant(project)).toEqual({ used: 7, reserved: 3, files: 2 });
  });

  test("are removed if another upload has filled the quota", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const late = await world.upload(project, { size: 10 });
    world.advance(HOUR + 10 * SECOND);
    await world.sweep();
    const other = await world.upload(project, { size: 10 });
    await put(other, "0123456789");
    await world.complete(project, other.filePath);
    await put(late, "too late!!");
    await expect(world.complete(project, late.filePath)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await world.tenant(project)).toEqual({ used: 10, reserved: 0, files: 1 });
    await world.sweep();
    expect(await readStoredObject(late.filePath)).toBeNull();
    expect(await world.file(late.filePath)).toBeUndefined();
  });
});

describe("a replayed URL", () => {
  test("can change the size, which the service reads again after the URL has expired", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    await put(upload, "hello");
    await world.complete(project, upload.filePath);
    await put(upload, "hello, world");
    world.advance(30 * SECOND);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
    world.advance(HOUR);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 12, reserved: 0, files: 1 });
  });

  test("does not restore a deleted file: the service removes the object until no PUT can still run", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    await put(upload, "hello");
    await world.complete(project, upload.filePath);
    await world.rows(
      `with gone as (update files set status = 'deleting', next_check_at = now() where path = $1 returning *)
       update tenants t set used_bytes = used_bytes - gone.size, file_count = file_count - 1
       from gone where t.project_id = gone.project_id and t.id = gone.tenant`,
      [upload.filePath],
    );
    await removeObject(world.deps, project.id, upload.filePath);
    expect(await readStoredObject(upload.filePath)).toBeNull();
    await put(upload, "again");
    world.advance(11 * 60 * SECOND);
    await world.sweep();
    expect(await readStoredObject(upload.filePath)).toBeNull();
    await put(upload, "and again");
    expect(await checkTombstone(world.deps, project.id, upload.filePath)).toBe(true);
    expect(await readStoredObject(upload.filePath)).toBeNull();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    for (let hours = 0; hours < 26; hours++) {
      world.advance(HOUR);
      await world.sweep();
    }
    expect(await world.rows("select 1 from tombstones")).toEqual([]);
  });
});

describe("settling an upload", () => {
  test("many times concurrently counts it once", async () => {
    const project = await world.project();
    const uploads = await Promise.all(Array.from({ length: 20 }, () => world.upload(project, { size: 5 })));
    await Promise.all(uploads.map((upload) => put(upload, "hello")));
    world.advance(2 * SECOND);
    await Promise.all([
      ...uploads.map((upload) => settleUpload(world.deps, project.id, upload.filePath)),
      ...uploads.map((upload) => world.complete(project, upload.filePath)),
      world.sweep(),
      world.sweep(),
      world.sweep(),
    ]);
    expect(await world.tenant(project)).toEqual({ used: 100, reserved: 0, files: 20 });
    expect(world.failures).toEqual([]);
  });

  test("does not replace the result of a newer check by that of an older one", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    await put(upload, "old");
    const { store } = world.deps;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let heads = 0;
    const slowStore = {
      ...store,
      head: async (path: string) => {
        const object = await store.head(path);
        if (heads++ === 0) await held;
        return object;
      },
    };
    const slow = settleUpload({ ...world.deps, store: slowStore }, project.id, upload.filePath);
    await expect.poll(() => heads).toBe(1);
    await put(upload, "newer bytes");
    await settleUpload(world.deps, project.id, upload.filePath);
    release();
    await slow;
    expect(heads).toBe(2);
    expect(await world.file(upload.filePath)).toMatchObject({ size: 11 });
    expect(await world.tenant(project)).toEqual({ used: 11, reserved: 0, files: 1 });
  });

  test("does nothing for an unknown path", async () => {
    const project = await world.project();
    expect(await settleUpload(world.deps, project.id, "projects/x/tenants/y/z")).toBe("gone");
  });

  test("does not change a file that is being deleted, with or without its object", async () => {
    const project = await world.project();
    const [uploaded, missing] = [await world.upload(project, {}), await world.upload(project, {})];
    await put(uploaded, "hello");
    await markDeleting(world.deps, project, {
      paths: [uploaded.filePath, missing.filePath],
      tenantId: undefined,
      actor: null,
    });
    const rows = () =>
      world.rows(
        "select path, status, next_check_at, revision from files where project_id = $1 order by id",
        [project.id],
      );
    const before = await rows();
    expect(await settleUpload(world.deps, project.id, uploaded.filePath)).toBe("gone");
    expect(await settleUpload(world.deps, project.id, missing.filePath)).toBe("gone");
    expect(await rows()).toEqual(before);
  });
});

describe("the sweeper", () => {
  test("shares its work among replicas, so no two of them claim one file", async () => {
    const project = await world.project();
    await Promise.all(Array.from({ length: 60 }, () => world.upload(project, {})));
    world.advance(2 * SECOND);
    let heads = 0;
    const counting = {
      ...world.deps.store,
      head: (path: string) => {
        heads++;
        return world.deps.store.head(path);
      },
    };
    await Promise.all(Array.from({ length: 4 }, () => sweepUploads({ ...world.deps, store: counting })));
    expect(heads).toBe(60);
  });

  test("backs off while storage is down, and settles the uploads in one sweep afterwards", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { size: 5 });
    await put(upload, "hello");
    world.advance(2 * SECOND);
    const fail = () => Promise.reject(new StowageError("unavailable"));
    const unavailableStore = { ...world.deps.store, head: fail, remove: fail };
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const sweeper = repeat(
      () => sweepUploads({ ...world.deps, store: unavailableStore, onError }),
      20,
      onError,
    );
    await expect.poll(() => errors.length).toBe(1);
    await sweeper.stop();
    expect(errors).toMatchObject([{ code: "unavailable" }]);
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 5, files: 0 });
    world.advance(61 * SECOND); // past the lease of the failed sweep
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
  });
});
