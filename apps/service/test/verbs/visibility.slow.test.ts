import { text } from "node:stream/consumers";
import {
  deleteRequest,
  parse,
  StowageError,
  type UploadRequestBody,
  type Visibility,
} from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { listFiles } from "#files/list/list-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { findFile } from "#files/record/find-file.js";
import { openUpload } from "#files/upload/open-upload.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { moveClaimed, moveFiles } from "#visibility/move-file.js";
import { claimMoveOf, recordArrivalAt, retryMoveLater } from "#visibility/claim-move.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { reconcile } from "#reconcile/reconcile.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { reportScan } from "#scans/report-scan.js";
import { rescanProject } from "#scans/rescan-project.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { actorOf } from "../fixtures/an-endpoint.js";
import { putObject } from "../fixtures/put-object.js";

type Project = Awaited<ReturnType<World["project"]>>;

const MINUTE = 60_000;

/** The URLs that the CDN forgot, and whether it takes orders now. */
const cdn = { purged: [] as string[], isDown: false };

let world: World;
beforeAll(async () => {
  world = await aWorld(null, inject("publicBucket")!, {
    purge: async (url) => {
      if (cdn.isDown) throw new StowageError("unavailable");
      cdn.purged.push(url);
    },
    close: () => undefined,
  });
});
afterAll(() => world.close());

const settling = () => ({ ...world.deps, settling: world.deps });
const find = (project: Project, filePath: string) => findFile(world.deps, project, { filePath });
const show = (project: Project, filePath: string, visibility: Visibility, deps = settling()) =>
  setVisibility(deps, project, { filePath, tenantId: undefined, visibility });
const moveAll = async (deps: World["deps"] = world.deps) => {
  while (await moveFiles(deps, { afterProject: 0 })) continue;
};
const urlOf = (path: string) => world.deps.store.published!.urlOf(path);
const statusOf = async (url: string) => (await fetch(url)).status;
const read = async (project: Project, filePath: string) =>
  (await fetch((await createDownload(settling(), project, { filePath })).presignedUrl)).text();
const isIn = async (place: Visibility, path: string) =>
  (await (place === "public" ? world.deps.store.published! : world.deps.store).head(path)) !== null;
const placesOf = async (path: string) =>
  (
    await Promise.all(
      (["private", "public"] as const).map(async (place) => ((await isIn(place, path)) ? place : [])),
    )
  ).flat();

async function aFile(project: Project, body: Partial<UploadRequestBody> = {}, bytes = "hello") {
  const upload = await world.upload(project, body);
  expect(await put(upload, bytes)).toBe(200);
  await settleUpload(world.deps, project.id, upload.filePath);
  return upload;
}

async function aPublicFile(project: Project, body: Partial<UploadRequestBody> = {}) {
  const upload = await aFile(project, { visibility: "public", ...body });
  await moveAll();
  expect(await placesOf(upload.filePath)).toEqual(["public"]);
  return upload;
}

const remove = (project: Project, filePath: string) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_path: filePath }));

/** Claims the move of a file, as a process does that dies then. */
async function aClaim(project: Project, filePath: string) {
  const found = await world.rows<{ id: number; etag: string }>("select id, etag from files where path = $1", [
    filePath,
  ]);
  const row = found[0]!;
  return { row, claim: await claimMoveOf(world.deps, { projectId: project.id, id: row.id }) };
}

type PublicBucket = NonNullable<World["deps"]["store"]["published"]>;

/** The world with other answers of the public bucket. */
function withPublicBucket(change: (bucket: PublicBucket) => Partial<PublicBucket>): World["deps"] {
  const { store } = world.deps;
  return {
    ...world.deps,
    store: { ...store, published: { ...store.published!, ...change(store.published!) } },
  };
}

/** Runs this after storage has copied the object, and before the service knows it. */
function duringCopy(then: () => Promise<unknown>, operation: "publish" | "takeBack" = "publish") {
  return withPublicBucket((bucket) => ({
    [operation]: async (...args: Parameters<PublicBucket["publish"]>) => {
      const outcome = await bucket[operation](...args);
      await then();
      return outcome;
    },
  }));
}

const putPublicly = (path: string, bytes: string) => putObject(inject("publicBucket")!, path, bytes);

describe("a file that is uploaded as public", () => {
  test("is read by everyone at its URL, with its own headers, and not in the private bucket any more", async () => {
    const project = await world.project();
    const upload = await aFile(project, {
      visibility: "public",
      filename: "photo ü.png",
      content_type: "image/png",
      cache_control: "public, max-age=60",
    });
    expect(await find(project, upload.filePath)).toMatchObject({ visibility: "public", status: "stored" });
    expect(await find(project, upload.filePath)).not.toHaveProperty("publicUrl");
    await moveAll();
    const { publicUrl } = await find(project, upload.filePath);
    const answer = await fetch(publicUrl!);
    expect(await answer.text()).toBe("hello");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=60",
      "content-disposition": expect.stringContaining("inline") as unknown,
    });
    expect(await placesOf(upload.filePath)).toEqual(["public"]);
    expect(await read(project, upload.filePath)).toBe("hello");
    const { files } = await listFiles(world.deps, project, { limit: 10 });
    expect(files).toMatchObject([{ visibility: "public", publicUrl }]);
  });

  test("is saved and not shown by a browser, if the type says nothing about its bytes", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project, { filename: "x", content_type: "application/x-unknown" });
    const { headers } = await fetch(urlOf(filePath));
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
  });

  test.each(["text/html", "image/svg+xml", "application/xml", "text/javascript", "multipart/mixed"])(
    "is refused with the type %s",
    async (content_type) => {
      const project = await world.project();
      const refused = { code: "invalid_request", message: `Files of type ${content_type} cannot be public` };
      await expect(world.upload(project, { content_type, visibility: "public" })).rejects.toMatchObject(
        refused,
      );
      const { filePath } = await aFile(project, { content_type });
      await expect(show(project, filePath, "public")).rejects.toMatchObject(refused);
      expect(await find(project, filePath)).not.toHaveProperty("visibility");
    },
  );

  test("is refused above 5 GiB, and where no public bucket is set up", async () => {
    const project = await world.project();
    const open = (size: number, deps: World["deps"]) =>
      openUpload(deps, project, { tenantId: "t", filename: "a.bin", size, visibility: "public" } as never);
    await expect(open(5 * 1024 ** 3 + 1, world.deps)).rejects.toMatchObject({
      message: "A public file has at most 5368709120 bytes",
    });
    expect((await open(5 * 1024 ** 3, world.deps)).partCount).toBeGreaterThan(1);
    const without = { ...world.deps, store: { ...world.deps.store, published: null } };
    await expect(open(1, without)).rejects.toMatchObject({ message: "Public files are not set up" });
  });

  test("is published only after its scan, and taken back when a later scan finds a virus", async () => {
    const project = await world.project();
    await world.rows("update projects set scan = 'external' where id = $1", [project.id]);
    const { filePath } = await aFile(project, { visibility: "public" });
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    const report = (verdict: "clean" | "infected") =>
      reportScan(settling(), project, { filePath, verdict } as never);
    await report("clean");
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
    expect(await find(project, filePath)).toMatchObject({ publicUrl: urlOf(filePath) });
    await report("infected");
    expect(await find(project, filePath)).not.toHaveProperty("publicUrl");
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    expect(await statusOf(urlOf(filePath))).toBe(403);
  });

  test("counts as before, and a replay of its upload URL changes nothing and is removed", async () => {
    const project = await world.project();
    const upload = await aPublicFile(project);
    expect(await put(upload, "other bytes")).toBe(200);
    await settleUpload(world.deps, project.id, upload.filePath);
    await moveAll();
    expect(await placesOf(upload.filePath)).toEqual(["public"]);
    expect(await (await fetch(urlOf(upload.filePath))).text()).toBe("hello");
    expect(await world.tenant(project)).toMatchObject({ used: 5, files: 1 });
    expect((await find(project, upload.filePath)).size).toBe(5);
  });
});

describe("a file whose visibility changes", () => {
  test("is public when the call answers, and private again when the call answers", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    const before = await createDownload(settling(), project, { filePath });
    const shown = await show(project, filePath, "public");
    expect(shown).toMatchObject({ visibility: "public", publicUrl: urlOf(filePath) });
    expect(await statusOf(shown.publicUrl!)).toBe(200);
    expect(await statusOf(before.presignedUrl)).toBe(404);
    expect(await show(project, filePath, "public")).toEqual(shown);

    const hidden = await show(project, filePath, "private");
    expect(hidden).not.toHaveProperty("visibility");
    expect(hidden).not.toHaveProperty("publicUrl");
    expect(await statusOf(shown.publicUrl!)).toBe(403);
    expect(await placesOf(filePath)).toEqual(["private"]);
    expect(await read(project, filePath)).toBe("hello");
    expect(await show(project, filePath, "private")).toEqual(hidden);
  });

  test("is taken back until another scan of its project, which blocks downloads, has found nothing", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    await world.rows("update projects set scan = 'clamav' where id = $1", [project.id]);
    await world.rows("update files set scan_status = 'clean', scanned_etag = etag where path = $1", [
      filePath,
    ]);
    await rescanProject(world.deps, actorOf(project), { block: false });
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
    await rescanProject(world.deps, actorOf(project), { block: true });
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    const { row } = await aClaim(project, filePath);
    await recordVerdict(
      world.deps,
      { projectId: project.id, id: row.id },
      { etag: row.etag, verdict: "clean", signature: null },
    );
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
  });

  test("keeps its scan, its image and its variants when the copy has another ETag", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    // As of an object that was uploaded by parts: a copy of it has the MD5 of its bytes.
    const [row] = await world.rows<{ id: number; etag: string }>(
      "select id, etag from files where path = $1",
      [filePath],
    );
    const image = { width: 1, height: 1, placeholder: "x", etag: row!.etag };
    await world.rows(
      "update files set scanned_etag = etag, scan_status = 'clean', image = $2::text::jsonb where path = $1",
      [filePath, JSON.stringify(image)],
    );
    await world.rows(
      `insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, size, created_at)
       values ($1, $2, 'h', $3, 'v', '{}', 'ready', 1, now())`,
      [project.id, row!.id, row!.etag],
    );
    await show(project, filePath, "public");
    const copy = { etag: "of-the-copy" };
    const { store, ...deps } = withPublicBucket((bucket) => ({
      takeBack: async (...args) => (await bucket.takeBack(...args), copy),
    }));
    const head = async (path: string) => {
      const object = await store.head(path);
      return object && { ...object, ...copy };
    };
    const otherEtag = { ...deps, store: { ...store, head } };
    await show(project, filePath, "private", { ...otherEtag, settling: otherEtag });
    const [after] = await world.rows(
      `select f.etag, scanned_etag, f.image ->> 'etag' as image_etag, source_etag from files f
       join file_variants v on v.project_id = f.project_id and v.file_id = f.id where f.path = $1`,
      [filePath],
    );
    expect(Object.values(after as object)).toEqual(Array.from({ length: 4 }, () => "of-the-copy"));
  });

  test("is not called private while storage does not answer, and has no public URL; the service continues", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    const down = withPublicBucket(() => ({ remove: () => Promise.reject(new StowageError("unavailable")) }));
    await expect(show(project, filePath, "private", { ...down, settling: down })).rejects.toMatchObject({
      code: "unavailable",
    });
    const between = await find(project, filePath);
    expect(between).toMatchObject({ visibility: "public" });
    expect(between).not.toHaveProperty("publicUrl");
    expect(await read(project, filePath)).toBe("hello");
    world.advance(5 * MINUTE);
    await moveAll();
    expect(await find(project, filePath)).not.toHaveProperty("visibility");
    expect(await statusOf(urlOf(filePath))).toBe(403);
  });

  test("is public as soon as its bytes arrive, if it changes before", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    expect(await show(project, upload.filePath, "public")).toMatchObject({
      status: "pending",
      visibility: "public",
    });
    await put(upload, "late");
    await settleUpload(world.deps, project.id, upload.filePath);
    await moveAll();
    expect(await (await fetch(urlOf(upload.filePath))).text()).toBe("late");
  });

  test("of two calls at the same time, the object and the row agree in the end", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    for (let round = 0; round < 5; round++) {
      await Promise.allSettled([
        show(project, filePath, "public"),
        show(project, filePath, "private"),
        show(project, filePath, "public"),
      ]);
      await moveAll();
      const { publicUrl } = await find(project, filePath);
      expect(await placesOf(filePath)).toEqual([publicUrl ? "public" : "private"]);
    }
  });

  test("is not found in another project, and keeps its visibility", async () => {
    const [project, other] = [await world.project(), await world.project()];
    const { filePath } = await aPublicFile(project);
    await expect(show(other, filePath, "private")).rejects.toMatchObject({ code: "file_not_found" });
    expect(await statusOf(urlOf(filePath))).toBe(200);
  });
});

describe("the CDN", () => {
  test("forgets a file that is taken back, deleted or put into the trash, after it left the bucket", async () => {
    const project = await world.project();
    cdn.purged = [];
    const [taken, deleted, kept] = [
      await aPublicFile(project),
      await aPublicFile(project),
      await aPublicFile(project),
    ];
    expect(cdn.purged).toEqual([]);
    await show(project, taken.filePath, "private");
    await remove(project, deleted.filePath);
    await remove(project, (await aFile(project)).filePath);
    await world.rows("update projects set trash_days = 7 where id = $1", [project.id]);
    await remove(project, kept.filePath);
    await moveAll();
    expect(cdn.purged).toEqual([taken, deleted, kept].map(({ filePath }) => urlOf(filePath)));
  });

  test("is asked again until it takes the order, and until then no call says that the file is private", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    cdn.purged = [];
    cdn.isDown = true;
    await expect(show(project, filePath, "private")).rejects.toMatchObject({ code: "unavailable" });
    expect(await find(project, filePath)).toMatchObject({ visibility: "public" });
    cdn.isDown = false;
    // Not after its lease: the call has given it back.
    world.advance(2000);
    await moveAll();
    expect(cdn.purged).toEqual([urlOf(filePath)]);
    expect(await find(project, filePath)).not.toHaveProperty("visibility");
  });
});

describe("a copy that lands late", () => {
  test("is removed after a delete, also if the next copy was answered and no URL is valid any more", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    world.advance(3 * 24 * 60 * MINUTE);
    await world.sweep();
    const silent = withPublicBucket(() => ({
      publish: () => Promise.reject(new StowageError("unavailable")),
    }));
    await show(project, filePath, "public", { ...silent, settling: silent });
    world.advance(2000);
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
    await remove(project, filePath);
    await world.sweep();
    await putPublicly(filePath, "late");
    world.advance(6 * MINUTE);
    await world.sweep();
    expect(await placesOf(filePath)).toEqual([]);
  });
});

describe("a claim", () => {
  test("keeps others away until its lease ends, and then changes nothing", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, { visibility: "public" });
    const { claim: older, row } = await aClaim(project, filePath);
    expect((await aClaim(project, filePath)).claim).toBeNull();
    world.advance(5 * MINUTE);
    const { claim: newer } = await aClaim(project, filePath);
    expect(newer!.task.number).toBe(Number(older!.task.number) + 1);
    expect(await recordArrivalAt(world.deps, older!, { etag: row.etag })).toBe(false);
    expect(await recordArrivalAt(world.deps, newer!, { etag: row.etag })).toBe(true);
    // Nothing was copied, so the jobs of the next tests must not find it.
    await remove(project, filePath);
  });

  test("does not publish a file that became private during the copy", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, { visibility: "public" });
    const { claim } = await aClaim(project, filePath);
    const hide = () => world.rows("update files set visibility = 'private' where path = $1", [filePath]);
    await moveClaimed(duringCopy(hide), claim!);
    expect(await world.rows("select place from files where path = $1", [filePath])).toEqual([
      { place: "private" },
    ]);
    // Strangers may read the copy until it is removed.
    expect(await find(project, filePath)).toMatchObject({ visibility: "public" });
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    expect(await find(project, filePath)).not.toHaveProperty("visibility");
  });

  test("does not give the verdict of a scan to bytes that a replay put in the place of the copy", async () => {
    const project = await world.project();
    const upload = await aPublicFile(project);
    await world.rows("update files set scan_status = 'clean', scanned_etag = etag where path = $1", [
      upload.filePath,
    ]);
    const replay = duringCopy(() => put(upload, "virus"), "takeBack");
    const call = show(project, upload.filePath, "private", { ...replay, settling: replay });
    // The customer repeats the call. It is no fault of the service.
    await expect(call).rejects.toMatchObject({
      code: "unavailable",
      cause: { message: expect.stringContaining("other bytes have replaced the copy") },
    });
    world.advance(5 * MINUTE);
    await moveAll();
    expect(await placesOf(upload.filePath)).toEqual(["private"]);
    const { body } = (await world.deps.store.read(upload.filePath, AbortSignal.timeout(60_000)))!;
    expect(await text(body)).toBe("hello");
  });

  test("whose end storage did not tell keeps a file from being called private until no copy can land", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, { visibility: "public" });
    let land: (() => Promise<unknown>) | undefined;
    const silent = withPublicBucket((bucket) => ({
      publish: async (...args) => {
        land = () => bucket.publish(...args);
        throw new StowageError("unavailable");
      },
    }));
    const { claim } = await aClaim(project, filePath);
    await expect(moveClaimed(silent, claim!)).rejects.toMatchObject({ code: "unavailable" });
    await retryMoveLater(world.deps, claim!);
    await world.rows("update files set visibility = 'private' where path = $1", [filePath]);
    world.advance(MINUTE);
    await moveAll();
    await land!();
    expect(await statusOf(urlOf(filePath))).toBe(200);
    expect(await find(project, filePath)).toMatchObject({ visibility: "public" });
    world.advance(5 * MINUTE);
    await moveAll();
    expect(await find(project, filePath)).not.toHaveProperty("visibility");
    expect(await placesOf(filePath)).toEqual(["private"]);
  });

  test("never removes the only object of a file", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    const { row } = await aClaim(project, filePath);
    const headers = { contentType: "text/plain", contentDisposition: "inline" };
    await world.deps.store.published!.takeBack({ path: filePath, etag: row.etag }, headers);
    await world.deps.store.published!.remove(filePath);
    await world.rows("update files set has_other_copy = true where path = $1", [filePath]);
    await queueMoves(world.deps.db, project.id, [row.id], world.deps.clock());
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    expect(world.failures.splice(0)).toMatchObject([
      { message: "the public bucket has no object of this file" },
    ]);
    await remove(project, filePath);
  });
});

describe("the end of a public file", () => {
  test("a deleted file is in no bucket when the call answers", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    await remove(project, filePath);
    expect(await placesOf(filePath)).toEqual([]);
    expect(await statusOf(urlOf(filePath))).toBe(403);
    expect(await world.tenant(project)).toMatchObject({ used: 0, files: 0 });
  });

  test("a file that is deleted while no public bucket is set is removed from it when one is set again", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    const unset = { ...world.deps, store: { ...world.deps.store, published: null } };
    await deleteFiles(unset, project, parse(deleteRequest, { file_path: filePath }));
    await expect(find(project, filePath)).rejects.toMatchObject({ code: "file_not_found" });
    world.advance(MINUTE);
    await world.sweep();
    expect(await placesOf(filePath)).toEqual([]);
  });

  test("a file in the trash is taken back, and public again after its restore", async () => {
    const project = await world.project();
    await world.rows("update projects set trash_days = 7 where id = $1", [project.id]);
    const { filePath } = await aPublicFile(project);
    await remove(project, filePath);
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    await restoreFiles(world.deps, project, { paths: [filePath], mustExist: true, tenantId: undefined });
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
    expect((await find(project, filePath)).publicUrl).toBe(urlOf(filePath));
  });

  test("a file that is deleted while it is copied is in no bucket", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, { visibility: "public" });
    const { claim } = await aClaim(project, filePath);
    await moveClaimed(
      duringCopy(async () => {
        await remove(project, filePath);
        // Storage did the copy after it had done the removals.
        await putPublicly(filePath, "hello");
      }),
      claim!,
    );
    expect(await placesOf(filePath)).toEqual([]);
  });

  test("and a copy that lands even later is removed by the checks of its tombstone", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, { visibility: "public" });
    // Its URL needs no tombstone any more.
    await world.rows("update files set url_expires_at = now() - interval '2 days' where path = $1", [
      filePath,
    ]);
    await aClaim(project, filePath);
    await remove(project, filePath);
    await putPublicly(filePath, "late");
    expect(await statusOf(urlOf(filePath))).toBe(200);
    await world.sweep();
    expect(await placesOf(filePath)).toEqual([]);
  });
});

describe("reconcile", () => {
  const run = async (project: Project, repair: boolean) => {
    const found = [];
    const input = { projectRef: project.ref, repair, deleteOrphans: true };
    for await (const { drift } of reconcile(world.deps, input)) found.push({ ...drift });
    return found;
  };

  test("finds nothing about public files that are where they belong", async () => {
    const project = await world.project();
    await aPublicFile(project);
    await aFile(project);
    expect(await run(project, false)).toEqual([]);
  });

  test("finds and removes a copy that nobody knows, for example after a restore of the database", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    await show(project, filePath, "private");
    const [row] = await world.rows<{ etag: string }>("select etag from files where path = $1", [filePath]);
    const headers = { contentType: "text/plain", contentDisposition: "inline" };
    await world.deps.store.published!.publish({ path: filePath, etag: row!.etag }, headers);
    expect(await run(project, true)).toMatchObject([{ kind: "misplaced", path: filePath, found: "public" }]);
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["private"]);
    expect(await run(project, false)).toEqual([]);
  });

  test("finds a public file in the private bucket, and does not call it missing", async () => {
    const project = await world.project();
    const { filePath } = await aPublicFile(project);
    const [row] = await world.rows<{ etag: string }>("select etag from files where path = $1", [filePath]);
    const headers = { contentType: "text/plain", contentDisposition: "inline" };
    await world.deps.store.published!.takeBack({ path: filePath, etag: row!.etag }, headers);
    await world.deps.store.published!.remove(filePath);
    expect(await run(project, true)).toMatchObject([{ kind: "misplaced", found: "private" }]);
    await moveAll();
    expect(await placesOf(filePath)).toEqual(["public"]);
    expect(await run(project, false)).toEqual([]);
  });

  test("expires a public file that is in no bucket", async () => {
    const project = await world.project();
    await aPublicFile(project);
    const { filePath } = await aPublicFile(project);
    await aFile(project);
    await world.deps.store.published!.remove(filePath);
    expect(await run(project, true)).toMatchObject([{ kind: "missing", path: filePath }]);
    expect(await world.file(filePath)).toMatchObject({ status: "expired" });
    expect(await world.tenant(project)).toMatchObject({ files: 2 });
  });
});
