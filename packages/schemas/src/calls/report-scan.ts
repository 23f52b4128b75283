import * as z from "zod";
import { camelKeys } from "../casing.js";
import { filePath, ownerTenantId, optionalField, requestBody } from "../fields.js";
import { file } from "../file.js";
import { limits } from "../limits.js";
import type { About, Call } from "../call.js";
import { scanVerdicts } from "../scan.js";
import { textField } from "../text-field.js";

/** Body of `POST /api/storage/scan-result/`. If there is a tenant_id, it must own the file. */
export const scanResultRequest = requestBody({
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
}).transform(camelKeys);
export type ScanResultRequest = z.output<typeof scanResultRequest>;

export const call = {
  method: "POST",
  path: "/api/storage/scan-result/",
  body: scanResultRequest,
  answer: file,
} as const satisfies Call;

export const about = {
  tag: "Files",
  names: { body: "ScanResultRequest", answer: "File" },
  lane: "read",
  summary: "Report the verdict of a virus scan",
  description:
    "For projects whose setting scan is external: your own scanner reads the object from storage and reports what it found. An infected file is quarantined until an operator releases or deletes it. It is safe to repeat, and a later verdict replaces an earlier one.",
  errors: ["tenant_id_required", "file_not_found", "scan_outdated"],
  example: { file_path: "$FILE_PATH", verdict: "clean" },
} as const satisfies About;
