import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Parameter, Queries } from "#db/client.js";
import { migrate } from "#db/migrate.js";
import { admitUploads, type AdmissionRequest } from "#files/upload/admit-uploads.js";
import { toIdempotency } from "#files/upload/idempotency.js";
import { randomRef } from "#lib/random.js";
import { aPlanReader } from "../fixtures/a-plan-reader.js";

const ROWS = 30_000;
/** An upper limit for the look-ups and inserts of one upload. Reading one of the full tables takes more than 300 pages. */
const MAX_PAGES = 150;

let reader: Awaited<ReturnType<typeof aPlanReader>>;

beforeAll(async () => {
  reader = await aPlanReader(await aServer());
  // The functions' plans belong to the connection. These are made while the tables are empty and stay, because nothing analyzes.
  await reader.sql.unsafe(`
    alter table projects set (autovacuum_enabled = false);
    alter table tenants set (autovacuum_enabled = false);
    alter table files set (autovacuum_enabled = false);
    alter table idempotency_keys set (autovacuum_enabled = false);
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      values ('p1', 'p', 'h1', '', '', 1000, now(), now())`);
  for (let call = 0; call < 10; call++) {
    for (const key of [undefined, "early"]) expect(await run(anUpload("early", key))).toBe("admitted");
  }
  await reader.sql.unsafe(`
    insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
      select 'p' || i, 'p', 'h' || i, '', '', 1, now(), now() from generate_series(2, 1000) i;
    insert into tenants (project_id, tenant_id, ref, created_at, used_bytes)
      select 1, 'tenant ' || i, 'r' || i, now(), i from generate_series(1, ${ROWS}) i;
    insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
      select 1, 1, 'path/' || i, 'a.txt', 'text/plain', 1, 'stored', now(), now() from generate_series(1, ${ROWS}) i;
    insert into idempotency_keys (project_id, tenant, key, request_hash, path, is_new_tenant, expires_at)
      select 1, 1, 'key ' || i, '', 'path/' || i, false, now() from generate_series(1, ${ROWS}) i`);
});
afterAll(() => reader.close());

/** A database on a server of its own. On a shared one, PostgreSQL forgets all plans when other tests change many tables. */
async function aServer() {
  const dir = await mkdtemp(join(tmpdir(), "stowage-plans-"));
  const server = await startPostgres({ dir, durable: false });
  await migrate(server.url, 10_000);
  const drop = async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { url: server.url, drop };
}

function anUpload(tenantId: string, key?: string): AdmissionRequest {
  const now = new Date();
  const urlExpiresAt = new Date(now.getTime() + 3_600_000);
  return {
    target: { projectId: 1, apiKeyHash: "h1" },
    tenantId,
    newTenantRef: randomRef(randomBytes),
    objectName: `${randomRef(randomBytes)}_a.txt`,
    filename: "a.txt",
    contentType: "text/plain",
    sizeBytes: 1,
    metadata: {},
    now,
    urlExpiresAt,
    nextCheckAt: urlExpiresAt,
    defaultQuotaBytes: null,
    defaultLimits: {},
    idempotency:
      key === undefined
        ? undefined
        : toIdempotency(key, { tenantId, filename: "a.txt" }, { now, urlExpiresAt }),
  };
}

async function run(upload: AdmissionRequest): Promise<string> {
  const [result] = await admitUploads(reader.db, [upload]);
  return result!.outcome;
}

/** The statement that would admit the upload, without running it. */
async function statementOf(upload: AdmissionRequest): Promise<{ text: string; parameters: Parameter[] }> {
  const statements: { text: string; parameters: Parameter[] }[] = [];
  const execute = async <Row>(text: string, parameters: Parameter[]) => {
    statements.push({ text, parameters });
    return [] as Row[];
  };
  await admitUploads({ execute } as unknown as Queries, [upload]);
  return statements[0]!;
}

const uploads: [what: string, tenantId: string, key: string | undefined][] = [
  ["of a known tenant", "tenant 29000", undefined],
  ["of a new tenant", "new", undefined],
  ["with a new Idempotency-Key", "tenant 29001", "new"],
  ["with an Idempotency-Key that was used before", "early", "early"],
];

async function expectFewPages(tenantId: string, key: string | undefined): Promise<void> {
  const { pages } = await reader.explain(await statementOf(anUpload(tenantId, key)));
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(MAX_PAGES);
}

test.each(uploads)(
  "an upload %s reads few pages, by plans that PostgreSQL made when the tables were empty",
  (_what, tenantId, key) => expectFewPages(tenantId, key),
);

test.each(uploads)(
  "an upload %s reads few pages, by plans that PostgreSQL made without statistics",
  async (_what, tenantId, key) => {
    await reader.sql.unsafe("discard plans");
    // Makes the plans. The first run also reads the system's tables.
    expect(await run(anUpload("early", key && "early"))).toBe("admitted");
    await expectFewPages(tenantId, key);
  },
);
