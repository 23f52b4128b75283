import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#lib/time.js";
import { deleteExpiredKeys } from "#files/upload/idempotency.js";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";

describe("over HTTP", () => {
  let service: Awaited<ReturnType<typeof aService>>;
  beforeAll(async () => {
    service = await aService();
  });
  afterAll(() => service.close());

  async function request(apiKey: string, key: string, body: object) {
    const answer = await fetch(`${service.url}/api/storage/upload/`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify({ tenant_id: "t", filename: "a.txt", ...body }),
    });
    const json = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, code: answer.headers.get("X-Error-Code"), json };
  }

  test("the same key and body answer the same file and reserve its size once, and another body is 422", async () => {
    const { apiKey } = await aProject();
    const first = await request(apiKey, "one", { size: 5 });
    const again = await request(apiKey, "one", { size: 5, ignored: true });
    expect(first.json).toMatchObject({ is_new_tenant: true });
    expect(again).toMatchObject({
      status: 200,
      json: { file_path: first.json["file_path"], is_new_tenant: true },
    });
    const answer = await fetch(again.json["presigned_url"] as string, {
      method: "PUT",
      headers: again.json["headers"] as Record<string, string>,
      body: "12345",
    });
    expect(answer.status).toBe(200);
    expect(await request(apiKey, "one", { size: 6 })).toMatchObject({
      status: 422,
      code: "idempotency_key_reused",
      json: { detail: "Idempotency-Key was used for another request" },
    });
    expect(await request(apiKey, "one", { size: 5, tenant_id: "another" })).toMatchObject({
      status: 200,
      json: { is_new_tenant: true },
    });
  });

  test.each([
    ["an empty key", ""],
    ["a key with a space", "a b"],
    ["a key of 256 characters", "x".repeat(256)],
    ["a key that is not ASCII", "caf\u00e9"],
  ])("%s is 400", async (_what, key) => {
    const { apiKey } = await aProject();
    expect(await request(apiKey, key, {})).toMatchObject({
      status: 400,
      code: "invalid_request",
      json: { detail: "Idempotency-Key must be 1 to 255 visible ASCII characters" },
    });
  });

  test("a key of 255 characters is accepted", async () => {
    const { apiKey } = await aProject();
    expect((await request(apiKey, "~".repeat(255), {})).status).toBe(200);
  });
});

describe("over time", () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld();
  });
  afterAll(() => world.close());

  const upload = (project: Awaited<ReturnType<World["project"]>>, size: number, key = "key") =>
    world.upload(project, { size }, key);

  test("concurrent twins on two replicas open one file", async () => {
    const project = await world.project();
    const replica = {
      ...world.deps,
      admit: createBatchedAdmit(world.deps.db),
    };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        world.upload(project, { size: 3 }, "twin", n % 2 ? replica : undefined),
      ),
    );
    expect(new Set(answers.map(({ filePath }) => filePath)).size).toBe(1);
    expect(answers.every(({ isNewTenant }) => isNewTenant)).toBe(true);
    expect(await world.tenant(project)).toMatchObject({ reserved: 3 });
    expect(await world.rows(`select from files where project_id = $1`, [project.id])).toHaveLength(1);
  });

  test("the sweeper waits for the URL that was signed last", async () => {
    onTestFinished(world.stopClock());
    const project = await world.project();
    const { filePath } = await upload(project, 3);
    world.advance(HOUR_MS - 1000);
    const again = await upload(project, 3);
    world.advance(60_000);
    await world.sweep();
    expect(await world.file(filePath)).toMatchObject({ status: "pending" });
    expect(await put(again, "abc")).toBe(200);
    world.advance(60_000);
    await world.sweep();
    expect(await world.file(filePath)).toMatchObject({ status: "stored", size: 3 });
    expect(await world.tenant(project)).toMatchObject({ used: 3, reserved: 0, files: 1 });
  });

  test("a stored file keeps its path, and bytes that the new URL writes are counted once", async () => {
    const project = await world.project();
    const first = await upload(project, 3);
    expect(await put(first, "abc")).toBe(200);
    await world.complete(project, first.filePath);
    world.advance(2 * HOUR_MS);
    const again = await upload(project, 3);
    expect(again.filePath).toBe(first.filePath);
    expect(await put(again, "xyz")).toBe(200);
    world.advance(HOUR_MS + 60_000);
    await world.sweep();
    expect(await world.file(first.filePath)).toMatchObject({ status: "stored", size: 3 });
    expect(await world.tenant(project)).toMatchObject({ used: 3, reserved: 0, files: 1 });
  });

  test("an upload that has expired is opened again, if the quota still has room for it", async () => {
    const project = await world.project({ defaultQuotaBytes: 10 });
    const { filePath } = await upload(project, 6);
    world.advance(HOUR_MS + 60_000);
    await world.sweep();
    expect(await world.file(filePath)).toMatchObject({ status: "expired" });
    const other = await upload(project, 7, "another key");
    await expect(upload(project, 6)).rejects.toMatchObject({ code: "quota_exceeded" });
    await deleteFiles(world.deps, project, { paths: [other.filePath], mustExist: true, tenantId: undefined });
    const again = await upload(project, 6);
    expect(again).toMatchObject({ filePath, isNewTenant: true });
    expect(await world.tenant(project)).toMatchObject({ reserved: 6 });
    expect(await put(again, "123456")).toBe(200);
    world.advance(60_000);
    await world.sweep();
    expect(await world.tenant(project)).toMatchObject({ used: 6, reserved: 0, files: 1 });
  });

  test("an upload that is opened again while storage is asked about it does not expire by that check", async () => {
    const project = await world.project();
    const { filePath } = await upload(project, 6);
    world.advance(HOUR_MS + 60_000);
    const { store } = world.deps;
    let heads = 0;
    const head = async (path: string) => {
      const object = await store.head(path);
      if (heads++ === 0) await upload(project, 6);
      return object;
    };
    const deps = { ...world.deps, store: { ...world.deps.store, head } };
    expect(await settleUpload(deps, project.id, filePath)).toBe("absent");
    expect(await world.file(filePath)).toMatchObject({ status: "pending" });
    expect(await world.tenant(project)).toMatchObject({ reserved: 6 });
  });

  test("a key whose file was deleted opens a new upload", async () => {
    const project = await world.project();
    const first = await upload(project, 3);
    await deleteFiles(world.deps, project, { paths: [first.filePath], mustExist: true, tenantId: undefined });
    const second = await upload(project, 3);
    expect(second.filePath).not.toBe(first.filePath);
    expect(second.isNewTenant).toBe(false);
    await world.sweep();
    expect((await upload(project, 3)).filePath).toBe(second.filePath);
    expect(await world.tenant(project)).toMatchObject({ reserved: 3 });
  });

  test("a refused request is not remembered", async () => {
    const project = await world.project({ defaultQuotaBytes: 2 });
    await expect(upload(project, 3)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await upload(project, 2)).toMatchObject({ isNewTenant: true });
  });

  test("a key can be used for another request after 24 hours, and is then deleted", async () => {
    onTestFinished(world.stopClock());
    const project = await world.project();
    const first = await upload(project, 3);
    world.advance(DAY_MS - 1000);
    await expect(upload(project, 4)).rejects.toMatchObject({ code: "idempotency_key_reused" });
    world.advance(2000);
    const second = await upload(project, 4);
    expect(second.filePath).not.toBe(first.filePath);
    const keys = () => world.rows(`select key from idempotency_keys where project_id = $1`, [project.id]);
    await deleteExpiredKeys(world.deps);
    expect(await keys()).toHaveLength(1);
    world.advance(DAY_MS);
    await deleteExpiredKeys(world.deps);
    expect(await keys()).toEqual([]);
  });
});
