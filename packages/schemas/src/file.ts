import * as z from "zod";
import { scanStatuses } from "./scan.js";
import { timestamp } from "./fields.js";

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
  folder: z.string(),
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
  replaced_by: z
    .string()
    .describe("The file_path of the file that replaced this one. Only of files in the trash.")
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
