import { deleteRequest, parse, StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { createDownload } from "#deliver/create-download.js";
import { type ExportLine, exportTenant } from "#deliver/export-tenant.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { listVersions } from "#files/versions/find-versions.js";
import { restoreVersion, restoreVersionAudited } from "#files/versions/restore-version.js";
import { DAY_MS, HOUR_MS } from "#lib/time.js";
import { changeProject } from "#members/change-project.js";
import type { NewProject } from "#projects/create-project.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { recount } from "#reconcile/recount.js";
import { reportScan } from "#scans/report-scan.js";
import { moveFiles } from "#visibility/move-file.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

type Project = Awaited<ReturnType<World["project"]>>;

let world: World;
beforeAll(async () => {
  world = await aWorld(null, inject("publicBucket")!);
});
afterAll(() => world.close());

const aProject = (input: Partial<NewProject> = {}) =>
  world.project({ trashDays: 7, maxVersions: 3, ...input });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
  );
const settling = () => ({ ...world.deps, settling: world.deps });
const change = (project: Project, settings: object) =>
  changeProject(world.deps, { ...commandLineActor, project }, settings);
const endAll = async () => {
  while (await endFiles(world.deps)) continue;
};
const hold = (project: Project, filePath: string, isOnHold: boolean) =>
  holdFile(settling(), project, {
    filePath,
    tenantId: undefined,
    hold: isOnHold,
  });
const remove = (project: Project, path: string, body: object = {}) =>
  deleteFiles(world.deps, project, parse(deleteRequest, { file_path: path, ...body }));
const restore = (project: Project, filePath: string, version: string, tenantId?: string) =>
  restoreVersion(settling(), project, { filePath, version, tenantId });

async function aFile(project: Project, text: string, body: object = {}) {
  const upload = await world.upload(project, { size: text.length, ...body });
  expect(await put(upload, text)).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

/** A file that was replaced by each of the next ones. @returns their paths, the stored one last */
async function aChain(project: Project, texts: string[]) {
  const paths: string[] = [];
  for (const text of texts) {
    world.advance(1000);
    const replaces = paths.at(-1);
    paths.push(await aFile(project, text, replaces === undefined ? {} : { replaces }));
  }
  return paths;
}

async function versionsOf(project: Project, filePath: string) {
  const { versions } = await listVersions(settling(), project, {
    filePath,
    tenantId: undefined,
  });
  return versions.map((version) => version.filePath);
}

async function bytesOf(project: Project, filePath: string, version: string) {
  // Storage refuses URLs of its future.
  const deps = { ...world.deps, settling: world.deps, clock: () => new Date() };
  const download = await createDownload(deps, project, { filePath, version });
  return (await fetch(download.presignedUrl)).text();
}

async function expectExact(project: Project) {
  for await (const drift of recount(world.deps, [project])) expect(drift).toBeNull();
}

test("the last replaced files are versions, newest first, and older ones end", async () => {
  const project = await aProject();
  const paths = await aChain(project, ["1", "22", "333", "4444", "55555"]);
  const [first, second, third, fourth, current] = paths as [string, string, string, string, string];
  expect(await versionsOf(project, current)).toEqual([fourth, third, second]);
  await endAll();
  expect(await world.file(first)).toBeUndefined();
  expect(await world.tenant(project)).toEqual({ used: 14, reserved: 0, files: 4 });
  expect(await bytesOf(project, current, second)).toBe("22");
  // A version ends by the rules of the trash.
  world.advance(8 * DAY_MS);
  expect(await versionsOf(project, current)).toEqual([]);
  await endAll();
  expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
  await expectExact(project);
});

test("are in the order of their replacements, whatever the clocks of the replicas say", async () => {
  const project = await aProject({ maxVersions: 2 });
  const [first, second, third] = (await aChain(project, ["1", "22", "333"])) as [string, string, string];
  world.advance(-90_000);
  const fourth = await aFile(project, "4444", { replaces: third });
  expect(await versionsOf(project, fourth)).toEqual([third, second]);
  await endAll();
  expect(await world.file(first)).toBeUndefined();
  await restore(project, fourth, second);
  expect(await versionsOf(project, second)).toEqual([fourth, third]);
  world.advance(90_000);
  await expectExact(project);
});

test("a project without versions lists, downloads and restores none", async () => {
  const project = await aProject({ maxVersions: 0 });
  const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
  expect(await versionsOf(project, current)).toEqual([]);
  expect(await codeOf(bytesOf(project, current, old))).toBe("file_not_found");
  expect(await codeOf(restore(project, current, old))).toBe("file_not_found");
  // What was replaced before belongs to the versions too.
  await change(project, { maxVersions: 2 });
  expect(await versionsOf(project, current)).toEqual([old]);
});

test("versions need a trash", async () => {
  const project = await aProject();
  await expect(change(project, { trashDays: 0 })).rejects.toThrow(/Versions are kept in the trash/);
  await change(project, { trashDays: 0, maxVersions: 0 });
  await expect(change(project, { maxVersions: 1 })).rejects.toThrow(/Versions are kept in the trash/);
});

test("a lower number hides the older versions, and the next replacement ends them", async () => {
  const project = await aProject();
  const paths = await aChain(project, ["1", "22", "333", "4444"]);
  const [first, second, third, fourth] = paths as [string, string, string, string];
  await change(project, { maxVersions: 1 });
  expect(await versionsOf(project, fourth)).toEqual([third]);
  expect(await codeOf(bytesOf(project, fourth, second))).toBe("file_not_found");
  expect(await codeOf(restore(project, fourth, second))).toBe("file_not_found");
  await hold(project, first, true);
  const fifth = await aFile(project, "55555", { replaces: fourth });
  await endAll();
  expect(await versionsOf(project, fifth)).toEqual([fourth]);
  expect(await world.tenant(project)).toEqual({ used: 10, reserved: 0, files: 3 });
  await change(project, { maxVersions: 0 });
  expect(await versionsOf(project, fifth)).toEqual([]);
  await expectExact(project);
});

test("the order is that of the replacements, whatever the days in the trash were", async () => {
  const project = await aProject({ trashDays: 30, maxVersions: 2 });
  const [first, second] = (await aChain(project, ["1", "22"])) as [string, string];
  await change(project, { trashDays: 1 });
  world.advance(1000);
  const third = await aFile(project, "333", { replaces: second });
  expect(await versionsOf(project, third)).toEqual([second, first]);
  world.advance(1000);
  const fourth = await aFile(project, "4444", { replaces: third });
  expect(await versionsOf(project, fourth)).toEqual([third, second]);
});

test("a file that replaces one without the trash takes over its versions", async () => {
  const project = await aProject();
  const [first, second] = (await aChain(project, ["1", "22"])) as [string, string];
  await change(project, { trashDays: 0, maxVersions: 0 });
  const third = await aFile(project, "333", { replaces: second });
  expect(await world.tenant(project)).toEqual({ used: 4, reserved: 0, files: 2 });
  await change(project, { trashDays: 7, maxVersions: 3 });
  expect(await versionsOf(project, third)).toEqual([first]);
  await expectExact(project);
});

describe("downloads", () => {
  test("a version that was public is read from the bucket that has it", async () => {
    const project = await aProject();
    const moveAll = async () => {
      while (await moveFiles(world.deps, { afterProject: 0 })) continue;
    };
    const old = await aFile(project, "1", { visibility: "public" });
    await moveAll();
    const publicUrl = world.deps.store.published!.urlOf(old);
    expect((await fetch(publicUrl)).status).toBe(200);
    const current = await aFile(project, "22", { visibility: "public", replaces: old });
    expect(await bytesOf(project, current, old)).toBe("1");
    await moveAll();
    expect((await fetch(publicUrl)).status).not.toBe(200);
    expect(await bytesOf(project, current, old)).toBe("1");
    const download = await createDownload(settling(), project, { filePath: current, version: old });
    expect(download).not.toHaveProperty("publicUrl");
    await restore(project, current, old);
    await moveAll();
    expect(await (await fetch(publicUrl)).text()).toBe("1");
  });

  test("a version is scanned as any file, also when it is restored", async () => {
    const project = await aProject();
    await change(project, { scan: "external" });
    const verdicts = ["infected", "clean", undefined] as const;
    const paths: string[] = [];
    for (const verdict of [...verdicts, undefined]) {
      world.advance(1000);
      const replaces = paths.at(-1);
      const filePath = await aFile(project, "x", replaces === undefined ? {} : { replaces });
      paths.push(filePath);
      const rest = { tenantId: undefined, signature: undefined, etag: undefined };
      if (verdict) await reportScan(settling(), project, { filePath, verdict, ...rest });
    }
    const [infected, clean, unscanned, current] = paths as [string, string, string, string];
    expect(await codeOf(bytesOf(project, current, infected))).toBe("file_quarantined");
    expect(await bytesOf(project, current, clean)).toBe("x");
    expect(await codeOf(bytesOf(project, current, unscanned))).toBe("file_not_scanned");
    await restore(project, current, infected);
    const download = createDownload(settling(), project, { filePath: infected });
    expect(await codeOf(download)).toBe("file_quarantined");
  });

  test("a file whose bytes have just arrived has the versions of the one it replaces", async () => {
    const project = await aProject();
    const old = await aFile(project, "1");
    const upload = await world.upload(project, { size: 2, replaces: old });
    expect(await put(upload, "22")).toBe(200);
    expect(await versionsOf(project, upload.filePath)).toEqual([old]);
  });

  test("a version is downloaded only beside its stored file", async () => {
    const project = await aProject();
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    const [other] = await aChain(project, ["333"]);
    const deleted = await aFile(project, "4");
    await remove(project, deleted);
    expect(await bytesOf(project, current, old)).toBe("1");
    for (const [file, version] of [
      [old, old],
      [other!, old],
      [current, current],
      [current, deleted],
      [current, "unknown"],
    ] as const)
      expect([file, version, await codeOf(bytesOf(project, file, version))]).toEqual([
        file,
        version,
        "file_not_found",
      ]);
    const both = { filePath: current, version: old, variant: "small" };
    expect(await codeOf(createDownload(settling(), project, both))).toBe("invalid_request");
    await remove(project, current);
    expect(await codeOf(bytesOf(project, current, old))).toBe("file_not_found");
  });

  test("its URL ends with it", async () => {
    const project = await aProject({ trashDays: 1 });
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    world.advance(DAY_MS - 60_000);
    const download = await createDownload(settling(), project, {
      filePath: current,
      version: old,
      expiresIn: 3600,
    });
    const leftMs = Date.parse(download.expiresAt) - world.deps.clock().getTime();
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });
});

describe("restore", () => {
  test("the version is stored again, and its file is the newest version", async () => {
    const project = await aProject({ defaultQuotaBytes: 6 });
    const [first, second, third] = (await aChain(project, ["1", "22", "333"])) as [string, string, string];
    world.advance(1000);
    const restored = await restore(project, third, first);
    expect(restored).toMatchObject({ filePath: first, status: "stored" });
    expect(restored).not.toHaveProperty("purgeAt");
    expect(await versionsOf(project, first)).toEqual([third, second]);
    expect(await bytesOf(project, first, third)).toBe("333");
    expect(await world.tenant(project)).toEqual({ used: 6, reserved: 0, files: 3 });
    await expectExact(project);
    world.advance(1000);
    await restore(project, first, third);
    expect(await versionsOf(project, third)).toEqual([first, second]);
  });

  test("of a version that an earlier call restored changes nothing, and answers the same", async () => {
    const project = await aProject();
    const [first, second, third] = (await aChain(project, ["1", "22", "333"])) as [string, string, string];
    const restored = await restore(project, third, first);
    const read = () =>
      Promise.all(
        ["files", "file_events", "audit_log"].map((table) =>
          world.rows(`select to_jsonb(t) as row from ${table} t where project_id = $1 order by 1`, [
            project.id,
          ]),
        ),
      );
    const before = await read();
    world.advance(1000);
    expect(await restore(project, third, first, "t")).toEqual(restored);
    const request = { filePath: third, version: first, tenantId: undefined };
    const byOperator = await restoreVersionAudited(world.deps, { ...commandLineActor, project }, request);
    expect(byOperator.file.path).toBe(first);
    expect(await codeOf(restore(project, third, first, "another tenant"))).toBe("file_not_found");
    // These are versions too, but this one did not replace them.
    expect(await codeOf(restore(project, second, first))).toBe("file_not_found");
    expect(await read()).toEqual(before);
    await change(project, { maxVersions: 0 });
    expect(await codeOf(restore(project, third, first))).toBe("file_not_found");
  });

  test("is refused for a file on hold, and while an upload is to replace it", async () => {
    const project = await aProject();
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    await hold(project, current, true);
    expect(await codeOf(restore(project, current, old))).toBe("file_on_hold");
    await hold(project, current, false);
    await world.upload(project, { size: 3, replaces: current });
    expect(await codeOf(restore(project, current, old))).toBe("file_being_replaced");
    expect(await codeOf(restore(project, current, old, "another tenant"))).toBe("file_not_found");
    expect(await versionsOf(project, current)).toEqual([old]);
  });

  test("goes on when the upload that was to replace the file has expired", async () => {
    const project = await aProject();
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    const late = await world.upload(project, { size: 3, replaces: current });
    world.advance(3 * HOUR_MS);
    await world.sweep();
    await restore(project, current, old);
    expect(await versionsOf(project, old)).toEqual([current]);
    // Its bytes are a file of their own.
    expect(await put(late, "333")).toBe(200);
    await world.complete(project, late.filePath);
    expect(await versionsOf(project, old)).toEqual([current]);
    expect(await world.tenant(project)).toEqual({ used: 6, reserved: 0, files: 3 });
    await expectExact(project);
  });

  test("keeps the hold of the version, and an end that has not passed", async () => {
    const project = await aProject();
    const old = await aFile(project, "1", { expires_after: 3600 });
    const current = await aFile(project, "22", { replaces: old });
    await hold(project, old, true);
    const restored = await restore(project, current, old);
    expect(restored).toMatchObject({ hold: true });
    expect(restored.expiresAt).toBeDefined();
  });

  test("of the trash alone makes a version a file of its own", async () => {
    const project = await aProject();
    const [first, second, third] = (await aChain(project, ["1", "22", "333"])) as [string, string, string];
    await restoreFiles(world.deps, project, { paths: [second], tenantId: undefined, mustExist: true });
    expect(await versionsOf(project, third)).toEqual([first]);
    expect(await versionsOf(project, second)).toEqual([]);
    world.advance(1000);
    const fourth = await aFile(project, "4444", { replaces: second });
    expect(await versionsOf(project, fourth)).toEqual([second]);
    await remove(project, fourth, { purge: true });
    expect(await versionsOf(project, third)).toEqual([first]);
  });

  test("of several at the same time, each either takes effect or changes nothing", async () => {
    const project = await aProject();
    const [first, second, third] = (await aChain(project, ["1", "22", "333"])) as [string, string, string];
    const codes = await Promise.all(
      [first, second, first, second].map((one) => codeOf(restore(project, third, one))),
    );
    // One of the two versions was restored by one call, and is the answer to the other call for it.
    expect(codes.toSorted()).toEqual(["done", "done", "file_not_found", "file_not_found"]);
    expect(codes.slice(2)).toEqual(codes.slice(0, 2));
    const stored = await world.rows<{ path: string }>(
      `select path from files where project_id = $1 and status = 'stored'`,
      [project.id],
    );
    expect(stored).toHaveLength(1);
    expect(await versionsOf(project, stored[0]!.path)).toHaveLength(2);
    await expectExact(project);
  });
});

describe("deletes", () => {
  test("versions of a file in the trash come back with it", async () => {
    const project = await aProject();
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    await remove(project, current);
    expect(await codeOf(versionsOf(project, current))).toBe("file_not_found");
    await restoreFiles(world.deps, project, { paths: [current], tenantId: undefined, mustExist: true });
    expect(await versionsOf(project, current)).toEqual([old]);
  });

  test("a file that is deleted for good from the trash takes its versions along", async () => {
    const project = await aProject();
    const [, current] = (await aChain(project, ["1", "22"])) as [string, string];
    await remove(project, current);
    await remove(project, current, { purge: true });
    await endAll();
    expect(await world.tenant(project)).toEqual({ used: 0, reserved: 0, files: 0 });
    await expectExact(project);
  });

  test("a file that is deleted for good takes its versions along, except those on hold", async () => {
    const project = await aProject();
    const [first, second, third, fourth] = (await aChain(project, ["1", "22", "333", "4444"])) as [
      string,
      string,
      string,
      string,
    ];
    const held = `update files set held = true where project_id = $1 and path = $2 returning id`;
    await world.rows(held, [project.id, second]);
    // A version alone does not.
    await remove(project, third, { purge: true });
    expect(await versionsOf(project, fourth)).toEqual([second, first]);
    await remove(project, fourth, { purge: true });
    await endAll();
    expect((await world.file(second))?.status).toBe("trashed");
    expect(await world.tenant(project)).toEqual({ used: 2, reserved: 0, files: 1 });
    await expectExact(project);
  });
});

describe("a tenant", () => {
  test("that is deleted leaves no version in storage, and no usage", async () => {
    const project = await aProject();
    const paths = await aChain(project, ["1", "22", "333"]);
    for (const path of paths) expect(await world.deps.store.head(path)).not.toBeNull();
    const { remainingFiles } = await deleteTenant(world.deps, project, "t", commandLineActor);
    expect(remainingFiles).toBe(0);
    for (const path of paths) expect(await world.deps.store.head(path)).toBeNull();
    expect(await world.tenant(project)).toBeUndefined();
    await expectExact(project);
  });

  test("that is exported has its versions, without URLs, like all of its trash", async () => {
    const project = await aProject();
    const [old, current] = (await aChain(project, ["1", "22"])) as [string, string];
    const lines: ExportLine[] = [];
    for await (const page of await exportTenant(settling(), project, { tenantId: "t" }, commandLineActor))
      lines.push(...page);
    expect(lines.slice(1)).toMatchObject([
      { type: "file", filePath: old, status: "trashed", replacedBy: current, presignedUrl: null },
      { type: "file", filePath: current, status: "stored", presignedUrl: expect.any(String) },
      { type: "end", files: 2 },
    ]);
  });
});

const aNumber = fc.nat(9);
const aStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("replace" as const), size: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("restore" as const), version: aNumber }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const), version: aNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("keep" as const), maxVersions: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pass" as const), days: fc.constantFrom(1, 4) }) },
);

test("random histories of replacements, restores, purges and time leave the versions and counters of a model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 20 }), async (steps) => {
      const project = await aProject();
      let maxVersions = 3;
      let current = { path: await aFile(project, "x"), size: 1 };
      /** Newest first. */
      let versions: { path: string; size: number; endsAt: number }[] = [];
      const retire = () => {
        versions.unshift({ ...current, endsAt: world.deps.clock().getTime() + 7 * DAY_MS });
      };
      for (const step of steps) {
        world.advance(1000);
        switch (step.do) {
          case "replace": {
            const path = await aFile(project, "x".repeat(step.size), { replaces: current.path });
            retire();
            versions = versions.slice(0, maxVersions);
            current = { path, size: step.size };
            break;
          }
          case "restore": {
            const version = versions[step.version];
            if (!version) break;
            // Those above a number that was lowered wait for the next replacement, which ends them.
            const isListed = step.version < maxVersions;
            const restoring = codeOf(restore(project, current.path, version.path));
            expect(await restoring).toBe(isListed ? "done" : "file_not_found");
            if (!isListed) break;
            versions.splice(step.version, 1);
            retire();
            current = { path: version.path, size: version.size };
            break;
          }
          case "purge": {
            const version = versions[step.version];
            if (!version) break;
            await remove(project, version.path, { purge: true });
            versions.splice(step.version, 1);
            break;
          }
          case "keep":
            maxVersions = step.maxVersions;
            await change(project, { maxVersions });
            break;
          case "pass":
            world.advance(step.days * DAY_MS);
        }
        await endAll();
        const now = world.deps.clock().getTime();
        versions = versions.filter(({ endsAt }) => endsAt > now);
        expect(await versionsOf(project, current.path)).toEqual(
          versions.slice(0, maxVersions).map(({ path }) => path),
        );
        expect(await world.tenant(project)).toEqual({
          used: versions.reduce((sum, { size }) => sum + size, current.size),
          reserved: 0,
          files: versions.length + 1,
        });
      }
      await expectExact(project);
    }),
    histories(12),
  );
});
