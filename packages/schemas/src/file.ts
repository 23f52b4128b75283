import * as z from "zod";
import { camelKeys } from "./casing.js";
import { scanStatuses } from "./scan.js";
import {
  cursor,
  filePath,
  optionalField,
  ownerTenantId,
  pageLimit,
  searchText,
  tenantId,
  timestamp,
} from "./fields.js";

export const fileStatuses = ["pending", "stored", "expired", "deleting", "trashed"] as const;
export type FileStatus = (typeof fileStatuses)[number];

/** A file, as every call answers it. */
export const file = z.object({
  file_path: z.string(),
  tenant_id: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size: z.int().nullable().describe("Bytes, as storage reports them. Null until the file is stored."),
  status: z.enum(fileStatuses),
  etag: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  created_at: timestamp,
  stored_at: timestamp.nullable(),
  expires_at: timestamp
    .describe(
      "When the service deletes the file by itself. Missing if the upload request set no expires_after.",
    )
    .optional(),
  purge_at: timestamp
    .describe("When the file is removed from the trash. Only of files with the status trashed.")
    .optional(),
  hold: z.literal(true).describe("The file is on hold: nothing deletes it. Missing otherwise.").optional(),
  visibility: z
    .literal("public")
    .describe("Everyone may read the file. Missing for private files.")
    .optional(),
  public_url: z
    .string()
    .describe(
      "Where everyone can read the file. Missing for private files, and while a public file is on its way to the public bucket or back.",
    )
    .optional(),
  image: z
    .object({
      width: z.int().describe("Pixels, as people see it: after the orientation of the camera."),
      height: z.int(),
      placeholder: z.string().describe("A ThumbHash, base64: https://evanw.github.io/thumbhash/"),
    })
    .optional()
    .describe(
      "The image, as the first variant of the file found it. Missing until then, and for files that are no image.",
    ),
  scan_status: z
    .enum(scanStatuses)
    .optional()
    .describe("What the virus scan found. While the project scans, only clean files can be downloaded."),
});
export type File = z.infer<typeof file>;

/** Body of `POST /api/storage/complete/`. If there is a tenant_id, it must own the file. */
export const completeRequest = z
  .object(
    { file_path: filePath, tenant_id: optionalField(ownerTenantId) },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type CompleteRequest = z.output<typeof completeRequest>;

/** Query of `GET /api/storage/file/`. If there is a tenant_id, it must own the file. */
export const findFileQuery = z
  .object({ file_path: filePath, tenant_id: ownerTenantId.optional() })
  .transform(camelKeys);
export type FindFileQuery = z.output<typeof findFileQuery>;

/** Query of `GET /api/storage/files/`. */
export const listFilesQuery = z
  .object({
    tenant_id: tenantId.optional(),
    status: z
      .enum(fileStatuses, { error: `status must be one of ${fileStatuses.join(", ")}` })
      .describe(
        "Without it, the list contains no files in the trash: trashed lists them. No list contains files that are being deleted, so deleting finds nothing.",
      )
      .optional(),
    q: searchText.optional(),
    limit: pageLimit,
    cursor: cursor.optional(),
  })
  .transform(camelKeys);
export type ListFilesQuery = z.output<typeof listFilesQuery>;

/** Answer of `GET /api/storage/files/`, newest first. */
export const listFilesResponse = z.object({ files: z.array(file), next_cursor: z.string().nullable() });
export type ListFilesResponse = z.infer<typeof listFilesResponse>;
