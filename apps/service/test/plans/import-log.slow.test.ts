import { afterAll, beforeAll, expect, test } from "vitest";
import { importLog } from "#usage/import-log.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const ROWS = 100_000;
const PROJECT = "p".repeat(22);

let reader: Awaited<ReturnType<typeof aPlanReader>>;

beforeAll(async () => {
  reader = await aPlanReader();
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('${PROJECT}', 'p', 'h', '', '', 1, now(), now());
    insert into tenants (project_id, tenant_id, ref, created_at)
      select 1, 'tenant ' || i, lpad(i::text, 22, 't'), now() from generate_series(1, ${ROWS}) i;
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
      select 1, i, 'path/' || i, i || '.txt', 'text/plain', 1, 'stored', now(), now() from generate_series(1, ${ROWS}) i;
    insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, size, created_at)
      select 1, i, 'h', 'e', 'projects/${PROJECT}/variants/' || lpad(i::text, 22, 'v'), '{}', 'ready', 1, now()
      from generate_series(1, ${ROWS}) i;`);
  await reader.sql.unsafe("analyze");
});
afterAll(() => reader.close());

test("an import looks for the tenants of its lines, and reads no others", async () => {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date().toUTCString())!;
  const paths = [7, 77, 777].flatMap((n) => [
    `tenants/${String(n).padStart(22, "t")}/a`,
    `variants/${String(n).padStart(22, "v")}`,
  ]);
  async function* lines() {
    for (const path of paths)
      yield `192.0.2.3 - - [${day}/${month}/${year}:${time} +0000] "GET /projects/${PROJECT}/${path} HTTP/1.1" 200 5 "-" "-"`;
  }
  const deps = { db: reader.db, clock: () => new Date() };
  const { result, read } = await reader.costOf(() =>
    importLog(deps, { format: "nginx", server: "" }, lines()),
  );
  expect(result).toMatchObject({ downloads: 6, bytes: 30, newBytes: 30 });
  expect(read).toBeLessThan(200);
});
