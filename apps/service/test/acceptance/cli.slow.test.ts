import { randomBytes, randomUUID } from "node:crypto";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aBucket } from "../fixtures/a-bucket.js";
import { json, stowage } from "../fixtures/command-line.js";
import { operatorClient } from "../fixtures/operator-client.js";

const NOWHERE = { DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/d", S3_ENDPOINT: "http://127.0.0.1:1" };

let s3: S3Client;
let sql: postgres.Sql;
beforeAll(() => {
  s3 = operatorClient();
  sql = postgres(inject("servers").DATABASE_URL, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  s3.destroy();
  await sql.end();
});

/** A project with one stored file of 5 bytes. */
async function aStoredFile(Bucket: string) {
  const { project_ref } = await json("project", "create", "Reconciled");
  const path = `projects/${project_ref}/tenants/x/a.txt`;
  await s3.send(new PutObjectCommand({ Bucket, Key: path, Body: "12345", ContentType: "text/plain" }));
  await sql`with t as (
      insert into tenants (project_id, tenant_id, ref, used_bytes, file_count, created_at)
      select id, 't', ${path}, 5, 1, now() from projects where ref = ${project_ref} returning project_id, id),
    days as (
      insert into usage_daily (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes)
      select project_id, id, now(), 1, 5, 0, 0 from t)
    insert into files (project_id, tenant, path, filename, content_type, size, status, created_at, stored_at, url_expires_at)
    select project_id, id, ${path}, 'a.txt', 'text/plain', 5, 'stored', now(), now(), now() from t`;
  return { ref: project_ref as string, path };
}

describe("stowage project", () => {
  test("creates and lists projects and replaces a key, and shows a key only once", async () => {
    const created = await json("project", "create", "Acme", "--quota-bytes", "5");
    expect(created).toMatchObject({ name: "Acme", api_key: expect.stringMatching(/^stow_live_/) });
    const { stdout } = await stowage(["project", "list"]);
    expect(stdout).toContain(created.project_ref);
    expect(stdout).not.toContain(created.api_key);
    const renewed = await json("project", "regenerate-key", created.project_ref);
    expect(renewed.project_ref).toBe(created.project_ref);
    expect(renewed.api_key).not.toBe(created.api_key);
    const generous = await json("project", "create", "Generous", "--allow-over-quota");
    const listed = (await json("project", "list")) as { project_ref: string; allow_over_quota: boolean }[];
    const isAllowed = ({ project_ref: ref }: { project_ref: string }) =>
      listed.find(({ project_ref }) => project_ref === ref)?.allow_over_quota;
    expect([created, generous].map(isAllowed)).toEqual([false, true]);
  });

  test("sets limits of a project, of a plan and of a tenant", async () => {
    const { project_ref } = await json("project", "create", "Acme");
    const project = ["--project", project_ref];
    expect(
      await json("project", "set", project_ref, "--max-files", "9", "--uploads-per-minute", "8"),
    ).toMatchObject({ default_max_files: 9, default_uploads_per_minute: 8 });
    expect(await json("project", "set", project_ref, "--uploads-per-minute", "none")).toMatchObject({
      default_max_files: 9,
      default_uploads_per_minute: null,
    });
    const pro = {
      name: "pro",
      quota_bytes: 5,
      max_files: null,
      max_open_uploads: 3,
      uploads_per_minute: null,
    };
    const limits = ["--quota-bytes", "5", "--max-open-uploads", "3"];
    expect(await json("plan", "set", "pro", ...project, ...limits)).toEqual(pro);
    expect(await json("plan", "list", ...project)).toEqual([pro]);
    const set = await json("tenant", "set", "t", ...project, "--plan", "pro", "--max-open-uploads", "1");
    const shown = { tenant_id: "t", plan: "pro", quota_bytes: 5, max_files: 9, max_open_uploads: 1 };
    expect(set).toMatchObject({ ...shown, quota_source: "plan" });
    expect(await json("usage", ...project)).toMatchObject([shown]);
    await expect(json("plan", "delete", "pro", ...project)).rejects.toThrow("Plan is in use by a tenant");
    expect(await json("tenant", "set", "t", ...project, "--plan", "none")).toMatchObject({ plan: null });
    expect(await json("plan", "delete", "pro", ...project)).toEqual(pro);
    const entries = await sql<{ action: string }[]>`select action from audit_log a
      join projects p on p.id = a.project_id where p.ref = ${project_ref} order by a.id`;
    expect(entries.map(({ action }) => action).slice(3)).toEqual([
      "plan.created",
      "tenant.limits_changed",
      "tenant.limits_changed",
      "plan.deleted",
    ]);
  });

  test("changes the given settings only", async () => {
    const { project_ref } = await json("project", "create", "Acme", "--quota-bytes", "5");
    const before = { project_ref, name: "Acme", default_quota_bytes: 5, max_file_bytes: 5368709120 };
    expect(await json("project", "set", project_ref, "--require-size", "on")).toMatchObject({
      ...before,
      trash_days: 7,
      require_size: true,
    });
    expect(
      await json("project", "set", project_ref, "--name", "Acme Ltd", "--quota-bytes", "none"),
    ).toMatchObject({ name: "Acme Ltd", default_quota_bytes: null, require_size: true });
    expect(
      await json("project", "set", project_ref, "--max-file-bytes", "10", "--require-size", "off"),
    ).toMatchObject({ max_file_bytes: 10, require_size: false, allow_over_quota: false });
    expect(await json("project", "set", project_ref, "--allow-over-quota", "on")).toMatchObject({
      allow_over_quota: true,
    });
    expect(
      await json("project", "set", project_ref, "--scan", "clamav", "--allow-unscannable", "on"),
    ).toMatchObject({ scan: "clamav", allow_unscannable: true });
    expect(await json("project", "set", project_ref, "--trash-days", "30")).toMatchObject({
      trash_days: 30,
      scan: "clamav",
    });
    expect(await json("project", "rescan", project_ref, "--block")).toEqual({ files: 0 });
    const listed = (await json("project", "list")).find(
      (it: { project_ref: string }) => it.project_ref === project_ref,
    );
    expect(listed).toMatchObject({ name: "Acme Ltd", max_file_bytes: 10 });
  });

  test("writes each change to the audit log", async () => {
    const { project_ref: ref, api_key: key } = await json("project", "create", "Acme");
    await json("project", "set", ref, "--name", "Acme Ltd", "--trash-days", "30");
    await json("project", "regenerate-key", ref);
    const entries = await sql`select action, details, operator_email from audit_log a
      join projects p on p.id = a.project_id where p.ref = ${ref} order by a.id`;
    expect(entries.map(({ action, details }) => ({ action, ...details }))).toEqual([
      { action: "project.created", name: "Acme" },
      { action: "project.renamed", name_before: "Acme", name: "Acme Ltd" },
      { action: "project.settings_changed", trashDays_before: 7, trashDays: 30 },
      { action: "key.regenerated", old_key_last4: key.slice(-4) },
    ]);
    expect(new Set(entries.map(({ operator_email: author }) => author))).toEqual(new Set(["command line"]));
  });
});

describe("stowage link", () => {
  test("creates, lists and revokes links, with audit entries that have no token", async () => {
    const { ref, path } = await aStoredFile(await aBucket());
    const link = (...args: string[]) => json("link", ...args, "--project", ref);
    const created = await link("create", path, "--expires-after", "3600", "--max-downloads", "2");
    const { url, ...rest } = created;
    expect(url).toMatch(/^http:\/\/.*\/s\/[0-9A-Za-z]{44}$/);
    expect(rest).toMatchObject({ file_path: path, tenant_id: "t", max_downloads: 2, has_password: false });
    expect(await link("list", "--tenant", "t")).toEqual({ links: [rest], next_cursor: null });
    const { stdout } = await stowage(["link", "list", "--file", path, "--project", ref]);
    expect(stdout).toContain(`${rest.link_id}`);
    expect(stdout).toContain("0 of 2");
    expect(
      (await stowage(["link", "create", path, "--max-downloads", "x", "--project", ref])).stderr,
    ).toContain("max_downloads must be a whole number");
    expect(await link("revoke", rest.link_id)).toEqual(rest);
    expect((await stowage(["link", "revoke", rest.link_id, "--project", ref])).stderr).toContain(
      "Link not found",
    );
    const audited = await sql`select action, details from audit_log a join projects p on p.id = a.project_id
      where p.ref = ${ref} and action like 'link.%' order by a.id`;
    expect(audited).toMatchObject([
      { action: "link.created", details: { linkId: rest.link_id, path, maxDownloads: 2 } },
      { action: "link.revoked", details: { linkId: rest.link_id, path, downloads: 0 } },
    ]);
    expect(JSON.stringify(audited)).not.toContain(url.slice(-22));
  });

  test("reads a password from stdin", async () => {
    const { ref, path } = await aStoredFile(await aBucket());
    const args = ["link", "create", path, "--password-stdin", "--project", ref, "--json"];
    const { stdout } = await stowage(args, {}, "correct horse\n");
    expect(JSON.parse(stdout)).toMatchObject({ has_password: true });
    expect((await stowage(args, {}, "short\n")).stderr).toContain("password must be at least 8 characters");
  });
});

describe("stowage folder", () => {
  test("starts jobs that move and delete a folder, with audit entries, and tells how far they are", async () => {
    const { ref } = await aStoredFile(inject("servers").S3_BUCKET);
    const project = ["--project", ref];
    const { job_id } = await json("folder", "move", "a", "b/c", "--tenant", "t", ...project);
    const job = { job_id, kind: "move_folder", tenant_id: "t", total: 0, done: 0, kept: 0 };
    expect(await json("folder", "job", job_id, ...project)).toMatchObject(job);
    expect((await stowage(["folder", "job", job_id, ...project])).stdout).toMatch(
      /^(running|done): 0 of 0 files\n$/,
    );
    const deleted = await stowage(["folder", "delete", "d", "--tenant", "t", ...project]);
    expect(deleted.stdout).toMatch(/^The service works on it: stowage folder job \w{22} --project \w{22}\n$/);
    for (const [args, message] of [
      [["move", "a", "a/b", "--tenant", "t"], "to must be another folder than from, and not be below it"],
      [["delete", "", "--tenant", "t"], "the root cannot be deleted"],
      [["delete", "d", "--tenant", "unknown"], "Tenant not found"],
      [["job", "unknown"], "Job not found"],
    ] as const)
      expect((await stowage(["folder", ...args, ...project])).stderr).toContain(message);
    expect(
      await sql`select action, details - 'jobId' as details, operator_email from audit_log a
        join projects p on p.id = a.project_id where p.ref = ${ref} and action like 'folder.%' order by a.id`,
    ).toEqual([
      {
        action: "folder.moved",
        details: { tenantId: "t", folder: "a", to: "b/c" },
        operator_email: "command line",
      },
      { action: "folder.deleted", details: { tenantId: "t", folder: "d" }, operator_email: "command line" },
    ]);
  });
});

describe("stowage file", () => {
  test("restores a file from the trash, and holds and releases it, with audit entries", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    await sql`update files set status = 'trashed', purge_at = now() + interval '1 day' where path = ${path}`;
    const file = (name: string, ...args: string[]) => json("file", name, path, ...args, "--project", ref);
    expect(await file("restore")).toMatchObject({ file_path: path, tenant_id: "t", status: "stored" });
    expect(await file("hold", "on")).toMatchObject({ file_path: path, hold: true });
    expect(await sql`select held from files where path = ${path}`).toEqual([{ held: true }]);
    expect((await stowage(["file", "hold", path, "on", "--project", ref])).stdout).toBe(
      `The file ${path} is on hold.\n`,
    );
    expect(await file("hold", "off")).not.toHaveProperty("hold");
    expect(
      await sql`select action, operator_email from audit_log a join projects p on p.id = a.project_id
        where p.ref = ${ref} and action like 'file.%' order by a.id`,
    ).toEqual(
      ["restored", "held", "released"].map((done) => ({
        action: `file.${done}`,
        operator_email: "command line",
      })),
    );
  });

  test("renames a file and changes its metadata, with an audit entry that has no metadata", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    const update = (...args: string[]) => ["file", "update", path, ...args, "--project", ref];
    expect(
      await json(...update("--filename", "Report.pdf", "--metadata", '{"order":"7","draft":null}')),
    ).toMatchObject({ file_path: path, filename: "Report.pdf", metadata: { order: "7" } });
    expect((await stowage(update("--metadata", '{"order":null}'))).stdout).toBe(
      `The file ${path} was updated.\n`,
    );
    expect(await json(...update("--folder", "reports/2026"))).toMatchObject({ folder: "reports/2026" });
    const entries = await sql`select details from audit_log a join projects p on p.id = a.project_id
      where p.ref = ${ref} and action = 'file.updated' order by a.id`;
    expect(entries.map(({ details }) => details)).toMatchObject([
      { filename: "Report.pdf", filename_before: "a.txt", metadataChanged: true },
      { filename: "Report.pdf", filename_before: "Report.pdf", metadataChanged: true },
      { filename: "Report.pdf", metadataChanged: false, folderChanged: true },
    ]);
    expect(JSON.stringify(entries)).not.toContain("order");
    expect((await stowage(update())).stderr).toContain("filename, metadata or folder is required");
    expect((await stowage(update("--metadata", "{"))).stderr).toContain("Not valid JSON");
  });

  test("lists the versions of a file and restores one, with an audit entry", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    await json("project", "set", ref, "--trash-days", "7", "--max-versions", "3");
    const version = `${path}.older`;
    await sql`update files set chain = id where path = ${path}`;
    await sql`
      insert into files (project_id, tenant, path, filename, content_type, size, etag, status, url_expires_at, created_at, stored_at,
        purge_at, replaced_by, replaced_at, chain)
      select project_id, tenant, ${version}, 'older.txt', content_type, 3, 'e', 'trashed', url_expires_at, created_at, stored_at,
        now() + interval '1 day', ${path}, now(), chain from files where path = ${path}`;
    await sql`update tenants set used_bytes = used_bytes + 3, file_count = file_count + 1
      where id = (select tenant from files where path = ${path})`;
    const file = (name: string, ...args: string[]) => json("file", name, ...args, "--project", ref);
    expect(await file("versions", path)).toMatchObject({
      versions: [
        { file_path: version, filename: "older.txt", size: 3, status: "trashed", replaced_by: path },
      ],
    });
    const { stdout } = await stowage(["file", "versions", path, "--project", ref]);
    expect(stdout).toContain("older.txt");
    expect(await file("restore-version", path, version)).toMatchObject({
      file_path: version,
      status: "stored",
    });
    expect(await file("versions", version)).toMatchObject({ versions: [{ file_path: path }] });
    expect((await stowage(["file", "restore-version", version, path, "--project", ref])).stdout).toBe(
      `The version ${path} was restored.\n`,
    );
    expect(
      await sql`select details ->> 'path' as path, operator_email from audit_log a join projects p on p.id = a.project_id
        where p.ref = ${ref} and action = 'file.restored' order by a.id`,
    ).toEqual([version, path].map((restored) => ({ path: restored, operator_email: "command line" })));
    const other = await json("project", "create", "Other");
    for (const args of [
      ["versions", version, "--project", ref],
      ["restore-version", path, `${version}x`, "--project", ref],
      ["restore-version", path, version, "--project", other.project_ref as string],
    ])
      expect((await stowage(["file", ...args])).stderr).toBe("File not found\n");
  });

  test("has failed image variants made again, also for a whole project", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    await sql`
      insert into file_variants (project_id, file_id, preset_hash, source_etag, path, parameters, status, failure, created_at)
      select project_id, id, f.failure, 'e', path || f.failure, '{}', 'failed', f.failure::variant_failure, now()
      from files, (values ('memory'), ('image')) f (failure) where path = ${path}`;
    const retryFile = ["file", "retry-variants", path, "--project", ref];
    expect((await stowage(retryFile)).stdout).toBe("1 variant waits for a worker.\n");
    expect(await json(...retryFile)).toEqual({ variants: 0 });
    expect(await json("project", "retry-variants", ref)).toEqual({ variants: 0 });
    expect(await json("project", "retry-variants", ref, "--impossible")).toEqual({ variants: 1 });
  });

  test("names what it does not find, also in another project", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    const other = await json("project", "create", "Other");
    const refused = (project: string, ...args: string[]) => stowage(["file", ...args, "--project", project]);
    expect(
      await Promise.all([
        refused(ref, "restore", path),
        refused(other.project_ref, "hold", path, "on"),
        refused("unknown", "hold", path, "on"),
      ]),
    ).toEqual(
      ["The trash has no such file", "File not found", "Project not found"].map((sentence) => ({
        code: 1,
        stdout: "",
        stderr: `${sentence}\n`,
      })),
    );
  });
});

describe("stowage tenant", () => {
  test("exports a tenant, and continues after a cursor", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    const lines = async (...args: string[]) => {
      const ended = await stowage(["tenant", "export", "t", "--project", ref, ...args]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      return ended.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const [tenant, file, end] = await lines();
    expect(tenant).toMatchObject({ type: "tenant", tenant_id: "t", used_bytes: 5 });
    expect(file).toMatchObject({ type: "file", file_path: path });
    expect(await (await fetch(file.presigned_url)).text()).toBe("12345");
    expect(end).toEqual({ type: "end", files: 1, links: 0 });
    expect(await lines("--after", file.cursor)).toEqual([{ type: "end", files: 0, links: 0 }]);
    expect(
      await sql`select action, operator_email from audit_log a join projects p on p.id = a.project_id
        where p.ref = ${ref} and action = 'tenant.exported'`,
    ).toEqual(
      Array.from({ length: 2 }, () => ({ action: "tenant.exported", operator_email: "command line" })),
    );
  });

  test("deletes a tenant only with --yes, and not while one of its files is on hold", async () => {
    const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
    const remove = (...args: string[]) => stowage(["tenant", "delete", "t", "--project", ref, ...args]);
    const refused = (stderr: string) => ({ code: 1, stdout: "", stderr: `${stderr}\n` });
    expect(await remove()).toEqual(
      refused("This deletes 1 file with 5 bytes for good. Repeat it with --yes."),
    );
    await sql`update files set held = true where path = ${path}`;
    expect(await remove("--yes")).toEqual(refused("File is on hold"));
    await sql`update files set held = false where path = ${path}`;
    expect(await remove("--yes")).toEqual({ code: 0, stdout: "The tenant t was deleted.\n", stderr: "" });
    expect(await json("usage", "--project", ref)).toEqual([]);
    expect(await remove("--yes")).toEqual(refused("Tenant not found"));
  });

  test("says that files are left if storage does not remove them", async () => {
    const { ref } = await aStoredFile(inject("servers").S3_BUCKET);
    const { code, stdout } = await stowage(["tenant", "delete", "t", "--project", ref, "--yes", "--json"], {
      S3_ENDPOINT: NOWHERE.S3_ENDPOINT,
    });
    expect({ code, left: JSON.parse(stdout) }).toEqual({
      code: 2,
      left: { tenant_id: "t", remaining_files: 1 },
    });
  });
});

test("stowage webhook creates, lists, rotates and deletes endpoints and redelivers their events, with audit entries", async () => {
  const { project_ref: ref } = await json("project", "create", "Hooked");
  const url = "https://example.com/hooks?key=hunter2";
  const webhook = (name: string, ...args: string[]) => json("webhook", name, ...args, "--project", ref);
  const { secret, ...endpoint } = await webhook("create", url, "--events", "file.deleted,file.stored");
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint).toMatchObject({ url, events: ["file.stored", "file.deleted"], disabled_at: null });
  const none = { count: 0, is_exact: true };
  expect(await webhook("list")).toEqual([{ ...endpoint, undelivered: none }]);
  const { endpoint_id: id } = endpoint;
  expect((await stowage(["webhook", "list", "--project", ref])).stdout).toBe(
    `${"ENDPOINT".padEnd(id.length)}  STATE    UNDELIVERED  EVENTS                    URL\n${id}  enabled            0  file.stored,file.deleted  ${url}\n`,
  );

  const before = Date.now();
  const { secret: newSecret, ...rotated } = await webhook("rotate", id);
  expect(newSecret).toMatch(/^whsec_/);
  expect(newSecret).not.toBe(secret);
  const { previous_secret_ends_at: oldSecretEndsAt } = rotated;
  expect(rotated).toEqual({ ...endpoint, previous_secret_ends_at: oldSecretEndsAt });
  expect((Date.parse(oldSecretEndsAt) - before) / 3_600_000).toBeCloseTo(24, 1);
  expect((await stowage(["webhook", "rotate", id, "--project", ref])).stdout).toMatch(
    /^Secret \(shown only once\): whsec_\S+\nThe old secret signs too until \d{4}-\S+Z\.\n$/,
  );

  // The ids of events sort by time. This one is later than any moment.
  const eventId = `ffffffff${randomUUID().slice(8)}`;
  await sql`with endpoint as (select project_id, id from webhook_endpoints where ref = ${id}),
    event as (
      insert into webhook_events (project_id, id, type, subject, data, at)
      select project_id, ${eventId}, 'webhook.test', 'test:1', '{}', now() from endpoint)
    insert into webhook_deliveries (project_id, endpoint, event, subject, seq, state)
    select project_id, id, ${eventId}, 'test:1', 0, 'failed' from endpoint`;
  expect(await webhook("list")).toMatchObject([{ undelivered: { count: 1, is_exact: true } }]);
  const again = { endpoint_id: id, redelivered: 1 };
  expect(await webhook("redeliver", id, "--event", `evt_${eventId}`)).toEqual(again);
  expect(await sql`select state from webhook_deliveries where event = ${eventId}`).toEqual([
    { state: "pending" },
  ]);
  // The try that the service has begun meanwhile ends after it and changes the state once more.
  await expect
    .poll(
      async () => {
        await sql`update webhook_deliveries set state = 'skipped' where event = ${eventId}`;
        return webhook("redeliver", id, "--since", "2026-01-31T12:00:00Z");
      },
      { timeout: 60_000 },
    )
    .toEqual(again);

  expect(await webhook("delete", id)).toEqual({ endpoint_id: id, deleted: true });
  expect(await webhook("list")).toEqual([]);
  expect(
    await sql`select action, operator_email from audit_log a join projects p on p.id = a.project_id
      where p.ref = ${ref} and action like 'webhook.%' order by a.id`,
  ).toEqual(
    ["created", "secret_rotated", "secret_rotated", "redelivered", "redelivered", "deleted"].map((done) => ({
      action: `webhook.${done}`,
      operator_email: "command line",
    })),
  );
});

test("stowage webhook names what it refuses", async () => {
  const { project_ref: ref } = await json("project", "create", "Hooked");
  const refused = (...args: string[]) => stowage(["webhook", ...args, "--project", ref]);
  const url = "http://example.com";
  const { project_ref: other } = await json("project", "create", "Another");
  const theirs = await json(
    "webhook",
    "create",
    `${url.replace("http", "https")}/hooks`,
    "--events",
    "all",
    "--project",
    other,
  );
  const [notSecure, unknownEvent, nothing, unknown, ofAnother] = await Promise.all([
    refused("create", url, "--events", "file.stored"),
    refused("create", url, "--events", "file.burnt"),
    refused("redeliver", "unknown"),
    refused("redeliver", "unknown", "--since", "2026-01-31T12:00:00Z"),
    refused("rotate", theirs.endpoint_id),
  ]);
  expect(notSecure).toEqual({ code: 1, stdout: "", stderr: "url must be an https URL\n" });
  expect(unknownEvent).toMatchObject({ code: 1, stderr: expect.stringContaining("must be of file.stored,") });
  expect(nothing).toEqual({ code: 1, stdout: "", stderr: "Name --event or --since.\n" });
  for (const each of [unknown, ofAnother])
    expect(each).toEqual({ code: 1, stdout: "", stderr: "Webhook endpoint not found\n" });
});

test("stowage usage prints the usage of projects and tenants", async () => {
  const { ref } = await aStoredFile(inject("servers").S3_BUCKET);
  const used = { file_count: 1, used_bytes: 5, reserved_bytes: 0 };
  expect(await json("usage")).toContainEqual({
    project_ref: ref,
    name: "Reconciled",
    tenant_count: 1,
    ...used,
  });
  const limits = { plan: null, max_files: null, max_open_uploads: null, uploads_per_minute: null };
  const tenant = { tenant_id: "t", ...used, quota_bytes: null, ...limits };
  expect(await json("usage", "--project", ref)).toEqual([tenant]);
  expect(await json("usage", "--project", ref, "--tenant", "t")).toEqual([tenant]);
  expect((await stowage(["usage", "--project", ref])).stdout).toMatch(
    /^FILES +USED .*\n +1 +5 +0 +none +t\n$/,
  );
});

test("stowage reconcile finds drift with exit code 2, repairs it with 0, and then finds nothing", async () => {
  const S3_BUCKET = await aBucket();
  const { ref, path } = await aStoredFile(S3_BUCKET);
  const lost = await aStoredFile(S3_BUCKET);
  const reconcile = async (project: string, ...options: string[]) => {
    const ended = await stowage(["reconcile", "--project", project, "--json", ...options], { S3_BUCKET });
    return {
      code: ended.code,
      lines: ended.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    };
  };
  const right = { code: 0, lines: [{ summary: { drifts: 0, mended: 0, left: 0 } }] };
  expect(await reconcile(ref)).toEqual(right);

  await sql`update tenants set used_bytes = 99 from projects p where p.id = project_id and p.ref = ${ref}`;
  await s3.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key: path, Body: "1234567" }));
  await s3.send(new DeleteObjectCommand({ Bucket: S3_BUCKET, Key: lost.path }));
  const counters = { used_bytes: 5, reserved_bytes: 0, file_count: 1 };
  expect(await reconcile(ref)).toEqual({
    code: 2,
    lines: [
      {
        drift: "counters",
        project_ref: ref,
        tenant_id: "t",
        recorded: { ...counters, used_bytes: 99 },
        actual: counters,
        repaired: null,
      },
      { drift: "size", project_ref: ref, path, recorded_bytes: 5, found_bytes: 7, repaired: null },
      { summary: { drifts: 2, mended: 0, left: 2 } },
    ],
  });
  expect(await reconcile(ref, "--repair")).toMatchObject({
    code: 0,
    lines: [{}, {}, { summary: { drifts: 2, mended: 2, left: 0 } }],
  });
  expect(await reconcile(ref)).toEqual(right);
  expect(await json("usage", "--project", ref)).toMatchObject([{ used_bytes: 7, file_count: 1 }]);

  expect(await reconcile(lost.ref, "--repair")).toMatchObject({ code: 0, lines: [{ drift: "missing" }, {}] });
  expect(await json("usage", "--project", lost.ref)).toMatchObject([{ used_bytes: 0, file_count: 0 }]);

  const orphan = `projects/${ref}/tenants/x/orphan`;
  await s3.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key: orphan, Body: "1" }));
  const kept = await stowage(["reconcile", "--repair", "--delete-orphans", "--project", ref], { S3_BUCKET });
  expect(kept.code).toBe(2);
  expect(kept.stdout).toContain(orphan);
  expect(kept.stdout).toContain("younger than two days");
});

test("stowage migrate can be repeated", async () => {
  expect(await json("migrate")).toEqual({ migrated: true });
});

test("stowage project create takes the ref of a lost project, and refuses one that is in use", async () => {
  const ref = randomBytes(11).toString("hex");
  expect(await json("project", "create", "Again", "--ref", ref)).toMatchObject({ project_ref: ref });
  expect(await stowage(["project", "create", "Twice", "--ref", ref])).toEqual({
    code: 1,
    stdout: "",
    stderr: "A project with this ref exists.\n",
  });
});

test("stowage migrate --citus distributes a Citus database, and refuses plain PostgreSQL with one sentence", async () => {
  const ended = await stowage(["migrate", "--citus"]);
  const sentence =
    "This database is plain PostgreSQL without the extension citus; run stowage migrate without --citus, or connect to the coordinator of a Citus cluster.\n";
  const distributed =
    "The database has this version's schema.\nIts tables are distributed. `stowage doctor` says how.\n";
  expect(ended).toEqual(
    inject("citus")
      ? { code: 0, stdout: distributed, stderr: "" }
      : { code: 1, stdout: "", stderr: sentence },
  );
});

describe("an error prints one sentence to stderr and exits with 1", () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [["project", "regenerate-key", "nobody"], {}, /^Project not found\n$/],
    [["project", "set", "nobody", "--name", "x"], {}, /^Project not found\n$/],
    [["project", "set", "nobody"], {}, /^Say what to change\n$/],
    [["usage", "--project", "nobody"], {}, /^Project not found\n$/],
    [["usage", "--tenant", "t"], {}, /^--tenant needs --project/],
    [["reconcile", "--project", "nobody"], {}, /^Project not found\n$/],
    [["reconcile", "--delete-orphans"], {}, /^--delete-orphans needs --repair\.\n$/],
    [
      ["reconcile", "--repair", "--delete-orphans", "--after-restore"],
      {},
      /^--after-restore keeps every orphan: run without --delete-orphans\.\n$/,
    ],
    [["reconcile", "--owners", "x"], {}, /^--owners needs --after-restore\.\n$/],
    [
      ["reconcile", "--after-restore", "--owners", "/nowhere"],
      {},
      /^--owners: \/nowhere cannot be read \(ENOENT\)\.\n$/,
    ],
    [
      ["reconcile", "--after-restore", "--owners", import.meta.filename],
      {},
      /^--owners: line 1 of .* is not "<22 characters> <tenant_id>"\.\n$/,
    ],
    [["operator", "end-sessions"], {}, /^Name an operator, or use --all\.\n$/],
    [["project", "create", "x", "--ref", "short"], {}, /must be 22 letters and digits/],
    [["project", "create", "x", "--quota-bytes", "many"], {}, /must be a whole number of bytes/],
    [["project", "create", " "], {}, /must not be empty/],
    [["project", "set", "x", "--require-size", "maybe"], {}, /must be "on" or "off"/],
    [["cors", "apply"], {}, /required option '--origin <origin>' not specified/],
    [["cors", "apply", "--origin", "app.example.com"], {}, /must be an origin like https:/],
    [["doctor", "--orgin", "https://x"], {}, /unknown option '--orgin'/],
    [["usage"], { DATABASE_URL: "" }, /^The setting DATABASE_URL is required\.\n$/],
    [["doctor"], { S3_BUCKET: "" }, /^The setting S3_BUCKET is required\.\n$/],
    [
      ["project", "list"],
      NOWHERE,
      /^Cannot connect to PostgreSQL at 127\.0\.0\.1:1 as u: connection refused \(database d\)\.\n$/,
    ],
    [["usage"], NOWHERE, /^Cannot connect to PostgreSQL at 127\.0\.0\.1:1 as u: connection refused/],
    [["migrate"], NOWHERE, /^The database was not migrated\. Cannot connect to PostgreSQL at 127\.0\.0\.1:1/],
    [
      ["usage"],
      { DATABASE_URL: `${NOWHERE.DATABASE_URL}?sslmode=x` },
      /^The setting DATABASE_URL has an unknown sslmode; /,
    ],
    [["reconcile"], { S3_ENDPOINT: NOWHERE.S3_ENDPOINT }, /^Storage at S3_ENDPOINT does not answer/],
    [["cors", "apply", "--origin", "https://x"], NOWHERE, /^Storage at S3_ENDPOINT does not answer/],
  ])("%j with %j", async (args, settings, sentence) => {
    const ended = await stowage(args, settings);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).not.toMatch(/hunter2|\n +at /);
  });
});

test("stowage meter prints the meters of a project or a tenant as a table, JSON and CSV", async () => {
  const { ref } = await aStoredFile(inject("servers").S3_BUCKET);
  await sql`update usage_daily u set day = '2026-01-31', byte_ms = 5 * 86400000
    from projects p where p.id = project_id and p.ref = ${ref}`;
  const ofTenant = ["--project", ref, "--tenant", "t", "--from", "2026-01-31", "--to", "2026-02-01"];
  const downloads = { downloads_signed: 0, bytes_signed: 0, bytes_delivered: null };
  const day = { byte_seconds: "432000", peak_bytes: 5, file_count: 1, ...downloads };
  expect(await json("meter", "daily", ...ofTenant)).toEqual([
    { day: "2026-01-31", ...day, uploads: 1 },
    { day: "2026-02-01", ...day, uploads: 0 },
  ]);
  expect((await stowage(["meter", "monthly", ...ofTenant])).stdout).toMatch(
    /^MONTH +BYTE SECONDS .*\n2026-01 +432000 +5 +1 +1 +0 +0 +unknown\n2026-02 +432000 +5 +1 +0 +0 +0 +unknown\n$/,
  );
  expect((await stowage(["meter", "monthly", ...ofTenant, "--csv"])).stdout).toBe(
    "month,byte_seconds,peak_bytes,file_count,uploads,downloads_signed,bytes_signed,bytes_delivered\r\n" +
      "2026-01,432000,5,1,1,0,0,\r\n2026-02,432000,5,1,0,0,0,\r\n",
  );
  expect(await json("meter", "monthly", "--project", ref)).toMatchObject([{ byte_seconds: "0" }]);
  expect(await stowage(["meter", "daily", "--project", ref, "--tenant", "unknown"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Tenant not found\n",
  });
});

test("stowage event list pages through the events of a project", async () => {
  const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
  const list = (...args: string[]) => ["event", "list", "--project", ref, ...args];
  const first = await json(...list("--limit", "1"));
  expect(first.events).toMatchObject([{ type: "tenant.created", data: { tenant_id: "t" } }]);
  const second = await json(...list("--after", first.next_cursor, "--types", "file.stored,file.deleted"));
  expect(second.events).toMatchObject([{ type: "file.stored", data: { tenant_id: "t", file_path: path } }]);
  expect((await stowage(list("--after", first.next_cursor))).stdout).toMatch(
    new RegExp(`^TIME +TYPE +TENANT +FILE\n\\S+ +file.stored +t +${path}\nNEXT  ${second.next_cursor}\n$`),
  );
  const last = await json(...list("--after", second.next_cursor));
  expect(last).toEqual({ events: [], next_cursor: second.next_cursor });
  for (const [args, sentence] of [
    [["--after", "x"], /cursor/],
    [["--limit", "1001"], /^limit must be at most 1000\n$/],
    [["--types", "file.eaten"], /^types must be some of file\.stored/],
  ] as const) {
    const { code, stdout, stderr } = await stowage(list(...args));
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(sentence)]);
  }
});

test("stowage meter import-logs counts each log once, and goes on after one that cannot be read", async () => {
  const { ref, path } = await aStoredFile(inject("servers").S3_BUCKET);
  const tenantRef = "t".repeat(22);
  await sql`update tenants set ref = ${tenantRef} where ref = ${path}`;
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date().toUTCString())!;
  const line = (bytes: number) =>
    `192.0.2.3 - - [${day}/${month}/${year}:${time} +0000] "GET /bucket/projects/${ref}/tenants/${tenantRef}/x_a.txt HTTP/1.1" 200 ${bytes} "-" "-"\n`;
  const dir = await mkdtemp(join(tmpdir(), "logs-"));
  const files = ["cut.gz", "access\u001b[2J.log", "whole.gz", "missing"].map((name) => join(dir, name));
  await writeFile(files[0]!, gzipSync(line(900)).subarray(0, -4));
  await writeFile(files[1]!, `${line(5)}a line\n${line(100).slice(0, -20)}`);
  await writeFile(files[2]!, gzipSync(line(7)));
  const importLogs = () => stowage(["meter", "import-logs", "--format", "nginx", ...files]);
  const ended = (newBytes: [number, number]) => ({
    code: 1,
    stdout:
      `${dir}/access\\u001b[2J.log: downloads 1, bytes 5, new bytes ${newBytes[0]}, lines 2, lines of another format 1\n` +
      `${dir}/whole.gz: downloads 1, bytes 7, new bytes ${newBytes[1]}, lines 1\n`,
    stderr:
      `${dir}/cut.gz ends in the middle of its compressed data. Nothing of it was counted.\n` +
      `${dir}/missing does not exist. Nothing of it was counted.\n`,
  });
  expect(await importLogs()).toEqual(ended([5, 7]));
  expect(await importLogs()).toEqual(ended([0, 0]));
  await appendFile(files[1]!, line(100).slice(-20));
  expect(await json("meter", "import-logs", "--format", "nginx", files[1]!)).toEqual({
    file: files[1],
    lines: 3,
    unread_lines: 1,
    old_downloads: 0,
    downloads: 2,
    bytes: 105,
    new_bytes: 100,
  });
  const days = await json("meter", "daily", "--project", ref, "--tenant", "t", "--from", `${year}-01-01`);
  const delivered = (days as { bytes_delivered: number | null }[]).map((one) => one.bytes_delivered);
  expect(delivered.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)).toBe(112);
  const { code, stderr } = await stowage(["meter", "import-logs", "--format", "s3", files[1]!]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${dir}/access\\u001b[2J.log has no line of the format s3. Nothing of it was counted.\n`,
  });
  await rm(dir, { recursive: true });
});

test.each([
  "",
  "migrate",
  "project create",
  "project list",
  "project regenerate-key",
  "project set",
  "tenant delete",
  "tenant export",
  "file restore",
  "file hold",
  "file versions",
  "file restore-version",
  "usage",
  "meter daily",
  "event list",
  "meter import-logs",
  "reconcile",
  "doctor",
  "cors apply",
])("stowage %s --help prints its usage", async (command) => {
  const { code, stdout } = await stowage([...command.split(" ").filter(Boolean), "--help"], {
    DATABASE_URL: "",
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: stowage/);
});
