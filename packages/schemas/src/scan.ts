import * as z from "zod";
import { camelKeys } from "./casing.js";
import { filePath, optionalField, ownerTenantId } from "./fields.js";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

/** What a virus scan found out about the bytes of a file. */
export const scanVerdicts = ["clean", "infected", "unscannable"] as const;
export type ScanVerdict = (typeof scanVerdicts)[number];

/**
 * - `none`: the project did not scan when the file was stored. While it scans, such a file waits for its scan as `pending` does
 * - `pending`: the file waits for its scan
 * - `clean`, `infected`: the scanner's verdict
 * - `unscannable`: the scanner cannot look into the file, because it is too large or encrypted
 */
export const scanStatuses = ["none", "pending", ...scanVerdicts] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** Body of `POST /api/storage/scan-result/`. If there is a tenant_id, it must own the file. */
export const scanResultRequest = z
  .object(
    {
      file_path: filePath,
      tenant_id: optionalField(ownerTenantId),
      verdict: z.enum(scanVerdicts, { error: `verdict must be one of ${scanVerdicts.join(", ")}` }),
      signature: optionalField(
        textField("signature", { max: limits.scanSignatureLength }).describe(
          "What the scanner found, such as the name of a virus.",
        ),
      ),
      etag: optionalField(
        textField("etag", { max: limits.etagLength }).describe(
          "The ETag of the bytes that were scanned, without quotes. If the file has other bytes by now, the verdict is refused. Send it whenever the scanner knows it.",
        ),
      ),
    },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type ScanResultRequest = z.output<typeof scanResultRequest>;
