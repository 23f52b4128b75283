import { webhookEventTypes } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type World, aWorld, put } from "../../test/fixtures/a-world.js";
import { anEndpoint } from "../../test/fixtures/an-endpoint.js";
import type { Owners } from "./adopt-orphan.js";
import { type ReconcileFinding, reconcile } from "./reconcile.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

async function afterRestore(
  project: Pick<Project, "ref">,
  { owners = new Map(), repair = true }: { owners?: Owners; repair?: boolean } = {},
): Promise<ReconcileFinding[]> {
  const input = { projectRef: project.ref, repair, deleteOrphans: false, afterRestore: { owners } };
  const findings: ReconcileFinding[] = [];
  for await (const finding of reconcile(world.deps, input)) findings.push(finding);
  return findings;
}

async function aStoredFile(project: Project, body: object = {}): Promise<string> {
  const upload = await world.upload(project, body);
  expect(await put(upload, "12345")).toBe(200);
  await world.complete(project, upload.filePath);
  return upload.filePath;
}

/** Takes what came after a moment out of the database, as a restore to that moment does. The tenant's counters are set by hand. */
async function forget(project: Project, path: string): Promise<void> {
  await world.rows("delete from files where project_id = $1 and path = $2", [project.id, path]);
  await world.rows("delete from usage_daily where project_id = $1", [project.id]);
  await world.rows("update tenants set used_bytes = 0, file_count = 0 where project_id = $1", [project.id]);
}

const refOf = (path: string) => path.split("/")[3]!;
const fileOf = async (path: string) =>
  (
    await world.rows<Record<string, unknown>>(
      `select f.filename, f.content_type as type, f.status, f.size::int as size, f.scan_status as scan,
              exists (select from file_tasks w
                      where w.project_id = f.project_id and w.file_id = f.id and w.kind = 'scan') as "isDue",
              t.tenant_id as tenant
       from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant where f.path = $1`,
      [path],
    )
  )[0];
const eventsOf = async (project: Project) =>
  (
    await world.rows<{ type: string }>("select type from webhook_outbox where project_id = $1", [project.id])
  ).map(({ type }) => type);

describe("reconcile after a restore", () => {
  test("gives an object of a known tenant its file back, once, and counts it", async () => {
    const project = await world.project();
    const path = await aStoredFile(project, { filename: "Sommer 2026.bin", content_type: "image/webp" });
    await forget(project, path);
    const found = { drift: { kind: "orphan", path, foundBytes: 5 } };
    expect(await afterRestore(project, { repair: false })).toMatchObject([{ ...found, repaired: null }]);
    expect(await afterRestore(project)).toMatchObject([{ ...found, repaired: { outcome: "mended" } }]);
    expect(await fileOf(path)).toMatchObject({
      filename: "Sommer_2026.bin",
      type: "image/webp",
      status: "stored",
      size: 5,
      scan: "none",
      tenant: "t",
    });
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await afterRestore(project)).toEqual([]);
  });

  test("counts the object beyond the quota, because its bytes were accepted before", async () => {
    const project = await world.project({ defaultQuotaBytes: 5 });
    const path = await aStoredFile(project);
    await forget(project, path);
    await world.rows("update projects set default_quota_bytes = 1 where id = $1", [project.id]);
    await afterRestore(project);
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
    await expect(world.upload(project, { size: 1 })).rejects.toMatchObject({ code: "quota_exceeded" });
  });

  test("keeps the object of an unknown tenant until --owners names the tenant, which may upload already", async () => {
    const project = await world.project();
    const lost = await aStoredFile(project, { tenant_id: "lost" });
    const again = await aStoredFile(project, { tenant_id: "again" });
    for (const path of [lost, again]) await forget(project, path);
    await world.rows("delete from tenants where project_id = $1", [project.id]);
    const since = await aStoredFile(project, { tenant_id: "again" });
    expect(refOf(since)).not.toBe(refOf(again));
    expect((await afterRestore(project)).map(({ repaired }) => repaired?.outcome)).toEqual(["kept", "kept"]);
    const owners = new Map([
      [refOf(lost), "lost"],
      [refOf(again), "again"],
    ]);
    expect((await afterRestore(project, { owners })).map(({ repaired }) => repaired?.outcome)).toEqual([
      "mended",
      "mended",
    ]);
    expect(await fileOf(lost)).toMatchObject({ tenant: "lost", status: "stored" });
    expect(await fileOf(again)).toMatchObject({ tenant: "again", status: "stored" });
    expect(await world.tenant(project, "again")).toEqual({ used: 10, reserved: 0, files: 2 });
    expect(await afterRestore(project)).toEqual([]);
    const next = await world.upload(project, { tenant_id: "lost" });
    expect(refOf(next.filePath)).toBe(refOf(lost));
  });

  test("keeps the object of a tenant that is being deleted, and one that the service did not make", async () => {
    const project = await world.project();
    const path = await aStoredFile(project);
    await forget(project, path);
    await world.rows("update tenants set next_purge_at = now() where project_id = $1", [project.id]);
    const foreign = `projects/${project.ref}/tenants/x/y.txt`;
    const presignedUrl = await world.deps.store.presignPut({
      path: foreign,
      contentType: "text/plain",
      sizeBytes: undefined,
      contentMd5: undefined,
      signedAt: new Date(),
      expiresInSeconds: 60,
    });
    expect(await put({ presignedUrl, headers: { "Content-Type": "text/plain" } }, "x")).toBe(200);
    expect((await afterRestore(project)).map(({ repaired }) => repaired)).toEqual(
      expect.arrayContaining([
        { outcome: "kept", why: "its tenant is being deleted" },
        { outcome: "kept", why: "its path is none that the service makes" },
      ]),
    );
    expect(await fileOf(path)).toBeUndefined();
  });

  test.each([
    ["clamav", true],
    ["external", false],
  ])("lets an adopted file wait for its scan with %s", async (scan, isDue) => {
    const project = await world.project();
    const path = await aStoredFile(project);
    await forget(project, path);
    await world.rows("update projects set scan = $2::text::scan_setting where id = $1", [project.id, scan]);
    await afterRestore(project);
    expect(await fileOf(path)).toMatchObject({ scan: "pending", isDue });
  });

  test("queues the variants of an adopted image", async () => {
    const project = await world.project();
    const path = await aStoredFile(project, { filename: "photo.png" });
    await forget(project, path);
    await world.rows(
      `insert into image_presets (project_id, name, width, fit, format, quality, eager, hash, created_at)
       values ($1, 'thumb', 30, 'inside', 'webp', 80, true, 'h', now())`,
      [project.id],
    );
    await afterRestore(project);
    expect(await world.rows("select status from file_variants where project_id = $1", [project.id])).toEqual([
      { status: "waiting" },
    ]);
  });

  test("finds other bytes of the same size, and takes the verdict on the old ones away", async () => {
    const project = await world.project();
    await world.rows("update projects set scan = 'external' where id = $1", [project.id]);
    const upload = await world.upload(project, {});
    await put(upload, "12345");
    await world.complete(project, upload.filePath);
    await world.rows("update files set scan_status = 'clean', scanned_etag = etag where path = $1", [
      upload.filePath,
    ]);
    await put(upload, "54321");
    expect(await afterRestore(project)).toMatchObject([
      { drift: { kind: "bytes", recordedBytes: 5 }, repaired: { outcome: "mended" } },
    ]);
    expect(await fileOf(upload.filePath)).toMatchObject({ scan: "pending", size: 5 });
    expect(await afterRestore(project)).toEqual([]);
  });

  test("tells webhooks of adopted files, and of no file that was deleted since", async () => {
    const project = await world.project();
    const deleted = await aStoredFile(project);
    const lost = await aStoredFile(project);
    await anEndpoint(world, project, {
      url: "http://127.0.0.1:9/",
      events: [...webhookEventTypes].filter((type) => type.startsWith("file.")),
    });
    await world.rows("delete from files where path = $1", [lost]);
    await world.rows("update tenants set used_bytes = 5, file_count = 1 where project_id = $1", [project.id]);
    await world.rows("update usage_daily set uploads = 1, uploaded_bytes = 5 where project_id = $1", [
      project.id,
    ]);
    await world.deps.store.remove(deleted);
    expect((await afterRestore(project)).map(({ drift }) => drift.kind).sort()).toEqual([
      "missing",
      "orphan",
    ]);
    expect(await fileOf(deleted)).toMatchObject({ status: "expired" });
    expect(await eventsOf(project)).toEqual(["file.stored"]);
    expect(await world.tenant(project)).toEqual({ used: 5, reserved: 0, files: 1 });
  });

  test("gives a file that ends now a week more, in the trash and outside of it, and no held one", async () => {
    const project = await world.project();
    const [expiring, trashed, held, later] = [
      await aStoredFile(project, { expires_after: 3600 }),
      await aStoredFile(project),
      await aStoredFile(project, { expires_after: 3600 }),
      await aStoredFile(project, { expires_after: 30 * 24 * 3600 }),
    ];
    await world.rows("update files set status = 'trashed', purge_at = now() where path = $1", [trashed]);
    await world.rows("update files set held = true where path = $1", [held]);
    const found = await afterRestore(project);
    expect(found.map(({ drift }) => "path" in drift && drift.path)).toEqual([expiring, trashed]);
    expect(found.map(({ drift }) => drift.kind)).toEqual(["ending", "ending"]);
    const ends = await world.rows<{ path: string; days: number }>(
      `select path, round(extract(epoch from coalesce(purge_at, expires_at) - now()) / 86400)::int as days
       from files where project_id = $1 order by id`,
      [project.id],
    );
    expect(ends).toEqual([
      { path: expiring, days: 7 },
      { path: trashed, days: 7 },
      { path: held, days: 0 },
      { path: later, days: 30 },
    ]);
    expect(await afterRestore(project)).toEqual([]);
  });

  test("counts the object of an expired upload that does not fit the quota, instead of removing it", async () => {
    const project = await world.project({ defaultQuotaBytes: 5 });
    const path = await aStoredFile(project);
    await forget(project, path);
    await afterRestore(project);
    await world.rows(
      `update files set status = 'expired', size = null, etag = null, stored_at = null where path = $1`,
      [path],
    );
    await world.rows("update projects set default_quota_bytes = 1 where id = $1", [project.id]);
    await world.rows("update tenants set used_bytes = 0, file_count = 0 where project_id = $1", [project.id]);
    await world.rows("delete from usage_daily where project_id = $1", [project.id]);
    world.advance(2 * 60_000);
    expect(await afterRestore(project)).toMatchObject([
      { drift: { kind: "unsettled", status: "expired" }, repaired: { outcome: "mended" } },
    ]);
    expect(await fileOf(path)).toMatchObject({ status: "stored", size: 5 });
  });
});
