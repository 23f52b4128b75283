import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { readHistory } from "#files/list/read-history.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { HOUR_MS, SECOND_MS } from "#lib/time.js";
import type { NewProject } from "#projects/create-project.js";
import { updateProject } from "#projects/update-project.js";
import { reconcile } from "#reconcile/reconcile.js";
import { recount } from "#reconcile/recount.js";
import { setLimits } from "#tenants/set-limits.js";
import { handleStorageEvents } from "#storage-events/handle-notification.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { oneStorage } from "../fixtures/one-storage.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { readStoredObject } from "../fixtures/direct-access.js";
import { readFileRow } from "../fixtures/file-row.js";
import { putObject } from "../fixtures/put-object.js";

const QUOTA = 1000;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const aProject = (input: Partial<NewProject> = {}) => world.project({ defaultQuotaBytes: QUOTA, ...input });

/** Requests an upload without a size, and sends the bytes. */
async function anArrival(project: Project, sizeBytes: number, body: object = {}) {
  const upload = await world.upload(project, body);
  expect(await put(upload, "x".repeat(sizeBytes))).toBe(200);
  return upload;
}

/** Writes an object as storage would that does not check the signed length. */
const overwrite = (path: string, sizeBytes: number) =>
  putObject(inject("servers").S3_BUCKET, path, "y".repeat(sizeBytes));

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

async function expectRefused(project: Project, path: string, rest = { used: 0, files: 0 }): Promise<void> {
  await world.sweep();
  expect(await readStoredObject(path)).toBeNull();
  expect(await world.file(path)).toBeUndefined();
  expect(await world.tenant(project)).toEqual({ reserved: 0, ...rest });
  await expectExactCounters(project);
  expect(world.failures).toEqual([]);
}

async function expectExactCounters(project: Project): Promise<void> {
  for await (const drift of recount(world.deps, [project])) expect(drift).toBeUndefined();
}

describe("a file that arrives with more bytes than the tenant has left", () => {
  test("is refused by its completion, again and again, and removed", async () => {
    const project = await aProject();
    const { filePath } = await anArrival(project, 10 * QUOTA);
    const complete = () => codeOf(world.complete(project, filePath));
    expect(await complete()).toBe("quota_exceeded");
    expect(await complete()).toBe("quota_exceeded");
    await expectRefused(project, filePath);
    expect(await complete()).toBe("quota_exceeded");
    expect(await codeOf(world.complete(await aProject(), filePath))).toBe("file_not_found");
  });

  test.each<[string, (project: Project, filePath: string) => Promise<unknown>]>([
    ["the sweeper", () => (world.advance(2 * SECOND_MS), world.sweep())],
    [
      "a storage event",
      (_, filePath) => {
        const bucket = inject("servers").S3_BUCKET;
        const storages = oneStorage(world.deps.store, bucket);
        const deps = { ...world.deps, storages, signals: { mark: () => undefined } };
        return handleStorageEvents(deps, [{ bucket, keys: [filePath] }]);
      },
    ],
    ["a settle", ({ id }, filePath) => settleUpload(world.deps, id, filePath)],
    ["a download", (project, filePath) => codeOf(download(project, filePath))],
    ["a cancel", (project, filePath) => cancelUpload({ ...world.deps }, project, { filePath })],
    [
      "a delete",
      (project, filePath) =>
        deleteFiles(world.deps, project, { paths: [filePath], tenantId: undefined, mustExist: true }),
    ],
    [
      "reconcile",
      (project) => {
        world.advance(10 * 60 * SECOND_MS);
        return collectAll(
          reconcile(world.deps, { projectRef: project.ref, repair: true, deleteOrphans: false }),
        );
      },
    ],
  ])("is refused by %s", async (_, settle) => {
    const project = await aProject();
    const { filePath } = await anArrival(project, QUOTA + 1);
    await settle(project, filePath);
    await expectRefused(project, filePath);
    expect(await codeOf(download(project, filePath))).toBe("file_not_found");
    expect(await codeOf(world.complete(project, filePath))).toBe("quota_exceeded");
  });

  test("is kept if it fits exactly, and so is one of no bytes when the quota is used up", async () => {
    const project = await aProject();
    const [full, empty] = [await anArrival(project, QUOTA), await anArrival(project, 0)];
    await world.complete(project, full.filePath);
    await world.complete(project, empty.filePath);
    expect(await world.tenant(project)).toEqual({ used: QUOTA, reserved: 0, files: 2 });
  });

  test("is refused although it has a declared size, if storage has not kept to it, and returns its reservation", async () => {
    const project = await aProject();
    const [small, other] = [
      await world.upload(project, { size: 10 }),
      await world.upload(project, { size: 90 }),
    ];
    await overwrite(small.filePath, QUOTA - 90 + 1);
    expect(await codeOf(world.complete(project, small.filePath))).toBe("quota_exceeded");
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 90, files: 0 });
    expect(await put(other, "z".repeat(90))).toBe(200);
    await world.complete(project, other.filePath);
    await expectRefused(project, small.filePath, { used: 90, files: 1 });
  });

  test("is kept with more bytes than it declared, if they fit", async () => {
    const project = await aProject();
    const upload = await world.upload(project, { size: 10 });
    await overwrite(upload.filePath, QUOTA);
    await world.complete(project, upload.filePath);
    expect(await world.tenant(project)).toEqual({ used: QUOTA, reserved: 0, files: 1 });
  });

  test("is refused if it replaces the bytes of a stored file, which is lost then", async () => {
    const project = await aProject();
    const upload = await anArrival(project, 5);
    await world.complete(project, upload.filePath);
    expect(await put(upload, "x".repeat(QUOTA))).toBe(200);
    world.advance(HOUR_MS + 30 * SECOND_MS);
    await world.sweep();
    expect(await world.tenant(project)).toEqual({ used: QUOTA, reserved: 0, files: 1 });
    expect(await put(upload, "x".repeat(QUOTA + 1))).toBe(200);
    world.advance(HOUR_MS);
    await expectRefused(project, upload.filePath);
  });

  test("is refused in the trash too", async () => {
    const project = await aProject({ trashDays: 7 });
    const upload = await anArrival(project, 5);
    await world.complete(project, upload.filePath);
    await deleteFiles(world.deps, project, {
      paths: [upload.filePath],
      tenantId: undefined,
      mustExist: true,
    });
    expect(await put(upload, "x".repeat(QUOTA + 1))).toBe(200);
    expect(await settleUpload(world.deps, project.id, upload.filePath)).toBe("removing");
    await expectRefused(project, upload.filePath);
  });

  test("is kept on hold, also if the hold comes before anything has settled it", async () => {
    const project = await aProject();
    const [before, after] = [await world.upload(project, {}), await anArrival(project, QUOTA + 1)];
    await hold(project, before.filePath);
    await hold(project, after.filePath);
    expect(await put(before, "x".repeat(QUOTA + 1))).toBe(200);
    await world.complete(project, before.filePath);
    expect(await world.tenant(project)).toEqual({ used: 2 * QUOTA + 2, reserved: 0, files: 2 });
  });

  test("is kept if its project allows files over the quota, and if there is no quota", async () => {
    const [allows, unlimited] = [
      await aProject({ allowOverQuota: true }),
      await aProject({ defaultQuotaBytes: null }),
    ];
    for (const project of [allows, unlimited]) {
      const upload = await anArrival(project, 10 * QUOTA);
      await world.complete(project, upload.filePath);
      expect(await world.tenant(project)).toEqual({ used: 10 * QUOTA, reserved: 0, files: 1 });
    }
    await updateProject(world.deps, allows.ref, { allowOverQuota: false });
    expect(await codeOf(world.upload(allows, {}))).toBe("quota_exceeded");
  });

  test("is judged by the tenant's own quota, else by that of the project, else by that of the service", async () => {
    const service = await aWorld(QUOTA);
    const outcome = async (project: Project, sizeBytes: number) => {
      const upload = await service.upload(project, {});
      expect(await put(upload, "x".repeat(sizeBytes))).toBe(200);
      return codeOf(service.complete(project, upload.filePath));
    };
    const [plain, larger] = [
      await service.project(),
      await service.project({ defaultQuotaBytes: 2 * QUOTA }),
    ];
    expect(await outcome(plain, QUOTA + 1)).toBe("quota_exceeded");
    expect(await outcome(larger, QUOTA + 1)).toBe("done");
    await setLimits(service.deps, plain, { tenantId: "t", quotaBytes: 3 * QUOTA });
    expect(await outcome(plain, QUOTA + 1)).toBe("done");
    await service.close();
  });
});

describe("files that arrive together", () => {
  test.each([
    ["by completions", 1],
    ["in one statement with others", 0],
  ])("share what is left of the quota, %s", async (_, isSeparate) => {
    const project = await aProject();
    const sized = await world.upload(project, { size: 100 });
    expect(await put(sized, "z".repeat(100))).toBe(200);
    const uploads = await Promise.all(Array.from({ length: 12 }, () => anArrival(project, 300)));
    const complete = ({ filePath }: { filePath: string }) => codeOf(world.complete(project, filePath));
    const outcomes = await Promise.all([
      complete(sized),
      ...uploads.map((upload) =>
        isSeparate ? complete(upload) : settleUpload(world.deps, project.id, upload.filePath),
      ),
    ]);
    expect(outcomes.filter((outcome) => outcome === "done" || outcome === "stored")).toHaveLength(4);
    expect(await world.tenant(project)).toEqual({ used: QUOTA, reserved: 0, files: 4 });
    await world.sweep();
    await expectExactCounters(project);
  });

  test("and are requested with a size never exceed the quota together", async () => {
    const project = await aProject();
    const arrivals = await Promise.all(Array.from({ length: 8 }, () => anArrival(project, 150)));
    await Promise.all([
      ...arrivals.map(({ filePath }) => codeOf(world.complete(project, filePath))),
      ...Array.from({ length: 8 }, () => codeOf(world.upload(project, { size: 150 }))),
    ]);
    const { used, reserved } = (await world.tenant(project))!;
    expect(used + reserved).toBe(900);
  });
});

test("webhooks and the history tell that a file was refused", async () => {
  const project = await aProject();
  await world.rows(
    `insert into webhook_endpoints (project_id, ref, url, description, events, secret, created_at)
     values ($1, gen_random_uuid()::text, 'https://example.com', '',
             string_to_array('file.stored file.deleted file.expired tenant.quota_reached tenant.quota_cleared', ' '), 's', now())`,
    [project.id],
  );
  const { filePath } = await anArrival(project, QUOTA + 1);
  const { id: fileId } = (await readFileRow(world.deps, project.id, filePath))!;
  expect(await codeOf(world.complete(project, filePath))).toBe("quota_exceeded");
  await fanOutProject(world.deps.db, project.id);
  const events = await world.rows<{ type: string; data: Record<string, unknown> }>(
    `select type, data from webhook_events where project_id = $1 order by type`,
    [project.id],
  );
  expect(events.map(({ type, data }) => [type, data["path"] ?? data["tenant_id"]])).toEqual([
    ["file.deleted", filePath],
    ["tenant.quota_reached", "t"],
  ]);
  const { events: history } = await readHistory(world.deps, project, { fileId });
  expect(history.map(({ kind, by }) => [kind, by])).toEqual([
    ["asked", "customer"],
    ["deleted", "quota"],
  ]);
});

function download(project: Project, filePath: string) {
  return createDownload({ ...world.deps, settling: world.deps }, project, { filePath });
}

function hold(project: Project, filePath: string) {
  const deps = { ...world.deps, settling: world.deps };
  return holdFile(deps, project, { filePath, tenantId: undefined, hold: true });
}

async function collectAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) continue;
}
