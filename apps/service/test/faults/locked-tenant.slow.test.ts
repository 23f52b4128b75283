import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";

let service: RunningService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

async function upload(key: string): Promise<number> {
  const body = { tenant_id: "t", filename: "a.txt", size: 1 };
  return (await call(`${service.url}/api/storage/upload/`, { key, body })).status;
}

test("a locked tenant of one project stops only its uploads, also those that share a statement with it", async () => {
  const [locked, other] = await Promise.all([aProject(), aProject()]);
  for (const { apiKey } of [locked, other])
    await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.txt" });
  const sql = postgres(inject("servers").DATABASE_URL, { max: 1 });
  await sql.begin(async (tx) => {
    const [project] = await tx<{ id: string }[]>`select id from projects where ref = ${locked.ref}`;
    await tx`select from tenants where project_id = ${project!.id} for update`;
    // Sent together, so that they share statements.
    const together = Array.from({ length: 20 }, (_, n) => upload(n % 2 === 0 ? locked.apiKey : other.apiKey));
    const statuses = await Promise.all(together);
    expect(statuses.filter((_, n) => n % 2 === 0)).toEqual(Array(10).fill(503));
    expect(statuses.filter((_, n) => n % 2 === 1)).toEqual(Array(10).fill(200));

    // From now on, the other project's uploads do not wait for a lock any more, which would take a second for each of them.
    const waiting: Promise<number>[] = [];
    const startedAt = performance.now();
    for (let n = 0; n < 10; n++) {
      waiting.push(upload(locked.apiKey));
      expect(await upload(other.apiKey)).toBe(200);
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await Promise.all(waiting)).toEqual(Array(10).fill(503));
  });
  await sql.end();
  expect(await upload(locked.apiKey)).toBe(200);
});
