import { parse, deleteRequest, StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { createLinks } from "#deliver/create-links.js";
import { createThumbnails } from "#deliver/create-thumbnails.js";
import { recordFileEvents } from "#files/record/file-events.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { lockFiles } from "#files/lifecycle/lock-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { readHistory } from "#files/list/read-history.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { findFileRow } from "#files/record/find-file.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { writeCursor } from "#lib/cursor.js";
import { updateProject } from "#projects/update-project.js";
import { recount } from "#reconcile/recount.js";
import { reportScan } from "#scans/report-scan.js";
import { continueTenantDeletions, deleteTenant } from "#purge/delete-tenant.js";
import { exportTenant, type ExportLine } from "#deliver/export-tenant.js";
import { commandLineActor } from "#audit/caller.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

const DAY = 24 * 3600 * 1000;
type Project = Awaited<ReturnType<World["project"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const settling = () => ({ ...world.deps, settling: world.deps });
const remove = (project: Project, path: string, body: object = {}) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_path: path, ...body }));
const removeAll = (project: Project, paths: string[], body: object = {}) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_paths: paths, ...body }));
const restoreOne = (project: Project, path: string) =>
  restoreFiles(world.deps, project, { paths: [path], mustExist: true, tenantId: undefined });
const hold = (project: Project, filePath: string, isOnHold = true) =>
  holdFile(settling(), project, { filePath, tenantId: undefined, hold: isOnHold });
const cancel = (project: Project, filePath: string) =>
  cancelUpload(world.deps, project, { filePath, tenantId: undefined });
const download = (project: Project, filePath: string) => createDownload(settling(), project, { filePath });
const endAll = async () => {
  while (await endFiles(world.deps)) continue;
};
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );

async function aFile(project: Project, bytes = "12345", body: object = {}) {
  const upload = await world.upload(project, body);
  expect(await put(upload, bytes)).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

/** Storage loses the object, and reconcile sees it. */
async function lose(project: Project, filePath: string) {
  await world.deps.store.remove(filePath);
  expect(await expireMissing(world.deps, project.id, filePath)).toBe(true);
}

async function insertLinks(project: Project, filePath: string, count: number) {
  const link = `project_id, id, tenant, 'link ' || id || ' ' || n, 'hash ' || id || ' ' || n, 'inline', now()`;
  await world.rows(
    `insert into share_links (project_id, file_id, tenant, ref, token_hash, disposition, created_at)
     select ${link} from files, generate_series(1, $3::int) n where project_id = $1 and path = $2`,
    [project.id, filePath, count],
  );
}

async function expectExact(project: Project, expected: { used: number; files: number } | undefined) {
  expect(await world.tenant(project)).toEqual(expected && { ...expected, reserved: 0 });
  for await (const drift of recount(world.deps, [project])) expect(drift).toBeNull();
}

describe("a project with a trash", () => {
  test("keeps a deleted file in the trash, where it counts and cannot be downloaded, until it is restored", async () => {
    const project = await world.project({ trashDays: 30 });
    const { filePath } = await aFile(project);
    expect(await remove(project, filePath)).toEqual({ deleted: [filePath], notFound: [] });
    expect(await outcomeOf(download(project, filePath))).toBe("file_not_found");
    expect(await outcomeOf(remove(project, filePath))).toBe("file_not_found");
    await expectExact(project, { used: 5, files: 1 });
    const restored = await restoreOne(project, filePath);
    expect(restored).toMatchObject({ status: "stored", size: 5 });
    expect(restored).not.toHaveProperty("purgeAt");
    expect((await download(project, filePath)).size).toBe(5);
    expect(await outcomeOf(restoreOne(project, filePath))).toBe("file_not_found");
    await expectExact(project, { used: 5, files: 1 });
    const { id: fileId } = await findFileRow(world.deps, project, { filePath });
    const { events } = await readHistory(world.deps, project, { fileId });
    expect(events.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
      "asked customer",
      "stored customer",
      "trashed customer",
      "restored customer",
    ]);
  });

  test("purges a file at the end of its days in the trash, and removes the object", async () => {
    const project = await world.project({ trashDays: 1 });
    const { filePath } = await aFile(project);
    await remove(project, filePath);
    world.advance(DAY - 60_000);
    await endAll();
    expect(await world.file(filePath)).toMatchObject({ status: "trashed" });
    world.advance(61_000);
    await endAll();
    expect(await world.file(filePath)).toBeUndefined();
    expect(await world.deps.store.head(filePath)).toBeNull();
    await expectExact(project, { used: 0, files: 0 });
    expect(await outcomeOf(restoreOne(project, filePath))).toBe("file_not_found");
  });

  test("deletes for good with purge, also what is in the trash already", async () => {
    const project = await world.project({ trashDays: 30 });
    const [inTrash, stored] = [await aFile(project), await aFile(project)];
    await remove(project, inTrash.filePath);
    const paths = [inTrash.filePath, stored.filePath];
    expect(await removeAll(project, paths, { purge: true })).toEqual({ deleted: paths, notFound: [] });
    for (const path of paths) expect(await world.deps.store.head(path)).toBeNull();
    await expectExact(project, { used: 0, files: 0 });
  });

  test("counts what a PUT with the old URL writes into a file in the trash, and keeps it there", async () => {
    const project = await world.project({ trashDays: 30 });
    const upload = await aFile(project);
    await remove(project, upload.filePath);
    expect(await put(upload, "1234567")).toBe(200);
    world.advance(2 * 3600 * 1000);
    await world.sweep();
    expect(await world.file(upload.filePath)).toMatchObject({ status: "trashed", size: 7 });
    await expectExact(project, { used: 7, files: 1 });
    expect(await outcomeOf(download(project, upload.filePath))).toBe("file_not_found");
    expect(await restoreOne(project, upload.filePath)).toMatchObject({ size: 7 });
  });

  test("stops counting a file in the trash whose object has disappeared", async () => {
    const project = await world.project({ trashDays: 30 });
    const { filePath } = await aFile(project);
    await remove(project, filePath);
    await world.deps.store.remove(filePath);
    expect(await expireMissing(world.deps, project.id, filePath)).toBe(true);
    await expectExact(project, { used: 0, files: 0 });
    expect(await outcomeOf(restoreOne(project, filePath))).toBe("file_not_found");
  });

  test("puts a file back into the trash if its object disappears there and comes back", async () => {
    const project = await world.project({ trashDays: 30 });
    const upload = await world.upload(project, {}, "a key");
    const { filePath } = upload;
    expect(await put(upload, "12345")).toBe(200);
    await world.complete(project, filePath);
    await remove(project, filePath);
    await lose(project, filePath);
    // A repeated request does not take it out of the trash either.
    expect((await world.upload(project, {}, "a key")).filePath).not.toBe(filePath);
    expect(await put(upload, "1234567")).toBe(200);
    await settleUpload(world.deps, project.id, filePath);
    expect(await world.file(filePath)).toMatchObject({ status: "trashed", size: 7 });
    await expectExact(project, { used: 7, files: 1 });
    expect(await outcomeOf(download(project, filePath))).toBe("file_not_found");
    expect(await restoreOne(project, filePath)).toMatchObject({ size: 7 });
  });

  test("forgets a file in the trash whose object has disappeared at the end of its days there", async () => {
    const project = await world.project({ trashDays: 1 });
    const [lost, held] = [await aFile(project), await aFile(project)];
    await removeAll(project, [lost.filePath, held.filePath]);
    await hold(project, held.filePath);
    await lose(project, lost.filePath);
    await lose(project, held.filePath);
    await endAll();
    expect(await world.file(lost.filePath)).toMatchObject({ status: "expired" });
    world.advance(DAY + 1000);
    await endAll();
    expect(await world.file(lost.filePath)).toBeUndefined();
    expect(await world.file(held.filePath)).toMatchObject({ status: "expired" });
    await expectExact(project, { used: 0, files: 0 });
  });

  test("removes what comes back into the trash and does not fit the quota any more", async () => {
    const project = await world.project({ trashDays: 30, defaultQuotaBytes: 8 });
    const upload = await aFile(project, "12345");
    await remove(project, upload.filePath);
    await lose(project, upload.filePath);
    await aFile(project, "1234");
    expect(await put(upload, "12345")).toBe(200);
    expect(await settleUpload(world.deps, project.id, upload.filePath)).toBe("removing");
    expect(await world.file(upload.filePath)).toMatchObject({ status: "deleting" });
    await expectExact(project, { used: 4, files: 1 });
  });

  test("opens a new upload for an Idempotency-Key whose file is in the trash", async () => {
    const project = await world.project({ trashDays: 30 });
    const first = await world.upload(project, {}, "a key");
    expect(await put(first, "12345")).toBe(200);
    await world.complete(project, first.filePath);
    await remove(project, first.filePath);
    const second = await world.upload(project, {}, "a key");
    expect(second.filePath).not.toBe(first.filePath);
  });
});

describe("a file with an end", () => {
  test("is deleted by itself, and no URL outlives it", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { expires_after: 600 });
    expect(Date.parse(upload.expiresAt) - world.deps.clock().getTime()).toBeLessThanOrEqual(600_000);
    expect(await put(upload, "12345")).toBe(200);
    await world.complete(project, upload.filePath);
    const { expiresAt } = await download(project, upload.filePath);
    expect(Date.parse(expiresAt) - world.deps.clock().getTime()).toBeLessThanOrEqual(600_000);
    world.advance(601_000);
    expect(await outcomeOf(download(project, upload.filePath))).toBe("file_not_found");
    await endAll();
    expect(await world.deps.store.head(upload.filePath)).toBeNull();
    await expectExact(project, { used: 0, files: 0 });
  });

  test("has no link and no thumbnail of the dashboard that outlives it", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, "12345", { expires_after: 120, content_type: "image/png" });
    const { id: fileId } = await findFileRow(world.deps, project, { filePath });
    const secondsLeft = (at: string) => (Date.parse(at) - world.deps.clock().getTime()) / 1000;
    const { expiresAt } = await createLinks(world.deps, project, { fileId });
    expect(secondsLeft(expiresAt)).toBeLessThanOrEqual(120);
    const [thumbnail] = await createThumbnails(world.deps, project, { fileIds: [fileId] });
    expect(Number(new URL(thumbnail!.url).searchParams.get("X-Amz-Expires"))).toBeLessThanOrEqual(120);
    // The job that ends files has not run yet.
    world.advance(121_000);
    expect(await outcomeOf(createLinks(world.deps, project, { fileId }))).toBe("file_not_found");
    expect(await createThumbnails(world.deps, project, { fileIds: [fileId] })).toEqual([]);
  });

  test("goes to the trash, and has no end any more when it is restored", async () => {
    const project = await world.project({ trashDays: 1 });
    const { filePath } = await aFile(project, "12345", { expires_after: 60 });
    world.advance(61_000);
    await endAll();
    expect(await world.file(filePath)).toMatchObject({ status: "trashed" });
    expect(await restoreOne(project, filePath)).not.toHaveProperty("expiresAt");
    await endAll();
    expect((await download(project, filePath)).size).toBe(5);
  });

  test("that was never uploaded ends like an upload whose URL has expired", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { expires_after: 60, size: 5 });
    expect(await world.tenant(project)).toMatchObject({ reserved: 5 });
    world.advance(66_000);
    await world.sweep();
    await endAll();
    expect(await world.file(upload.filePath)).toMatchObject({ status: "expired" });
    await expectExact(project, { used: 0, files: 0 });
  });
});

describe("a file on hold", () => {
  test("is not deleted by a customer, by its end or by the end of its time in the trash, until it is released", async () => {
    const project = await world.project({ trashDays: 1 });
    const { filePath } = await aFile(project, "12345", { expires_after: 60 });
    expect(await hold(project, filePath)).toMatchObject({ hold: true });
    expect(await outcomeOf(remove(project, filePath))).toBe("file_on_hold");
    expect(await removeAll(project, [filePath], { purge: true })).toEqual({
      deleted: [],
      notFound: [],
      onHold: [filePath],
    });
    world.advance(61_000);
    await endAll();
    expect(await world.file(filePath)).toMatchObject({ status: "stored" });
    expect(await hold(project, filePath, false)).not.toHaveProperty("hold");
    await endAll();
    expect(await world.file(filePath)).toMatchObject({ status: "trashed" });
    await hold(project, filePath);
    world.advance(2 * DAY);
    await endAll();
    expect(await world.file(filePath)).toMatchObject({ status: "trashed" });
    await hold(project, filePath, false);
    await endAll();
    expect(await world.file(filePath)).toBeUndefined();
    await expectExact(project, { used: 0, files: 0 });
  });

  test("is kept if its lost object comes back and does not fit the quota any more", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const upload = await aFile(project);
    await hold(project, upload.filePath);
    await lose(project, upload.filePath);
    await aFile(project, "0123456789");
    expect(await put(upload, "12345")).toBe(200);
    expect(await settleUpload(world.deps, project.id, upload.filePath)).toBe("stored");
    await expectExact(project, { used: 15, files: 2 });
  });

  test("keeps its tenant, and a tenant that is being deleted takes no hold", async () => {
    const project = await world.project();
    const [held, other] = [await aFile(project), await aFile(project)];
    await hold(project, held.filePath);
    expect(await outcomeOf(deleteTenant(world.deps, project, "t", commandLineActor))).toBe("file_on_hold");
    expect((await download(project, other.filePath)).size).toBe(5);
    await hold(project, held.filePath, false);
    await world.rows(`update tenants set next_purge_at = now() where project_id = $1`, [project.id]);
    expect(await outcomeOf(hold(project, held.filePath))).toBe("tenant_being_deleted");
    expect(await world.rows(`select held from files where path = $1`, [held.filePath])).toEqual([
      { held: false },
    ]);
  });

  test("can be put on hold, released, and held again in each state until it is deleted", async () => {
    const project = await world.project({ trashDays: 30 });
    const [pending, stored] = [await world.upload(project, {}), await aFile(project)];
    const [trashed, lost, deleted] = [await aFile(project), await aFile(project), await aFile(project)];
    await remove(project, trashed.filePath);
    await lose(project, lost.filePath);
    await remove(project, deleted.filePath, { purge: true });
    for (const { filePath } of [pending, stored, trashed, lost])
      for (const isOnHold of [true, true, false, false, true]) {
        const file = await hold(project, filePath, isOnHold);
        expect("hold" in file).toBe(isOnHold);
      }
    expect(await outcomeOf(cancel(project, pending.filePath))).toBe("file_on_hold");
    expect(await outcomeOf(cancel(project, lost.filePath))).toBe("file_on_hold");
    expect(await outcomeOf(deleteTenant(world.deps, project, "t", commandLineActor))).toBe("file_on_hold");
    for (const isOnHold of [true, false])
      for (const path of [deleted.filePath, `${stored.filePath}x`])
        expect(await outcomeOf(hold(project, path, isOnHold))).toBe("file_not_found");
  });

  test("can be put on hold and released while storage is down, and right after its PUT", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    expect(await put(upload, "12345")).toBe(200);
    const head = () => Promise.reject(new StowageError("unavailable"));
    const down = { ...settling(), settling: { ...world.deps, store: { ...world.deps.store, head } } };
    const request = { filePath: upload.filePath, tenantId: undefined };
    expect(await holdFile(down, project, { ...request, hold: true })).toMatchObject({ hold: true });
    expect(await hold(project, upload.filePath)).toMatchObject({ hold: true, status: "stored", size: 5 });
    expect(await holdFile(down, project, { ...request, hold: false })).not.toHaveProperty("hold");
  });
});

describe("calls at the same time", () => {
  const ROUNDS = 5;

  test("of delete and restore leave the file stored or in the trash, and counted once", async () => {
    const project = await world.project({ trashDays: 30 });
    const { filePath } = await aFile(project);
    for (let round = 0; round < ROUNDS; round++) {
      const [deleted, restored] = await Promise.all([
        outcomeOf(remove(project, filePath)),
        outcomeOf(restoreOne(project, filePath)),
      ]);
      expect([deleted, restored]).toContain("done");
      const { status } = (await world.file(filePath))!;
      expect(await outcomeOf(download(project, filePath))).toBe(
        status === "stored" ? "done" : "file_not_found",
      );
      await expectExact(project, { used: 5, files: 1 });
    }
  });

  test("of hold and delete leave the file held or deleted, never both", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.project();
      const { filePath } = await aFile(project);
      const [held, deleted] = await Promise.all([
        outcomeOf(hold(project, filePath)),
        outcomeOf(remove(project, filePath)),
      ]);
      expect([`${held} ${deleted}`]).not.toContain("done done");
      if (held === "done") {
        expect(deleted).toBe("file_on_hold");
        expect((await download(project, filePath)).size).toBe(5);
      } else expect(deleted).toBe("done");
      await expectExact(project, held === "done" ? { used: 5, files: 1 } : { used: 0, files: 0 });
    }
  });

  test("of the end of the trash and restore keep a restored file", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.project({ trashDays: 1 });
      const { filePath } = await aFile(project);
      await remove(project, filePath);
      world.advance(DAY + 1000);
      const [, restored] = await Promise.all([
        endFiles(world.deps),
        outcomeOf(restoreOne(project, filePath)),
      ]);
      await endAll();
      const isKept = restored === "done";
      expect(await outcomeOf(download(project, filePath))).toBe(isKept ? "done" : "file_not_found");
      expect((await world.deps.store.head(filePath)) !== null).toBe(isKept);
      await expectExact(project, isKept ? { used: 5, files: 1 } : { used: 0, files: 0 });
    }
  });

  test("of hold and the deletion of its tenant leave the file held or the tenant deleted", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.project();
      const { filePath } = await aFile(project);
      const [held, deleted] = await Promise.all([
        outcomeOf(hold(project, filePath)),
        outcomeOf(deleteTenant(world.deps, project, "t", commandLineActor)),
      ]);
      if (held === "done") expect(deleted).toBe("file_on_hold");
      else expect(deleted).toBe("done");
      expect((await world.deps.store.head(filePath)) !== null).toBe(held === "done");
    }
  });

  test("of several replicas end each file once", async () => {
    const project = await world.project({ trashDays: 1 });
    const files = await Promise.all(
      Array.from({ length: 8 }, () => aFile(project, "12345", { expires_after: 60 })),
    );
    world.advance(61_000);
    await Promise.all([endFiles(world.deps), endFiles(world.deps), endFiles(world.deps)]);
    await endAll();
    const events = await world.rows<{ count: number }>(
      `select count(*)::int from file_events where project_id = $1 and kind = 'trashed'`,
      [project.id],
    );
    expect(events).toEqual([{ count: files.length }]);
    await expectExact(project, { used: 40, files: 8 });
  });
});

describe("deleting a tenant", () => {
  test("removes its files, also those in the trash, and every row, and a later upload creates it anew", async () => {
    const project = await world.project({ trashDays: 30 });
    const [inTrash, stored] = [await aFile(project), await aFile(project)];
    const pending = await world.upload(project, { size: 3 }, "a key");
    const other = await world.upload(project, { tenant_id: "other" });
    await world.rows(
      `insert into log_deliveries select project_id, 'a log', id, now(), 5 from tenants where project_id = $1 and tenant_id = 't'`,
      [project.id],
    );
    await remove(project, inTrash.filePath);
    expect(await deleteTenant(world.deps, project, "t", commandLineActor)).toEqual({
      tenantId: "t",
      remainingFiles: 0,
    });
    for (const { filePath } of [inTrash, stored, pending]) {
      expect(await world.file(filePath)).toBeUndefined();
      expect(await world.deps.store.head(filePath)).toBeNull();
    }
    expect(await world.tenant(project)).toBeUndefined();
    expect(await world.file(other.filePath)).toMatchObject({ status: "pending" });
    const left = await world.rows(
      `select 'event' from file_events where project_id = $1
       union all select 'key' from idempotency_keys where project_id = $1
       union all select 'day' from usage_daily where project_id = $1
       union all select 'log' from log_deliveries where project_id = $1`,
      [project.id],
    );
    expect(left).toEqual([]);
    expect(
      await world.rows(`select action, operator_email, details from audit_log where project_id = $1`, [
        project.id,
      ]),
    ).toEqual([{ action: "tenant.deleted", operator_email: "command line", details: { tenantId: "t" } }]);
    expect(await outcomeOf(deleteTenant(world.deps, project, "t", commandLineActor))).toBe(
      "tenant_not_found",
    );
    expect(await world.upload(project, {})).toMatchObject({ isNewTenant: true });
  });

  test("keeps no history that a call at the same time writes", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    let deleting: Promise<unknown> | undefined;
    await world.deps.db.run((db) =>
      db.transaction(async (tx) => {
        const [found] = await lockFiles(tx, project, { paths: [filePath], tenantId: undefined });
        deleting = deleteTenant(world.deps, project, "t", commandLineActor);
        const isMarked = async () => (await world.rows(MARKED_TENANTS, [project.id])).length === 1;
        await expect.poll(isMarked, { interval: 20 }).toBe(true);
        // Until the deletion waits for the file.
        await new Promise((resolve) => setTimeout(resolve, 300));
        const ids = { projectId: project.id, fileIds: [found!.file.id] };
        await recordFileEvents(tx, ids, { kind: "released", at: world.deps.clock(), actor: "customer" });
      }),
    );
    await deleting;
    expect(await world.rows(`select kind from file_events where project_id = $1`, [project.id])).toEqual([]);
  });
  const MARKED_TENANTS = `select id from tenants where project_id = $1 and next_purge_at is not null`;

  test("removes in the next call what storage did not remove in an earlier one", async () => {
    const project = await world.project();
    const paths = [(await aFile(project)).filePath, (await aFile(project)).filePath];
    const down = () => Promise.reject(new StowageError("unavailable"));
    const deps = { ...world.deps, store: { ...world.deps.store, remove: down } };
    expect((await deleteTenant(deps, project, "t", commandLineActor)).remainingFiles).toBe(2);
    expect((await deleteTenant(world.deps, project, "t", commandLineActor)).remainingFiles).toBe(0);
    for (const path of paths) expect(await world.deps.store.head(path)).toBeNull();
    expect(await world.tenant(project)).toBeUndefined();
  });

  test("refuses its uploads while storage is down, and its job finishes it", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project);
    const down = async () => {
      throw new StowageError("unavailable");
    };
    const deps = { ...world.deps, store: { ...world.deps.store, remove: down } };
    const { remainingFiles } = await deleteTenant(deps, project, "t", commandLineActor);
    expect(remainingFiles).toBe(1);
    expect(await outcomeOf(world.upload(project, {}))).toBe("tenant_being_deleted");
    expect(await outcomeOf(world.upload(project, {}, "a key"))).toBe("tenant_being_deleted");
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    world.advance(61_000);
    await continueTenantDeletions(world.deps, { afterProject: 0 });
    expect(await world.file(filePath)).toBeUndefined();
    expect(await world.tenant(project)).toBeUndefined();
  });
});

test("an export has the tenant, its files, each with a URL if it is stored, its links, and an end, and continues after any line", async () => {
  const project = await world.project({ trashDays: 30 });
  const files = [await aFile(project, "a"), await aFile(project, "bb"), await aFile(project, "ccc")];
  await remove(project, files[1]!.filePath);
  await world.upload(project, { tenant_id: "other" });
  // More than one query reads.
  const [kept, trashed] = [files[0]!.filePath, files[1]!.filePath];
  await insertLinks(project, kept, 501);
  await insertLinks(project, trashed, 1);
  const read = async (after?: string) => {
    const lines: ExportLine[] = [];
    for await (const page of await exportTenant(
      settling(),
      project,
      { tenantId: "t", after },
      commandLineActor,
    ))
      lines.push(...page);
    return lines;
  };
  const lines = await read();
  const withoutLinks = lines.filter(({ type }) => type !== "link");
  expect(withoutLinks.map((line) => (line.type === "file" ? [line.filePath, line.status] : line))).toEqual([
    expect.objectContaining({ type: "tenant" }),
    [kept, "stored"],
    [trashed, "trashed"],
    [files[2]!.filePath, "stored"],
    { type: "end", files: 3, links: 502 },
  ]);
  const links = lines.flatMap((line) => (line.type === "link" ? line : []));
  expect(lines.slice(4, -1)).toEqual(links);
  expect(links.map(({ filePath }) => filePath)).toEqual([trashed, ...links.slice(1).map(() => kept)]);
  expect(new Set(links.map(({ linkId }) => linkId)).size).toBe(502);
  const members =
    "createdAt cursor disposition downloads expiresAt filePath hasPassword linkId maxDownloads tenantId type";
  expect(Object.keys(links[0]!).toSorted().join(" ")).toBe(members);
  expect(await read(links[0]!.cursor)).toEqual([...links.slice(1), { type: "end", files: 0, links: 501 }]);
  expect(await read(links.at(-1)!.cursor)).toEqual([{ type: "end", files: 0, links: 0 }]);
  for (const line of lines) {
    if (line.type !== "file") continue;
    expect(line.presignedUrl?.includes(line.filePath)).toBe(line.status === "stored" ? true : undefined);
  }
  expect(await outcomeOf(read(writeCursor("export", ["yesterday", 1])))).toBe("invalid_request");
  const [, first] = lines;
  expect(await read(first!.type === "file" ? first!.cursor : "")).toMatchObject([
    ...[files[1]!, files[2]!].map(({ filePath }) => ({ type: "file", filePath })),
    ...links.map(({ linkId }) => ({ linkId })),
    { type: "end", files: 2, links: 502 },
  ]);
  const actions = await world.rows(`select action from audit_log where project_id = $1`, [project.id]);
  expect(actions).toEqual(Array.from({ length: 4 }, () => ({ action: "tenant.exported" })));
});

test("an export fails rather than leave out a URL because too many calls wait", async () => {
  const project = await world.project();
  await updateProject(world.deps, project.ref, { scan: "external" });
  const { filePath } = await aFile(project);
  await reportScan(settling(), project, { filePath, verdict: "clean" });
  const head = async () => {
    throw new StowageError("too_many_requests");
  };
  const busy = { ...settling(), settling: { ...world.deps, store: { ...world.deps.store, head } } };
  const read = async () => {
    for await (const _ of await exportTenant(busy, project, { tenantId: "t" }, commandLineActor)) continue;
  };
  expect(await outcomeOf(read())).toBe("too_many_requests");
});
