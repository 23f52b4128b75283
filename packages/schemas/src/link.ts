import * as z from "zod";
import { dispositions } from "./download-options.js";
import { timestamp } from "./fields.js";

/** A share link, as every call answers it. Its URL is answered once, when it is created. */
export const link = z.object({
  link_id: z.string(),
  file_path: z.string(),
  tenant_id: z.string(),
  created_at: timestamp,
  expires_at: timestamp.nullable().describe("When the link ends. Null: it has no end."),
  max_downloads: z.int().nullable().describe("Null: no limit."),
  downloads: z.int().describe("How often the link has redirected to the file."),
  has_password: z.boolean(),
  disposition: z.enum(dispositions),
});
export type Link = z.infer<typeof link>;
