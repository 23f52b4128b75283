import { type CountLimits, type FollowedEvent, snakeKeys, type WebhookEventType } from "@stowage/schemas";
import { createRowParser } from "#db/raw-rows.js";
import { files, tenants } from "#db/schema/index.js";
import { toFileRecord } from "#files/record/file-record.js";
import { type ServiceLimits, toTenantRecord } from "#tenants/tenant-record.js";

/** An event as the outbox keeps it. */
export interface OutboxEvent {
  /** The id in the outbox. */
  id: string;
  type: string;
  at: Date;
  /** The row as it was then, with the names of its columns. */
  data: Record<string, unknown>;
}

/** An event as it is sent. */
export interface RenderedEvent {
  /** The header `webhook-id`: the same in each try and for each endpoint. */
  webhookId: string;
  body: string;
}

interface RenderContext extends ServiceLimits {
  projectRef: string;
}

/** Writes an event from the row that the outbox keeps, with the code that writes the answers of REST. So each try has the same body. */
export function renderEvent(event: OutboxEvent, context: RenderContext): RenderedEvent {
  const { id, ...body } = toWireEvent(event, context);
  return { webhookId: id, body: JSON.stringify(body) };
}

/** An event with its id, as the log of events has it. */
export function toWireEvent({ id, type, at, data }: OutboxEvent, context: RenderContext): FollowedEvent {
  const rendered = { project_ref: context.projectRef, ...renderers[type as WebhookEventType](data, context) };
  return { id: `evt_${id}`, type, timestamp: at.toISOString(), data: rendered };
}

type Row = OutboxEvent["data"];
type Renderer = (row: Row, context: RenderContext) => object;

const parseFile = createRowParser(files);
const parseTenant = createRowParser(tenants);

const renderFile: Renderer = (row) => {
  const file = parseFile(row);
  return snakeKeys(toFileRecord({ ...file, filePath: file.path, tenantId: String(row["tenant_id"]) }, null));
};

const renderTenant: Renderer = (row, service) => {
  const { quotaBytes: ownQuota, ...tenant } = parseTenant(row);
  const values = {
    ownQuota,
    planQuota: numberOrNull(row["plan_quota"]),
    projectQuota: numberOrNull(row["project_quota"]),
    planLimits: (row["plan_limits"] ?? null) as CountLimits | null,
    projectLimits: (row["project_limits"] ?? null) as CountLimits | null,
  };
  return snakeKeys(toTenantRecord({ ...tenant, ...values }, service));
};

const numberOrNull = (value: unknown) => (value === null || value === undefined ? null : Number(value));

const renderers: Record<WebhookEventType, Renderer> = {
  "file.stored": renderFile,
  "file.deleted": renderFile,
  "file.expired": renderFile,
  "file.restored": renderFile,
  "file.updated": renderFile,
  "file.scanned": (row, context) => ({
    ...renderFile(row, context),
    scan_status: row["scan_status"],
    signature: row["scan_signature"] ?? null,
  }),
  "tenant.created": renderTenant,
  "tenant.quota_reached": renderTenant,
  "tenant.quota_cleared": renderTenant,
  "webhook.test": (row) => ({ endpoint_id: row["endpoint_ref"] }),
};
