import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import {
  eventLogs,
  fileEvents,
  files,
  fileTasks,
  fileVariants,
  folderJobs,
  folders,
  idempotencyKeys,
  imagePresets,
  logDeliveries,
  plans,
  projects,
  projectUsageDaily,
  refusalsDaily,
  refusedRequests,
  shareLinks,
  replacements,
  tenants,
  tombstones,
  usageDaily,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookOutbox,
} from "#db/schema/index.js";

/*
 * Where Citus keeps each table (docs/decisions/0019). All tables that are not named here stay on the coordinator.
 */

/** Every node has a copy, so that a statement on a shard can read the project of its rows. */
export const referenceTables: PgTable[] = [projects];

/**
 * The tables that grow with use. Each is split by `project_id`, and all rows of one project are on one node. `tenants` is first,
 * because the others are placed beside it.
 */
export const distributedTables: PgTable[] = [
  tenants,
  files,
  fileTasks,
  fileEvents,
  shareLinks,
  tombstones,
  usageDaily,
  projectUsageDaily,
  logDeliveries,
  refusalsDaily,
  refusedRequests,
  replacements,
  idempotencyKeys,
  webhookEndpoints,
  webhookOutbox,
  eventLogs,
  webhookEvents,
  webhookDeliveries,
  webhookAttempts,
  imagePresets,
  fileVariants,
  folders,
  folderJobs,
  plans,
];

export const DISTRIBUTION_COLUMN = "project_id";

/** The functions that Citus runs on the node of a project. Their parameter `p` is the project's id. */
export const distributedFunctions = [
  "mark_stored",
  "admit_uploads",
  "add_downloads",
  "import_deliveries",
  "fan_out_events",
  "backfill_events",
  "claim_deliveries",
  "finish_delivery",
];
export const FUNCTION_PARAMETER = "p";

/** The functions that those call. Every node has them, and they run where their caller runs. */
export const calledFunctions = [
  "add_daily_usage",
  "add_usage",
  "add_folder_usage",
  "folder_chain",
  "write_outbox",
  "emit_file_events",
  "emit_tenant_events",
  "clear_quotas",
  "reach_quota",
  "judge_uploads",
  "reopen_upload",
  "queue_variants",
  "quota_of",
  "limits_of_tenant",
  "fits_quota",
  "queue_scans",
  "queue_moves",
  "is_misplaced",
  "file_place",
];

/** The name of the table beside which all distributed tables are placed. */
export const colocatedWith: string = getTableName(tenants);
