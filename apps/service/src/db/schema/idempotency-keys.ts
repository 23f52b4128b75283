import {
  bigint,
  boolean,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { objectKey } from "./object-key.js";
import { tenants } from "./tenants.js";

/**
 * The `Idempotency-Key` of upload requests, with the upload that each one opened. Only `judge_uploads` writes it
 * (db/functions/judge_uploads.sql).
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    projectId: bigint("project_id", { mode: "number" }).notNull(),
    /** `tenants.id` in the same project. */
    tenant: bigint("tenant", { mode: "number" }).notNull(),
    key: text("key").notNull(),
    /** SHA-256 of the request's body in base64url. */
    requestHash: text("request_hash").notNull(),
    /** `files.path` of the upload. */
    path: objectKey("path").notNull(),
    /** Whether the upload created its tenant. */
    isNewTenant: boolean("is_new_tenant").notNull(),
    /** From then on the key may be used for another request. */
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.tenant, table.key] }),
    foreignKey({
      name: "idempotency_keys_tenant",
      columns: [table.projectId, table.tenant],
      foreignColumns: [tenants.projectId, tenants.id],
    }),
    index("idempotency_keys_by_expiry").on(table.expiresAt),
  ],
);
