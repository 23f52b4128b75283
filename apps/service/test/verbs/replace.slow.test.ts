import { parse, deleteRequest, listFilesQuery, openUploadRequest, StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { listFiles } from "#files/list/list-files.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { openUpload } from "#files/upload/open-upload.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { HOUR_MS } from "#lib/time.js";
import type { NewProject } from "#projects/create-project.js";
import { updateProject } from "#projects/update-project.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { recount } from "#reconcile/recount.js";
import { repairCounters } from "#reconcile/repair-counters.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { readStoredObject } from "../fixtures/direct-access.js";
import { histories } from "../fixtures/histories.js";
import { putObject } from "../fixtures/put-object.js";

const QUOTA = 100;
type Project = Awaited<ReturnType<World["project"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const aProject = (input: Partial<NewProject> = {}) => world.project({ defaultQuotaBytes: QUOTA, ...input });
const bytes = (length: number) => "x".repeat(length);
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );
const remove = (project: Project, path: string, body: object = {}) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_path: path, ...body }));
const hold = (project: Project, filePath: string, isOnHold = true) =>
  holdFile({ ...world.deps, settling: world.deps }, project, {
    filePath,
    tenantId: undefined,
    hold: isOnHold,
  });
const cancel = (project: Project, filePath: string) =>
  cancelUpload(world.deps, project, { filePath, tenantId: undefined });
const restore = (project: Project, path: string) =>
  restoreFiles(world.deps, project, { paths: [path], mustExist: true, tenantId: undefined });
const setTrash = (project: Project, trashDays: number) =>
  updateProject(world.deps, project.ref, { trashDays });

async function aFile(project: Project, size: number, body: object = {}) {
  const { filePath } = await arrive(project, await world.upload(project, { size, ...body }), size);
  return filePath;
}

async function arrive(project: Project, upload: Awaited<ReturnType<World["upload"]>>, size: number) {
  expect(await put(upload, bytes(size))).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

async function trashOf(project: Project) {
  const query = parse(listFilesQuery, { status: "trashed" });
  const { files } = await listFiles(world.deps, project, query);
  return files.map(({ filePath, replacedBy }) => ({ filePath, replacedBy }));
}

async function expectCounters(project: Project, expected: { used: number; reserved: number; files: number }) {
  expect(await world.tenant(project)).toEqual(expected);
  for await (const drift of recount(world.deps, [project])) expect(drift).toBeNull();
}

test("a tenant at its quota replaces a file, and reserves only the difference", async () => {
  const project = await aProject();
  const old = await aFile(project, QUOTA);
  const upload = await world.upload(project, { size: 90, replaces: old });
  await expectCounters(project, { used: QUOTA, reserved: 0, files: 1 });
  expect(await codeOf(world.upload(project, { size: 1 }))).toBe("quota_exceeded");
  await arrive(project, upload, 90);
  await expectCounters(project, { used: 90, reserved: 0, files: 1 });
  await world.sweep();
  expect(await readStoredObject(old)).toBeNull();
  expect(await world.file(old)).toBeUndefined();
  expect(
    await world.rows(`select kind, actor from file_events where project_id = $1 and path = $2 order by id`, [
      project.id,
      old,
    ]),
  ).toContainEqual({ kind: "deleted", actor: "customer" });
  const larger = await world.upload(project, { size: QUOTA, replaces: upload.filePath });
  await expectCounters(project, { used: 90, reserved: 10, files: 1 });
  await arrive(project, larger, QUOTA);
  await expectCounters(project, { used: QUOTA, reserved: 0, files: 1 });
  expect(await codeOf(world.upload(project, { size: QUOTA + 1, replaces: larger.filePath }))).toBe(
    "quota_exceeded",
  );
  await expectCounters(project, { used: QUOTA, reserved: 0, files: 1 });
});

test("only one pending upload replaces a file, also of several at the same time", async () => {
  const project = await aProject();
  const old = await aFile(project, 10);
  const codes = await Promise.all(
    Array.from({ length: 8 }, () => codeOf(world.upload(project, { size: 20, replaces: old }))),
  );
  expect(codes.toSorted()).toEqual(["done", ...Array<string>(7).fill("file_being_replaced")]);
  await expectCounters(project, { used: 10, reserved: 10, files: 1 });
});

test("refuses a file that is not a stored one of this tenant and project, or is on hold", async () => {
  const project = await aProject();
  const foreign = await aFile(await aProject(), 1);
  const ofOther = await aFile(project, 1, { tenant_id: "other" });
  const { filePath: pending } = await world.upload(project, { size: 1 });
  for (const replaces of ["no/such/file", foreign, ofOther, pending])
    expect(await codeOf(world.upload(project, { size: 1, replaces }))).toBe("file_not_found");
  expect(await codeOf(world.upload(project, { tenant_id: "new", size: 1, replaces: ofOther }))).toBe(
    "file_not_found",
  );
  const held = await aFile(project, 1);
  await hold(project, held);
  expect(await codeOf(world.upload(project, { size: 1, replaces: held }))).toBe("file_on_hold");
  await expectCounters(project, { used: 1, reserved: 1, files: 1 });
  const unknown = { ...project, apiKeyHash: "0".repeat(64) };
  expect(await codeOf(world.upload(unknown, { size: 1, replaces: held }))).toBe("unauthorized");
});

test("the bytes of a file that is deleted meanwhile stay reserved for its replacement", async () => {
  const project = await aProject();
  const old = await aFile(project, 60);
  const upload = await world.upload(project, { size: 80, replaces: old });
  await expectCounters(project, { used: 60, reserved: 20, files: 1 });
  await remove(project, old);
  await expectCounters(project, { used: 0, reserved: 80, files: 0 });
  expect(await codeOf(world.upload(project, { size: 21 }))).toBe("quota_exceeded");
  await arrive(project, upload, 80);
  await expectCounters(project, { used: 80, reserved: 0, files: 1 });
});

test("the bytes of a file that storage lost stay reserved for its replacement", async () => {
  const project = await aProject();
  const old = await aFile(project, 60);
  const upload = await world.upload(project, { size: 60, replaces: old });
  await world.deps.store.remove(old);
  expect(await expireMissing(world.deps, project.id, old)).toBe(true);
  await expectCounters(project, { used: 0, reserved: 60, files: 0 });
  await arrive(project, upload, 60);
  await expectCounters(project, { used: 60, reserved: 0, files: 1 });
});

test("a file that became smaller lends its replacement no more bytes than it has", async () => {
  const project = await aProject();
  const old = await aFile(project, 90);
  const upload = await world.upload(project, { size: 90, replaces: old });
  await putObject(inject("servers").S3_BUCKET, old, bytes(30));
  expect(await settleUpload(world.deps, project.id, old)).toBe("stored");
  await expectCounters(project, { used: 30, reserved: 60, files: 1 });
  expect(await codeOf(world.upload(project, { size: 11 }))).toBe("quota_exceeded");
  await arrive(project, upload, 90);
  await expectCounters(project, { used: 90, reserved: 0, files: 1 });
});

describe("a file that is put on hold meanwhile stays", () => {
  test("and its replacement is stored beside it if both fit", async () => {
    const project = await aProject();
    const old = await aFile(project, 40);
    const upload = await world.upload(project, { size: 40, replaces: old });
    await hold(project, old);
    await arrive(project, upload, 40);
    await expectCounters(project, { used: 80, reserved: 0, files: 2 });
  });

  test("and its replacement is refused if they do not", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const upload = await world.upload(project, { size: 60, replaces: old });
    await hold(project, old);
    expect(await put(upload, bytes(60))).toBe(200);
    expect(await codeOf(world.complete(project, upload.filePath))).toBe("quota_exceeded");
    await expectCounters(project, { used: 60, reserved: 0, files: 1 });
  });

  test("and is replaced if it is released before", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const upload = await world.upload(project, { size: 60, replaces: old });
    await hold(project, old);
    await hold(project, old, false);
    await arrive(project, upload, 60);
    await expectCounters(project, { used: 60, reserved: 0, files: 1 });
  });
});

describe("in a project with a trash", () => {
  test("a replaced file counts in the trash, which tells what replaced it until it is restored", async () => {
    const project = await aProject({ trashDays: 30 });
    const old = await aFile(project, 50);
    expect(await codeOf(world.upload(project, { size: 51, replaces: old }))).toBe("quota_exceeded");
    const { filePath } = await world
      .upload(project, { size: 50, replaces: old })
      .then((upload) => arrive(project, upload, 50));
    await expectCounters(project, { used: 100, reserved: 0, files: 2 });
    expect(await trashOf(project)).toEqual([{ filePath: old, replacedBy: filePath }]);
    expect(await restore(project, old)).not.toHaveProperty("replacedBy");
  });

  test("a file that is trashed meanwhile stays there, and is replaced if it was restored before", async () => {
    const project = await aProject({ trashDays: 30 });
    for (const isRestored of [false, true]) {
      const old = await aFile(project, 10);
      const upload = await world.upload(project, { size: 10, replaces: old });
      await remove(project, old);
      if (isRestored) await restore(project, old);
      await arrive(project, upload, 10);
      expect(await trashOf(project)).toContainEqual({
        filePath: old,
        replacedBy: isRestored ? upload.filePath : undefined,
      });
    }
    await expectCounters(project, { used: 40, reserved: 0, files: 4 });
  });

  test("what was reserved decides, whatever happens to the trash meanwhile", async () => {
    const without = await aProject();
    const first = await aFile(without, QUOTA);
    const upload = await world.upload(without, { size: QUOTA, replaces: first });
    await setTrash(without, 30);
    await arrive(without, upload, QUOTA);
    await expectCounters(without, { used: QUOTA, reserved: 0, files: 1 });

    const withTrash = await aProject({ trashDays: 30 });
    const second = await aFile(withTrash, 40);
    const other = await world.upload(withTrash, { size: 40, replaces: second });
    await setTrash(withTrash, 0);
    await arrive(withTrash, other, 40);
    await expectCounters(withTrash, { used: 40, reserved: 0, files: 1 });
  });
});

describe("a replacement that ends without bytes", () => {
  test("returns what it had reserved when it is cancelled", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const { filePath } = await world.upload(project, { size: 80, replaces: old });
    await cancel(project, filePath);
    await expectCounters(project, { used: 60, reserved: 0, files: 1 });
    await remove(project, old);
    await expectCounters(project, { used: 0, reserved: 0, files: 0 });
  });

  test("returns it when it expires, and lets another upload replace the file", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const late = await world.upload(project, { size: 80, replaces: old });
    world.advance(3 * HOUR_MS);
    await world.sweep();
    expect((await world.file(late.filePath))?.status).toBe("expired");
    await expectCounters(project, { used: 60, reserved: 0, files: 1 });
    const upload = await world.upload(project, { size: 70, replaces: old });
    await expectCounters(project, { used: 60, reserved: 10, files: 1 });
    // The late bytes replace nothing any more, so they do not fit.
    expect(await put(late, bytes(80))).toBe(200);
    await settleUpload(world.deps, project.id, late.filePath);
    await expectCounters(project, { used: 60, reserved: 10, files: 1 });
    await arrive(project, upload, 70);
    await expectCounters(project, { used: 70, reserved: 0, files: 1 });
  });

  test("replaces the file if its bytes arrive late and fit", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const late = await world.upload(project, { size: 80, replaces: old });
    world.advance(3 * HOUR_MS);
    await world.sweep();
    expect(await put(late, bytes(80))).toBe(200);
    expect(await settleUpload(world.deps, project.id, late.filePath)).toBe("stored");
    await expectCounters(project, { used: 80, reserved: 0, files: 1 });
  });

  test("does not delete the file if its bytes do not fit", async () => {
    const project = await aProject();
    const old = await aFile(project, 60);
    const upload = await world.upload(project, { replaces: old });
    await aFile(project, 40);
    expect(await put(upload, bytes(61))).toBe(200);
    expect(await codeOf(world.complete(project, upload.filePath))).toBe("quota_exceeded");
    await expectCounters(project, { used: 100, reserved: 0, files: 2 });
    expect((await world.file(old))?.status).toBe("stored");
    await arrive(project, await world.upload(project, { replaces: old }), 60);
    await expectCounters(project, { used: 100, reserved: 0, files: 2 });
  });
});

test("a repeated request answers the same upload and reserves nothing twice, also after it expired", async () => {
  const project = await aProject();
  const old = await aFile(project, 60);
  const request = { size: 80, replaces: old };
  const { filePath } = await world.upload(project, request, "key");
  expect((await world.upload(project, request, "key")).filePath).toBe(filePath);
  await expectCounters(project, { used: 60, reserved: 20, files: 1 });
  expect(await codeOf(world.upload(project, { ...request, size: 81 }, "key"))).toBe("idempotency_key_reused");
  world.advance(3 * HOUR_MS);
  await world.sweep();
  await expectCounters(project, { used: 60, reserved: 0, files: 1 });
  const again = await world.upload(project, request, "key");
  expect(again.filePath).toBe(filePath);
  await expectCounters(project, { used: 60, reserved: 20, files: 1 });
  await arrive(project, again, 80);
  await expectCounters(project, { used: 80, reserved: 0, files: 1 });
  expect((await world.upload(project, request, "key")).filePath).toBe(filePath);
  await expectCounters(project, { used: 80, reserved: 0, files: 1 });
});

test("an upload by parts replaces a file too, and a repair counts its reservation", async () => {
  const project = await aProject({ defaultQuotaBytes: 20_000_000 });
  const old = await aFile(project, 1000);
  const input = { tenant_id: "t", filename: "a", size: 20_000_000, replaces: old };
  const { filePath } = await openUpload(world.deps, project, parse(openUploadRequest, input));
  await expectCounters(project, { used: 1000, reserved: 19_999_000, files: 1 });
  await world.rows(`update tenants set reserved_bytes = 7 where project_id = $1`, [project.id]);
  await repairCounters(world.deps, project.id, "t");
  await expectCounters(project, { used: 1000, reserved: 19_999_000, files: 1 });
  await cancel(project, filePath);
  await expectCounters(project, { used: 1000, reserved: 0, files: 1 });
});

/* Random histories: the steps of one list run at the same time. Files are those of the history, modulo their number. */

const file = fc.nat({ max: 5 });
const size = fc.constantFrom(null, 0, 10, 30, 50, 100);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("upload" as const), size }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("replace" as const),
      file,
      size,
      key: fc.option(fc.constantFrom("one", "two"), { freq: 2 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("arrive" as const), file, size }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), file, purge: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), file }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("restore" as const), file }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("hold" as const), file, isOnHold: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("lose" as const), file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("trash" as const), days: fc.constantFrom(0, 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pass" as const), hours: fc.constantFrom(2, 48) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const EXPECTED = new Set<string>([
  "done",
  "quota_exceeded",
  "file_not_found",
  "file_on_hold",
  "file_being_replaced",
  "upload_not_found",
  "upload_already_stored",
  "idempotency_key_reused",
  "invalid_request",
]);

test("random histories never pass the quota or count a byte twice", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 30 }),
      async (steps) => {
        const history = await aHistory();
        for (const together of steps) {
          for (const code of await Promise.all(together.map((one) => codeOf(history.run(one)))))
            expect(EXPECTED).toContain(code);
          await history.check();
        }
        await history.end();
      },
    ),
    histories(12),
  ));

async function aHistory() {
  const project = await aProject();
  const uploads: Awaited<ReturnType<World["upload"]>>[] = [];
  const uploadAt = (n: number) => uploads[uploads.length - 1 - (n % uploads.length)];
  const request = async (body: object, key?: string) => {
    uploads.push(await world.upload(project, body, key));
  };
  const sending = new Set<Promise<unknown>>();

  async function run(one: Step): Promise<void> {
    if (one.do === "upload") return request({ size: one.size ?? undefined });
    if (one.do === "trash") return setTrash(project, one.days).then(() => {});
    if (one.do === "pass") {
      // A PUT that began in time would end two days after its URL.
      while (sending.size > 0) await Promise.all(sending);
      world.advance(one.hours * HOUR_MS);
      await world.sweep();
      while (await endFiles(world.deps)) continue;
      return;
    }
    const upload = uploadAt(one.file);
    if (!upload) return;
    const { filePath } = upload;
    switch (one.do) {
      case "replace":
        return request({ size: one.size ?? undefined, replaces: filePath }, one.key ?? undefined);
      case "arrive": {
        // Storage's clock does not advance, so the URL still works.
        if (world.deps.clock() >= new Date(upload.expiresAt)) return;
        const declared = Number(upload.headers["Content-Length"] ?? upload.maxBytes);
        const sent = put(upload, bytes(declared <= QUOTA ? declared : (one.size ?? 20)));
        sending.add(sent);
        await sent.finally(() => sending.delete(sent));
        return void (await world.complete(project, filePath));
      }
      case "delete":
        return void (await remove(project, filePath, one.purge ? { purge: true } : {}));
      case "cancel":
        return void (await cancel(project, filePath));
      case "restore":
        return void (await restore(project, filePath));
      case "hold": {
        // The service does not check the quota for an upload on hold, so a history that holds one could pass it.
        if ((await world.file(filePath))?.status !== "stored") return;
        return void (await hold(project, filePath, one.isOnHold));
      }
      case "lose":
        if ((await world.file(filePath))?.status !== "stored") return;
        await world.deps.store.remove(filePath);
        return void (await expireMissing(world.deps, project.id, filePath));
    }
  }

  async function check(): Promise<void> {
    for await (const drift of recount(world.deps, [project])) expect(drift).toBeNull();
    const tenant = await world.tenant(project);
    if (tenant) expect(tenant.used + tenant.reserved).toBeLessThanOrEqual(QUOTA);
    // Both files of a replacement exist, and neither has fewer bytes than the old one lends.
    expect(
      await world.rows(
        `select from replacements r
         left join files o on o.project_id = r.project_id and o.id = r.old_file
         left join files n on n.project_id = r.project_id and n.id = r.new_file
         where r.project_id = $1 and (o.id is null or n.id is null or r.credit_bytes > n.reserved_bytes
           or r.credit_bytes > (case when o.status in ('stored', 'trashed') then o.size else 0 end)
           or n.status not in ('pending', 'expired'))`,
        [project.id],
      ),
    ).toEqual([]);
  }

  async function end(): Promise<void> {
    for (let n = 0; n < 3; n++) await run({ do: "pass", hours: 48 });
    await check();
    expect((await world.tenant(project))?.reserved ?? 0).toBe(0);
    for (const { filePath } of uploads) {
      const row = await world.file(filePath);
      const isCounted = row?.status === "stored" || row?.status === "trashed";
      expect((await readStoredObject(filePath)) !== null).toBe(isCounted);
    }
    expect(world.failures).toEqual([]);
  }

  return { run, check, end };
}
