import * as z from "zod";
import { timestamp } from "./fields.js";

/** How an open upload is divided into parts, and when it ends. */
export const partLayout = {
  declared_size: z.int().describe("Bytes of the whole file."),
  part_size: z.int().describe("Bytes of each part. The last part has the rest of the file."),
  part_count: z.int(),
  expires_at: timestamp.describe("When the upload ends if it is not complete. RFC 3339, UTC."),
};
