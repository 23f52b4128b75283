import * as z from "zod";
import { camelKeys } from "./casing.js";
import { filePath, optionalField, ownerTenantId } from "./fields.js";

/** Body of `POST /api/storage/cancel/`. If there is a tenant_id, it must own the upload. */
export const cancelRequest = z
  .object(
    { file_path: filePath, tenant_id: optionalField(ownerTenantId) },
    { error: "Request body must be a JSON object" },
  )
  .transform(camelKeys);
export type CancelRequest = z.output<typeof cancelRequest>;

/** Answer of `POST /api/storage/cancel/`. An upload that cannot be cancelled is an error, so `cancelled` is always true. */
export const cancelResponse = z.object({ file_path: z.string(), cancelled: z.literal(true) });
export type CancelResponse = z.infer<typeof cancelResponse>;
