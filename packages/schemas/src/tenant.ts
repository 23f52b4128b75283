import * as z from "zod";
import { timestamp } from "./fields.js";
import { shownLimits } from "./tenant-limits.js";

export const quotaSources = ["tenant", "plan", "project", "service"] as const;
export type QuotaSource = (typeof quotaSources)[number];

/** A tenant, as every call answers it. */
export const tenant = z.object({
  tenant_id: z.string(),
  used_bytes: z.int().describe("Bytes of the stored files."),
  reserved_bytes: z.int().describe("Bytes that open uploads reserve."),
  file_count: z.int().describe("Number of stored files."),
  quota_bytes: z.int().nullable().describe("The quota that applies; null if there is none."),
  quota_source: z.enum(quotaSources).nullable().describe("Where that quota is set; null if there is none."),
  plan: z.string().nullable().describe("The name of its plan; null for none."),
  ...shownLimits,
  created_at: timestamp,
});
export type Tenant = z.infer<typeof tenant>;
