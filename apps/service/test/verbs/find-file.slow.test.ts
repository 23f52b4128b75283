import { afterAll, beforeAll, expect, test } from "vitest";
import { findFileRow } from "#files/record/find-file.js";
import { markUploadsStored } from "#files/settle/mark-stored.js";
import { readFileRow } from "../fixtures/file-row.js";
import { aWorld, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

test("the hand-written statement returns the same row as drizzle for a pending and a stored file", async () => {
  const project = await world.project();
  const { filePath } = await world.upload(project, {
    tenant_id: "t",
    size: 7,
    metadata: { label: "Ünïcode “text”, 1" },
  });
  const pending = await readFileRow(world.deps, project.id, filePath);
  expect(pending).toMatchObject({
    status: "pending",
    storedAt: null,
    metadata: { label: "Ünïcode “text”, 1" },
  });
  expect(await findFileRow(world.deps, project, { filePath })).toStrictEqual(pending);
  await markUploadsStored(world.deps, [{ seen: pending!, object: { sizeBytes: 7, etag: "e" } }]);
  const stored = await readFileRow(world.deps, project.id, filePath);
  expect(stored).toMatchObject({ status: "stored", storedAt: expect.any(Date), size: 7 });
  expect(await findFileRow(world.deps, project, { filePath, tenantId: "t" })).toStrictEqual(stored);
});
