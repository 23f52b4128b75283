import { type SetLimitsRequest, StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { openDatabase } from "#db/client.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { type AdmitUpload, createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { updateProject } from "#projects/update-project.js";
import { deletePlan, listPlans, setPlan } from "#tenants/plans.js";
import { readUsage } from "#tenants/read-usage.js";
import { setLimits } from "#tenants/set-limits.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

let world: World;
let replica: ReturnType<typeof openDatabase>;
/** Another replica's admission, with its own connections and batches. */
let elsewhere: AdmitUpload;
beforeAll(async () => {
  world = await aWorld();
  replica = openDatabase({ url: world.databaseUrl, poolSize: 10, timeoutMs: 60_000 });
  elsewhere = createBatchedAdmit(replica, { isSeparate: () => inject("citus") !== null });
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

type Project = Awaited<ReturnType<World["project"]>>;

const limitTenant = (project: Project, limits: Omit<SetLimitsRequest, "tenantId">, tenantId = "t") =>
  setLimits(world.deps, project, { tenantId, ...limits });
const plan = (project: Project, name: string, limits: Omit<SetLimitsRequest, "tenantId" | "plan"> = {}) =>
  setPlan(world.deps, { ...commandLineActor, project }, { name, ...limits });
const removePlan = (project: Project, name: string) =>
  deletePlan(world.deps, { ...commandLineActor, project }, { name });

/** The code of the refusal; undefined if the upload was admitted. */
const refusalOf = (upload: Promise<RequestedUpload>) =>
  upload.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof StowageError) return error.code;
      throw error;
    },
  );
const ask = (project: Project, body: object = {}, key?: string) =>
  refusalOf(world.upload(project, { size: 1, ...body }, key));

async function store(project: Project, body: object = {}): Promise<RequestedUpload> {
  const upload = await world.upload(project, { size: 1, ...body });
  expect(await put(upload, "x")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

async function countFiles(project: Project, tenantId = "t") {
  const [row] = await world.rows<{ files: number; open: number }>(
    `select count(*) filter (where status in ('pending', 'stored', 'trashed'))::int as files,
            count(*) filter (where status = 'pending')::int as open
     from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
     where f.project_id = $1 and t.project_id = $1 and t.tenant_id = $2`,
    [project.id, tenantId],
  );
  return row!;
}

describe("the number of files", () => {
  test("counts stored files, those in the trash and open uploads", async () => {
    const project = await world.project({ trashDays: 1 });
    await limitTenant(project, { maxFiles: 3 });
    const kept = await store(project);
    const open = await world.upload(project, { size: 1 });
    expect(await ask(project)).toBeUndefined();
    expect(await ask(project)).toBe("file_limit_exceeded");
    // Of another tenant.
    expect(await ask(project, { tenant_id: "other" })).toBeUndefined();

    const paths = { paths: [kept.filePath], mustExist: true, tenantId: undefined };
    await deleteFiles(world.deps, project, { ...paths, purge: false });
    expect(await ask(project)).toBe("file_limit_exceeded");
    // It was counted in the trash too.
    await restoreFiles(world.deps, project, paths);
    await cancelUpload(world.deps, project, { filePath: open.filePath });
    expect(await ask(project)).toBeUndefined();
    expect(await ask(project)).toBe("file_limit_exceeded");
  });

  test("does not grow by an upload that replaces a file", async () => {
    const project = await world.project();
    await limitTenant(project, { maxFiles: 2 });
    const old = await store(project);
    const replacement = await world.upload(project, { size: 1, replaces: old.filePath });
    const second = await store(project);
    expect(await ask(project)).toBe("file_limit_exceeded");
    expect(await ask(project, { replaces: second.filePath })).toBeUndefined();
    expect(await ask(project, { replaces: old.filePath })).toBe("file_being_replaced");
    expect(await ask(project)).toBe("file_limit_exceeded");
    await put(replacement, "x");
    await world.complete(project, replacement.filePath);
    expect(await countFiles(project)).toEqual({ files: 3, open: 1 });
    expect(await ask(project)).toBe("file_limit_exceeded");
    // Without its old file, the other upload is one more file.
    await deleteFiles(world.deps, project, {
      paths: [second.filePath],
      mustExist: true,
      tenantId: undefined,
      purge: true,
    });
    expect(await ask(project)).toBe("file_limit_exceeded");
    expect(await countFiles(project)).toEqual({ files: 2, open: 1 });
  });

  test("grows by a replacement whose old file goes to the trash", async () => {
    const project = await world.project({ trashDays: 1 });
    await limitTenant(project, { maxFiles: 1 });
    const old = await store(project);
    expect(await ask(project, { replaces: old.filePath })).toBe("file_limit_exceeded");
    await limitTenant(project, { maxFiles: 2 });
    expect(await ask(project, { replaces: old.filePath })).toBeUndefined();
    expect(await ask(project)).toBe("file_limit_exceeded");
  });

  test("of a replacement that is late is that of its old file", async () => {
    const project = await world.project();
    const old = await store(project);
    await limitTenant(project, { maxFiles: 1 });
    const late = await world.upload(project, { size: 1, replaces: old.filePath });
    world.advance(2 * 3600_000);
    await world.sweep();
    expect((await world.file(late.filePath))?.status).toBe("expired");
    expect(await put(late, "x")).toBe(200);
    await world.complete(project, late.filePath);
    expect(await world.tenant(project)).toEqual({ used: 1, reserved: 0, files: 1 });
  });

  test("an upload is refused for the quota before it is for the number of files", async () => {
    const project = await world.project({ defaultQuotaBytes: 5 });
    await limitTenant(project, { maxFiles: 0 });
    expect(await ask(project, { size: 6 })).toBe("quota_exceeded");
    expect(await ask(project, { size: 5 })).toBe("file_limit_exceeded");
    expect((await world.tenant(project))?.reserved).toBe(0);
  });

  test("bytes that arrive after their upload expired are refused beyond it", async () => {
    const project = await world.project();
    const late = await world.upload(project, { size: 1 });
    world.advance(2 * 3600_000);
    await world.sweep();
    expect((await world.file(late.filePath))?.status).toBe("expired");
    await limitTenant(project, { maxFiles: 0 });
    expect(await put(late, "x")).toBe(200);
    await expect(world.complete(project, late.filePath)).rejects.toThrow(/quota/);
    expect(await countFiles(project)).toEqual({ files: 0, open: 0 });
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
  });

  test("a repeated Idempotency-Key answers its upload, and opens an expired one only within the limits", async () => {
    const project = await world.project();
    const first = await world.upload(project, { size: 1 }, "key");
    await limitTenant(project, { maxFiles: 1, maxOpenUploads: 1 });
    expect(await ask(project)).toBe("file_limit_exceeded");
    expect((await world.upload(project, { size: 1 }, "key")).filePath).toBe(first.filePath);
    world.advance(2 * 3600_000);
    await world.sweep();
    const other = await world.upload(project, { size: 1 });
    expect(await ask(project, {}, "key")).toBe("file_limit_exceeded");
    await limitTenant(project, { maxFiles: null });
    expect(await ask(project, {}, "key")).toBe("too_many_requests");
    await cancelUpload(world.deps, project, { filePath: other.filePath });
    expect((await world.upload(project, { size: 1 }, "key")).filePath).toBe(first.filePath);
    expect(await countFiles(project)).toEqual({ files: 1, open: 1 });
  });
});

test.each([
  [{ maxFiles: 2 }, "file_limit_exceeded"],
  [{ maxOpenUploads: 2 }, "too_many_requests"],
  [{ uploadsPerMinute: 2 }, "too_many_requests"],
])("of simultaneous uploads, as many as %j allows are admitted", async (limits, refusal) => {
  const project = await world.project();
  const resume = world.stopClock();
  await limitTenant(project, limits);
  const codes = await Promise.all(Array.from({ length: 20 }, () => ask(project)));
  resume();
  expect(codes.filter((code) => code === undefined)).toHaveLength(2);
  expect(codes.filter((code) => code === refusal)).toHaveLength(18);
});

test("400 empty files do not fit a quota of 1,000 bytes, and 400 files of a byte do", async () => {
  const project = await world.project({ defaultQuotaBytes: 1000 });
  const bodies = { empty: { size: 0 }, unknown: { size: undefined }, bytes: { size: 1 } };
  const admitted = async (tenant_id: keyof typeof bodies) => {
    const codes = await Promise.all(
      Array.from({ length: 400 }, () => ask(project, { ...bodies[tenant_id], tenant_id })),
    );
    expect(new Set(codes.filter((code) => code !== undefined))).toEqual(
      new Set(tenant_id === "bytes" ? [] : ["file_limit_exceeded"]),
    );
    return codes.filter((code) => code === undefined).length;
  };
  expect(await admitted("empty")).toBe(310);
  expect(await admitted("unknown")).toBe(310);
  expect(await admitted("bytes")).toBe(400);
  await limitTenant(project, { maxFiles: 312 }, "empty");
  expect(await ask(project, { tenant_id: "empty", size: 0 })).toBeUndefined();
});

describe("open uploads", () => {
  test("beyond the limit are to be requested again when one has ended", async () => {
    const project = await world.project();
    await limitTenant(project, { maxOpenUploads: 1 });
    const open = await world.upload(project, { size: 1 });
    const refused = await world.upload(project, { size: 1 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "too_many_requests", retryAfterSeconds: 5 });
    await put(open, "x");
    await world.complete(project, open.filePath);
    expect(await ask(project)).toBeUndefined();
  });
});

describe("uploads per minute", () => {
  test("are counted over all replicas, whether admitted or not, until the minute ends", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const resume = world.stopClock();
    await limitTenant(project, { uploadsPerMinute: 5 });
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        refusalOf(
          world.upload(
            project,
            { size: n === 0 ? 11 : 1 },
            undefined,
            n % 2 === 0 ? {} : { admit: elsewhere },
          ),
        ),
      ),
    );
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(15);
    expect(await ask(project, { tenant_id: "other" })).toBeUndefined();
    world.advance(20_000);
    const refused = await world.upload(project, { size: 1 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "too_many_requests", retryAfterSeconds: 40 });
    world.advance(40_000);
    expect(await ask(project)).toBeUndefined();
    await limitTenant(project, { uploadsPerMinute: 1 });
    expect(await ask(project)).toBe("too_many_requests");
    await limitTenant(project, { uploadsPerMinute: null });
    expect(await ask(project)).toBeUndefined();
    resume();
  });

  test("a replica whose clock was an hour ahead does not shut a tenant out", async () => {
    const project = await world.project();
    await limitTenant(project, { uploadsPerMinute: 1 });
    world.advance(3600_000);
    expect(await ask(project)).toBeUndefined();
    world.advance(-3600_000);
    expect(await ask(project)).toBeUndefined();
    expect(await ask(project)).toBe("too_many_requests");
  });
});

describe("plans", () => {
  test("limits come from the tenant, then its plan, then the project, then the service", async () => {
    const project = await world.project({ defaultQuotaBytes: 4 });
    const deps = {
      ...world.deps,
      defaultQuotaBytes: 9,
      defaultLimits: { maxFiles: 40, uploadsPerMinute: 41 },
    };
    const usage = () => readUsage(deps, project, { tenantId: "t" });
    expect(await usage()).toMatchObject({ quotaBytes: 4, plan: null, maxFiles: 40, maxOpenUploads: null });
    await updateProject(world.deps, project.ref, { defaultMaxFiles: 30, defaultMaxOpenUploads: 31 });
    await plan(project, "pro", { quotaBytes: 3, maxFiles: 20 });
    await limitTenant(project, { plan: "pro" });
    expect(await usage()).toMatchObject({
      quotaBytes: 3,
      plan: "pro",
      maxFiles: 20,
      maxOpenUploads: 31,
      uploadsPerMinute: 41,
    });
    const set = await limitTenant(project, { quotaBytes: 2, maxFiles: 10, uploadsPerMinute: 11 });
    expect(set).toMatchObject({ quotaBytes: 2, quotaSource: "tenant", maxFiles: 10, uploadsPerMinute: 11 });
    const back = await limitTenant(project, { quotaBytes: null, maxFiles: null });
    expect(back).toMatchObject({ quotaBytes: 3, quotaSource: "plan", maxFiles: 20, uploadsPerMinute: 11 });
    expect(await limitTenant(project, { plan: null })).toMatchObject({
      quotaBytes: 4,
      plan: null,
      maxFiles: 30,
    });
  });

  test("a lowered plan keeps what its tenants have, and refuses more at once", async () => {
    const project = await world.project();
    await plan(project, "pro", { maxFiles: 3, quotaBytes: 100 });
    await limitTenant(project, { plan: "pro" });
    await store(project);
    await store(project);
    await plan(project, "pro", { maxFiles: 1 });
    expect(await ask(project)).toBe("file_limit_exceeded");
    expect(await world.tenant(project)).toEqual({ used: 2, reserved: 0, files: 2 });
    await plan(project, "pro", { maxFiles: null, quotaBytes: 2 });
    expect(await ask(project)).toBe("quota_exceeded");
    await plan(project, "pro", { quotaBytes: null });
    expect(await ask(project)).toBeUndefined();
  });

  test("a project has at most 50 plans, and one that a tenant has cannot be deleted", async () => {
    const project = await world.project();
    for (let n = 0; n < 50; n++) await plan(project, `plan-${n}`, { maxFiles: n });
    await expect(plan(project, "one-more")).rejects.toThrow("A project can have at most 50 plans");
    await limitTenant(project, { plan: "plan-7" });
    await expect(removePlan(project, "plan-7")).rejects.toMatchObject({ code: "plan_in_use" });
    await limitTenant(project, { plan: null });
    expect(await removePlan(project, "plan-7")).toMatchObject({ name: "plan-7", maxFiles: 7 });
    await expect(limitTenant(project, { plan: "plan-7" })).rejects.toMatchObject({ code: "plan_not_found" });
    await expect(removePlan(project, "plan-7")).rejects.toMatchObject({ code: "plan_not_found" });
    expect(await listPlans(world.deps, project)).toHaveLength(49);
  });

  test("a tenant never has a plan that was deleted at the same time", async () => {
    const project = await world.project();
    for (let round = 0; round < 20; round++) {
      await plan(project, "short", { maxFiles: 1 });
      const [given] = await Promise.allSettled([
        limitTenant(project, { plan: "short" }, `t${round}`),
        removePlan(project, "short"),
      ]);
      const exists = (await listPlans(world.deps, project)).length === 1;
      expect(exists).toBe(given.status === "fulfilled");
      await limitTenant(project, { plan: null }, `t${round}`);
    }
  });

  test("a tenant without room is not created, so that its first upload still reports a new tenant", async () => {
    const project = await world.project();
    await updateProject(world.deps, project.ref, { defaultMaxFiles: 0 });
    expect(await ask(project)).toBe("file_limit_exceeded");
    await updateProject(world.deps, project.ref, { defaultMaxFiles: null, defaultUploadsPerMinute: 0 });
    expect(await ask(project)).toBe("too_many_requests");
    expect(await world.tenant(project)).toBeUndefined();
    await updateProject(world.deps, project.ref, { defaultUploadsPerMinute: null });
    expect((await world.upload(project, { size: 1 })).isNewTenant).toBe(true);
  });
});

test("random histories of two replicas never pass a limit, also while the plan is changed", async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("ask" as const),
        replica: fc.nat(1),
        size: fc.constantFrom(0, 1, undefined),
        key: fc.option(fc.constantFrom("a", "b")),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("store" as const), index: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), index: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("trash" as const), index: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const), index: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("plan" as const),
        maxFiles: fc.option(fc.nat(8)),
        maxOpenUploads: fc.option(fc.nat(4)),
      }),
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      async (rounds) => {
        const project = await world.project({ trashDays: 1 });
        // What the plan allowed at any time of a round, and what the tenant had when the round began.
        let current: { maxFiles: number | null; maxOpenUploads: number | null } = {
          maxFiles: 4,
          maxOpenUploads: 2,
        };
        await plan(project, "pro", current);
        await limitTenant(project, { plan: "pro" });
        const uploads: RequestedUpload[] = [];
        for (const round of rounds) {
          const before = await countFiles(project);
          const allowed = [current];
          await Promise.allSettled(
            round.map(async (one) => {
              const upload = "index" in one ? uploads[one.index % Math.max(1, uploads.length)] : undefined;
              const paths = { paths: [upload?.filePath ?? ""], mustExist: true, tenantId: undefined };
              switch (one.do) {
                case "ask":
                  uploads.push(
                    await world.upload(
                      project,
                      { size: one.size },
                      one.key ?? undefined,
                      one.replica === 0 ? {} : { admit: elsewhere },
                    ),
                  );
                  return;
                case "store":
                  if (!upload) return;
                  await put(upload, upload.maxBytes === 1 ? "x" : "");
                  await world.complete(project, upload.filePath);
                  return;
                case "cancel":
                  await cancelUpload(world.deps, project, { filePath: paths.paths[0]! });
                  return;
                case "trash":
                  await deleteFiles(world.deps, project, { ...paths, purge: false });
                  return;
                case "restore":
                  await restoreFiles(world.deps, project, paths);
                  return;
                case "plan": {
                  const next = { maxFiles: one.maxFiles, maxOpenUploads: one.maxOpenUploads };
                  allowed.push(next);
                  await plan(project, "pro", next);
                  return;
                }
              }
            }),
          );
          const [row] = await listPlans(world.deps, project);
          current = { maxFiles: row!.maxFiles, maxOpenUploads: row!.maxOpenUploads };
          const most = (values: (number | null)[], had: number) =>
            Math.max(had, ...values.map((value) => value ?? Infinity));
          const after = await countFiles(project);
          expect(after.files).toBeLessThanOrEqual(
            most(
              allowed.map(({ maxFiles }) => maxFiles),
              before.files,
            ),
          );
          expect(after.open).toBeLessThanOrEqual(
            most(
              allowed.map(({ maxOpenUploads }) => maxOpenUploads),
              before.open,
            ),
          );
        }
      },
    ),
    histories(25),
  );
});
