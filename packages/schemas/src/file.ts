import * as z from "zod";
import { camelKeys } from "./casing.js";
import { limits } from "./limits.js";
import { filePath, tenantId } from "./members.js";

export const fileStatuses = ["pending", "stored", "expired", "deleting"] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** A file as every operation answers it. */
export const file = z.object({
  file_path: z.string(),
  tenant_id: z.string(),
  filename: z.string(),
  content_type: z.string(),
  /** Bytes as storage reports them; null until they are there. */
  size: z.number().nullable(),
  status: z.enum(fileStatuses),
  etag: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  /** RFC 3339, UTC. */
  created_at: z.string(),
  stored_at: z.string().nullable(),
});
export type File = z.infer<typeof file>;

const nullIsAbsent = (value: unknown) => value ?? undefined;

/** Body of `POST /api/storage/complete/`. A tenant_id given beside the path must own it. */
export const completeRequest = z
  .object(
    { file_path: filePath, tenant_id: z.preprocess(nullIsAbsent, tenantId.optional()) },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type CompleteRequest = z.output<typeof completeRequest>;

/** Query of `GET /api/storage/files/`. */
export const listFilesQuery = z
  .object({
    tenant_id: tenantId.optional(),
    status: z.enum(fileStatuses, { error: `status must be one of ${fileStatuses.join(", ")}` }).optional(),
    limit: z.coerce
      .number({ error: "limit must be a number" })
      .int({ error: "limit must be a whole number" })
      .min(1, { error: "limit must be at least 1" })
      .max(limits.maxPageSize, { error: `limit must be at most ${limits.maxPageSize}` })
      .default(limits.pageSize),
    cursor: z.string({ error: "cursor must be a string" }).optional(),
  })
  .transform(camelKeys);
export type ListFilesQuery = z.output<typeof listFilesQuery>;

/** Answer of `GET /api/storage/files/`, newest first. */
export const listFilesResponse = z.object({ files: z.array(file), next_cursor: z.string().nullable() });
export type ListFilesResponse = z.infer<typeof listFilesResponse>;
