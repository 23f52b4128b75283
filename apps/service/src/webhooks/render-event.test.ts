import { webhookEvent } from "@stowage/schemas";
import { expect, test } from "vitest";
import { renderEvent } from "./render-event.js";

const at = new Date("2026-01-01T00:00:00.000Z");
const context = { projectRef: "p1", defaultQuotaBytes: 100, defaultLimits: {} };
const id = "019b76da-ac68-7c3a-9f1e-5d2b8a4c6e70";
const bodyOf = (type: string, data: Record<string, unknown>) =>
  webhookEvent.parse(JSON.parse(renderEvent({ id, type, at, data }, context).body));

/** A row of `files` as PostgreSQL wrote it before the columns of the trash and of scans were added. */
const oldRow = {
  id: 12,
  project_id: 1,
  tenant: 2,
  tenant_id: "user_42",
  path: "projects/p1/tenants/t1/a.txt",
  filename: "a.txt",
  content_type: "text/plain",
  declared_size: 5,
  size: 5,
  status: "stored",
  etag: "e1",
  metadata: { album: "a" },
  created_at: "2026-01-01T00:00:00+00:00",
  stored_at: "2026-01-01T00:00:01.5+00:00",
};

test("a row from before a column was added is written with the default of the column", () => {
  const { data } = bodyOf("file.stored", oldRow);
  expect(data).toMatchObject({ project_ref: "p1", file_path: oldRow.path, size: 5, scan_status: "none" });
  expect(data).not.toHaveProperty("purge_at");
  expect(data).not.toHaveProperty("hold");
});

test("a tenant has the quota that applied to it", () => {
  const tenant = {
    tenant_id: "t",
    used_bytes: 1,
    reserved_bytes: 2,
    file_count: 1,
    created_at: "2026-01-01T00:00:00Z",
  };
  const quotas = [
    { quota_bytes: 7, project_quota: 50 },
    { quota_bytes: null, project_quota: 50 },
    { quota_bytes: null, project_quota: null },
  ];
  const rendered = quotas.map((quota) => bodyOf("tenant.created", { ...tenant, ...quota }).data);
  expect(rendered).toMatchObject([{ quota_bytes: 7 }, { quota_bytes: 50 }, { quota_bytes: 100 }]);
});

test("the event of a tenant has the members of a Tenant, and no other column of the row that the outbox keeps", () => {
  const row = {
    id: 3,
    project_id: 1,
    ref: "t1",
    tenant_id: "t",
    used_bytes: 6,
    reserved_bytes: 0,
    file_count: 1,
    quota_bytes: null,
    quota_needs_bytes: 6,
    next_purge_at: null,
    project_quota: 10,
    plan: "pro",
    limits: { uploadsPerMinute: 0 },
    plan_limits: { maxFiles: 5, uploadsPerMinute: 7 },
    project_limits: { maxFiles: 1, maxOpenUploads: 2 },
    created_at: "2026-01-01T00:00:00+00:00",
  };
  const { body } = renderEvent({ id, type: "tenant.quota_reached", at, data: row }, context);
  expect((JSON.parse(body) as { data: unknown }).data).toEqual({
    project_ref: "p1",
    tenant_id: "t",
    used_bytes: 6,
    reserved_bytes: 0,
    file_count: 1,
    quota_bytes: 10,
    quota_source: "project",
    plan: "pro",
    max_files: 5,
    max_open_uploads: 2,
    uploads_per_minute: 0,
    created_at: "2026-01-01T00:00:00.000Z",
  });
});
