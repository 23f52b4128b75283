import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { deleteRequest, parse, StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createBunnyCdn } from "#cdn/bunny.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { sweepUploads } from "#files/sweep/sweep-uploads.js";
import { removeVariants } from "#variants/remove-variants.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { handleStorageEvents } from "#storage-events/handle-notification.js";
import { oneStorage } from "../fixtures/one-storage.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { putObject } from "../fixtures/put-object.js";

/*
 * A purge that the CDN does not take is repeated until it does, also if storage has no object any more. The CDN is a server of the test
 * that answers as Bunny's documentation says.
 */

const MINUTE = 60_000;

let world: World;
let cdn: Awaited<ReturnType<typeof aCdn>>;
beforeAll(async () => {
  cdn = await aCdn();
  const bunny = createBunnyCdn({ apiKey: "key", timeoutMs: 60_000, endpoint: cdn.endpoint });
  world = await aWorld(null, inject("publicBucket")!, bunny);
});
afterAll(async () => {
  await world.close();
  await cdn.close();
});
beforeEach(() => {
  cdn.orders.length = 0;
  cdn.failures = 0;
});

/** Answers 500 to as many orders as `failures` says, and then 200. */
async function aCdn() {
  const cdn = { orders: [] as { url: string; status: number }[], failures: 0 };
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url!, "http://cdn").searchParams.get("url")!;
    const status = cdn.failures > 0 ? 500 : 200;
    cdn.failures -= 1;
    cdn.orders.push({ url, status });
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return Object.assign(cdn, { endpoint, close });
}

type Project = Awaited<ReturnType<World["project"]>>;

const urlOf = (path: string) => world.deps.store.published!.urlOf(path);
const statusesOf = (path: string) =>
  cdn.orders.filter(({ url }) => url === urlOf(path)).map(({ status }) => status);
const remove = (project: Project, filePath: string) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_path: filePath }));

async function aFile(project: Project, visibility: "public" | "private") {
  const upload = await world.upload(project, { visibility });
  expect(await put(upload, "hello")).toBe(200);
  await settleUpload(world.deps, project.id, upload.filePath);
  while (await moveFiles(world.deps, { afterProject: 0 })) continue;
  return upload;
}

/** A public file that was deleted and forgotten by the CDN, and whose object is in the public bucket again: a copy has landed late. */
async function aLateCopy(): Promise<string> {
  const project = await world.project();
  const { filePath } = await aFile(project, "public");
  await remove(project, filePath);
  await world.sweep();
  await putObject(inject("publicBucket")!, filePath, "late");
  cdn.orders.length = 0;
  return filePath;
}

/** A sweep that finds the tombstones whose next check is due. */
async function sweepLater(deps = world.deps): Promise<void> {
  world.advance(11 * MINUTE);
  while (await sweepUploads(deps)) continue;
}

describe("the purge of a deleted file's late copy", () => {
  test("is repeated after the CDN has refused it, until it takes it, and then no more", async () => {
    const filePath = await aLateCopy();
    cdn.failures = 2;
    await sweepLater();
    expect(await world.deps.store.published!.head(filePath)).toBeNull();
    expect(statusesOf(filePath)).toEqual([500]);
    await sweepLater();
    await sweepLater();
    expect(statusesOf(filePath)).toEqual([500, 500, 200]);
    await sweepLater();
    expect(statusesOf(filePath)).toEqual([500, 500, 200]);
  });

  test("is done by another process, if the first one is killed between the removal and the purge", async () => {
    const filePath = await aLateCopy();
    const { store } = world.deps;
    // The process sends no purge and no statement after that.
    let isKilled = false;
    const killed = (): never => {
      throw new Error("killed");
    };
    const dying: World["deps"] = {
      ...world.deps,
      db: {
        ...world.deps.db,
        run: (work) => (isKilled ? killed() : world.deps.db.run(work)),
        execute: (statement, values) => (isKilled ? killed() : world.deps.db.execute(statement, values)),
      },
      store: {
        ...store,
        published: {
          ...store.published!,
          remove: async (path) => {
            cdn.failures = 1;
            await store.published!.remove(path).catch(() => undefined);
            isKilled = true;
            killed();
          },
        },
      },
    };
    await sweepLater(dying);
    expect(await store.published!.head(filePath)).toBeNull();
    expect(statusesOf(filePath)).toEqual([500]);
    await sweepLater();
    expect(statusesOf(filePath)).toEqual([500, 200]);
  });

  test("outlives the last check of the path", async () => {
    const filePath = await aLateCopy();
    cdn.failures = 3;
    for (let day = 0; day < 4; day++) {
      world.advance(24 * 60 * MINUTE);
      await world.sweep();
    }
    expect(statusesOf(filePath).at(-1)).toBe(200);
    expect(await world.rows("select from tombstones where path = $1", [filePath])).toEqual([]);
  });
});

describe("a purge that the CDN refuses", () => {
  test("does not keep a delete of many files from removing the others", async () => {
    const project = await world.project();
    const gone = await Promise.all(Array.from({ length: 20 }, () => aFile(project, "public")));
    const paths = gone.map(({ filePath }) => filePath);
    cdn.failures = 1;
    const { deleted } = await deleteFiles(world.deps, project, parse(deleteRequest, { file_paths: paths }));
    expect(deleted).toEqual(paths);
    const left = await world.rows<{ path: string }>("select path from files where project_id = $1", [
      project.id,
    ]);
    expect(left).toHaveLength(1);
    expect(statusesOf(left[0]!.path)).toEqual([500]);
    world.advance(MINUTE);
    await world.sweep();
    expect(await world.rows("select from files where project_id = $1", [project.id])).toEqual([]);
    expect(statusesOf(left[0]!.path)).toEqual([500, 200]);
  });
});

describe("a CDN that takes no order", () => {
  /** A variant of a file, with its objects in both buckets. @returns its path */
  async function aPublicVariant(project: Project, filePath: string): Promise<string> {
    const path = `projects/${project.ref}/variants/${randomUUID()}`;
    for (const bucket of [inject("publicBucket")!, inject("servers").S3_BUCKET])
      await putObject(bucket, path, "small");
    await world.rows(
      `insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, size, publication, created_at)
       select project_id, id, $2, etag, $2, '{}', 'ready', 5, 'done', now() from files where path = $1`,
      [filePath, path],
    );
    return path;
  }

  test("keeps no copy of a variant in the public bucket, when its file is deleted or made private", async () => {
    const project = await world.project();
    const [deleted, hidden] = [await aFile(project, "public"), await aFile(project, "public")];
    const variants = [
      await aPublicVariant(project, deleted.filePath),
      await aPublicVariant(project, hidden.filePath),
    ];
    cdn.failures = Number.POSITIVE_INFINITY;
    await remove(project, deleted.filePath);
    const settling = { ...world.deps, settling: world.deps };
    const hide = { filePath: hidden.filePath, tenantId: undefined, visibility: "private" } as const;
    await expect(setVisibility(settling, project, hide)).rejects.toMatchObject({ code: "unavailable" });
    for (const path of [deleted.filePath, hidden.filePath, ...variants])
      expect(await world.deps.store.published!.head(path)).toBeNull();

    world.advance(2000);
    const show = { ...hide, visibility: "public" } as const;
    expect(await setVisibility(settling, project, show)).toHaveProperty("publicUrl");
    expect(await world.deps.store.published!.head(variants[1]!), "is copied again").not.toBeNull();

    cdn.failures = 0;
    world.advance(2 * MINUTE);
    await world.sweep();
    while (await moveFiles(world.deps, { afterProject: 0 })) continue;
    expect(await setVisibility(settling, project, hide)).not.toHaveProperty("visibility");
    for (const path of variants) expect(statusesOf(path).at(-1)).toBe(200);
  });

  test("does not keep a notification of storage from its other files", async () => {
    const project = await world.project();
    const gone = await aLateCopy();
    const arrived = await world.upload(project, {});
    await put(arrived, "hello");
    cdn.failures = Number.POSITIVE_INFINITY;
    const bucket = inject("servers").S3_BUCKET;
    const storages = oneStorage(world.deps.store, bucket);
    const deps = { ...world.deps, storages, signals: { mark: () => undefined } };
    const events = [
      { bucket, keys: [gone] },
      { bucket, keys: [arrived.filePath] },
    ];
    expect(await handleStorageEvents(deps, events)).toBe(2);
    expect(await world.file(arrived.filePath)).toMatchObject({ status: "stored" });
    cdn.failures = 0;
    await sweepLater();
    expect(statusesOf(gone).at(-1)).toBe(200);
  });

  test("does not keep the sweeper from other files", async () => {
    const project = await world.project();
    const gone = await Promise.all(Array.from({ length: 20 }, () => aFile(project, "public")));
    cdn.failures = Number.POSITIVE_INFINITY;
    for (const { filePath } of gone) await remove(project, filePath);
    expect(
      await world.rows("select from files where project_id = $1 and status = 'deleting'", [project.id]),
    ).toHaveLength(20);
    const arrived = await world.upload(project, {});
    await put(arrived, "hello");
    const unwanted = await aFile(project, "private");
    await world.rows("update files set status = 'deleting', next_check_at = now() where path = $1", [
      unwanted.filePath,
    ]);
    world.advance(MINUTE);
    world.failures.length = 0;
    for (let sweeps = 0; sweeps < 4; sweeps++) {
      await sweepUploads(world.deps);
      world.advance(11_000);
    }
    expect(await world.file(arrived.filePath)).toMatchObject({ status: "stored" });
    expect(await world.file(unwanted.filePath)).toBeUndefined();
    expect(world.failures.length).toBeGreaterThan(0);
    for (const failure of world.failures) expect(failure).toBeInstanceOf(StowageError);

    cdn.failures = 0;
    world.advance(2 * MINUTE);
    await world.sweep();
    expect(
      await world.rows("select from files where project_id = $1 and status = 'deleting'", [project.id]),
    ).toEqual([]);
    for (const { filePath } of gone) expect(statusesOf(filePath).at(-1)).toBe(200);
  });

  test("does not keep the job from removing other variants", async () => {
    const project = await world.project();
    const pathOf = (name: string) => `projects/${project.ref}/variants/${name}`;
    const mark = async (name: string, publication: "done" | "none", dueAt: Date) => {
      await putObject(inject("publicBucket")!, pathOf(name), "bytes");
      await putObject(inject("servers").S3_BUCKET, pathOf(name), "bytes");
      await world.rows(
        `insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, due_at, publication, created_at)
         values ($1::bigint, 1, $2, '', $3, '{}', 'removing', $4::timestamptz, $5::variant_publication, now())`,
        [project.id, name, pathOf(name), dueAt.toISOString(), publication],
      );
    };
    const now = world.deps.clock();
    for (let i = 0; i < 20; i++) await mark(`public ${i}`, "done", now);
    await mark("private", "none", new Date(now.getTime() + 1));
    world.advance(1000);
    cdn.failures = Number.POSITIVE_INFINITY;
    world.failures.length = 0;
    for (let runs = 0; runs < 2; runs++) await removeVariants(world.deps).catch(() => undefined);
    expect(await world.deps.store.head(pathOf("private"))).toBeNull();
    for (let i = 0; i < 20; i++)
      expect(await world.deps.store.published!.head(pathOf(`public ${i}`))).toBeNull();
    expect(world.failures).toHaveLength(20);

    cdn.failures = 0;
    world.advance(2 * MINUTE);
    while (await removeVariants(world.deps)) continue;
    expect(await world.rows("select from file_variants where project_id = $1", [project.id])).toEqual([]);
    for (let i = 0; i < 20; i++) expect(statusesOf(pathOf(`public ${i}`))).toEqual([500, 200]);
  });
});
